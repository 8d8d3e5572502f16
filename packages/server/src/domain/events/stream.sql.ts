/**
 * The stream of events to one endpoint: its position, its lease, and whether the endpoint takes events. Only the delivery
 * worker writes these rows; the engine only adds events. Times are the host's.
 */
import type { StoredEvent } from "../../engine/command-log.ts";
import { parameter } from "../../postgres/columns.ts";
import type { Statement, Step, StepResult } from "../../postgres/pipeline.ts";
import { optInTypes } from "../event-catalogue.ts";
import type { Environment } from "../platform.ts";
import type { BatchRule, EndpointSignature } from "./webhook-endpoint.ts";

/** After this many attempts an event no longer holds back the later events of its subject. */
export const ATTEMPTS_THAT_HOLD_BACK = 4;

/** The endpoint of a platform's configuration. */
export const DEFAULT_ENDPOINT = "00000000-0000-0000-0000-000000000000";

/** Identifies a stream: there is one for each endpoint of a platform. */
export interface StreamKey {
  readonly platformId: string;
  readonly endpointId: string;
}

export function keyText({ platformId, endpointId }: StreamKey): string {
  return `${platformId}/${endpointId}`;
}

export function keyParameters({ platformId, endpointId }: StreamKey) {
  return [parameter("uuid", platformId), parameter("uuid", endpointId)] as const;
}

/** Where the events of a stream go, and the keys that sign them. */
export interface DeliveryTarget {
  readonly endpoint: string;
  /** The version of the endpoint. An update raises it, and a stopped endpoint then gets events again. */
  readonly setting: bigint;
  readonly environment: Environment;
  readonly secretSealed: string;
  readonly signature: EndpointSignature;
  /** The id of the key; undefined for that of the default endpoint until it is rotated. */
  readonly keyId: string | undefined;
  /** The key that takes over at `from`, a time of the platform; until then both sign. */
  readonly next:
    | { readonly keyId: string; readonly secretSealed: string; readonly from: number }
    | undefined;
  /** Undefined for one event a request. */
  readonly batch: BatchRule | undefined;
  readonly clockOffsetMs: number;
  /** Whether a first attempt may be made now: an event waits, and the endpoint is up or its probe is due. */
  readonly hasNews: boolean;
  /** Undefined unless the endpoint is known to be down. */
  readonly down: { readonly probes: number; readonly probeAt: number } | undefined;
}

export type QueuedEvent = Omit<StoredEvent, "commandSeq">;

export interface FirstAttempt extends QueuedEvent {
  /** Whether an earlier event of its subject is waiting for a retry. */
  readonly isHeldBack: boolean;
  /** When it was read. */
  readonly readAt: number;
  /** Whether the stream skips it: a job delivers it, because it asks about a payment, or the endpoint did not subscribe to its type. */
  readonly isSkipped: boolean;
}

/** The default endpoint gets these types only when the platform chose all of them. */
const OPT_IN = optInTypes.map((type) => `'${type}'`).join(", ");

/** The endpoints of the platform `$1`. Each table repeats that condition, because a distributed database finds the node by it. */
const endpoints = (condition: string) =>
  "(select p.platform_id, " +
  `'${DEFAULT_ENDPOINT}'::uuid as endpoint_id, p.webhook_endpoint as url, p.webhook_setting as setting, ` +
  "p.webhook_since_event_seq as since_event_seq, p.environment, p.webhook_private_key_sealed as key_sealed, " +
  "'P256' as signature, p.webhook_key_id as key_id, '[]'::json as events, p.webhook_next_key_id as next_key_id, " +
  "p.webhook_next_key_sealed as next_key_sealed, p.webhook_next_from as next_from, " +
  "greatest(p.webhook_since_event_seq, p.webhook_filter_since_event_seq) as filter_since_event_seq, p.webhook_events as default_events, null::int4 as batch_events, null::int4 as batch_wait_ms " +
  "from platforms p where p.platform_id = $1::uuid and p.id = $1::uuid and p.webhook_endpoint is not null union all " +
  "select w.platform_id, w.id, w.url, w.setting, w.since_event_seq, p.environment, w.secret_sealed, w.signature, w.key_id, " +
  "w.events, w.next_key_id, w.next_secret_sealed, w.next_from, w.filter_since_event_seq, null::text, w.batch_events, w.batch_wait_ms " +
  "from webhook_endpoints w join platforms p on p.platform_id = $1::uuid and p.id = $1::uuid " +
  `where w.platform_id = $1::uuid and w.deleted_at is null${condition}) t`;

