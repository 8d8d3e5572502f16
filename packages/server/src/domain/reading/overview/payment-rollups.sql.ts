/**
 * Sums of payments that have ended, by hour and day. They follow the events of a platform: one statement counts a batch of events, and the
 * transaction that moves the position adds its sums. Only that transaction moves a position, and only from where its batch began, so no
 * event counts twice.
 */
import { arrayParameter, parameter } from "../../../postgres/columns.ts";
import type { Statement, Step, StepResult } from "../../../postgres/pipeline.ts";
import { addSum, byDay, HOUR_MS, type RollupSum, type RollupSums } from "./payment-sums.ts";

/** The most events of one batch. It is a literal in the SQL, so that the planner knows how few they are. */
export const EVENTS_AT_ONCE = 5_000;

/** Sums of hours are read for the last two days, sums of days for two times 90 days. */
export const ROLLUP_HOURS_KEPT_MS = 4 * 86_400_000;
export const ROLLUP_DAYS_KEPT_MS = 400 * 86_400_000;

const behind: Statement = {
  name: "overview_positions/behind",
  text:
    "select h.platform_id from platform_heads h left join overview_positions p on p.platform_id = h.platform_id " +
    "where h.platform_id > $1::uuid and h.event_seq > coalesce(p.position, 0) " +
    "and coalesce(p.leased_until <= $2::timestamptz or p.leased_by = $3::uuid, true) order by h.platform_id limit $4::int8",
};

/** Platforms after this one with uncounted events that no other server has leased. */
export function behindStep(wish: {
  readonly after: string;
  readonly now: number;
  readonly workerId: string;
  readonly limit: number;
}): Step {
  return {
    statement: behind,
    parameters: [
      parameter("uuid", wish.after),
      parameter("time", wish.now),
      parameter("uuid", wish.workerId),
      parameter("int8", BigInt(wish.limit)),
    ],
  };
}

export interface Lease {
  readonly platformId: string;
  readonly workerId: string;
  /** New for each attempt, because an earlier one whose answer was lost may still commit. */
  readonly attemptId: string;
  readonly now: number;
  readonly until: number;
}

const takeLease: Statement = {
  name: "overview_positions/take",
  text:
    "insert into overview_positions as p (platform_id, position, leased_by, leased_until) " +
    "values ($1::uuid, 0, $2::uuid, $4::timestamptz) on conflict (platform_id) do update " +
    "set leased_by = excluded.leased_by, leased_until = excluded.leased_until " +
    "where p.leased_until <= $3::timestamptz or p.leased_by = $2::uuid",
};

const readPosition: Statement = {
  name: "overview_positions/read",
  text:
    "select p.position, h.event_seq from overview_positions p join platform_heads h on h.platform_id = $1::uuid " +
    "where p.platform_id = $1::uuid and p.leased_by = $2::uuid",
};

/** Leases the platform, unless another server has; then reads the position of the count. */
export function takeSteps({ platformId, workerId, now, until }: Lease): readonly Step[] {
  const who = [parameter("uuid", platformId), parameter("uuid", workerId)];
  return [
    {
      statement: takeLease,
      parameters: [...who, parameter("time", now), parameter("time", until)],
    },
    { statement: readPosition, parameters: who },
  ];
}

export interface Standing {
  readonly position: bigint;
  /** The platform's last event. */
  readonly last: bigint;
}

/** Undefined when another server has the lease. */
export function decodeStanding({ rows: [row] }: StepResult): Standing | undefined {
  return row && { position: BigInt(row[0] ?? 0), last: BigInt(row[1] ?? 0) };
}

/** A cancelled payment completes with a refund; a returned one fails after it was completed. */
const OUTCOME =
  "case when e.type like '%.COMPLETED' then case when t.status = 'COMPLETED' and t.refund is not null then 'CANCELLED' else 'COMPLETED' end " +
  "when t.failure ->> 'stage' = 'RETURN' then 'RETURNED' else 'FAILED' end";
const REASON =
  "case when e.type like '%.COMPLETED' then '' else coalesce(t.failure ->> 'code', 'UNKNOWN') end";
const AMOUNT = (column: string, other: string) =>
  `case when t.type = 'OUTGOING' then coalesce(t.sent_${column}, t.received_${column}, ${other}) ` +
  `else coalesce(t.received_${column}, t.sent_${column}, ${other}) end`;

