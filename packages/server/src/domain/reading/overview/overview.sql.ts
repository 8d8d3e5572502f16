/** Reads of the overview of a platform. Sums come from the rollups, balances from the accounts of the system. */
import type { ReadCells } from "../../../postgres/database.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

export const overviewPeriods = ["24h", "7d", "30d", "90d"] as const;
export type OverviewPeriod = (typeof overviewPeriods)[number];

interface Spans {
  readonly table: "payment_hours" | "payment_days";
  readonly bucketMs: number;
  readonly buckets: number;
}

const SPANS: Readonly<Record<OverviewPeriod, Spans>> = {
  "24h": { table: "payment_hours", bucketMs: HOUR_MS, buckets: 24 },
  "7d": { table: "payment_days", bucketMs: DAY_MS, buckets: 7 },
  "30d": { table: "payment_days", bucketMs: DAY_MS, buckets: 30 },
  "90d": { table: "payment_days", bucketMs: DAY_MS, buckets: 90 },
};

const standing = {
  name: "overview/standing",
  text:
    "select h.event_seq, h.clock_offset_ms, coalesce(p.position, 0) from platform_heads h " +
    "left join overview_positions p on p.platform_id = $1::uuid where h.platform_id = $1::uuid",
};

export interface OverviewStanding {
  readonly lastSequence: number;
  readonly asOfSequence: number;
  readonly clockOffsetMs: number;
}

export async function findStanding(
  cells: ReadCells,
  platformId: string,
): Promise<OverviewStanding> {
  const [[last, offset, position] = []] = await cells(standing, [platformId]);
  return {
    lastSequence: Number(last ?? 0),
    asOfSequence: Number(position ?? 0),
    clockOffsetMs: Number(offset ?? 0),
  };
}

/** All accounts of a currency sum to zero, so the system accounts give the total of the internal accounts. */
const balances = {
  name: "overview/balances",
  text:
    "select k.currency, sum(k.whole), sum(k.held), sum(k.own), sum(k.own_held) from (" +
    "select a.currency, -sum(a.balance_minor) as whole, coalesce(sum(a.balance_minor) filter (where a.kind = 'in-flight'), 0) as held, " +
    "0 as own, 0 as own_held from ledger_accounts a where a.platform_id = $1::uuid and a.kind <> 'internal' group by 1 union all " +
    "select o.currency, 0, 0, sum(o.balance_minor), sum(o.held_minor) from internal_accounts i " +
    "join ledger_accounts o on o.platform_id = $1::uuid and o.id = i.id " +
    "where i.platform_id = $1::uuid and i.customer_id is null group by 1) k group by 1 order by 1",
};

export interface CurrencyBalance {
  readonly currency: string;
  readonly customers: bigint;
  readonly customersHeld: bigint;
  readonly platform: bigint;
  readonly platformHeld: bigint;
}

export async function findBalances(
  cells: ReadCells,
  platformId: string,
): Promise<readonly CurrencyBalance[]> {
  const rows = await cells(balances, [platformId]);
  return rows.map(([currency, ...sums]) => {
    const [whole = 0n, held = 0n, own = 0n, ownHeld = 0n] = sums.map((sum) => BigInt(sum ?? 0));
    return {
      currency: currency ?? "",
      customers: whole - own,
      customersHeld: held - ownHeld,
      platform: own,
      platformHeld: ownHeld,
    };
  });
}

export interface FlowSum {
  readonly payments: number;
  readonly amountMinor: bigint;
}

export interface VolumeBar {
  readonly startsAtMs: number;
  readonly incoming: FlowSum;
  readonly outgoing: FlowSum;
}

export interface Outcomes {
  readonly type: string;
  readonly rail: string;
  /** Completed and not returned. */
  readonly completed: number;
  readonly cancelled: number;
  /** Returned ones included. */
  readonly failed: number;
}

export interface FailureCount {
  readonly code: string;
  readonly payments: number;
}

export interface PaymentSums {
  readonly currencies: readonly string[];
  readonly currency: string | undefined;
  readonly bars: readonly VolumeBar[];
  readonly before: Pick<VolumeBar, "incoming" | "outgoing">;
  readonly outcomes: readonly Outcomes[];
  readonly reasons: readonly FailureCount[];
}

const NOTHING: FlowSum = { payments: 0, amountMinor: 0n };
const MOST_CURRENCIES = 50;
const MOST_OUTCOMES = 50;
const SHOWN_REASONS = 3;

