/** The timeline as the server keeps it, newest first: states, postings with their legs, jobs, events and deliveries. */
import { t, wordOf } from "../../../text/messages.ts";
import { toneOf } from "../../../text/tones.ts";
import { classes } from "../../../ui/classes.ts";
import { StatePill } from "../../../ui/pill.tsx";
import { IdLink, ObjectLink, PlaceLink } from "../../../ui/place-link.tsx";
import { Amount, Time } from "../../../ui/values.tsx";
import { DOTS } from "./dots.ts";
import type { Entry } from "./lines.ts";

export function TechnicalRows({ entries }: { readonly entries: readonly Entry[] }) {
  const rows = [...entries].reverse();
  return (
    <ol className="flex flex-col pt-1">
      {rows.map((entry, index) => (
        <Row key={index} entry={entry} isLast={index === rows.length - 1} />
      ))}
    </ol>
  );
}

function Row({ entry, isLast }: { readonly entry: Entry; readonly isLast: boolean }) {
  return (
    <li className="grid grid-cols-[12px_minmax(0,1fr)] gap-x-3">
      <div className="flex flex-col items-center pt-1.5" aria-hidden>
        <span className={classes("size-2 rounded-full", dotOf(entry))} />
        {!isLast && <span className="w-px flex-1 bg-line" />}
      </div>
      <div className="pb-4">
        <div className="flex flex-wrap items-baseline justify-between gap-x-3">
          <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
            <span className="font-medium">{wordOf("timeline", entry.kind)}</span>
            <What entry={entry} />
          </div>
          <span className="text-caption text-soft">
            <Time at={entry.at} />
          </span>
        </div>
        <Under entry={entry} />
      </div>
    </li>
  );
}

function dotOf({ status }: Entry): string {
  return DOTS[status === undefined ? "plain" : toneOf(status)];
}

function What({ entry }: { readonly entry: Entry }) {
  if (entry.deliveryId !== undefined) {
    return (
      <ObjectLink
        id={entry.deliveryId}
        place={`deliveries/${entry.deliveryId}`}
        className="font-mono text-code text-accent hover:underline"
      >
        {entry.eventType}
      </ObjectLink>
    );
  }
  if (entry.eventId !== undefined) {
    return (
      <ObjectLink
        id={entry.eventId}
        place={`events/${entry.eventId}`}
        className="font-mono text-code text-accent hover:underline"
      >
        {entry.eventType}
      </ObjectLink>
    );
  }
  if (entry.posting !== undefined) {
    return (
      <PlaceLink
        place={`postings/${entry.posting}`}
        className="font-mono text-code text-accent hover:underline"
      >
        {entry.reason}
      </PlaceLink>
    );
  }
  if (entry.status !== undefined) return <StatePill state={entry.status} />;
  return <span className="font-mono text-code text-soft">{entry.command}</span>;
}

function Under({ entry }: { readonly entry: Entry }) {
  const { legs, actor, attempts, endpointId, reason, posting, commandSeq } = entry;
  const words = [
    actor === undefined ? undefined : t("timeline.by", { actor: wordOf("actor", actor) }),
    posting === undefined && reason !== undefined ? wordOf("reason", reason) : undefined,
    attempts === undefined ? undefined : t("timeline.attempts", { count: attempts }),
    commandSeq === undefined ? undefined : t("timeline.command", { seq: commandSeq }),
  ].filter((word) => word !== undefined);
  return (
    <div className="text-caption text-soft">
      {words.join(" \u00b7 ")}
      {endpointId !== undefined && (
        <>
          {" \u00b7 "}
          <IdLink id={endpointId} />
        </>
      )}
      {legs !== undefined && (
        <ul className="mt-1 flex flex-col gap-0.5">
          {legs.map(({ accountId, amount }) => (
            <li key={`${accountId} ${amount.amount}`} className="flex justify-between gap-3">
              <IdLink id={accountId} />
              <Amount amount={amount} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
