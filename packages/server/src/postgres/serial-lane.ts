/** One connection that runs one pipeline at a time; a broken connection is replaced at the next run. */
import { type Clock, within } from "../std/clock.ts";
import { Fault } from "../std/errors.ts";
import { asFault, type Database, type Lane } from "./database.ts";
import type { Step, StepResult } from "./pipeline.ts";

export interface SerialLane {
  /** Runs all steps as one transaction; returns the result of the last step. */
  run(...steps: readonly Step[]): Promise<StepResult>;
  /** The same; returns the result of each step. */
  runAll(steps: readonly Step[]): Promise<readonly StepResult[]>;
  /** Waits for queued runs, then closes the connection. */
  close(): Promise<void>;
}

/** The timeout of a run, including its wait in the queue. A run that has not started by then is dropped. */
export interface RunTimeout {
  readonly clock: Clock;
  readonly timeoutMs: number;
}

export function createSerialLane(
  database: Pick<Database, "openLane">,
  name: string,
  timeout?: RunTimeout,
): SerialLane {
  let lane: Lane | undefined;
  let turn: Promise<unknown> = Promise.resolve();

  async function runNow(steps: readonly Step[]): Promise<readonly StepResult[]> {
    try {
      if (lane === undefined || lane.broken()) lane = await database.openLane(name);
      return await lane.run(steps);
    } catch (error) {
      const broken = lane;
      lane = undefined;
      await broken?.close();
      throw asFault(error, "the database did not answer");
    }
  }

  function runAll(steps: readonly Step[]): Promise<readonly StepResult[]> {
    let wanted: readonly Step[] | undefined = steps;
    const tooLate = () => {
      wanted = undefined;
      throw new Fault("the database did not answer in time");
    };
    const result = turn.then(() => (wanted === undefined ? tooLate() : runNow(wanted)));
    turn = result.catch(() => undefined);
    if (timeout === undefined) return result;
    return within(result, { clock: timeout.clock, limitMs: timeout.timeoutMs, late: tooLate });
  }

  return {
    runAll,
    async run(...steps) {
      return (await runAll(steps)).at(-1) ?? { rows: [], count: 0, tag: "" };
    },
    async close() {
      await turn;
      await lane?.close();
    },
  };
}
