import { dropAttemptsBeforeStep } from "../../domain/events/delivery-log/attempt.sql.ts";
import type { Lane } from "../../postgres/database.ts";
import { dayOf } from "../../std/clock.ts";

/** Drops the days of the delivery log that ended before this time; answers how many. */
export async function sweepAttempts(lane: Lane, before: number): Promise<number> {
  const [dropped] = await lane.run([dropAttemptsBeforeStep(dayOf(before))]);
  return Number(dropped?.rows[0]?.[0] ?? 0);
}
