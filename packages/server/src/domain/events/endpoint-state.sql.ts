/**
 * What deliveries have found out about an endpoint: it answered 410 (stopped), or no connection to it could be made (down). Both apply to
 * one version (`setting`) of the endpoint and end when it is updated. Times are the host's.
 */
import { parameter } from "../../postgres/columns.ts";
import type { Statement, Step, StepResult } from "../../postgres/pipeline.ts";
import { DELIVERY_WINDOW_MS } from "./delivery-schedule.ts";
import {
  type DeliveryTarget,
  IS_ATTEMPTED,
  keyParameters,
  type Lease,
  type StreamKey,
  TARGET_WITH_STREAM,
} from "./stream.sql.ts";

const stopEndpoint: Statement = {
  name: "webhook_streams/stop",
  text:
    "insert into webhook_streams as s (platform_id, endpoint_id, endpoint, stopped_setting, stopped_at) " +
    "values ($1::uuid, $2::uuid, $3::text, $4::int8, $5::timestamptz) on conflict (platform_id, endpoint_id) do update set " +
    "endpoint = excluded.endpoint, stopped_setting = excluded.stopped_setting, stopped_at = excluded.stopped_at " +
    "where s.stopped_setting is null or s.stopped_setting < excluded.stopped_setting",
};

/** Stops an endpoint that has answered 410. */
export function stopEndpointStep(key: StreamKey, target: DeliveryTarget, now: number): Step {
  return {
    statement: stopEndpoint,
    parameters: [
      ...keyParameters(key),
      parameter("text", target.endpoint),
      parameter("int8", target.setting),
      parameter("time", now),
    ],
  };
}

/** An endpoint to which no connection could be made. */
export interface Outage {
  readonly target: DeliveryTarget;
  readonly reason: string;
  readonly probes: number;
  readonly probeAt: number;
}

const setDown: Statement = {
  name: "webhook_streams/down",
  text:
    "update webhook_streams set down_since = case when down_setting = $3::int8 then down_since else $4::timestamptz end, " +
    "down_setting = $3::int8, down_reason = $5::text, probes = $6::int4, probe_at = $7::timestamptz " +
    "where platform_id = $1::uuid and endpoint_id = $2::uuid and coalesce(down_setting <= $3::int8, true)",
};

/** Pauses the stream until `probeAt`. For an endpoint that is down already, this records a failed probe. */
export function setDownStep(key: StreamKey, outage: Outage, now: number): Step {
  return {
    statement: setDown,
    parameters: [
      ...keyParameters(key),
      parameter("int8", outage.target.setting),
      parameter("time", now),
      parameter("text", outage.reason),
      parameter("int4", outage.probes),
      parameter("time", outage.probeAt),
    ],
  };
}

const setUp: Statement = {
  name: "webhook_streams/up",
  text:
    "update webhook_streams set down_setting = null, down_since = null, down_reason = null, probes = 0, probe_at = null " +
    "where platform_id = $1::uuid and endpoint_id = $2::uuid and down_setting is not null",
};

/** Ends the outage: the endpoint has answered. */
export function setUpStep(key: StreamKey): Step {
  return { statement: setUp, parameters: keyParameters(key) };
}

const probeNow: Statement = {
  name: "webhook_streams/probe-now",
  text:
    "update webhook_streams set probe_at = $3::timestamptz " +
    "where platform_id = $1::uuid and endpoint_id = $2::uuid and down_setting is not null",
};

/** Makes the next probe due at once, because the endpoint has answered a request that was no delivery. */
export function probeNowStep(key: StreamKey, now: number): Step {
  return { statement: probeNow, parameters: [...keyParameters(key), parameter("time", now)] };
}

/** How many events are given up in one transaction. */
const EXPIRED_AT_ONCE = 1_000;

const expireEvents: Statement = {
  name: "webhook_streams/expire",
  text:
    `with next as (select e.seq, e.subject, ${IS_ATTEMPTED} as is_attempted from (select t.*, s.position, ` +
    "$4::timestamptz + h.clock_offset_ms * interval '1 millisecond' as platform_now " +
    `from ${TARGET_WITH_STREAM} and s.leased_by = $3::uuid) t cross join lateral (select * from events ` +
    "where platform_id = $1::uuid and seq > greatest(t.position, t.since_event_seq) order by seq limit $5::int8) e " +
    "where e.at < t.platform_now - $6::int8 * interval '1 millisecond'), " +
    "given_up as (insert into webhook_deliveries (platform_id, endpoint_id, event_seq, subject, state, attempts, parked_at, " +
    "last_outcome) select $1::uuid, $2::uuid, seq, subject, 'FAILED', 0, $4::timestamptz, $7::text from next " +
    "where is_attempted on conflict do nothing) " +
    "update webhook_streams s set position = greatest(s.position, n.last) from (select max(seq) as last, count(*) as count " +
    "from next) n where s.platform_id = $1::uuid and s.endpoint_id = $2::uuid and s.leased_by = $3::uuid " +
    "and n.last is not null returning n.count",
};

/** Gives up the next events whose delivery window has ended while the endpoint is down. */
export function expireEventsStep(lease: Lease, reason: string): Step {
  return {
    statement: expireEvents,
    parameters: [
      ...keyParameters(lease),
      parameter("uuid", lease.workerId),
      parameter("time", lease.now),
      parameter("int8", BigInt(EXPIRED_AT_ONCE)),
      parameter("int8", BigInt(DELIVERY_WINDOW_MS)),
      parameter("text", reason),
    ],
  };
}

export function decodeExpired(result: StepResult | undefined) {
  const count = Number(result?.rows[0]?.[0] ?? 0);
  return { count, mayBeMore: count >= EXPIRED_AT_ONCE };
}
