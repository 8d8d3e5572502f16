/**
 * Forgets what has been kept long enough: answers to idempotency keys, after 30 days, and files that no command refers to.
 * The log row of an answer stays, and so does its digest, which is what the hash chain covers.
 *
 * A little at a time, so that no commit waits for it. If the process dies in between, another sweep goes on.
 */
import { parameter } from "../engine/records.ts";
import type { Cancel, Clock } from "../std/clock.ts";
import { messageOf } from "../std/errors.ts";
import type { Log } from "../std/log.ts";
import type { Database } from "../storage/database.ts";
import type { Statement } from "../storage/pipeline.ts";
import { createFileSweep } from "./sweep-files.ts";

export interface Sweeper {
  start(): void;
  stop(): Promise<void>;
  /** Sweeps until nothing is left to forget; answers how many answers and files went. */
  runOnce(): Promise<number>;
}

const KEPT_MS = 30 * 24 * 60 * 60 * 1000;
const SWEEP_EVERY_MS = 10 * 60 * 1000;
const ROWS_AT_ONCE = 1_000n;

const forgetAnswers: Statement = {
  name: "command_log/forget-answers",
  text:
    "update command_log set idempotency_digest = null, answer = null where ctid = any(array(" +
    "select ctid from command_log where at < $1::timestamptz and idempotency_digest is not null limit $2::int8))",
};

export function createSweeper(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
}): Sweeper {
  const { database, clock, log } = options;
  let cancel: Cancel | undefined;
  let underway: Promise<unknown> = Promise.resolve();
  let isStopped = false;
  const files = createFileSweep();

  async function runOnce(): Promise<number> {
    const lane = await database.openLane("sweeper");
    let swept = 0;
    try {
      while (!isStopped) {
        const before = parameter("time", clock.now() - KEPT_MS);
        const limit = parameter("int8", ROWS_AT_ONCE);
        const [result] = await lane.run([
          { statement: forgetAnswers, parameters: [before, limit] },
        ]);
        swept += result?.count ?? 0;
        if ((result?.count ?? 0) < Number(ROWS_AT_ONCE)) break;
      }
      swept += await files.run(lane, clock.now(), () => isStopped);
    } finally {
      await lane.close();
    }
    return swept;
  }

  function later(): void {
    if (isStopped) return;
    cancel = clock.after(SWEEP_EVERY_MS, () => {
      underway = runOnce()
        .catch((error) =>
          log.warn({ err: messageOf(error) }, "a sweep failed; the next one goes on"),
        )
        .finally(later);
    });
  }

  return {
    start: later,
    runOnce,
    async stop() {
      isStopped = true;
      cancel?.();
      await underway;
    },
  };
}
