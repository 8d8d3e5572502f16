/**
 * Deletes expired rows: answers to idempotency keys after 30 days, expired wallet requests, challenges, sessions and tokens, the
 * request log and the attempts of deliveries after their days, observations of rates after 90 days unless a quote was priced from them,
 * and files that no command refers to. It also writes checkpoints of the books, and signs those of the command log. A deleted request or session is refused like an expired one.
 *
 * Rows are deleted in small batches, so that no commit waits for long. Each kind is swept by itself, so a failure of one
 * does not stop the others. If the process dies in between, the next sweep continues.
 */

import { COUNTED_FOR_MS } from "../domain/people/sessions/failed-proofs.sql.ts";
import { NONCE_KEPT_MS } from "../domain/rails/connections/nonces.sql.ts";
import {
  ROLLUP_DAYS_KEPT_MS,
  ROLLUP_HOURS_KEPT_MS,
} from "../domain/reading/overview/payment-rollups.sql.ts";
import { EXCHANGES_KEPT_MS } from "../domain/uma/exchanges/uma-exchange.sql.ts";
import { UMA_LOOKUP_KEPT_MS } from "../domain/uma/lookups/stored-lookup.sql.ts";
import { UMA_NONCE_KEPT_MS } from "../domain/uma/nonces/uma-nonce.ts";
import { arrayParameter, parameter } from "../postgres/columns.ts";
import type { Database, Lane } from "../postgres/database.ts";
import type { Statement } from "../postgres/pipeline.ts";
import type { Cancel, Clock } from "../std/clock.ts";
import { messageOf } from "../std/errors.ts";
import { groupBy } from "../std/group.ts";
import type { Log } from "../std/log.ts";
import { sweepAttempts } from "./events/sweep-attempts.ts";
import { sweepObservations } from "./prices/sweep-observations.ts";
import { sweepCalls } from "./reading/sweep-calls.ts";
import { sweepCheckpoints } from "./reading/sweep-checkpoints.ts";
import { sweepAnswers } from "./sweeps/sweep-answers.ts";
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

/** Contents outlive their calls, whose platforms are found by them. */
const CONTENTS_LONGER_MS = 60 * 60 * 1000;

/** Hourly counts of attempts: the figures shown cover one day. */
const COUNTED_MS = 2 * DAY_MS;

/** Tables, the column of their time, and for how long after it their rows are kept. */
const outdated: readonly (readonly [table: string, time: string, keptMs: number])[] = [
  ...passing.map(([table, time]) => [table, time, KEPT_MS] as const),
  ["payment_hours", "starts_at", ROLLUP_HOURS_KEPT_MS],
  ["payment_days", "starts_at", ROLLUP_DAYS_KEPT_MS],
  ["webhook_endpoint_hours", "hour", COUNTED_MS],
  ["rail_nonces", "used_at", NONCE_KEPT_MS],
  ["uma_lookups", "asked_at", UMA_LOOKUP_KEPT_MS],
  ["uma_nonces", "signed_at", UMA_NONCE_KEPT_MS],
  // Beyond the time for which a command that has read the row may still write it.
  ["uma_counterparties", "deleted_at", DAY_MS],
  ["uma_exchanges", "at", EXCHANGES_KEPT_MS],
];

/** Observations that no quote was priced from are kept this long, for a look back at what a source said. */
const OBSERVED_MS = 90 * DAY_MS;

/** Deletes old rows on this connection; answers how many. */
type Sweep = (lane: Lane) => Promise<number>;

/** Works on this connection until nothing is left or the sweeper stops; answers how many rows it changed. */
type ForeignSweep = (lane: Lane, isStopped: () => boolean) => Promise<number>;

export interface SweeperOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  /** For how many days the request log is kept. */
  readonly requestLogDays: number;
  /** For how many days the attempts of deliveries are kept. */
  readonly attemptDays: number;
  /** Sweeps of other modules, each with the name of what it deletes. */
  readonly more?: readonly (readonly [what: string, sweep: ForeignSweep])[];
}

