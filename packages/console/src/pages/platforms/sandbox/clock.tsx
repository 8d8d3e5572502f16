/** The clock of a sandbox: buttons to advance it, the next due event, and the events of the last advance. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useAct, useMay, useRead } from "../../../api/platform.ts";
import { sessionQuery } from "../../../api/session.ts";
import { newKey } from "../../../std/host.ts";
import { shortId } from "../../../std/ids.ts";
import { t } from "../../../text/messages.ts";
import { Button } from "../../../ui/button.tsx";
import { IdLink, PlaceLink } from "../../../ui/place-link.tsx";
import { Problem, Waiting } from "../../../ui/states.tsx";
import { Time } from "../../../ui/values.tsx";
import { LabSection } from "./lab-section.tsx";

const STEPS = [
  { seconds: 300, word: "sandbox.minutes", count: 5 },
  { seconds: 3_600, word: "sandbox.hours", count: 1 },
  { seconds: 86_400, word: "sandbox.days", count: 1 },
  { seconds: 2_592_000, word: "sandbox.days", count: 30 },
] as const;

export function Clock() {
  const reading = useRead<"getClock">({ method: "GET", path: ["sandbox", "clock"] });
  const advance = useAct<"advanceClock">();
  const may = useMay("sandbox.use");
  const queries = useQueryClient();
  const [movedFrom, setMovedFrom] = useState<string>();
  const move = (from: string, seconds: number) =>
    advance.mutate(
      {
        call: { method: "POST", path: ["sandbox", "clock", "advance"], body: { seconds } },
        key: newKey(),
      },
      {
        onSuccess: () => {
          setMovedFrom(from);
          void queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
        },
      },
    );
  return (
    <LabSection title={t("sandbox.clock")} hint={t("sandbox.clockHint")}>
      <Waiting reading={reading}>
        {({ now }) => (
          <>
            <p className="pb-3 text-title font-semibold tabular-nums [&_time]:whitespace-normal">
              <Time at={now} isExact />
            </p>
            {may && (
              <div className="flex flex-wrap gap-2">
                {STEPS.map(({ seconds, word, count }) => (
                  <Button
                    key={seconds}
                    isDisabled={advance.isPending}
                    onPress={() => move(now, seconds)}
                  >
                    {t(word, { count })}
                  </Button>
                ))}
              </div>
            )}
            <NextDue
              now={now}
              isOff={!may || advance.isPending}
              onMove={(seconds) => move(now, seconds)}
            />
          </>
        )}
      </Waiting>
      {advance.isError && <Problem error={advance.error} />}
      {movedFrom !== undefined && <Happened since={movedFrom} />}
    </LabSection>
  );
}

/** The first quote to expire among the newest open quotes. */
function NextDue({
  now,
  isOff,
  onMove,
}: {
  readonly now: string;
  readonly isOff: boolean;
  readonly onMove: (seconds: number) => void;
}) {
  const { data } = useRead<"listQuotes">({
    method: "GET",
    path: ["quotes"],
    query: { status: "PENDING", limit: 100 },
  });
  const [next] = [...(data?.data ?? [])].sort((one, other) =>
    one.expiresAt.localeCompare(other.expiresAt),
  );
  if (next === undefined) return <p className="pt-2 text-body text-soft">{t("sandbox.noneDue")}</p>;
  const left = Math.max(1, Math.ceil((Date.parse(next.expiresAt) - Date.parse(now)) / 1000));
  return (
    <p className="flex flex-wrap items-center gap-2 pt-3 text-body">
      <span>
        {t("kind.Quote")}{" "}
        <PlaceLink place={`quotes/${next.id}`} className="font-mono text-code text-accent">
          {shortId(next.id)}
        </PlaceLink>{" "}
        {t("sandbox.expiresIn", { left: minutesAndSeconds(left) })}
      </span>
      <Button isSmall isDisabled={isOff} onPress={() => onMove(left)}>
        {t("sandbox.toIt")}
      </Button>
    </p>
  );
}

/** Formats seconds as `4:10`. */
function minutesAndSeconds(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

const MOST_SHOWN = 10;

/** The newest events since that time. */
function Happened({ since }: { readonly since: string }) {
  const may = useMay("events.read");
  const reading = useRead<"listEvents">(
    { method: "GET", path: ["events"], query: { since, limit: MOST_SHOWN } },
    { isOff: !may },
  );
  if (!may) return null;
  return (
    <section aria-label={t("sandbox.happened")} aria-live="polite" className="pt-4">
      <h3 className="pb-1 text-form font-semibold">{t("sandbox.happened")}</h3>
      <Waiting reading={reading} rows={2}>
        {({ data, hasMore }) =>
          data.length === 0 ? (
            <p className="text-body text-soft">{t("sandbox.nothingHappened")}</p>
          ) : (
            <>
              <ul className="text-body">
                {data.map((event) => (
                  <li
                    key={event.id}
                    className="flex flex-wrap items-center justify-between gap-x-3 border-line border-b py-1.5"
                  >
                    <PlaceLink
                      place={`events/${event.id}`}
                      className="font-mono text-code hover:underline"
                    >
                      {event.type}
                    </PlaceLink>
                    <IdLink id={event.resourceId} />
                  </li>
                ))}
              </ul>
              {hasMore && (
                <PlaceLink place="events" className="text-body text-accent hover:underline">
                  {t("sandbox.allEvents")}
                </PlaceLink>
              )}
            </>
          )
        }
      </Waiting>
    </section>
  );
}
