import { isTaken } from "../domain/events/delivery-schedule.ts";
import type { DeliveryTarget, QueuedEvent, StreamKey } from "../domain/events/stream.sql.ts";
import { present } from "../std/assert.ts";
import { jitterFraction } from "../std/jitter.ts";
import { batchBody } from "./batches.ts";
import type { DeliveryContext } from "./delivery-context.ts";
import { judgeAnswer, type PostAnswer, type Verdict } from "./post-event.ts";

export interface Attempt<Event extends QueuedEvent> {
  readonly key: StreamKey;
  readonly target: DeliveryTarget;
  /** Those of one request, in order: one alone unless the endpoint takes batches. */
  readonly events: readonly Event[];
  readonly use: "first" | "again" | "resend";
  /** The number of failed attempts of an event if this one fails too. */
  readonly failuresOf: (event: Event) => number;
}

export interface Attempted {
  readonly answer: PostAnswer;
  /** In the order of the events. */
  readonly verdicts: readonly Verdict[];
}

/** Posts the events of one request once, counts and logs an attempt of each, and returns the answer with the verdict on each. */
export async function attemptEvents<Event extends QueuedEvent>(
  { poster, counts, noteFailed, attemptLog }: DeliveryContext,
  { key, target, events, use, failuresOf }: Attempt<Event>,
): Promise<Attempted> {
  counts.attempts += events.length;
  counts.underway++;
  const answer = await poster.post({ key, target, use, ...messageOf(target, events) });
  counts.underway--;
  const { clockOffsetMs, endpoint } = target;
  // One number for all, so that the events of a batch are due together again.
  const chance = jitterFraction();
  const isDelivered = isTaken(answer);
  const verdicts = events.map((event, place) => {
    const number = failuresOf(event);
    const ofBatch = answer.isBatch ? { sequence: event.seq, isFirst: place === 0 } : undefined;
    attemptLog.add({ key, target, eventId: event.id, number, isDelivered, answer, ofBatch });
    return judgeAnswer(event, answer, { failures: number, clockOffsetMs, chance });
  });
  if (!isDelivered) {
    noteFailed({ platformId: key.platformId, endpoint, outcome: answer.outcome });
  }
  return { answer, verdicts };
}

function messageOf({ batch }: DeliveryTarget, events: readonly QueuedEvent[]) {
  const first = present(events[0], "an event to post");
  const { id, seq: sequence, body } = first;
  if (batch === undefined) return { id, sequence, body };
  return { id, sequence, body: batchBody(events), batch: events.map(({ seq }) => seq) };
}
