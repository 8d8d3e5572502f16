/**
 * Gauges of open work for `/metrics`: verifications, the oldest payment under way, events that were not delivered. One statement
 * reads each gauge, at most every 15 seconds. Every server of a deployment shows the same values. Only the first scrapes wait for the
 * database; later ones get the last values, also while the database does not answer.
 *
 * Bounds: the statements read open verifications, waiting deliveries and the next 10,000 jobs by index, the rate sources, 20 a
 * platform, the open UMA invoices by index, the open payments of at most 1,000 rail connections by index, and no payment that has ended.
 */
import { OPEN_IN_SQL } from "../domain/rails/orders/rail-payment.sql.ts";
import type { Metrics, Sample } from "../http/server/metrics.ts";
import type { Reads } from "../postgres/database.ts";
import type { Statement } from "../postgres/pipeline.ts";
import type { Clock } from "../std/clock.ts";

const REFRESH_MS = 15_000;

interface Standing {
  readonly name: string;
  readonly help: string;
  /** The labels of the columns before the value; only `environment` when absent. */
  readonly labels?: readonly string[];
  readonly statement: Statement;
}

/** The count of open rail payments stops here, so that the statement stays cheap. */
const MOST_COUNTED = 100_000;

const STANDING: readonly Standing[] = [
  {
    name: "florin_verifications_open",
    help: "Verifications that are being checked or wait for a person.",
    statement: {
      name: "figures/open-verifications",
      text:
        "select p.environment, count(v.id) from platforms p left join verifications v " +
        "on v.platform_id = p.platform_id and v.status in ('IN_PROGRESS', 'PENDING_MANUAL_REVIEW') group by 1",
    },
  },
  {
    name: "florin_oldest_payment_seconds",
    help: "Age of the oldest payment for which a job is to be done; 0 without one.",
    statement: {
      name: "figures/oldest-payment",
      text:
        "with waiting as (select platform_id, payload ->> 'transactionId' as id from jobs order by run_at limit 10000), " +
        "oldest as (select t.platform_id, min(t.created_at) as at from waiting w join transactions t " +
        "on t.platform_id = w.platform_id and t.id = w.id::uuid " +
        "where t.status in ('CREATED', 'PENDING', 'PROCESSING') or t.refund ->> 'status' = 'PENDING' group by 1) " +
        "select p.environment, greatest(0, coalesce(max(extract(epoch from now() - o.at) + h.clock_offset_ms / 1000.0), 0)) " +
        "from platforms p join platform_heads h using (platform_id) left join oldest o using (platform_id) group by 1",
    },
  },
  {
    name: "florin_events_undelivered",
    help: "Events for a platform with an endpoint that were not delivered and not given up.",
    statement: {
      name: "figures/undelivered-events",
      text:
        "with waiting as (select platform_id, count(*) as count from webhook_deliveries where state <> 'FAILED' group by 1) " +
        "select p.environment, coalesce(sum(greatest(0, h.event_seq - greatest(coalesce(s.position, 0), p.webhook_since_event_seq)) " +
        "+ coalesce(w.count, 0)) filter (where p.webhook_endpoint is not null), 0) " +
        "from platforms p join platform_heads h using (platform_id) left join webhook_streams s using (platform_id) " +
        "left join waiting w using (platform_id) group by 1",
    },
  },
  {
    name: "florin_rail_connections_degraded",
    help: "Rail connections whose exchanges fail; their queues wait.",
    statement: {
      name: "figures/degraded-connections",
      text:
        "select p.environment, count(c.id) from platforms p left join rail_connections c " +
        "on c.platform_id = p.platform_id and c.status = 'DEGRADED' group by 1",
    },
  },
  {
    name: "florin_rail_oldest_unknown_seconds",
    help: "Time since the oldest payment was sent whose rail has not reported about it; 0 without one.",
    statement: {
      name: "figures/oldest-unknown",
      text:
        "with oldest as (select r.platform_id, min(r.sent_at) as at from rail_payments r where r.state = 'UNKNOWN' group by 1) " +
        "select p.environment, greatest(0, coalesce(max(extract(epoch from now() - o.at) + h.clock_offset_ms / 1000.0), 0)) " +
        "from platforms p join platform_heads h using (platform_id) left join oldest o using (platform_id) group by 1",
    },
  },
  {
    name: "florin_rail_payments",
    help: "Payments of a rail connection that are not over, by state; at most 100,000 of all together are counted.",
    labels: ["connection", "state"],
    statement: {
      name: "figures/rail-payments",
      text:
        "select p.connection_id, p.state, count(*) from (select r.connection_id, r.state from rail_payments r " +
        `where r.state in ${OPEN_IN_SQL} limit ${MOST_COUNTED}) p group by 1, 2`,
    },
  },
  {
    name: "florin_rail_suspense_items",
    help: "Items in suspense accounts of rail connections that a person must resolve.",
    statement: {
      name: "figures/suspense-items",
      text:
        "with open as (select platform_id, count(*) as count from rail_items where state in ('OPEN', 'HELD') group by 1) " +
        "select p.environment, coalesce(sum(o.count), 0) from platforms p left join open o using (platform_id) group by 1",
    },
  },
  {
    name: "florin_rail_unknown_callbacks",
    help: "Callbacks of a rail connection about payments that it does not have; at most 1,000 connections are shown.",
    labels: ["connection"],
    statement: {
      name: "figures/unknown-callbacks",
      text:
        "select c.id, c.unknown_payments ->> 'count' from rail_connections c " +
        "where c.status <> 'ARCHIVED' order by (c.unknown_payments ->> 'count')::int8 desc limit 1000",
    },
  },
  {
    name: "florin_rail_refused_entries",
    help: "Entries of a connector's feed that could not be taken; at most 1,000 connections are shown.",
    labels: ["connection"],
    statement: {
      name: "figures/refused-entries",
      text:
        "select c.id, c.refused_entries ->> 'count' from rail_connections c " +
        "where c.status <> 'ARCHIVED' order by (c.refused_entries ->> 'count')::int8 desc limit 1000",
    },
  },
  {
    name: "florin_rail_unexplained_statements",
    help: "Accounts outside whose last statement says another balance than their entries explained.",
    statement: {
      name: "figures/unexplained-statements",
      text:
        "with unexplained as (select platform_id, count(*) as count from rail_books where unexplained_minor <> 0 group by 1) " +
        "select p.environment, coalesce(sum(u.count), 0) from platforms p left join unexplained u using (platform_id) group by 1",
    },
  },
  {
    name: "florin_rate_age_seconds",
    help: "Age of the oldest rate in use of any rate source; 0 without one.",
    statement: {
      name: "figures/rate-age",
      text:
        "with oldest as (select s.platform_id, min((r ->> 'asOf')::timestamptz) as at from rate_sources s, json_array_elements(s.rates) r " +
        "where s.deleted_at is null group by 1) " +
        "select p.environment, greatest(0, coalesce(max(extract(epoch from now() - o.at) + h.clock_offset_ms / 1000.0), 0)) " +
        "from platforms p join platform_heads h using (platform_id) left join oldest o using (platform_id) group by 1",
    },
  },
  {
    name: "florin_uma_domains",
    help: "UMA domains of platforms, by status.",
    labels: ["status"],
    statement: {
      name: "figures/uma-domains",
      text:
        "select s.status, count(d.id) from (values ('CLAIMED'), ('ACTIVE'), ('UNREACHABLE')) s (status) " +
        "left join uma_domains d on d.status = s.status and d.deleted_at is null group by 1",
    },
  },
  {
    name: "florin_uma_key_days",
    help: "Days until the first certificate of a UMA key in use expires; absent without keys.",
    labels: [],
    statement: {
      name: "figures/uma-key-days",
      text:
        "select extract(epoch from k.not_after - now()) / 86400.0 from uma_keys k " +
        "where k.status = 'CURRENT' order by k.not_after limit 1",
    },
  },
  {
    name: "florin_uma_open_invoices",
    help: "Invoices that a payer's institution has, and that are not paid.",
    statement: {
      name: "figures/uma-open-invoices",
      text:
        "with open as (select platform_id, count(*) as count from uma_invoices " +
        "where state in ('ASKED', 'WANTED', 'OPEN') and state = 'OPEN' group by 1) " +
        "select p.environment, coalesce(sum(o.count), 0) from platforms p left join open o using (platform_id) group by 1",
    },
  },
  {
    name: "florin_uma_oldest_wanted_seconds",
    help: "Age of the oldest invoice whose text a connector has not given; 0 without one.",
    statement: {
      name: "figures/uma-oldest-wanted",
      text:
        "with oldest as (select platform_id, min(updated_at) as at from uma_invoices " +
        "where state in ('ASKED', 'WANTED', 'OPEN') and state = 'WANTED' group by 1) " +
        "select p.environment, greatest(0, coalesce(max(extract(epoch from now() - o.at) + h.clock_offset_ms / 1000.0), 0)) " +
        "from platforms p join platform_heads h using (platform_id) left join oldest o using (platform_id) group by 1",
    },
  },
  {
    name: "florin_rate_sources_stale",
    help: "Rate sources whose oldest rate is older than they permit.",
    statement: {
      name: "figures/stale-rate-sources",
      text:
        "select p.environment, count(s.id) from platforms p left join rate_sources s " +
        "on s.platform_id = p.platform_id and s.deleted_at is null and s.stale_since is not null group by 1",
    },
  },
];

export function registerStandingFigures(
  metrics: Metrics,
  tools: { readonly reads: Reads; readonly clock: Clock },
): void {
  for (const standing of STANDING) {
    const { name, help, labels = ["environment"] } = standing;
    metrics.family({ name, help, kind: "gauge", labels }, keptSamples(standing, tools));
  }
}

function keptSamples(
  { statement, labels = ["environment"] }: Standing,
  { reads, clock }: { readonly reads: Reads; readonly clock: Clock },
): () => Promise<readonly Sample[]> {
  let found: readonly Sample[] | undefined;
  let readAt = 0;
  let reading: Promise<void> | undefined;

  /** Never rejects: after a failure the last values stay. */
  async function read(): Promise<void> {
    readAt = clock.now();
    try {
      const rows = await reads.cells(statement, []);
      found = rows.map((cells) => ({
        labels: Object.fromEntries(labels.map((label, index) => [label, cells[index] ?? ""])),
        value: Number(cells[labels.length]),
      }));
    } catch {
      // The next scrape after the pause tries again.
    }
    reading = undefined;
  }

  return async () => {
    const age = clock.now() - readAt;
    if (age >= REFRESH_MS || age < 0) reading ??= read();
    if (found === undefined) await reading;
    return found ?? [];
  };
}
