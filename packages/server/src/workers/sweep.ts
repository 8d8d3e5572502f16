/**
 * Forgets what has been kept long enough, after 30 days: answers to idempotency keys, and what wallets were asked and have
 * long answered; and files that no command refers to. Of an answer the log row stays, and so does its digest, which is what
 * the hash chain covers; a request or session that is gone is refused like one that has run out.
 *
 * A little at a time, so that no commit waits for it. If the process dies in between, another sweep goes on.
 */
import { parameter } from "../engine/records.ts";
import type { Cancel, Clock } from "../std/clock.ts";
import { messageOf } from "../std/errors.ts";
import type { Log } from "../std/log.ts";
import type { Database, Lane } from "../storage/database.ts";
import type { Statement } from "../storage/pipeline.ts";
import { createFileSweep } from "./sweep-files.ts";

export interface Sweeper {
  start(): void;
  stop(): Promise<void>;
  /** Sweeps until nothing is left to forget; answers how much went. */
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

/** Rows that nothing asks for once this time is past. */
const passing: readonly (readonly [table: string, time: string])[] = [
  ["wallet_requests", "expires_at"],
  ["passkey_challenges", "expires_at"],
  ["wallet_sessions", "expires_at"],
  ["spent_tokens", "remember_until"],
  ["mail_budgets", "updated_at"],
];

const sweeps: readonly Statement[] = [
  forgetAnswers,
  ...passing.map(([table, time]) => ({
    name: `${table}/forget`,
    text:
      `delete from ${table} where ctid = any(array(` +
      `select ctid from ${table} where ${time} < $1::timestamptz limit $2::int8))`,
  })),
];

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
      for (const statement of sweeps) swept += await sweep(lane, statement);
      swept += await files.run(lane, clock.now(), () => isStopped);
    } finally {
      await lane.close();
    }
    return swept;
  }

  async function sweep(lane: Lane, statement: Statement): Promise<number> {
    let swept = 0;
    while (!isStopped) {
      const before = parameter("time", clock.now() - KEPT_MS);
      const limit = parameter("int8", ROWS_AT_ONCE);
      const [result] = await lane.run([{ statement, parameters: [before, limit] }]);
      const count = result?.count ?? 0;
      swept += count;
      if (count < Number(ROWS_AT_ONCE)) break;
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