const statementsOf = (table: Spans["table"]) => ({
  currencies: {
    name: `${table}/currencies`,
    text:
      `select s.currency from ${table} s where s.platform_id = $1::uuid and s.starts_at >= $2::timestamptz ` +
      `and s.outcome = 'COMPLETED' group by 1 order by sum(s.payments) desc, 1 limit ${MOST_CURRENCIES}`,
  },
  volume: {
    name: `${table}/volume`,
    text:
      "select floor(extract(epoch from s.starts_at) * 1000)::int8, s.type, sum(s.payments), sum(s.amount_minor) " +
      `from ${table} s where s.platform_id = $1::uuid and s.starts_at >= $2::timestamptz and s.currency = $3::text ` +
      "and s.outcome = 'COMPLETED' group by 1, 2",
  },
  outcomes: {
    name: `${table}/outcomes`,
    text:
      "select s.type, s.rail, sum(case s.outcome when 'COMPLETED' then s.payments when 'RETURNED' then -s.payments else 0 end), " +
      "coalesce(sum(s.payments) filter (where s.outcome = 'CANCELLED'), 0), " +
      "coalesce(sum(s.payments) filter (where s.outcome in ('FAILED', 'RETURNED')), 0) " +
      `from ${table} s where s.platform_id = $1::uuid and s.starts_at >= $2::timestamptz group by 1, 2 ` +
      `order by sum(s.payments) desc, 1, 2 limit ${MOST_OUTCOMES}`,
  },
  reasons: {
    name: `${table}/reasons`,
    text:
      `select s.reason, sum(s.payments) from ${table} s where s.platform_id = $1::uuid and s.starts_at >= $2::timestamptz ` +
      `and s.outcome in ('FAILED', 'RETURNED') group by 1 order by 2 desc, 1 limit ${SHOWN_REASONS}`,
  },
});

const statements = {
  payment_hours: statementsOf("payment_hours"),
  payment_days: statementsOf("payment_days"),
};

export interface SumsWish {
  readonly period: OverviewPeriod;
  /** The most frequent one when undefined. */
  readonly currency: string | undefined;
  /** Platform time. */
  readonly now: number;
}

/** Sums of the period up to now, whose last bar is incomplete, and of the period before. */
export async function findPaymentSums(
  cells: ReadCells,
  platformId: string,
  { period, currency: wanted, now }: SumsWish,
): Promise<PaymentSums> {
  const { table, bucketMs, buckets } = SPANS[period];
  const end = Math.floor(now / bucketMs) * bucketMs + bucketMs;
  const begin = end - buckets * bucketMs;
  const beganBefore = begin - buckets * bucketMs;
  const [since, sinceBefore] = [begin, beganBefore].map((at) => new Date(at).toISOString());
  const { currencies, volume, outcomes, reasons } = statements[table];
  const known = (await cells(currencies, [platformId, sinceBefore ?? ""])).map(
    ([code]) => code ?? "",
  );
  const currency = wanted ?? known[0];
  const sums =
    currency === undefined ? [] : await cells(volume, [platformId, sinceBefore ?? "", currency]);
  const ended = await cells(outcomes, [platformId, since ?? ""]);
  const failed = await cells(reasons, [platformId, since ?? ""]);
  const flows = sums.map(([at, type, payments, amount]) => ({
    startsAtMs: Number(at),
    type,
    payments: Number(payments),
    amountMinor: BigInt(amount ?? 0),
  }));
  const sumOf = (type: string, from: number, to: number): FlowSum =>
    flows
      .filter((one) => one.type === type && one.startsAtMs >= from && one.startsAtMs < to)
      .reduce(
        (sum, one) => ({
          payments: sum.payments + one.payments,
          amountMinor: sum.amountMinor + one.amountMinor,
        }),
        NOTHING,
      );
  const between = (from: number, to: number) => ({
    incoming: sumOf("INCOMING", from, to),
    outgoing: sumOf("OUTGOING", from, to),
  });
  return {
    currencies: known,
    currency,
    bars: Array.from({ length: buckets }, (_, index) => {
      const startsAtMs = begin + index * bucketMs;
      return { startsAtMs, ...between(startsAtMs, startsAtMs + bucketMs) };
    }),
    before: between(beganBefore, begin),
    outcomes: ended.map(([type, rail, completed, cancelled, failedCount]) => ({
      type: type ?? "",
      rail: rail ?? "",
      completed: Number(completed),
      cancelled: Number(cancelled),
      failed: Number(failedCount),
    })),
    reasons: failed.map(([code, payments]) => ({ code: code ?? "", payments: Number(payments) })),
  };
}
