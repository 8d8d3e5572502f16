/** A connection of its own for a narrow writer: one pipeline at a time, and a broken connection replaced at the next. */
import type { Database, Lane } from "./database.ts";
import type { Step, StepResult } from "./pipeline.ts";

export interface SerialLane {
  /** All steps are one transaction; the result is that of the last. */
  run(...steps: readonly Step[]): Promise<StepResult>;
  /** After what is under way. */
  close(): Promise<void>;
}

export function createSerialLane(database: Database, name: string): SerialLane {
  let lane: Lane | undefined;
  let turn: Promise<unknown> = Promise.resolve();

  async function runNow(steps: readonly Step[]): Promise<StepResult> {
    if (lane === undefined || lane.broken()) lane = await database.openLane(name);
    const current = lane;
    try {
      const results = await current.run(steps);
      return results.at(-1) ?? { rows: [], count: 0, tag: "" };
    } catch (error) {
      lane = undefined;
      await current.close();
      throw error;
    }
  }

  return {
    run(...steps) {
      const result = turn.then(() => runNow(steps));
      turn = result.catch(() => undefined);
      return result;
    },
    async close() {
      await turn;
      await lane?.close();
    },
  };
}
