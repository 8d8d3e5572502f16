/**
 * Forgets what has been kept long enough, after 30 days: answers to idempotency keys, and what wallets were asked and have
 * long answered; and files that no command refers to. A request or session that is gone is refused like one that has run
 * out.
 *
 * A little at a time, so that no commit waits for it, and each kind by itself: one that fails holds up none of the others. If
 * the process dies in between, another sweep goes on.
 */

import { parameter } from "../postgres/columns.ts";
import type { Database, Lane } from "../postgres/database.ts";
import type { Statement } from "../postgres/pipeline.ts";
import type { Cancel, Clock } from "../std/clock.ts";
import { messageOf } from "../std/errors.ts";
import type { Log } from "../std/log.ts";
import { sweepAnswers } from "./sweep-answers.ts";
import { createFileSweep } from "./sweep-files.ts";

export interface Sweeper {
  start(): void;
  stop(): Promise<void>;
  /** Sweeps until nothing is left to forget; answers how much went. Never rejects. */
  runOnce(): Promise<number>;
}

const KEPT_MS = 30 * 24 * 60 * 60 * 1000;
const SWEEP_EVERY_MS = 10 * 60 * 1000;
const ROWS_AT_ONCE = 1_000n;

/** Rows that nothing asks for once this time is past. */
const passing: readonly (readonly [table: string, time: string])[] = [
  ["wallet_requests", "expires_at"],
  ["passkey_challenges", "expires_at"],
  ["wallet_sessions", "expires_at"],
  ["spent_tokens", "remember_until"],
  ["mail_budgets", "updated_at"],
];

/** Takes away what is old, on this connection; answers how much went. */
type Sweep = (lane: Lane) => Promise<number>;

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

  const hasStopped = () => isStopped;
  const keptSince = () => clock.now() - KEPT_MS;
  const sweeps: readonly (readonly [what: string, sweep: Sweep])[] = [
    ["answers", (lane) => sweepAnswers(lane, { before: keptSince(), isStopped: hasStopped })],
    ...passing.map(
      ([table, time]) => [table, (lane: Lane) => sweepTable(lane, forget(table, time))] as const,
    ),
    ["files", (lane) => files.run(lane, clock.now(), hasStopped)],
  ];

  async function runOnce(): Promise<number> {
    let swept = 0;
    for (const [what, sweep] of sweeps) {
      if (!isStopped) swept += await runAlone(what, sweep);
    }
    return swept;
  }

  async function runAlone(what: string, sweep: Sweep): Promise<number> {
    try {
      const lane = await database.openLane("sweeper");
      return await sweep(lane).finally(() => lane.close());
    } catch (error) {
      log.warn({ err: messageOf(error), what }, "a sweep failed; the next one goes on");
      return 0;
    }
  }

  async function sweepTable(lane: Lane, statement: Statement): Promise<number> {
    let swept = 0;
    while (!isStopped) {
      const before = parameter("time", keptSince());
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
      underway = runOnce().finally(later);
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

function forget(table: string, time: string): Statement {
  return {
    name: `${table}/forget`,
    text:
      `delete from ${table} where ctid = any(array(` +
      `select ctid from ${table} where ${time} < $1::timestamptz limit $2::int8))`,
  };
}
