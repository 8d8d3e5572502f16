/** The real database, with recorded pipelines and injected faults. */

import pg from "pg";
import type { Database, Lane } from "../../src/postgres/database.ts";
import type { Step } from "../../src/postgres/pipeline.ts";
import { Bug } from "../../src/std/assert.ts";

export interface WatchedDatabase extends Database {
  /** The statement names of each pipeline, in order of submission. */
  readonly runs: readonly (readonly string[])[];
  /** Injects a fault into the next matching pipeline, once. */
  meet(fault: PipelineFault): void;
}

export interface PipelineFault {
  fits(names: readonly string[]): boolean;
  /**
   * `lost-request` does not reach PostgreSQL. The others but `held` run; their reply is lost, invalid, or an error with the SQLSTATE
   * `state`, as from a distributed database of which one node did not confirm the commit.
   */
  readonly kind: "lost-request" | "lost-reply" | "garbled-reply" | "unconfirmed" | "held";
  readonly state?: string;
  /** For `held`: the pipeline is sent when this resolves. */
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
    if (fault.kind === "unconfirmed") throw stateError(fault.state ?? "XX000");
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

function stateError(state: string): pg.DatabaseError {
  const error = new pg.DatabaseError("the commit was not confirmed", 0, "error");
  error.code = state;
  return error;
}