export function createSweeper(options: SweeperOptions): Sweeper {
  const { database, clock, log } = options;
  let cancel: Cancel | undefined;
  let underway: Promise<unknown> = Promise.resolve();
  let isStopped = false;
  const sweeps = sweepsOf(options, () => isStopped);

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

type NamedSweep = readonly [what: string, sweep: Sweep];

function sweepsOf(
  { clock, requestLogDays, attemptDays, more = [] }: SweeperOptions,
  hasStopped: () => boolean,
): readonly NamedSweep[] {
  const files = createFileSweep();
  const since = (ms: number) => () => clock.now() - ms;
  const sweepOf = (table: string, time: string, from: () => number): Sweep => {
    const forgetting = forget(table, time);
    return (lane) => sweepTable(lane, forgetting, { since: from, hasStopped });
  };
  const loggedSince = since(requestLogDays * DAY_MS);
  // Behind the calls, in the same sweep: when that of the calls fails, the contents that lead to them stay.
  const contents = sweepOf("request_log_contents", "at", () => loggedSince() - CONTENTS_LONGER_MS);
  return [
    [
      "answers",
      (lane) => sweepAnswers(lane, { before: clock.now() - KEPT_MS, isStopped: hasStopped }),
    ],
    ...outdated.map(([table, time, ms]) => [table, sweepOf(table, time, since(ms))] as const),
    [
      "request_logs",
      async (lane) => {
        const calls = await sweepCalls(lane, { before: loggedSince(), isStopped: hasStopped });
        return calls + (await contents(lane));
      },
    ],
    ["request_log_days", (lane) => sweepDays(lane, loggedSince())],
    ["failed_proofs", (lane) => sweepFailures(lane, clock.now() - COUNTED_FOR_MS)],
    ["attempts", (lane) => sweepAttempts(lane, clock.now() - attemptDays * DAY_MS)],
    ["rate_observations", (lane) => sweepObservations(lane, clock.now() - OBSERVED_MS, hasStopped)],
    ["files", (lane) => files.run(lane, clock.now(), hasStopped)],
    ["checkpoints", (lane) => sweepCheckpoints(lane, hasStopped)],
    ...more.map(([what, sweep]) => [what, (lane: Lane) => sweep(lane, hasStopped)] as const),
  ];
}

interface Forgetting {
  /** Finds expired rows of any platform. */
  readonly find: Statement;
  /** Deletes those of one platform, unless one was changed since and has not expired. */
  readonly drop: Statement;
}

/** Rows are found by time and deleted by platform, because the rows of a platform are on one node of a cluster. */
function forget(table: string, time: string): Forgetting {
  return {
    find: {
      name: `${table}/expired`,
      text: `select platform_id, ctid from ${table} where ${time} < $1::timestamptz limit $2::int8`,
    },
    drop: {
      name: `${table}/forget`,
      text:
        `delete from ${table} where platform_id = $1::uuid and ctid = any ($2::text[]::tid[]) ` +
        `and ${time} < $3::timestamptz`,
    },
  };
}

async function sweepTable(
  lane: Lane,
  { find, drop }: Forgetting,
  { since, hasStopped }: { readonly since: () => number; readonly hasStopped: () => boolean },
): Promise<number> {
  let swept = 0;
  while (!hasStopped()) {
    const before = parameter("time", since());
    const [expired] = await lane.run([
      { statement: find, parameters: [before, parameter("int8", ROWS_AT_ONCE)] },
    ]);
    const rows = expired?.rows ?? [];
    const dropped = await lane.run(
      [...groupBy(rows, ([platformId]) => platformId ?? "")].map(([platformId, own]) => ({
        statement: drop,
        parameters: [
          parameter("uuid", platformId),
          arrayParameter(
            "text",
            own.map(([, place]) => place),
          ),
          before,
        ],
      })),
    );
    const count = dropped.reduce((sum, result) => sum + result.count, 0);
    swept += count;
    if (rows.length < Number(ROWS_AT_ONCE) || count === 0) break;
  }
  return swept;
}

/** A row is a day of the whole deployment; there are as many as days for which the request log is kept. */
const forgetDays: Statement = {
  name: "request_log_days/forget",
  text: "delete from request_log_days where day::timestamp < $1::timestamptz at time zone 'UTC'",
};

async function sweepDays(lane: Lane, since: number): Promise<number> {
  const [dropped] = await lane.run([
    { statement: forgetDays, parameters: [parameter("time", since)] },
  ]);
  return dropped?.count ?? 0;
}

const forgetFailures: Statement = {
  name: "failed_proofs/forget",
  text: "delete from failed_proofs where began_at < $1::timestamptz",
};

async function sweepFailures(lane: Lane, before: number): Promise<number> {
  const [dropped] = await lane.run([
    { statement: forgetFailures, parameters: [parameter("time", before)] },
  ]);
  return dropped?.count ?? 0;
}
