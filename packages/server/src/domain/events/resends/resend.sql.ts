/**
 * The bookkeeping of resends: the lease of an order, its position, and the outcomes of its events. An event that the endpoint has not
 * accepted has a row in webhook_deliveries; an attempt leases it, as a retry does. Every writer of these rows locks the stream's row first.
 * Times are the host's.
 */
import { arrayParameter, parameter } from "../../../postgres/columns.ts";
import type { Statement, Step, StepResult } from "../../../postgres/pipeline.ts";
import {
  type Cell,
  EVENT_COLUMNS,
  FREE,
  IS_ATTEMPTED,
  IS_QUESTION,
  isDue,
  keyParameters,
  type QueuedEvent,
  queuedEvent,
  STREAM_OF_TARGET,
  type StreamKey,
  TARGET_WITH_STREAM,
  TARGETS,
} from "../stream.sql.ts";

/** Condition on an endpoint `t` and an event `e`: TEST events and questions are never sent again. */
export const IS_RESENT = `${IS_ATTEMPTED} and e.type <> 'TEST' and not ${IS_QUESTION}`;

/** The lease of one run on the part of an order for one endpoint. */
export interface ResendLease extends StreamKey {
  readonly resendId: string;
  /** New for each run, so that two runs in one process do not share a lease. */
  readonly leaseId: string;
  readonly now: number;
  readonly until: number;
}

const ensureStream: Statement = {
  name: "webhook_streams/ensure",
  text:
    `insert into webhook_streams (platform_id, endpoint_id) select t.platform_id, t.endpoint_id from ${TARGETS} ` +
    "where t.endpoint_id = $2::uuid on conflict do nothing",
};

/** Creates the row of the stream, which every writer of deliveries locks. */
export function ensureStreamStep(key: StreamKey): Step {
  return { statement: ensureStream, parameters: keyParameters(key) };
}

const takeOrder: Statement = {
  name: "webhook_resends/take",
  text:
    "insert into webhook_resends as r (platform_id, resend_id, endpoint_id, position, leased_by, leased_until) " +
    "select s.platform_id, $3::uuid, s.endpoint_id, $7::int8, $4::uuid, $6::timestamptz from webhook_streams s " +
    "where s.platform_id = $1::uuid and s.endpoint_id = $2::uuid and ($8::bool or s.resend_at <= $5::timestamptz) " +
    "on conflict (platform_id, resend_id, endpoint_id) do update set " +
    "leased_by = excluded.leased_by, leased_until = excluded.leased_until " +
    "where r.leased_until <= $5::timestamptz returning r.position",
};

/**
 * Leases an order that starts after `position`; returns nothing while another run has it. An order of many events also waits until the time
 * that `setTurnStep` has set.
 */
export function takeOrderStep(
  lease: ResendLease,
  { position, isSingle }: { readonly position: bigint; readonly isSingle: boolean },
): Step {
  return {
    statement: takeOrder,
    parameters: [
      ...leaseParameters(lease),
      parameter("time", lease.now),
      parameter("time", lease.until),
      parameter("int8", position),
      parameter("bool", isSingle),
    ],
  };
}

function leaseParameters(lease: ResendLease) {
  return [
    ...keyParameters(lease),
    parameter("uuid", lease.resendId),
    parameter("uuid", lease.leaseId),
  ] as const;
}

/** The position of the leased order; undefined when it was not leased. */
export function decodeOrder(result: StepResult | undefined): bigint | undefined {
  const [position] = result?.rows[0] ?? [];
  return position === undefined || position === null ? undefined : BigInt(position);
}

const setTurn: Statement = {
  name: "webhook_streams/resend-turn",
  text:
    "update webhook_streams s set resend_at = $5::timestamptz where s.platform_id = $1::uuid and s.endpoint_id = $2::uuid " +
    "and exists (select 1 from webhook_resends r where r.platform_id = $1::uuid and r.endpoint_id = $2::uuid " +
    "and r.resend_id = $3::uuid and r.leased_by = $4::uuid)",
};

/** No other order of many events is taken for the endpoint before this time. */
export function setTurnStep(lease: ResendLease, at: number): Step {
  return {
    statement: setTurn,
    parameters: [...leaseParameters(lease), parameter("time", at)],
  };
}

