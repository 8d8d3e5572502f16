/**
 * The stream of a platform's events: its position, its endpoint and its lease. Only the delivery worker writes these rows; the
 * engine only adds events. Times are the host's.
 */
import { parameter } from "../../postgres/columns.ts";
import type { Statement, Step, StepResult } from "../../postgres/pipeline.ts";
import type { Environment } from "../platforms/platform.ts";
import { optInTypes } from "./event-catalogue.ts";

/** After this many attempts an event no longer holds back the later events of its subject. */
export const ATTEMPTS_THAT_HOLD_BACK = 4;

/** The endpoint of a platform and its signing key. */
export interface DeliveryTarget {
  readonly endpoint: string;
  /** The version of the endpoint. A stopped endpoint gets events again when it is set again. */
  readonly setting: bigint;
  readonly environment: Environment;
  readonly privateKeySealed: string;
  readonly clockOffsetMs: number;
  /** Whether an event waits for its first attempt. */
  readonly hasUndelivered: boolean;
}

export interface QueuedEvent {
  readonly seq: bigint;
  readonly id: string;
  readonly type: string;
  readonly subject: string;
  /** Platform time. */
  readonly at: number;
  readonly body: string;
}

export interface FirstAttempt extends QueuedEvent {
  /** Whether an earlier event of its subject is waiting for a retry. */
  readonly isHeldBack: boolean;
  /** The stream passes over it: a question, which a job delivers, or a type that the endpoint has not asked for. */
  readonly isPassedOver: boolean;
}

/** For `p` a platform and `s` its stream, which may be missing. */
export const TAKES_EVENTS =
  "p.webhook_endpoint is not null and " +
  "(s.stopped_at is null or s.stopped_setting is distinct from p.webhook_setting)";
const HAS_NEWS = "h.event_seq > greatest(s.position, p.webhook_since_event_seq)";
export const FREE = "'2000-01-01T00:00:00Z'::timestamptz";
export const IS_DUE =
  "d.state = 'WAITING' and d.next_at <= $2::timestamptz and d.leased_until <= $2::timestamptz";
export const EVENT_COLUMNS =
  "e.id, e.type, e.subject, floor(extract(epoch from e.at) * 1000)::int8, e.body";

export const PLATFORM_WITH_STREAM =
  "platforms p join platform_heads h on h.platform_id = p.platform_id " +
  "left join webhook_streams s on s.platform_id = p.platform_id " +
  "where p.platform_id = $1::uuid and p.id = $1::uuid";

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

const lookForWork: Statement = {
  name: "webhooks/look",
  text:
    "select platform_id, has_news, has_due, place from (select h.platform_id, w.has_news, w.has_due, " +
    "row_number() over (order by h.platform_id) as place, " +
    "lead(h.platform_id) over (order by h.platform_id) is null as is_last from " +
    "(select platform_id, event_seq from platform_heads where platform_id > $1::uuid " +
    "order by platform_id limit $3::int8) h left join lateral (select " +
    `${HAS_NEWS} and coalesce(s.leased_until <= $2::timestamptz, true) as has_news, ` +
    "exists (select 1 from webhook_deliveries d " +
    `where d.platform_id = p.platform_id and ${IS_DUE}) as has_due ` +
    "from platforms p left join webhook_streams s on s.platform_id = p.platform_id " +
    `where p.platform_id = h.platform_id and p.id = h.platform_id and ${TAKES_EVENTS}) w on true) found ` +
    "where is_last or has_news or has_due order by platform_id",
};

/** The next platforms by id, and which of them have events to deliver. */
export function scanStep(options: {
  readonly after: string;
  readonly now: number;
  readonly limit: number;
}): Step {
  return {
    statement: lookForWork,
    parameters: [
      parameter("uuid", options.after),
      parameter("time", options.now),
      parameter("int8", BigInt(options.limit)),
    ],
  };
}

export interface StreamWork {
  readonly platformId: string;
  readonly hasUndelivered: boolean;
  readonly hasDue: boolean;
}

