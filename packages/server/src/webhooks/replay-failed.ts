/**
 * Makes events due again that were given up. A running server finds them at its next poll.
 *
 * Each batch is one transaction and starts where the one before ended in the sequence, up to a bound: so the run ends even when events
 * are given up again meanwhile. If the process dies between two batches, the other events stay given up, and another replay continues
 * with them.
 */
import { decodeReplayed, type GivenUp, replayStep } from "../domain/events/delivery.sql.ts";
import { DEFAULT_ENDPOINT, lockStreamStep } from "../domain/events/stream.sql.ts";
import type { Database } from "../postgres/database.ts";
import type { Clock } from "../std/clock.ts";
import { createDeliveryBooks } from "./delivery-books.ts";

const BATCH = 500;

export interface ReplayTools {
  readonly database: Database;
  readonly clock: Clock;
}

export interface ReplayWish extends Omit<GivenUp, "after"> {
  readonly platformId: string;
}

export interface Replayed {
  readonly count: number;
  /** The bound was reached, and there may be more. */
  readonly isCut: boolean;
}

export async function replayFailed(
  { database, clock }: ReplayTools,
  { platformId, limit, ...which }: ReplayWish,
): Promise<Replayed> {
  const books = createDeliveryBooks(database);
  const key = { platformId, endpointId: DEFAULT_ENDPOINT };
  let count = 0;
  let after = 0n;
  try {
    while (count < limit) {
      const size = Math.min(BATCH, limit - count);
      const [, changed] = await books.run([
        lockStreamStep(key),
        replayStep(key, { ...which, after, limit: size, now: clock.now() }),
      ]);
      const replayed = decodeReplayed(changed);
      count += replayed.length;
      if (replayed.length < size) return { count, isCut: false };
      after = replayed.reduce((last, seq) => (seq > last ? seq : last), after);
    }
    return { count, isCut: true };
  } finally {
    await books.close();
  }
}