/** An event that waits for its first attempt for longer than this is late. */
const LATE_MS = 1_000;

const hasLate: Statement = {
  name: "webhook_streams/has-late",
  text:
    "select exists (select 1 from webhook_deliveries d where d.platform_id = $1::uuid and d.endpoint_id = $2::uuid " +
    `and ${isDue("$3")}) or exists (select 1 from events e where e.platform_id = $1::uuid ` +
    "and e.seq = greatest(s.position, t.since_event_seq) + 1 " +
    `and e.at < $3::timestamptz + (h.clock_offset_ms - ${LATE_MS}) * interval '1 millisecond') from ${TARGET_WITH_STREAM}`,
};

/** Whether a retry is due or a first attempt is late: those have priority over resends. */
export function hasLateStep(key: StreamKey, now: number): Step {
  return { statement: hasLate, parameters: [...keyParameters(key), parameter("time", now)] };
}

export function decodeHasLate(result: StepResult | undefined): boolean {
  return result?.rows[0]?.[0] === "t";
}

const claimEvents: Statement = {
  name: "webhook_resends/claim",
  text:
    "with wanted as (select e.*, e.seq > greatest(s.position, t.since_event_seq) as is_to_come from unnest($3::int8[]) k(seq), " +
    `lateral (select * from events where platform_id = $1::uuid and seq = k.seq limit 1) e, ${TARGETS} ${STREAM_OF_TARGET} ` +
    `where t.endpoint_id = $2::uuid and ${IS_RESENT}), ` +
    "claimed as (update webhook_deliveries d set leased_until = $5::timestamptz from wanted w where d.platform_id = $1::uuid " +
    "and d.endpoint_id = $2::uuid and d.event_seq = w.seq and d.state in ('WAITING', 'FAILED') " +
    "and d.leased_until <= $4::timestamptz returning d.event_seq, d.state, d.attempts) " +
    `select e.seq, ${EVENT_COLUMNS}, c.state, c.attempts from wanted e left join claimed c on c.event_seq = e.seq ` +
    "where c.event_seq is not null or ($6::bool and not e.is_to_come and not exists (select 1 from webhook_deliveries d " +
    "where d.platform_id = $1::uuid and d.endpoint_id = $2::uuid and d.event_seq = e.seq)) order by e.seq",
};

export interface ClaimedResend extends QueuedEvent {
  /** Undefined for an event that the endpoint has accepted, or that is older than the endpoint. */
  readonly parked: { readonly state: "WAITING" | "FAILED"; readonly attempts: number } | undefined;
}

/**
 * The events among these that can be attempted now. Left out are events before their first attempt, with a retry in progress, or waiting
 * for an earlier one of their resource. Those that the endpoint has not accepted are leased.
 */
export function claimEventsStep(
  lease: ResendLease,
  { seqs, withTaken }: { readonly seqs: readonly bigint[]; readonly withTaken: boolean },
): Step {
  return {
    statement: claimEvents,
    parameters: [
      ...keyParameters(lease),
      arrayParameter("int8", seqs),
      parameter("time", lease.now),
      parameter("time", lease.until),
      parameter("bool", withTaken),
    ],
  };
}

export function decodeClaimedResends(result: StepResult | undefined): readonly ClaimedResend[] {
  return (result?.rows ?? []).map(([seq, id, type, subject, at, body, state, attempts]) => ({
    ...queuedEvent([seq, id, type, subject, at, body]),
    parked: parkedOf(state, attempts),
  }));
}

function parkedOf(state: Cell, attempts: Cell): ClaimedResend["parked"] {
  if (state !== "WAITING" && state !== "FAILED") return undefined;
  return { state, attempts: Number(attempts) };
}

const noteGivenUp: Statement = {
  name: "webhook_deliveries/note-given-up",
  text:
    "with x as (select k.* from unnest($3::int8[], $4::int4[], $5::text[]) k(event_seq, attempts, outcome), " +
    "lateral (select 1 from webhook_deliveries i where i.platform_id = $1::uuid and i.endpoint_id = $2::uuid " +
    "and i.event_seq = k.event_seq and i.state = 'FAILED' and i.attempts = k.attempts limit 1) found) " +
    `update webhook_deliveries d set attempts = d.attempts + 1, leased_until = ${FREE}, last_outcome = x.outcome from x ` +
    "where d.platform_id = $1::uuid and d.endpoint_id = $2::uuid and d.event_seq = any (array(select event_seq from x)) " +
    "and d.event_seq = x.event_seq",
};

