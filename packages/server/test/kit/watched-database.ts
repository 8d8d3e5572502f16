/** The real database, with a look at each pipeline of its lanes, and a hand on its reply. */

import type { Database, Lane } from "../../src/postgres/database.ts";
import type { Step } from "../../src/postgres/pipeline.ts";
import { Bug } from "../../src/std/assert.ts";

export interface WatchedDatabase extends Database {
  /** The names of the statements of each pipeline, in the order they were asked for. */
  readonly runs: readonly (readonly string[])[];
  /** What the next pipeline that fits meets; then everything is as before. */
  meet(fault: PipelineFault): void;
}

export interface PipelineFault {
  fits(names: readonly string[]): boolean;
  /** `lost-request` never reaches PostgreSQL; `lost-reply` runs and nobody hears of it, `garbled-reply` and nobody understands. */
  readonly kind: "lost-request" | "lost-reply" | "garbled-reply" | "held";
  /** For `held`: the pipeline goes out when this is done. */
  readonly until?: Promise<void>;
}

export function watchDatabase(database: Database): WatchedDatabase {
  const runs: (readonly string[])[] = [];
  const faults: PipelineFault[] = [];

  async function runFaulty(lane: Lane, steps: readonly Step[], fault: PipelineFault) {
    await fault.until;
    if (fault.kind === "held") return lane.run(steps);
    if (fault.kind !== "lost-request") await lane.run(steps);
    if (fault.kind === "garbled-reply") throw new Bug("a reply of too few answers");
    await lane.close();
    throw new Error("Connection terminated unexpectedly");
  }

  return {
    ...database,
    runs,
    meet: (fault) => void faults.push(fault),
    async openLane(name) {
      const lane = await database.openLane(name);
      return {
        ...lane,
        run(steps) {
          const names = steps.map((step) => step.statement.name);
          runs.push(names);
          const index = faults.findIndex((fault) => fault.fits(names));
          const [fault] = index === -1 ? [] : faults.splice(index, 1);
          return fault === undefined ? lane.run(steps) : runFaulty(lane, steps, fault);
        },
      };
    },
  };
}