/** Every endpoint, `t`, that is set. The platform is `$1`. */
export const ENDPOINTS = endpoints("");
/** Every endpoint, `t`, that is set and not disabled. */
export const TARGETS = endpoints(" and not w.is_disabled");

/** Condition on an event `e` of the platform `$1`: it asks whether to accept a payment. A job delivers it to the default endpoint. */
export const IS_QUESTION =
  "(e.type = 'INCOMING_PAYMENT.PENDING' and exists (" +
  "select 1 from payment_approvals a where a.platform_id = $1::uuid and a.event_seq = e.seq))";

/**
 * Condition on an endpoint `t` and an event `e`: the stream makes no attempt. The default endpoint gets questions from a job; another one
 * gets them as events, but neither TEST events nor types that it did not subscribe to.
 */
export const IS_SKIPPED =
  `case when t.endpoint_id = '${DEFAULT_ENDPOINT}' then (t.default_events <> 'ALL' and e.type in (${OPT_IN})) or ${IS_QUESTION} ` +
  "else e.type = 'TEST' or (json_array_length(t.events) > 0 and not exists (" +
  "select 1 from json_array_elements_text(t.events) f(filter) where e.type = f.filter " +
  "or (f.filter like '%.*' and starts_with(e.type, left(f.filter, -1))))) end";
/** The opposite of `IS_SKIPPED`: only events with this condition are recorded as given up when they expire unattempted. */
export const IS_ATTEMPTED = `not (${IS_SKIPPED})`;

/** Condition on an endpoint `t` and its stream `s`, which may be missing: the endpoint did not answer 410. */
export const TAKES_EVENTS =
  "(s.stopped_at is null or s.stopped_setting is distinct from t.setting)";
export const IS_DOWN = "coalesce(s.down_setting = t.setting, false)";
export const HAS_NEWS = "h.event_seq > greatest(s.position, t.since_event_seq)";
/** Condition: the endpoint is down, and its next probe is not due. */
const stands = (now: string) => `${IS_DOWN} and s.probe_at > ${now}::timestamptz`;
export const FREE = "'2000-01-01T00:00:00Z'::timestamptz";
export const isDue = (now: string) =>
  `d.state = 'WAITING' and d.next_at <= ${now}::timestamptz and d.leased_until <= ${now}::timestamptz`;
/** The time is computed in UTC, because Citus returns from an update no expression that depends on the time zone. */
export const EVENT_COLUMNS =
  "e.id, e.type, e.subject, floor(extract(epoch from e.at at time zone 'UTC') * 1000)::int8, e.body";

export const STREAM_OF_TARGET =
  "left join webhook_streams s on s.platform_id = $1::uuid and s.endpoint_id = t.endpoint_id";
export const TARGET_WITH_STREAM = `${TARGETS} join platform_heads h on h.platform_id = $1::uuid ${STREAM_OF_TARGET} where t.endpoint_id = $2::uuid`;

/** Forces an index scan: with many events of one subject, a bitmap scan would sort all of them. */
const WALK_INDEX = "set_config('enable_bitmapscan', 'off', true)";

/**
 * First step of every transaction that stores no event for retry. Its commit need not be durable: if a crash loses it,
 * events since the earlier position are delivered again.
 */
export const bookkeepingSettings: Step = {
  statement: {
    name: "webhooks/settings",
    text: `select set_config('synchronous_commit', 'off', true), ${WALK_INDEX}`,
  },
  parameters: [],
};

/**
 * First step of a transaction that stores events for retry; its commit waits for the flush. The worker continues from memory
 * after PostgreSQL restarts: if the row were lost, the position would move past the event, and it would never be delivered.
 */
export const parkingSettings: Step = {
  statement: { name: "webhooks/parking-settings", text: `select ${WALK_INDEX}` },
  parameters: [],
};

/** While the endpoint is down, a retry is made only as the probe, and only when no new event could be the probe. */
export function mayRetry(now: string): string {
  return `(not ${IS_DOWN} or (s.probe_at <= ${now}::timestamptz and not (${HAS_NEWS})))`;
}

const nextPlatforms: Statement = {
  name: "webhooks/next-platforms",
  text: "select platform_id from platform_heads where platform_id > $1::uuid order by platform_id limit $2::int8",
};

