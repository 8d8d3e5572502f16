/** Reads of endpoints and of the state of their deliveries. */
import type { Reads } from "../../postgres/database.ts";
import { liveFinderOf } from "../../tables/find-row.ts";
import { toEndpointId } from "./delivery-id.ts";
import {
  type AttemptFigures,
  attemptFigures,
  IS_FAILING,
} from "./delivery-log/endpoint-health.sql.ts";
import {
  type Cell,
  DEFAULT_ENDPOINT,
  IS_ATTEMPTED,
  IS_DOWN,
  STREAM_OF_TARGET,
  TAKES_EVENTS,
  TARGETS,
} from "./stream.sql.ts";
import { type WebhookEndpoint, webhookEndpoints } from "./webhook-endpoint.ts";

/** How far the stream of an endpoint has come. Times are the platform's. */
export interface EndpointStatus {
  /** Every event up to this one was attempted or parked. */
  readonly position: bigint;
  /** Events after the position, of any type. */
  readonly waiting: bigint;
  /** Events that wait for a retry, or for an earlier event that does; counted up to `PARKED_COUNTED`. */
  readonly parked: number;
  /** Events that were given up, and those that wait after a failure; counted up to `PARKED_COUNTED`. */
  readonly notArrived: number;
  /** The endpoint answered 410. */
  readonly isStopped: boolean;
  readonly outage: EndpointOutage | undefined;
  /** All recent attempts have failed; see `IS_FAILING`. */
  readonly isFailing: boolean;
  readonly lastSuccessAt: number | undefined;
  readonly lastFailureAt: number | undefined;
  /** The time of the oldest undelivered event; undefined when neither a parked event nor any of the next `LOOKED_AT` is one. */
  readonly oldestUndeliveredAt: number | undefined;
  readonly figures: AttemptFigures | undefined;
}

export interface EndpointOutage {
  readonly since: number;
  readonly reason: string;
  readonly probeAt: number;
}

export interface ListedEndpoint {
  readonly endpoint: WebhookEndpoint;
  /** Undefined while it is disabled. */
  readonly status: EndpointStatus | undefined;
}

export const PARKED_COUNTED = 10_000;

const LOOKED_AT = 1_000;

const epoch = (column: string) => `floor(extract(epoch from ${column}) * 1000)::int8`;
const millis = (column: string) => `${epoch(column)} + h.clock_offset_ms`;

const parkedSeq = (state: "WAITING" | "BEHIND") =>
  "(select d.event_seq from webhook_deliveries d where d.platform_id = $1::uuid and d.endpoint_id = t.endpoint_id " +
  `and d.state = '${state}' order by d.event_seq limit 1)`;

const NEXT_SEQ =
  "(select e.seq from (select * from events where platform_id = $1::uuid and seq > greatest(s.position, t.since_event_seq) " +
  `order by seq limit ${LOOKED_AT}) e where ${IS_ATTEMPTED} order by e.seq limit 1)`;

const inState = (state: "FAILED" | "WAITING", condition = "") =>
  "(select 1 from webhook_deliveries d where d.platform_id = $1::uuid and d.endpoint_id = t.endpoint_id " +
  `and d.state = '${state}'${condition} limit ${PARKED_COUNTED})`;

const notArrived =
  `(select count(*) from (${inState("FAILED")} union all ${inState("WAITING", " and d.attempts > 0")} ` +
  `limit ${PARKED_COUNTED}) gone)`;

const statuses = {
  name: "webhook_endpoints/statuses",
  text:
    "select t.endpoint_id, greatest(s.position, t.since_event_seq), " +
    "h.event_seq - greatest(s.position, t.since_event_seq), (select count(*) from (select 1 from webhook_deliveries d " +
    "where d.platform_id = $1::uuid and d.endpoint_id = t.endpoint_id and d.state <> 'FAILED' " +
    `limit ${PARKED_COUNTED}) parked), ${notArrived}, not ${TAKES_EVENTS}, case when ${IS_DOWN} then ${millis("s.down_since")} end, ` +
    `s.down_reason, ${millis("s.probe_at")}, ${IS_FAILING}, ${epoch("health.last_success_at")}, ` +
    `${epoch("health.last_failure_at")}, (select ${epoch("o.at")} from events o where o.platform_id = $1::uuid and o.seq = ` +
    `least(${parkedSeq("WAITING")}, ${parkedSeq("BEHIND")}, ${NEXT_SEQ})) ` +
    `from ${TARGETS} join platform_heads h on h.platform_id = $1::uuid ${STREAM_OF_TARGET} left join ` +
    "webhook_endpoint_health health on health.platform_id = $1::uuid and health.endpoint_id = t.endpoint_id",
};