/** `last` is the cursor of the next scan, undefined after the last platform. */
export function decodeScan(result: StepResult | undefined, limit: number) {
  const rows = result?.rows ?? [];
  const found = rows.map(
    ([platformId, hasUndelivered, hasDue]): StreamWork => ({
      platformId: platformId ?? "",
      hasUndelivered: hasUndelivered === "t",
      hasDue: hasDue === "t",
    }),
  );
  const isFull = Number(rows.at(-1)?.[3] ?? 0) >= limit;
  return { found, last: isFull ? found.at(-1)?.platformId : undefined };
}

function targetStatement(name: string, condition: string): Statement {
  return {
    name,
    text:
      "select p.webhook_endpoint, p.webhook_setting, p.environment, " +
      `p.webhook_private_key_sealed, h.clock_offset_ms, ${HAS_NEWS} from ${PLATFORM_WITH_STREAM} and ${condition}`,
  };
}

const liveTarget = targetStatement("webhooks/target", TAKES_EVENTS);
const anyTarget = targetStatement("webhooks/any-target", "p.webhook_endpoint is not null");

/** The endpoint, unless it was stopped. */
export function targetStep(platformId: string): Step {
  return { statement: liveTarget, parameters: [parameter("uuid", platformId)] };
}

/** The endpoint, stopped or not. */
export function anyTargetStep(platformId: string): Step {
  return { statement: anyTarget, parameters: [parameter("uuid", platformId)] };
}

export function decodeTarget(result: StepResult | undefined): DeliveryTarget | undefined {
  const cells = result?.rows[0];
  if (cells === undefined) return undefined;
  const [endpoint, setting, environment, sealed, offset, hasUndelivered] = cells;
  return {
    endpoint: endpoint ?? "",
    setting: BigInt(setting ?? 0),
    environment: environment as Environment,
    privateKeySealed: sealed ?? "",
    clockOffsetMs: Number(offset),
    hasUndelivered: hasUndelivered === "t",
  };
}

/** The lease of a stream: its worker, start and end. */
export interface Lease {
  readonly platformId: string;
  readonly workerId: string;
  readonly now: number;
  readonly until: number;
}

const takeStream: Statement = {
  name: "webhook_streams/take",
  text:
    "insert into webhook_streams (platform_id, leased_by, leased_until) " +
    `select p.platform_id, $2::uuid, $4::timestamptz from ${PLATFORM_WITH_STREAM} and ${TAKES_EVENTS} and ${HAS_NEWS} ` +
    "on conflict (platform_id) do update set leased_by = excluded.leased_by, leased_until = excluded.leased_until " +
    "where webhook_streams.leased_until <= $3::timestamptz or webhook_streams.leased_by = $2::uuid " +
    "returning 1",
};

/**
 * A separate statement: it gets a new snapshot, so it sees events that were committed while the statement above waited for
 * the lock.
 */
const takenStream: Statement = {
  name: "webhook_streams/taken",
  text:
    "select s.position, e.id from webhook_streams s left join events e on e.platform_id = s.platform_id and e.seq = s.position " +
    "where s.platform_id = $1::uuid and s.leased_by = $2::uuid and s.leased_until = $3::timestamptz",
};