/** The next platforms by id. */
export function nextPlatformsStep(after: string, limit: number): Step {
  return {
    statement: nextPlatforms,
    parameters: [parameter("uuid", after), parameter("int8", BigInt(limit))],
  };
}

/** The last platform, after which the next scan begins; `isFull` when more may follow. */
export function decodeNextPlatforms(result: StepResult | undefined, limit: number) {
  const rows = result?.rows ?? [];
  return { last: rows.at(-1)?.[0] ?? undefined, isFull: rows.length >= limit };
}

/**
 * The work for a head `h`, an endpoint `t` and its stream `s`. Every join is by the platform of the head, so that each node of a cluster
 * finds the work of its own platforms.
 */
const workOf = (endpointId: string, endpoint: string) =>
  `select h.platform_id, ${endpointId} as endpoint_id, ${HAS_NEWS} and coalesce(s.leased_until <= $2::timestamptz, true) ` +
  `and not (${stands("$2")}) as has_news, ${mayRetry("$2")} and exists (select 1 from webhook_deliveries d where ` +
  `d.platform_id = h.platform_id and d.endpoint_id = ${endpointId} and ${isDue("$2")}) as has_due ` +
  `from platform_heads h join ${endpoint} left join webhook_streams s on s.platform_id = h.platform_id ` +
  `and s.endpoint_id = ${endpointId} where h.platform_id > $1::uuid and h.platform_id <= $3::uuid and ${TAKES_EVENTS}`;

const WORK_OF_DEFAULT_ENDPOINTS = workOf(
  `'${DEFAULT_ENDPOINT}'::uuid`,
  "(select p.platform_id, p.webhook_setting as setting, p.webhook_since_event_seq as since_event_seq from platforms p " +
    "where p.id = p.platform_id and p.webhook_endpoint is not null) t on t.platform_id = h.platform_id",
);
const WORK_OF_OTHER_ENDPOINTS = workOf(
  "t.id",
  "webhook_endpoints t on t.platform_id = h.platform_id and t.deleted_at is null and not t.is_disabled",
);

const lookForWork: Statement = {
  name: "webhooks/look",
  text:
    `select platform_id, endpoint_id, has_news, has_due from (${WORK_OF_DEFAULT_ENDPOINTS} union all ${WORK_OF_OTHER_ENDPOINTS}) found ` +
    "where has_news or has_due order by platform_id, endpoint_id",
};

/** The endpoints that have events to deliver, of the platforms after `after` up to `last`. */
export function scanStep(options: {
  readonly after: string;
  readonly last: string;
  readonly now: number;
}): Step {
  return {
    statement: lookForWork,
    parameters: [
      parameter("uuid", options.after),
      parameter("time", options.now),
      parameter("uuid", options.last),
    ],
  };
}

export interface FoundWork extends StreamKey {
  readonly hasNews: boolean;
  readonly hasDue: boolean;
}

export function decodeScan(result: StepResult | undefined): readonly FoundWork[] {
  return (result?.rows ?? []).map(([platformId, endpointId, hasNews, hasDue]) => ({
    platformId: platformId ?? "",
    endpointId: endpointId ?? "",
    hasNews: hasNews === "t",
    hasDue: hasDue === "t",
  }));
}

function targetStatement(name: string, condition: string): Statement {
  return {
    name,
    text:
      "select t.url, t.setting, t.environment, t.key_sealed, h.clock_offset_ms, " +
      `${HAS_NEWS} and not (${stands("$3")}), case when ${IS_DOWN} then s.probes end, ` +
      "floor(extract(epoch from s.probe_at) * 1000)::int8, t.signature, t.key_id, " +
      "t.next_key_id, t.next_key_sealed, floor(extract(epoch from t.next_from) * 1000)::int8, t.batch_events, t.batch_wait_ms " +
      `from ${TARGET_WITH_STREAM} and ${condition}`,
  };
}

const liveTarget = targetStatement("webhooks/target", TAKES_EVENTS);
const anyTarget = targetStatement("webhooks/any-target", "true");

/** The endpoint, unless it was stopped. */
export function targetStep(key: StreamKey, now: number): Step {
  return { statement: liveTarget, parameters: [...keyParameters(key), parameter("time", now)] };
}

/** The endpoint, stopped or not. */
export function anyTargetStep(key: StreamKey, now: number): Step {
  return { statement: anyTarget, parameters: [...keyParameters(key), parameter("time", now)] };
}

