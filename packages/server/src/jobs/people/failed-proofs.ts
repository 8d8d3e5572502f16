/**
 * Counts failed proofs of people in the database, so that all servers limit them together. The caller gets its answer after the failure
 * was counted.
 *
 * Bounds: one write at a time; failures that arrive meanwhile are the next batch. When a write fails, so do the attempts that wait for
 * it: without the database no sign-in succeeds either.
 */
import { failureStep } from "../../domain/people/sessions/failed-proofs.sql.ts";
import type { Database } from "../../postgres/database.ts";
import type { Step } from "../../postgres/pipeline.ts";
import type { Clock } from "../../std/clock.ts";

export interface FailedProofs {
  /** Resolves when the failure is counted. */
  note(keyHash: string): Promise<void>;
}

export function createFailedProofs(
  database: Pick<Database, "openLane">,
  clock: Clock,
): FailedProofs {
  let waiting: Step[] = [];
  let next: Promise<void> | undefined;
  let underway: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    const steps = waiting;
    waiting = [];
    next = undefined;
    const lane = await database.openLane("failed proofs");
    await lane.run(steps).finally(() => lane.close());
  }

  return {
    note(keyHash) {
      waiting.push(failureStep(keyHash, clock.now()));
      if (next === undefined) {
        next = underway.catch(() => undefined).then(write);
        underway = next;
      }
      return next;
    },
  };
}
