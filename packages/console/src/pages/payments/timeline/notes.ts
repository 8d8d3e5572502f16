/** Where the events of a line were delivered, in one sentence for each event that not every endpoint has. */
import { t, wordOf } from "../../../text/messages.ts";
import { shortHour } from "../../../text/time.ts";
import type { Entry } from "./lines.ts";

export interface Note {
  readonly text: string;
  /** The event that not every endpoint has; its page has the deliveries. */
  readonly eventId?: string;
}

/** Events that all endpoints have share one note. `nextAttempts`: by event. */
export function notesOf(
  entries: readonly Entry[],
  nextAttempts: ReadonlyMap<string, string>,
): readonly Note[] {
  const told = entries.flatMap(({ eventId, eventType, deliverySummary }) =>
    eventId === undefined || deliverySummary === undefined || deliverySummary.endpoints === 0
      ? []
      : [{ eventId, eventType: eventType ?? "", ...deliverySummary }],
  );
  const open = told.filter(({ delivered, endpoints }) => delivered < endpoints);
  const done = told.find(({ delivered, endpoints }) => delivered === endpoints);
  const notes = open.map(({ eventId, eventType, endpoints, delivered, waiting, failed }): Note => {
    const next = nextAttempts.get(eventId);
    const parts = [
      t("timeline.told", { delivered, endpoints, event: wordOf("timelineEvent", eventType) }),
      waiting === 0 ? undefined : triesText(waiting, next),
      failed === 0 ? undefined : t("timeline.gaveUp", { count: failed }),
    ];
    return { text: parts.filter((part) => part !== undefined).join("; "), eventId };
  });
  if (done === undefined) return notes;
  return [{ text: t("timeline.toldAll", { count: done.endpoints }) }, ...notes];
}

function triesText(count: number, next: string | undefined): string {
  return next === undefined
    ? t("timeline.waits", { count })
    : t("timeline.tries", { count, next: shortHour(next) });
}