export function decodeTarget(result: StepResult | undefined): DeliveryTarget | undefined {
  const cells = result?.rows[0];
  if (cells === undefined) return undefined;
  const [
    endpoint,
    setting,
    environment,
    sealed,
    offset,
    hasNews,
    probes,
    probeAt,
    signature,
    keyId,
    nextKeyId,
    nextSealed,
    nextFrom,
    maxEvents,
    maxWaitMs,
  ] = cells;
  return {
    endpoint: endpoint ?? "",
    setting: BigInt(setting ?? 0),
    environment: environment as Environment,
    secretSealed: sealed ?? "",
    signature: signature as EndpointSignature,
    keyId: keyId ?? undefined,
    next: nextKeyOf([nextKeyId, nextSealed, nextFrom]),
    batch: batchOf(maxEvents, maxWaitMs),
    clockOffsetMs: Number(offset),
    hasNews: hasNews === "t",
    down: probes === null ? undefined : { probes: Number(probes), probeAt: Number(probeAt) },
  };
}

function nextKeyOf([keyId, secretSealed, from]: readonly Cell[]): DeliveryTarget["next"] {
  if (keyId === null || keyId === undefined) return undefined;
  return { keyId, secretSealed: secretSealed ?? "", from: Number(from) };
}

function batchOf(maxEvents: Cell, maxWaitMs: Cell): BatchRule | undefined {
  if (maxEvents === null || maxEvents === undefined) return undefined;
  return { maxEvents: Number(maxEvents), maxWaitMs: Number(maxWaitMs) };
}

/** The lease of a worker on a stream, with its start and its end. */
export interface Lease extends StreamKey {
  readonly workerId: string;
  readonly now: number;
  readonly until: number;
}

const takeStream: Statement = {
  name: "webhook_streams/take",
  text:
    "insert into webhook_streams (platform_id, endpoint_id, leased_by, leased_until) " +
    `select t.platform_id, t.endpoint_id, $3::uuid, $5::timestamptz from ${TARGET_WITH_STREAM} and ${TAKES_EVENTS} ` +
    `and ${HAS_NEWS} and not (${stands("$4")}) on conflict (platform_id, endpoint_id) do update set ` +
    "leased_by = excluded.leased_by, leased_until = excluded.leased_until " +
    "where webhook_streams.leased_until <= $4::timestamptz or webhook_streams.leased_by = $3::uuid " +
    "returning 1",
};

/**
 * A separate statement: it gets a new snapshot, so it sees events that were committed while the statement above waited for
 * the lock.
 */
const takenStream: Statement = {
  name: "webhook_streams/taken",
  text:
    "select s.position, e.id from webhook_streams s left join events e on e.platform_id = $1::uuid and e.seq = s.position " +
    "where s.platform_id = $1::uuid and s.endpoint_id = $2::uuid and s.leased_by = $3::uuid and s.leased_until = $4::timestamptz",
};

/** Leases the stream when it has undelivered events and no other lease; the second step reads its position and the event there. */
export function takeStreamSteps(lease: Lease): readonly Step[] {
  const who = [...keyParameters(lease), parameter("uuid", lease.workerId)];
  const end = parameter("time", lease.until);
  return [
    { statement: takeStream, parameters: [...who, parameter("time", lease.now), end] },
    { statement: takenStream, parameters: [...who, end] },
  ];
}

/** The last event that a worker has read; a new stream stands before the first. */
export interface LastRead {
  readonly seq: bigint;
  readonly id: string | null;
}

export const NOTHING_READ: LastRead = { seq: 0n, id: null };

export function decodeTaken(result: StepResult | undefined): LastRead | undefined {
  const [position, id] = result?.rows[0] ?? [];
  return position === undefined || position === null
    ? undefined
    : { seq: BigInt(position), id: id ?? null };
}

/**
 * After a restore, the database can have other events, or none, under the numbers in the worker's memory. So the last event
 * that was read must still exist; otherwise the position does not move and the lease ends.
 */
