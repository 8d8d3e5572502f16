/** Reads of endpoints, with what deliveries have found out about them. */
import type { Reads } from "../../postgres/database.ts";
import { DEFAULT_ENDPOINT, IS_DOWN, TAKES_EVENTS, TARGETS } from "./stream.sql.ts";
import { type WebhookEndpoint, webhookEndpoints } from "./webhook-endpoint.ts";

/** Where the stream of an endpoint stands. Times are the platform's. */
export interface EndpointStatus {
  /** The event up to which each one was attempted or parked. */
  readonly position: bigint;
  /** Events after the position, of any type. */
  readonly waiting: bigint;
  /** Events that failed and are retried, or stand behind one of these; counted up to `PARKED_COUNTED`. */
  readonly parked: number;
  /** It answered 410. */
  readonly isStopped: boolean;
  readonly outage: EndpointOutage | undefined;
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

const millis = (column: string) =>
  `floor(extract(epoch from ${column}) * 1000)::int8 + h.clock_offset_ms`;

const statuses = {
  name: "webhook_endpoints/statuses",
  text:
    "select t.endpoint_id, greatest(s.position, t.since_event_seq), " +
    "h.event_seq - greatest(s.position, t.since_event_seq), (select count(*) from (select 1 from webhook_deliveries d " +
    "where d.platform_id = t.platform_id and d.endpoint_id = t.endpoint_id and d.state <> 'FAILED' " +
    `limit ${PARKED_COUNTED}) parked), not ${TAKES_EVENTS}, case when ${IS_DOWN} then ${millis("s.down_since")} end, ` +
    `s.down_reason, ${millis("s.probe_at")} from ${TARGETS} join platform_heads h on h.platform_id = t.platform_id ` +
    "left join webhook_streams s on s.platform_id = t.platform_id and s.endpoint_id = t.endpoint_id " +
    "where t.platform_id = $1::uuid",
};

/** By endpoint; the platform's own has the id of the platform. Disabled ones are absent. */
export async function endpointStatuses(
  reads: Reads,
  platformId: string,
): Promise<ReadonlyMap<string, EndpointStatus>> {
  const rows = await reads.cells(statuses, [platformId]);
  return new Map(
    rows.map(([id, position, waiting, parked, isStopped, since, reason, probeAt]) => [
      id === DEFAULT_ENDPOINT ? platformId : (id ?? ""),
      {
        position: BigInt(position ?? 0),
        waiting: BigInt(waiting ?? 0),
        parked: Number(parked),
        isStopped: isStopped === "t",
        outage:
          since === null || since === undefined
            ? undefined
            : { since: Number(since), reason: reason ?? "", probeAt: Number(probeAt) },
      },
    ]),
  );
}

const live = {
  name: "webhook_endpoints/live",
  text:
    `select ${webhookEndpoints.selectList("t")} from webhook_endpoints t ` +
    "where t.platform_id = $1::uuid and t.deleted_at is null order by t.id desc",
};

/** All live ones beside the default endpoint, newest first: a platform has few. */
export function listEndpoints(
  reads: Reads,
  platformId: string,
): Promise<readonly WebhookEndpoint[]> {
  return reads.rows(webhookEndpoints, live, [platformId]);
}

const byId = {
  name: "webhook_endpoints/get",
  text:
    `select ${webhookEndpoints.selectList("t")} from webhook_endpoints t ` +
    "where t.platform_id = $1::uuid and t.id = $2::uuid and t.deleted_at is null",
};

export async function findEndpoint(
  reads: Reads,
  platformId: string,
  id: string,
): Promise<WebhookEndpoint | undefined> {
  const [endpoint] = await reads.rows(webhookEndpoints, byId, [platformId, id]);
  return endpoint;
}