/** Statuses by endpoint; the default endpoint has the id of the platform. Disabled endpoints are absent. */
export function endpointStatuses(
  reads: Reads,
  { platformId, now }: { readonly platformId: string; readonly now: number },
): Promise<ReadonlyMap<string, EndpointStatus>> {
  return reads.withPermit(platformId, async (cells) => {
    const figures = await attemptFigures(cells, platformId, now);
    const rows = await cells(statuses, [platformId]);
    return new Map(
      rows.map(([id, ...rest]) => [
        id === DEFAULT_ENDPOINT ? platformId : (id ?? ""),
        { ...decodeStatus(rest), figures: figures.get(id ?? "") },
      ]),
    );
  });
}

/** Counted up to this in `endpointHealths`. */
const GONE_COUNTED = 100;

const healths = {
  name: "webhook_endpoints/healths",
  text:
    `select t.endpoint_id, not ${TAKES_EVENTS}, ${IS_DOWN}, ${IS_FAILING}, (select count(*) from (` +
    `${inState("FAILED")} union all ${inState("WAITING", " and d.attempts > 0")} limit ${GONE_COUNTED}) gone) ` +
    `from ${TARGETS} ${STREAM_OF_TARGET} left join webhook_endpoint_health health on ` +
    "health.platform_id = $1::uuid and health.endpoint_id = t.endpoint_id",
};

/**
 * By the wire id of each endpoint that is not disabled, a text that differs when it was stopped, went down, began to fail or recovered, or
 * when the number of events that have not arrived changed. None of this is an event.
 */
export async function endpointHealths(
  reads: Reads,
  platformId: string,
): Promise<ReadonlyMap<string, string>> {
  const rows = await reads.cells(healths, [platformId]);
  return new Map(rows.map(([id, ...state]) => [toEndpointId(platformId, id ?? ""), state.join()]));
}

const numberOf = (cell: Cell) => (cell === null || cell === undefined ? undefined : Number(cell));

function decodeStatus(cells: readonly Cell[]): Omit<EndpointStatus, "figures"> {
  const [position, waiting, parked, gone, isStopped, since, reason, probeAt, ...rest] = cells;
  const [isFailing, lastSuccessAt, lastFailureAt, oldestAt] = rest;
  const downSince = numberOf(since);
  return {
    position: BigInt(position ?? 0),
    waiting: BigInt(waiting ?? 0),
    parked: Number(parked),
    notArrived: Number(gone),
    isStopped: isStopped === "t",
    outage:
      downSince === undefined
        ? undefined
        : { since: downSince, reason: reason ?? "", probeAt: Number(probeAt) },
    isFailing: isFailing === "t",
    lastSuccessAt: numberOf(lastSuccessAt),
    lastFailureAt: numberOf(lastFailureAt),
    oldestUndeliveredAt: numberOf(oldestAt),
  };
}

const live = {
  name: "webhook_endpoints/live",
  text:
    `select ${webhookEndpoints.selectList("t")} from webhook_endpoints t ` +
    "where t.platform_id = $1::uuid and t.deleted_at is null order by t.id desc",
};

/** All live endpoints but the default one, newest first. A platform has few, so there are no pages. */
export function listEndpoints(
  reads: Reads,
  platformId: string,
): Promise<readonly WebhookEndpoint[]> {
  return reads.rows(webhookEndpoints, live, [platformId]);
}

export const findEndpoint = liveFinderOf(webhookEndpoints);
