import type { DeliveryTarget, QueuedEvent, StreamKey } from "../domain/events/stream.sql.ts";
import type { DeliveryContext } from "./delivery-context.ts";
import { judgeAnswer, type PostAnswer, type Verdict } from "./post-event.ts";

export interface Attempt {
  readonly key: StreamKey;
  readonly target: DeliveryTarget;
  readonly event: QueuedEvent;
  readonly use: "first" | "again" | "resend";
  /** The number of failed attempts if this one fails too. */
  readonly failures: number;
}

export interface Attempted {
  readonly answer: PostAnswer;
  readonly verdict: Verdict;
}

/** Posts an event once, counts and logs the attempt, and returns the answer with the verdict on the event. */
export async function attemptEvent(
  { poster, counts, noteFailed, attemptLog }: DeliveryContext,
  { key, target, event, use, failures }: Attempt,
): Promise<Attempted> {
  counts.attempts++;
  counts.underway++;
  const { seq: sequence, body } = event;
  const answer = await poster.post({ key, target, id: event.id, sequence, body, use });
  counts.underway--;
  const { clockOffsetMs, endpoint } = target;
  const verdict = judgeAnswer(event, answer, { failures, clockOffsetMs });
  const isDelivered = verdict.state === "DELIVERED";
  attemptLog.add({ key, target, eventId: event.id, number: failures, isDelivered, answer });
  if (!isDelivered) {
    noteFailed({ platformId: key.platformId, endpoint, outcome: answer.outcome });
  }
  return { answer, verdict };
}
