/** The timeline of a payment, newest first: sentences for people, or the rows of the server behind a switch. */
import type { Transaction } from "@florin/client";
import { useState } from "react";
import { useRead } from "../../../api/platform.ts";
import { Section } from "../../../detail/facts.tsx";
import { recall, remember } from "../../../std/storage.ts";
import { t } from "../../../text/messages.ts";
import { clockTime, exactTime, shortDay, utcTime } from "../../../text/time.ts";
import { Button } from "../../../ui/button.tsx";
import { classes } from "../../../ui/classes.ts";
import { NameLink, PlaceLink } from "../../../ui/place-link.tsx";
import { Problem, Skeleton } from "../../../ui/states.tsx";
import { OutsideWord } from "../../../ui/values.tsx";
import { Prove } from "../../reading/ledger/proof/prove.tsx";
import { DOTS } from "./dots.ts";
import { FailureBox } from "./failure-box.tsx";
import { type Line, linesOf, whoText } from "./lines.ts";
import type { Note } from "./notes.ts";
import { TechnicalRows } from "./technical.tsx";

const TECHNICAL = "timeline.technical";

const useTimeline = (transactionId: string) =>
  useRead<"getTransactionTimeline">({
    method: "GET",
    path: ["transactions", transactionId, "timeline"],
    query: { expand: "parties" },
  });

/** Why the payment failed and what helps, with the number of failures alike that the timeline counts. */
export function PaymentFailure({ payment }: { readonly payment: Transaction }) {
  const { data } = useTimeline(payment.id);
  if (payment.failure === undefined) return null;
  return <FailureBox payment={payment} failure={payment.failure} alike={data?.alike} />;
}

export function TimelineSection({ payment }: { readonly payment: Transaction }) {
  const [isTechnical, setTechnical] = useState(() => recall(TECHNICAL) === "on");
  const reading = useTimeline(payment.id);
  const { data, error } = reading;
  const turn = () => {
    remember(TECHNICAL, isTechnical ? undefined : "on");
    setTechnical(!isTechnical);
  };
  const seqs = (data?.entries ?? []).flatMap(({ commandSeq }) => commandSeq ?? []);
  const act = (
    <span className="flex gap-2">
      <Button weight={isTechnical ? "plain" : "quiet"} isOn={isTechnical} onPress={turn}>
        {t("timeline.technical")}
      </Button>
      <Prove seqs={seqs} />
    </span>
  );
  return (
    <Section title={t("timeline.title")} act={act}>
      {data === undefined && error === null && <Skeleton rows={4} />}
      {data === undefined && error !== null && (
        <Problem error={error} onRetry={() => reading.refetch()} />
      )}
      {data !== undefined && isTechnical && <TechnicalRows entries={data.entries} />}
      {data !== undefined && !isTechnical && <Lines lines={linesOf(data, payment)} />}
      {data?.isComplete === false && (
        <p className="pt-2 text-caption text-soft">{t("timeline.cut")}</p>
      )}
    </Section>
  );
}

function Lines({ lines }: { readonly lines: readonly Line[] }) {
  const newest = [...lines].reverse();
  return (
    <ol className="flex flex-col pt-1">
      {newest.map((line, index) => (
        <Row
          key={index}
          line={line}
          isNewDay={index === 0 || shortDay(newest[index - 1]?.at ?? "") !== shortDay(line.at)}
          isLast={index === newest.length - 1}
        />
      ))}
    </ol>
  );
}

interface RowProps {
  readonly line: Line;
  readonly isNewDay: boolean;
  readonly isLast: boolean;
}

function Row({ line: { at, who, text, money, tone, notes }, isNewDay, isLast }: RowProps) {
  return (
    <li>
      {isNewDay && <div className="pb-2 text-caption text-soft">{shortDay(at)}</div>}
      <div className="grid grid-cols-[12px_minmax(0,1fr)] gap-x-3">
        <div className="flex flex-col items-center pt-1.5" aria-hidden>
          <span className={classes("size-2 rounded-full", DOTS[tone])} />
          {!isLast && <span className="w-px flex-1 bg-line" />}
        </div>
        <div className="pb-4 text-body">
          <time
            dateTime={at}
            title={`${exactTime(at)}\n${utcTime(at)}`}
            className="pe-1 text-soft tabular-nums"
          >
            {clockTime(at)}
          </time>{" "}
          {who !== undefined && (
            <span className="font-medium">
              <NameLink id={who.id}>
                <OutsideWord text={whoText(who)} />
              </NameLink>{" "}
            </span>
          )}
          <OutsideWord text={text} />
          {money !== undefined && (
            <span className="text-soft">
              {" \u00b7 "}
              <OutsideWord text={money} />
            </span>
          )}
          {notes.map((note) => (
            <NoteLine key={note.text} note={note} />
          ))}
        </div>
      </div>
    </li>
  );
}

function NoteLine({ note: { text, eventId } }: { readonly note: Note }) {
  return (
    <div className={classes("text-caption", eventId === undefined ? "text-soft" : "text-wait")}>
      {eventId === undefined ? (
        text
      ) : (
        <PlaceLink place={`events/${eventId}`} className="hover:underline">
          {text}
        </PlaceLink>
      )}
    </div>
  );
}