/** Stores one more failed attempt of events that were given up; they stay given up. */
export function noteGivenUpStep(
  key: StreamKey,
  failed: readonly {
    readonly seq: bigint;
    readonly attemptsBefore: number;
    readonly outcome: string;
  }[],
): Step {
  return {
    statement: noteGivenUp,
    parameters: [
      ...keyParameters(key),
      arrayParameter(
        "int8",
        failed.map(({ seq }) => seq),
      ),
      arrayParameter(
        "int4",
        failed.map(({ attemptsBefore }) => attemptsBefore),
      ),
      arrayParameter(
        "text",
        failed.map(({ outcome }) => outcome),
      ),
    ],
  };
}

const holdOrder: Statement = {
  name: "webhook_resends/hold",
  text:
    "update webhook_resends r set position = greatest(r.position, $5::int8), sent = r.sent + $6::int4, " +
    "failed = r.failed + $7::int4, leased_until = $8::timestamptz where r.platform_id = $1::uuid and r.endpoint_id = $2::uuid " +
    "and r.resend_id = $3::uuid and r.leased_by = $4::uuid returning exists (select 1 from event_resends o " +
    "where o.platform_id = $1::uuid and o.id = $3::uuid and o.state = 'RUNNING')",
};

export interface ResendCounts {
  readonly position: bigint;
  readonly sent: number;
  readonly failed: number;
}

/** Stores how far an order has come and renews its lease. */
export function holdOrderStep(lease: ResendLease, { position, sent, failed }: ResendCounts): Step {
  return {
    statement: holdOrder,
    parameters: [
      ...leaseParameters(lease),
      parameter("int8", position),
      parameter("int4", sent),
      parameter("int4", failed),
      parameter("time", lease.until),
    ],
  };
}

/** Whether this run still has the lease and the order was not cancelled. */
export function decodeHeld(result: StepResult | undefined): boolean {
  return result?.rows[0]?.[0] === "t";
}

const freeOrder: Statement = {
  name: "webhook_resends/free",
  text:
    `update webhook_resends r set leased_until = ${FREE} where r.platform_id = $1::uuid and r.endpoint_id = $2::uuid ` +
    "and r.resend_id = $3::uuid and r.leased_by = $4::uuid",
};

/** Ends the lease. */
export function freeOrderStep(lease: ResendLease): Step {
  return { statement: freeOrder, parameters: leaseParameters(lease) };
}

const dropOrder: Statement = {
  name: "webhook_resends/drop",
  text:
    "delete from webhook_resends r where r.platform_id = $1::uuid and r.endpoint_id = $2::uuid " +
    "and r.resend_id = $3::uuid and r.leased_by = $4::uuid",
};

/** Deletes the order of a single event, which is not read later. */
export function dropOrderStep(lease: ResendLease): Step {
  return { statement: dropOrder, parameters: leaseParameters(lease) };
}

const hastenFirst: Statement = {
  name: "webhook_deliveries/hasten-first",
  text:
    "update webhook_deliveries d set next_at = $4::timestamptz where d.platform_id = $1::uuid and d.endpoint_id = $2::uuid " +
    "and d.event_seq = any (array(select w.event_seq from webhook_deliveries b, " +
    "webhook_deliveries w where b.platform_id = $1::uuid and b.endpoint_id = $2::uuid and b.event_seq = $3::int8 " +
    "and b.state = 'BEHIND' and w.platform_id = $1::uuid and w.endpoint_id = $2::uuid and w.subject = b.subject " +
    "and w.state <> 'FAILED' and w.state = 'WAITING' and w.event_seq < b.event_seq order by w.event_seq limit 1)) " +
    "and d.next_at > $4::timestamptz",
};

/** Makes the first waiting event of the same resource due, if this event waits behind it. */
export function hastenFirstStep(key: StreamKey, eventSeq: bigint, now: number): Step {
  return {
    statement: hastenFirst,
    parameters: [...keyParameters(key), parameter("int8", eventSeq), parameter("time", now)],
  };
}
