/**
 * Writes the checkpoints of the books that are due, so that sums as of a moment read a bounded number of entries. Each is one statement;
 * the next sweep writes what a stop or a failure left out.
 */
import {
  dueCheckpointsStep,
  nextCheckpointStep,
} from "../../domain/reading/ledger/balances.sql.ts";
import type { Lane } from "../../postgres/database.ts";
import { BEFORE_ALL_IDS } from "../../std/ids.ts";

/** Answers how many were written. */
export async function sweepCheckpoints(lane: Lane, isStopped: () => boolean): Promise<number> {
  let written = 0;
  let after = BEFORE_ALL_IDS;
  while (!isStopped()) {
    const [due] = await lane.run([dueCheckpointsStep(after)]);
    const rows = due?.rows ?? [];
    for (const [platformId, seq] of rows) {
      if (isStopped() || platformId === null || platformId === undefined) return written;
      await lane.run([nextCheckpointStep(platformId, BigInt(seq ?? 0))]);
      written++;
    }
    // Looks again from the start: a platform may be more than one checkpoint behind.
    if (rows.length === 0 && after === BEFORE_ALL_IDS) break;
    after = rows.at(-1)?.[0] ?? BEFORE_ALL_IDS;
  }
  return written;
}