const count: Statement = {
  name: "payment_rollups/count",
  text:
    `select floor(extract(epoch from e.at) / 3600)::int8, t.type, ${AMOUNT("currency", "''")}, ` +
    `coalesce(t.details ->> 'paymentRail', ''), ${OUTCOME}, ${REASON}, count(*), sum(${AMOUNT("minor", "0")}) ` +
    "from (select n.seq, n.type, n.subject, n.at from events n where n.platform_id = $1::uuid and n.seq > $2::int8 " +
    `order by n.seq limit ${EVENTS_AT_ONCE}) e ` +
    "join transactions t on t.platform_id = $1::uuid and t.id = substr(e.subject, 13)::uuid " +
    "where e.seq <= $3::int8 and e.type in ('OUTGOING_PAYMENT.COMPLETED', 'INCOMING_PAYMENT.COMPLETED', " +
    "'OUTGOING_PAYMENT.FAILED', 'INCOMING_PAYMENT.FAILED') group by 1, 2, 3, 4, 5, 6",
};

/** Counts the events after `from` up to `to`, of which there are `EVENTS_AT_ONCE` at most. */
export function countStep(
  platformId: string,
  { from, to }: { readonly from: bigint; readonly to: bigint },
): Step {
  return {
    statement: count,
    parameters: [parameter("uuid", platformId), parameter("int8", from), parameter("int8", to)],
  };
}

export function decodeSums({ rows }: StepResult): RollupSums {
  const sums: RollupSums = new Map();
  for (const [hour, type, currency, rail, outcome, reason, payments, amountMinor] of rows) {
    addSum(sums, {
      startsAtMs: BigInt(hour ?? 0) * HOUR_MS,
      type: type ?? "",
      currency: currency ?? "",
      rail: rail ?? "",
      outcome: outcome ?? "",
      reason: reason ?? "",
      payments: BigInt(payments ?? 0),
      amountMinor: BigInt(amountMinor ?? 0),
    });
  }
  return sums;
}

const move: Statement = {
  name: "overview_positions/move",
  text:
    "update overview_positions p set position = $4::int8, batch = $5::uuid, leased_until = $6::timestamptz " +
    "where p.platform_id = $1::uuid and p.position = $2::int8 and p.leased_by = $3::uuid",
};

/** Adds only in the transaction in which this batch has moved the position. */
const add = (table: string): Statement => ({
  name: `${table}/add`,
  text:
    `insert into ${table} as s (platform_id, starts_at, type, currency, rail, outcome, reason, payments, amount_minor) ` +
    "select $1::uuid, to_timestamp(x.ms / 1000.0), x.type, x.currency, x.rail, x.outcome, x.reason, x.payments, x.amount " +
    "from unnest($3::int8[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::int8[], $10::text[]::numeric[]) " +
    "x(ms, type, currency, rail, outcome, reason, payments, amount) where exists (select 1 from overview_positions p " +
    "where p.platform_id = $1::uuid and p.batch = $2::uuid) order by 2, 3, 4, 5, 6, 7 " +
    "on conflict (platform_id, starts_at, type, currency, rail, outcome, reason) do update " +
    "set payments = s.payments + excluded.payments, amount_minor = s.amount_minor + excluded.amount_minor",
});

const addHours = add("payment_hours");
const addDays = add("payment_days");

/** Moves the position from where the batch began; changes nothing when the position is elsewhere. */
export function moveStep(lease: Lease, from: bigint, to: bigint): Step {
  return {
    statement: move,
    parameters: [
      parameter("uuid", lease.platformId),
      parameter("int8", from),
      parameter("uuid", lease.workerId),
      parameter("int8", to),
      parameter("uuid", lease.attemptId),
      parameter("time", lease.until),
    ],
  };
}

/** Adds the sums of a batch in the transaction that moves the position. Hours that are no longer kept count in their days only. */
export function addSteps(
  { platformId, attemptId, now }: Lease,
  hours: RollupSums,
): readonly Step[] {
  const addStep = (statement: Statement, sums: readonly RollupSum[]): Step => {
    const texts = (of: (sum: RollupSum) => string) => arrayParameter("text", sums.map(of));
    const numbers = (of: (sum: RollupSum) => bigint) => arrayParameter("int8", sums.map(of));
    return {
      statement,
      parameters: [
        parameter("uuid", platformId),
        parameter("uuid", attemptId),
        numbers(({ startsAtMs }) => startsAtMs),
        texts(({ type }) => type),
        texts(({ currency }) => currency),
        texts(({ rail }) => rail),
        texts(({ outcome }) => outcome),
        texts(({ reason }) => reason),
        numbers(({ payments }) => payments),
        texts(({ amountMinor }) => String(amountMinor)),
      ],
    };
  };
  const since = BigInt(now - ROLLUP_HOURS_KEPT_MS);
  const all = [...hours.values()];
  const kept = all.filter(({ startsAtMs }) => startsAtMs >= since);
  return [
    ...(kept.length === 0 ? [] : [addStep(addHours, kept)]),
    ...(all.length === 0 ? [] : [addStep(addDays, [...byDay(hours).values()])]),
  ];
}
