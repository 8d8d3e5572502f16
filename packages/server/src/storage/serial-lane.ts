/** A connection of its own for a narrow writer: one pipeline at a time, and a broken connection replaced at the next. */
import type { Database, Lane } from "./database.ts";
import type { Step, StepResult } from "./pipeline.ts";

export interface SerialLane {
  run(step: Step): Promise<StepResult>;
  /** After what is under way. */
  close(): Promise<void>;
}

export function createSerialLane(database: Database, name: string): SerialLane {
  let lane: Lane | undefined;
  let turn: Promise<unknown> = Promise.resolve();

  async function runNow(step: Step): Promise<StepResult> {
    if (lane === undefined || lane.broken()) lane = await database.openLane(name);
    const current = lane;
    try {
      const [result] = await current.run([step]);
      return result ?? { rows: [], count: 0, tag: "" };
    } catch (error) {
      lane = undefined;
      await current.close();
      throw error;
    }
  }

  return {
    run(step) {
      const result = turn.then(() => runNow(step));
      turn = result.catch(() => undefined);
      return result;
    },
    async close() {
      await turn;
      await lane?.close();
    },
  };
}