const holdStream: Statement = {
  name: "webhook_streams/hold",
  text:
    "with known as (select $7::int8 = 0 or exists (select 1 from events e where e.platform_id = $1::uuid " +
    "and e.seq = $7::int8 and e.id = $8::uuid) as is_there) update webhook_streams s set " +
    "position = case when k.is_there then greatest(s.position, $4::int8) else s.position end, " +
    "leased_by = case when k.is_there then s.leased_by end, leased_until = case " +
    `when not k.is_there or $6::text = 'always' or ($6::text = 'if-done' and (t.setting is null or not ${TAKES_EVENTS} or ` +
    `h.event_seq <= greatest(s.position, $4::int8, t.since_event_seq))) then ${FREE} ` +
    "else $5::timestamptz end from known k, platform_heads h left join " +
    `${TARGETS} on t.endpoint_id = $2::uuid ` +
    "where s.platform_id = $1::uuid and s.endpoint_id = $2::uuid and s.leased_by = $3::uuid " +
    `and h.platform_id = $1::uuid returning s.leased_until = ${FREE}, s.leased_by is null`,
};

/** `if-done`: the stream is released after its last event. */
export type Release = "never" | "if-done" | "always";

/** Moves the position, and renews or ends the lease; changes nothing when another server took the lease. */
export function holdStreamStep(
  lease: Lease,
  held: { readonly position: bigint; readonly lastRead: LastRead; readonly release: Release },
): Step {
  return {
    statement: holdStream,
    parameters: [
      ...keyParameters(lease),
      parameter("uuid", lease.workerId),
      parameter("int8", held.position),
      parameter("time", lease.until),
      parameter("text", held.release),
      parameter("int8", held.lastRead.seq),
      parameter("uuid", held.lastRead.id),
    ],
  };
}

export function wasReleased(result: StepResult | undefined): boolean {
  return result?.rows[0]?.[0] === "t";
}

/** Whether the database was restored and the worker's memory of events is stale. */
export function wasDatabaseRestored(result: StepResult | undefined): boolean {
  return result?.rows[0]?.[1] === "t";
}

const readEvents: Statement = {
  name: "webhook_streams/read",
  text:
    `select e.seq, ${EVENT_COLUMNS}, exists (select 1 from webhook_deliveries d ` +
    "where d.platform_id = $1::uuid and d.endpoint_id = $2::uuid and d.subject = e.subject and d.state <> 'FAILED' " +
    `and (d.state = 'BEHIND' or d.attempts < ${ATTEMPTS_THAT_HOLD_BACK})), ` +
    `${IS_SKIPPED} from webhook_streams s ` +
    `join ${TARGETS} on t.endpoint_id = s.endpoint_id cross join lateral (` +
    "select * from events where platform_id = $1::uuid " +
    "and seq > greatest(s.position, t.since_event_seq, $4::int8) order by seq limit $5::int8) e " +
    "where s.platform_id = $1::uuid and s.endpoint_id = $2::uuid and s.leased_by = $3::uuid " +
    `and s.leased_until > ${FREE} order by e.seq`,
};

/** The next events for a first attempt; requires the lease of the stream. */
export function readEventsStep(
  lease: Lease,
  { after, limit }: { readonly after: bigint; readonly limit: number },
): Step {
  return {
    statement: readEvents,
    parameters: [
      ...keyParameters(lease),
      parameter("uuid", lease.workerId),
      parameter("int8", after),
      parameter("int8", BigInt(limit)),
    ],
  };
}

export function decodeFirstAttempts(
  result: StepResult | undefined,
  readAt: number,
): readonly FirstAttempt[] {
  return (result?.rows ?? []).map(([seq, id, type, subject, at, body, isHeldBack, isSkipped]) => ({
    ...queuedEvent([seq, id, type, subject, at, body]),
    readAt,
    isHeldBack: isHeldBack === "t",
    isSkipped: isSkipped === "t",
  }));
}

const eventBody: Statement = {
  name: "events/body",
  text: "select body, id from events where platform_id = $1::uuid and seq = $2::int8",
};

export function eventBodyStep(platformId: string, seq: bigint): Step {
  return {
    statement: eventBody,
    parameters: [parameter("uuid", platformId), parameter("int8", seq)],
  };
}

export type Cell = string | null | undefined;

export function queuedEvent([seq, id, type, subject, at, body]: readonly Cell[]): QueuedEvent {
  return {
    seq: BigInt(seq ?? 0),
    id: id ?? "",
    type: type ?? "",
    subject: subject ?? "",
    at: Number(at),
    body: body ?? "",
  };
}

const lockStream: Statement = {
  name: "webhook_streams/lock",
  text: "select 1 from webhook_streams where platform_id = $1::uuid and endpoint_id = $2::uuid for update",
};

export function lockStreamStep(key: StreamKey): Step {
  return { statement: lockStream, parameters: keyParameters(key) };
}