/** Leases the stream when it has undelivered events and no other lease; the second step reads its position and the event there. */
export function takeStreamSteps({ platformId, workerId, now, until }: Lease): readonly Step[] {
  const who = [parameter("uuid", platformId), parameter("uuid", workerId)];
  const end = parameter("time", until);
  return [
    { statement: takeStream, parameters: [...who, parameter("time", now), end] },
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
    "with known as (select $6::int8 = 0 or exists (select 1 from events e where e.platform_id = $1::uuid " +
    "and e.seq = $6::int8 and e.id = $7::uuid) as is_there) update webhook_streams s set " +
    "position = case when k.is_there then greatest(s.position, $3::int8) else s.position end, " +
    "leased_by = case when k.is_there then s.leased_by end, leased_until = case " +
    `when not k.is_there or $5::text = 'always' or ($5::text = 'if-done' and (not (${TAKES_EVENTS}) or ` +
    `h.event_seq <= greatest(s.position, $3::int8, p.webhook_since_event_seq))) then ${FREE} ` +
    "else $4::timestamptz end from known k, platforms p, platform_heads h " +
    "where s.platform_id = $1::uuid and s.leased_by = $2::uuid and p.platform_id = $1::uuid and p.id = $1::uuid " +
    `and h.platform_id = $1::uuid returning s.leased_until = ${FREE}, s.leased_by is null`,
};

/** `if-done`: the stream is released after its last event. */
export type Release = "never" | "if-done" | "always";

/** Moves the position and renews the lease or ends it; nothing when another server took the lease. */
export function holdStreamStep(
  lease: Lease,
  held: { readonly position: bigint; readonly lastRead: LastRead; readonly release: Release },
): Step {
  return {
    statement: holdStream,
    parameters: [
      parameter("uuid", lease.platformId),
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

const OPT_IN = optInTypes.map((type) => `'${type}'`).join(", ");

const readEvents: Statement = {
  name: "webhook_streams/read",
  text:
    `select e.seq, ${EVENT_COLUMNS}, exists (select 1 from webhook_deliveries d ` +
    "where d.platform_id = e.platform_id and d.subject = e.subject and d.state <> 'FAILED' " +
    `and (d.state = 'BEHIND' or d.attempts < ${ATTEMPTS_THAT_HOLD_BACK})), ` +
    "case when e.type = 'INCOMING_PAYMENT.PENDING' then exists (select 1 from payment_approvals a " +
    `where a.platform_id = e.platform_id and a.event_seq = e.seq) else e.type in (${OPT_IN}) end from webhook_streams s ` +
    "join platforms p on p.platform_id = s.platform_id and p.id = s.platform_id cross join lateral (" +
    "select * from events where platform_id = s.platform_id " +
    "and seq > greatest(s.position, p.webhook_since_event_seq, $3::int8) order by seq limit $4::int8) e " +
    `where s.platform_id = $1::uuid and s.leased_by = $2::uuid and s.leased_until > ${FREE} order by e.seq`,
};

/** The next events for a first attempt; requires the lease of the stream. */
export function readEventsStep(
  lease: Lease,
  { after, limit }: { readonly after: bigint; readonly limit: number },
): Step {
  return {
    statement: readEvents,
    parameters: [
      parameter("uuid", lease.platformId),
      parameter("uuid", lease.workerId),
      parameter("int8", after),
      parameter("int8", BigInt(limit)),
    ],
  };
}

export function decodeFirstAttempts(result: StepResult | undefined): readonly FirstAttempt[] {
  return (result?.rows ?? []).map(
    ([seq, id, type, subject, at, body, isHeldBack, isPassedOver]) => ({
      ...queuedEvent([seq, id, type, subject, at, body]),
      isHeldBack: isHeldBack === "t",
      isPassedOver: isPassedOver === "t",
    }),
  );
}

const eventBody: Statement = {
  name: "events/body",
  text: "select body from events where platform_id = $1::uuid and seq = $2::int8",
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
  text: "select 1 from webhook_streams where platform_id = $1::uuid for update",
};

export function lockStreamStep(platformId: string): Step {
  return { statement: lockStream, parameters: [parameter("uuid", platformId)] };
}

const stopEndpoint: Statement = {
  name: "webhook_streams/stop",
  text:
    "insert into webhook_streams as s (platform_id, endpoint, stopped_setting, stopped_at) " +
    "values ($1::uuid, $2::text, $3::int8, $4::timestamptz) on conflict (platform_id) do update set " +
    "endpoint = excluded.endpoint, stopped_setting = excluded.stopped_setting, stopped_at = excluded.stopped_at " +
    "where s.stopped_setting is null or s.stopped_setting < excluded.stopped_setting",
};

/** Stops an endpoint that answered 410. */
export function stopEndpointStep(platformId: string, target: DeliveryTarget, now: number): Step {
  return {
    statement: stopEndpoint,
    parameters: [
      parameter("uuid", platformId),
      parameter("text", target.endpoint),
      parameter("int8", target.setting),
      parameter("time", now),
    ],
  };
}
