/**
 * Deletes expired rows: answers to idempotency keys after 30 days, expired wallet requests, challenges, sessions and tokens, the
 * request log and the attempts of deliveries after their days, and files that no command refers to. It also writes checkpoints of the books. A deleted request or
 * session is refused like an expired one.
 *
 * Rows are deleted in small batches, so that no commit waits for long. Each kind is swept by itself, so a failure of one
 * does not stop the others. If the process dies in between, the next sweep continues.
 */

import { NONCE_KEPT_MS } from "../domain/rail-connections/nonces.sql.ts";
import { parameter } from "../postgres/columns.ts";
import type { Database, Lane } from "../postgres/database.ts";
import type { Statement } from "../postgres/pipeline.ts";
import type { Cancel, Clock } from "../std/clock.ts";
import { messageOf } from "../std/errors.ts";
import type { Log } from "../std/log.ts";
import { sweepAnswers } from "./sweeps/sweep-answers.ts";
import { sweepAttempts } from "./sweeps/sweep-attempts.ts";
import { sweepCheckpoints } from "./sweeps/sweep-checkpoints.ts";
import { createFileSweep } from "./sweeps/sweep-files.ts";

export interface Sweeper {
  start(): void;
  stop(): Promise<void>;
  /** Sweeps until nothing is left to delete; answers how many rows were deleted or written. Never rejects. */
  runOnce(): Promise<number>;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const KEPT_MS = 30 * DAY_MS;
const SWEEP_EVERY_MS = 10 * 60 * 1000;
const ROWS_AT_ONCE = 1_000n;

/** Tables whose rows are useless after the time in this column. */
const passing: readonly (readonly [table: string, time: string])[] = [
  ["wallet_requests", "expires_at"],
  ["passkey_challenges", "expires_at"],
  ["wallet_sessions", "expires_at"],
  ["spent_tokens", "remember_until"],
  ["mail_budgets", "updated_at"],
  ["person_sessions", "expires_at"],
  ["person_session_uses", "last_act_at"],
];

/** Tables of the request log. */
const logged: typeof passing = [
  ["request_logs", "created_at"],
  ["request_log_contents", "at"],
  ["request_log_days", "day"],
];

/** Counts of attempts are of use for a day; the figures need no more. */
const COUNTED_MS = 2 * DAY_MS;

/** Deletes old rows on this connection; answers how many. */
type Sweep = (lane: Lane) => Promise<number>;

export function createSweeper(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  /** For how many days the request log is kept. */
  readonly requestLogDays: number;
  /** For how many days the attempts of deliveries are kept. */
  readonly attemptDays: number;
}): Sweeper {
  const { database, clock, log, requestLogDays, attemptDays } = options;
  let cancel: Cancel | undefined;
  let underway: Promise<unknown> = Promise.resolve();
  let isStopped = false;
  const files = createFileSweep();

  const hasStopped = () => isStopped;
  const keptSince = () => clock.now() - KEPT_MS;
  const sweepOf = (table: string, time: string, since: () => number): Sweep => {
    const statement = forget(table, time);
    return (lane) => sweepTable(lane, statement, { since, hasStopped });
  };
  const countedSince = () => clock.now() - COUNTED_MS;
  const loggedSince = () => clock.now() - requestLogDays * DAY_MS;
  const sweeps: readonly (readonly [what: string, sweep: Sweep])[] = [
    ["answers", (lane) => sweepAnswers(lane, { before: keptSince(), isStopped: hasStopped })],
    ...passing.map(([table, time]) => [table, sweepOf(table, time, keptSince)] as const),
    ...logged.map(([table, time]) => [table, sweepOf(table, time, loggedSince)] as const),
    ["webhook_endpoint_hours", sweepOf("webhook_endpoint_hours", "hour", countedSince)],
    ["attempts", (lane) => sweepAttempts(lane, clock.now() - attemptDays * DAY_MS)],
    ["rail_nonces", sweepOf("rail_nonces", "used_at", () => clock.now() - NONCE_KEPT_MS)],
    ["files", (lane) => files.run(lane, clock.now(), hasStopped)],
    ["checkpoints", (lane) => sweepCheckpoints(lane, hasStopped)],
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

async function sweepTable(
  lane: Lane,
  statement: Statement,
  { since, hasStopped }: { readonly since: () => number; readonly hasStopped: () => boolean },
): Promise<number> {
  let swept = 0;
  while (!hasStopped()) {
    const before = parameter("time", since());
    const limit = parameter("int8", ROWS_AT_ONCE);
    const [result] = await lane.run([{ statement, parameters: [before, limit] }]);
    const count = result?.count ?? 0;
    swept += count;
    if (count < Number(ROWS_AT_ONCE)) break;
  }
  return swept;
}
