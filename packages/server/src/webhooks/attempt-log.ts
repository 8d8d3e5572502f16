/** The log of attempts to deliver events. Nothing waits for it, and it may drop attempts. */
import type { DeliveryTarget, StreamKey } from "../domain/events/stream.sql.ts";
import type { PostAnswer } from "./post-event.ts";

export interface MadeAttempt {
  readonly key: StreamKey;
  readonly target: DeliveryTarget;
  readonly eventId: string;
  /** Counted from 1 for each delivery. */
  readonly number: number;
  readonly isDelivered: boolean;
  readonly answer: PostAnswer;
  /** Of an event that went in a batch: its number, and whether it was the first of its request. */
  readonly ofBatch: { readonly sequence: bigint; readonly isFirst: boolean } | undefined;
}

export interface AttemptLog {
  add(attempt: MadeAttempt): void;
}

/** For a worker whose attempts are not logged. */
export const noAttemptLog: AttemptLog = { add: () => undefined };
