/**
 * The health of endpoints: attempts counted by hour, and failures since the last success. Both are written outside the commits of attempts,
 * and miss some when the writer falls behind. Hours are the host's, other times the platform's.
 */
import { parameter } from "../../../postgres/columns.ts";
import type { ReadCells } from "../../../postgres/database.ts";
import type { Statement, Step, StepResult } from "../../../postgres/pipeline.ts";
import { toIso } from "../../../std/clock.ts";
import { DEFAULT_ENDPOINT, type StreamKey } from "../stream.sql.ts";

export interface HourTally extends StreamKey {
  /** The start of the hour, ISO 8601. */
  readonly hour: string;
  attempts: number;
  delivered: number;
  /** The number of answers in each latency bucket; see `latencyPlace`. */
  readonly latencies: number[];
}

/** What attempts at one version of an endpoint have shown; ISO times of the platform. */
export interface HealthNews extends StreamKey {
  readonly setting: string;
  lastSuccess: string | null;
  lastFailure: string | null;
  /** The first failure after the last success. */
  failingSince: string | null;
  /** Failed attempts since the last success. */
  failures: number;
}

const HOURS = 24;
const HOUR_MS = 3_600_000;
const FAILING_MS = 15 * 60_000;
const FAILING_FAILURES = 10;
/** Failures without a success for this long disable an endpoint, unless it is the default one. */
const DISABLED_AFTER_MS = 5 * 24 * HOUR_MS;

/** Upper bounds of the buckets, in milliseconds: each a third above the one before, the last one above the deadline of an attempt. */
const LATENCY_BOUNDS = Array.from({ length: 33 }, (_, index) => Math.ceil(2 * 1.33 ** index));
export const LATENCY_PLACES = LATENCY_BOUNDS.length + 1;

export function latencyPlace(totalMs: number): number {
  const place = LATENCY_BOUNDS.findIndex((bound) => totalMs <= bound);
  return place < 0 ? LATENCY_BOUNDS.length : place;
}

/** The upper bound of the bucket within which this share of the answers came; undefined without answers. */
function latencyAt(share: number, latencies: readonly number[]): number | undefined {
  const all = latencies.reduce((sum, count) => sum + count, 0);
  if (all === 0) return undefined;
  let seen = 0;
  const place = latencies.findIndex((count) => {
    seen += count;
    return seen >= share * all;
  });
  return LATENCY_BOUNDS[Math.min(place, LATENCY_BOUNDS.length - 1)];
}

const addHours: Statement = {
  name: "webhook_endpoint_hours/add",
  text:
    "insert into webhook_endpoint_hours as h (platform_id, endpoint_id, hour, attempts, delivered, latencies) " +
    'select x."platformId", x."endpointId", x.hour, x.attempts, x.delivered, x.latencies from json_to_recordset($1::json) ' +
    'x("platformId" uuid, "endpointId" uuid, hour timestamptz, attempts int8, delivered int8, latencies int8[]) order by 1, 2, 3 ' +
    "on conflict (platform_id, endpoint_id, hour) do update set attempts = h.attempts + excluded.attempts, " +
    "delivered = h.delivered + excluded.delivered, latencies = (select array_agg(s.one + s.other order by s.place) " +
    "from unnest(h.latencies, excluded.latencies) with ordinality s(one, other, place))",
};

export function addHoursStep(tallies: readonly HourTally[]): Step {
  return { statement: addHours, parameters: [parameter("json", tallies)] };
}

const IS_NEW_COUNT = "excluded.last_success_at is not null or h.setting < excluded.setting";

/** Ordered by endpoint, so that two servers that write the same rows do not deadlock. */
const addHealth: Statement = {
  name: "webhook_endpoint_health/add",
  text:
    "insert into webhook_endpoint_health as h (platform_id, endpoint_id, setting, last_success_at, last_failure_at, failing_since, " +
    'failures) select x."platformId", x."endpointId", x.setting, x."lastSuccess", x."lastFailure", x."failingSince", x.failures ' +
    'from json_to_recordset($1::json) x("platformId" uuid, "endpointId" uuid, setting int8, "lastSuccess" timestamptz, ' +
    '"lastFailure" timestamptz, "failingSince" timestamptz, failures int8) order by 1, 2 ' +
    "on conflict (platform_id, endpoint_id) do update set setting = excluded.setting, " +
    "last_success_at = greatest(h.last_success_at, excluded.last_success_at), " +
    "last_failure_at = greatest(h.last_failure_at, excluded.last_failure_at), " +
    `failing_since = case when ${IS_NEW_COUNT} then excluded.failing_since ` +
    "else coalesce(h.failing_since, excluded.failing_since) end, " +
    `failures = case when ${IS_NEW_COUNT} then excluded.failures else h.failures + excluded.failures end ` +
    "where h.setting <= excluded.setting returning platform_id, endpoint_id, setting, " +
    `endpoint_id <> '${DEFAULT_ENDPOINT}' and failures >= ${FAILING_FAILURES} and ` +
    `last_failure_at - failing_since >= ${DISABLED_AFTER_MS} * interval '1 millisecond'`,
};

export function addHealthStep(news: readonly HealthNews[]): Step {
  return { statement: addHealth, parameters: [parameter("json", news)] };
}

/** One version of an endpoint other than the default one. */
export interface FailingEndpoint extends StreamKey {
  readonly setting: bigint;
}

/** The endpoints whose attempts have all failed for five days. */
export function decodeLongFailing({ rows }: StepResult): readonly FailingEndpoint[] {
  return rows
    .filter(([, , , isLongFailing]) => isLongFailing === "t")
    .map(([platformId, endpointId, setting]) => ({
      platformId: platformId ?? "",
      endpointId: endpointId ?? "",
      setting: BigInt(setting ?? 0),
    }));
}

/** Condition on an endpoint `t` and its `health`: `FAILING_FAILURES` or more in a row, over `FAILING_MS` or longer. */
export const IS_FAILING =
  `coalesce(health.setting = t.setting and health.failures >= ${FAILING_FAILURES} and ` +
  `health.last_failure_at - health.failing_since >= ${FAILING_MS} * interval '1 millisecond', false)`;

export interface AttemptFigures {
  /** Share of the last 24 hours; undefined without attempts. */
  readonly successRate: number | undefined;
  readonly p95LatencyMs: number | undefined;
}

const hours: Statement = {
  name: "webhook_endpoint_hours/last-day",
  text:
    "select endpoint_id, attempts, delivered, array_to_json(latencies) from webhook_endpoint_hours " +
    "where platform_id = $1::uuid and hour > $2::timestamptz",
};

/** Figures of the last 24 hours by endpoint, the current hour included. */
export async function attemptFigures(
  cells: ReadCells,
  platformId: string,
  now: number,
): Promise<ReadonlyMap<string, AttemptFigures>> {
  const since = toIso(now - HOURS * HOUR_MS);
  const sums = new Map<string, { attempts: number; delivered: number; latencies: number[] }>();
  for (const [id, attempts, delivered, latencies] of await cells(hours, [platformId, since])) {
    const sum = sums.get(id ?? "") ?? { attempts: 0, delivered: 0, latencies: [] };
    sums.set(id ?? "", sum);
    sum.attempts += Number(attempts);
    sum.delivered += Number(delivered);
    for (const [place, count] of (JSON.parse(latencies ?? "[]") as number[]).entries()) {
      sum.latencies[place] = (sum.latencies[place] ?? 0) + count;
    }
  }
  return new Map(
    [...sums].map(([id, { attempts, delivered, latencies }]) => [
      id,
      {
        successRate: attempts === 0 ? undefined : delivered / attempts,
        p95LatencyMs: latencyAt(0.95, latencies),
      },
    ]),
  );
}
