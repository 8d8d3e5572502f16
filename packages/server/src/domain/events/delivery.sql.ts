/**
 * Deliveries of events whose first attempt failed. Every writer of these rows locks the platform's stream row first. So an
 * event that queues behind an earlier one of its subject always sees the outcome of the earlier one. Times are the host's.
 */
import { arrayParameter, parameter } from "../../postgres/columns.ts";
import type { Statement, Step, StepResult } from "../../postgres/pipeline.ts";
import { SENT_ONCE } from "./delivery-schedule.ts";
import {
  ATTEMPTS_THAT_HOLD_BACK,
  EVENT_COLUMNS,
  FREE,
  IS_DOWN,
  isDue,
  keyParameters,
  type Lease,
  mayRetry,
  type QueuedEvent,
  queuedEvent,
  type StreamKey,
  TAKES_EVENTS,
  TARGET_WITH_STREAM,
} from "./stream.sql.ts";

export interface ClaimedRetry extends QueuedEvent {
  readonly attempts: number;
  /** It waits behind a claimed event of its subject, and is sent again in the same batch; it is not leased. */
  readonly isBehind: boolean;
}

/** An event stored for retry after a failed first attempt, or instead of a first attempt. */
export interface ParkedEvent {
  readonly seq: bigint;
  readonly subject: string;
  readonly state: "WAITING" | "BEHIND" | "FAILED";
  readonly attempts: number;
  readonly nextAt: number | null;
  readonly parkedAt: number;
  readonly outcome: string | null;
  /** The HTTP status of the answer, when there was one. */
  readonly status: number | undefined;
}

/** The outcome of a retry that failed. */
export interface FailedRetry {
  readonly seq: bigint;
  readonly id: string;
  /** The count when the retry was claimed: an outcome under an expired claim changes nothing. */
  readonly attemptsBefore: number;
  /** `BEHIND`: it was sent in one request with an earlier event of its subject, and waits behind it again. */
  readonly state: ParkedEvent["state"];
  readonly nextAt: number | null;
  readonly outcome: string;
  readonly status: number | undefined;
}

/**
 * Condition on a delivery `d`. A statement for several deliveries also passes their sequences as an array, so that even a plan made while
 * the table was empty finds each by its key.
 */
const OF_STREAM = "d.platform_id = $1::uuid and d.endpoint_id = $2::uuid";

const parkEvents: Statement = {
  name: "webhook_deliveries/park",
  text:
    "insert into webhook_deliveries " +
    "(platform_id, endpoint_id, event_seq, subject, state, attempts, next_at, parked_at, last_outcome, last_status) " +
    "select $1::uuid, $2::uuid, x.* from unnest($4::int8[], $5::text[], $6::text[], $7::int4[], $8::timestamptz[], " +
    "$9::timestamptz[], $10::text[], $11::int4[]) x where exists (select 1 from webhook_streams s " +
    "where s.platform_id = $1::uuid and s.endpoint_id = $2::uuid and s.leased_by = $3::uuid) on conflict do nothing",
};

/** Stores events for retry; requires the lease of the stream. */
export function parkStep(lease: Lease, parked: readonly ParkedEvent[]): Step {
  return {
    statement: parkEvents,
    parameters: [
      ...keyParameters(lease),
      parameter("uuid", lease.workerId),
      arrayParameter(
        "int8",
        parked.map((event) => event.seq),
      ),
      arrayParameter(
        "text",
        parked.map((event) => event.subject),
      ),
      arrayParameter(
        "text",
        parked.map((event) => event.state),
      ),
      arrayParameter(
        "int4",
        parked.map((event) => event.attempts),
      ),
      arrayParameter(
        "time",
        parked.map((event) => event.nextAt),
      ),
      arrayParameter(
        "time",
        parked.map((event) => event.parkedAt),
      ),
      arrayParameter(
        "text",
        parked.map((event) => event.outcome),
      ),
      arrayParameter(
        "int4",
        parked.map((event) => event.status),
      ),
    ],
  };
}

/**
 * `state <> 'FAILED'` follows from the other condition on the state. It is repeated because it is the predicate of the partial index by
 * subject.
 */
const releaseNext: Statement = {
  name: "webhook_deliveries/release-next",
  text:
    `update webhook_deliveries d set state = 'WAITING', next_at = $4::timestamptz where ${OF_STREAM} and d.event_seq = any (array(` +
    "select first.event_seq from unnest($3::text[]) k(subject), lateral (" +
    "select b.event_seq from webhook_deliveries b where b.platform_id = $1::uuid " +
    "and b.endpoint_id = $2::uuid and b.subject = k.subject and b.state <> 'FAILED' and b.state = 'BEHIND' " +
    "order by b.event_seq limit 1) first where (select true from webhook_deliveries w " +
    "where w.platform_id = $1::uuid and w.endpoint_id = $2::uuid and w.subject = k.subject " +
    `and w.event_seq < first.event_seq and w.state <> 'FAILED' and w.attempts < ${ATTEMPTS_THAT_HOLD_BACK} ` +
    "limit 1) is null))",
};

/** Makes the first queued event of each subject due when no earlier event holds it back. */
export function releaseNextStep(
  key: StreamKey,
  { subjects, now }: { readonly subjects: Iterable<string>; readonly now: number },
): Step {
  return {
    statement: releaseNext,
    parameters: [
      ...keyParameters(key),
      arrayParameter("text", [...new Set(subjects)]),
      parameter("time", now),
    ],
  };
}

/**
 * The number of retries to claim, and of the events behind each: for an endpoint that is down one retry at most, the probe, and for one
 * that takes batches the events of as many requests.
 */
const CLAIM_LIMIT =
  `select case when not ${TAKES_EVENTS} or not ${mayRetry("$3")} then 0 when ${IS_DOWN} then least($5::int8, 1) ` +
  "else least($5::int8 * coalesce(t.batch_events, 1), $6::int8) end as retries, " +
  `case when ${IS_DOWN} then 0 else coalesce(t.batch_events, 1) - 1 end as behind from ${TARGET_WITH_STREAM}`;

/** Condition on an event `b` behind a due one: no retry of their subject between the two holds it back. */
const IS_NEXT_BEHIND =
  "(select true from webhook_deliveries w where w.platform_id = $1::uuid and w.endpoint_id = $2::uuid " +
  "and w.subject = due.subject and w.event_seq > due.event_seq and w.event_seq < b.event_seq and w.state <> 'FAILED' " +
  `and w.state = 'WAITING' and w.attempts < ${ATTEMPTS_THAT_HOLD_BACK} limit 1) is null`;

const DUE =
  `select d.event_seq, d.subject, d.attempts from webhook_deliveries d where ${OF_STREAM} and ${isDue("$3")} ` +
  "order by d.next_at limit coalesce((select retries from bound), 0) for update of d skip locked";

const CLAIMED =
  "update webhook_deliveries d set leased_until = $4::timestamptz from events e " +
  `where ${OF_STREAM} and d.event_seq = any (array(select event_seq from due)) and e.platform_id = $1::uuid ` +
  "and e.seq = any (array(select event_seq from due)) and e.seq = d.event_seq " +
  `returning e.seq, ${EVENT_COLUMNS}, d.attempts`;

/** The events behind the due ones, which are not leased: only a retry of the one before leads to them. */
const BEHIND =
  "select b.event_seq, b.attempts from due, lateral (select b.event_seq, b.attempts from webhook_deliveries b " +
  "where b.platform_id = $1::uuid and b.endpoint_id = $2::uuid and b.subject = due.subject and b.state <> 'FAILED' " +
  `and b.state = 'BEHIND' and b.event_seq > due.event_seq and ${IS_NEXT_BEHIND} ` +
  "order by b.event_seq limit (select behind from bound)) b " +
  `where due.attempts < ${ATTEMPTS_THAT_HOLD_BACK} limit (select case when behind > 0 then $6::int8 else 0 end from bound)`;

const claimRetries: Statement = {
  name: "webhook_deliveries/claim",
  text:
    `with bound as materialized (${CLAIM_LIMIT}), due as (${DUE}), claimed as (${CLAIMED}), behind as (${BEHIND}) ` +
    "select c.*, false from claimed c union all " +
    `select e.seq, ${EVENT_COLUMNS}, b.attempts, true from behind b join events e on e.platform_id = $1::uuid and e.seq = b.event_seq`,
};

export interface RetryClaim {
  readonly now: number;
  readonly until: number;
  /** How many requests may be made. */
  readonly limit: number;
  /** The most retries that are leased, and the most events behind them, for an endpoint that takes batches. */
  readonly mostEvents: number;
}

/** Leases retries that are due; other servers skip them while the lease holds. */
export function claimRetriesStep(key: StreamKey, options: RetryClaim): Step {
  return {
    statement: claimRetries,
    parameters: [
      ...keyParameters(key),
      parameter("time", options.now),
      parameter("time", options.until),
      parameter("int8", BigInt(options.limit)),
      parameter("int8", BigInt(options.mostEvents)),
    ],
  };
}

export function decodeClaimed(result: StepResult | undefined): readonly ClaimedRetry[] {
  const claimed = (result?.rows ?? []).map(
    ([seq, id, type, subject, at, body, attempts, isBehind]) => ({
      ...queuedEvent([seq, id, type, subject, at, body]),
      attempts: Number(attempts),
      isBehind: isBehind === "t",
    }),
  );
  return claimed.sort((left, right) => (left.seq < right.seq ? -1 : 1));
}

/** After a restore of the database, the number `k.event_seq` can belong to another event. */
const IS_STILL_THAT_EVENT =
  "exists (select 1 from events e where e.platform_id = $1::uuid and e.seq = k.event_seq and e.id = k.event_id)";

const endRetries: Statement = {
  name: "webhook_deliveries/end",
  text:
    `delete from webhook_deliveries d where ${OF_STREAM} and d.event_seq = any (array(select found.event_seq from ` +
    "unnest($3::int8[], $4::uuid[]) k(event_seq, event_id), lateral (select i.event_seq from " +
    "webhook_deliveries i where i.platform_id = $1::uuid and i.endpoint_id = $2::uuid and i.event_seq = k.event_seq " +
    `and ${IS_STILL_THAT_EVENT} limit 1) found))`,
};

export function endRetriesStep(
  key: StreamKey,
  delivered: readonly Pick<QueuedEvent, "seq" | "id">[],
): Step {
  return {
    statement: endRetries,
    parameters: [
      ...keyParameters(key),
      arrayParameter(
        "int8",
        delivered.map((event) => event.seq),
      ),
      arrayParameter(
        "uuid",
        delivered.map((event) => event.id),
      ),
    ],
  };
}

const postponeRetries: Statement = {
  name: "webhook_deliveries/postpone",
  text:
    "with x as (select k.* from " +
    "unnest($3::int8[], $4::int4[], $5::text[], $6::timestamptz[], $7::text[], $8::uuid[], $9::int4[]) " +
    "k(event_seq, attempts, state, next_at, outcome, event_id, status), lateral (select 1 from " +
    "webhook_deliveries i where i.platform_id = $1::uuid and i.endpoint_id = $2::uuid and i.event_seq = k.event_seq " +
    `and i.attempts = k.attempts and ${IS_STILL_THAT_EVENT} limit 1) found) ` +
    "update webhook_deliveries d set state = x.state, attempts = d.attempts + 1, next_at = x.next_at, " +
    `leased_until = ${FREE}, last_outcome = x.outcome, last_status = x.status from x where ${OF_STREAM} ` +
    "and d.event_seq = any (array(select event_seq from x)) and d.event_seq = x.event_seq and d.state <> 'FAILED'",
};

export function postponeRetriesStep(key: StreamKey, failed: readonly FailedRetry[]): Step {
  return {
    statement: postponeRetries,
    parameters: [
      ...keyParameters(key),
      arrayParameter(
        "int8",
        failed.map((event) => event.seq),
      ),
      arrayParameter(
        "int4",
        failed.map((event) => event.attemptsBefore),
      ),
      arrayParameter(
        "text",
        failed.map((event) => event.state),
      ),
      arrayParameter(
        "time",
        failed.map((event) => event.nextAt),
      ),
      arrayParameter(
        "text",
        failed.map((event) => event.outcome),
      ),
      arrayParameter(
        "uuid",
        failed.map((event) => event.id),
      ),
      arrayParameter(
        "int4",
        failed.map((event) => event.status),
      ),
    ],
  };
}

/**
 * Replays given-up events. The first of each subject becomes due, and the others queue behind it. Each is released by any
 * outcome of the one before, because all have had too many attempts to hold others back.
 */
const replayFailed: Statement = {
  name: "webhook_deliveries/replay",
  text:
    "update webhook_deliveries d set state = x.state, next_at = case when x.state = 'WAITING' then $3::timestamptz end " +
    "from (select k.event_seq, case when row_number() over (partition by k.subject order by k.event_seq) > 1 " +
    "or exists (select 1 from webhook_deliveries w where w.platform_id = $1::uuid and w.endpoint_id = $2::uuid " +
    "and w.subject = k.subject and w.state <> 'FAILED' and w.event_seq < k.event_seq and (w.state = 'BEHIND' " +
    `or w.attempts < ${ATTEMPTS_THAT_HOLD_BACK} or w.next_at <= $3::timestamptz)) then 'BEHIND' else 'WAITING' end as state ` +
    "from (select f.event_seq, f.subject from webhook_deliveries f " +
    "join events e on e.platform_id = f.platform_id and e.seq = f.event_seq " +
    "where f.platform_id = $1::uuid and f.endpoint_id = $2::uuid and f.state = 'FAILED' and f.event_seq > $4::int8 " +
    "and ($5::timestamptz is null or e.at >= $5::timestamptz) and e.id = coalesce($6::uuid, e.id) " +
    "and ($6::uuid is not null or e.type <> all ($8::text[])) " +
    "order by f.event_seq limit $7::int8) k) x where d.platform_id = $1::uuid and d.endpoint_id = $2::uuid " +
    "and d.event_seq = x.event_seq and d.state = 'FAILED' returning d.event_seq",
};

/** Selects given-up events of a platform. */
export interface GivenUp {
  /** Only events after this sequence. */
  readonly after: bigint;
  /** Only events of this platform time or later; undefined for all. */
  readonly since: number | undefined;
  /** Only this event; undefined for all. */
  readonly eventId: string | undefined;
  readonly limit: number;
}

/**
 * Gives given-up events one more attempt, followed by the retry schedule while their delivery window is open. Events that are attempted at
 * most once are replayed only when named by their id.
 */
export function replayStep(key: StreamKey, which: GivenUp & { readonly now: number }): Step {
  return {
    statement: replayFailed,
    parameters: [
      ...keyParameters(key),
      parameter("time", which.now),
      parameter("int8", which.after),
      parameter("time", which.since),
      parameter("uuid", which.eventId),
      parameter("int8", BigInt(which.limit)),
      arrayParameter("text", SENT_ONCE),
    ],
  };
}

export function decodeReplayed(result: StepResult | undefined): readonly bigint[] {
  return (result?.rows ?? []).map(([seq]) => BigInt(seq ?? 0));
}

/** Makes retries and probes of the platform `$1` due `$2` milliseconds earlier, because its clock was advanced by as much. */
export const shiftDeliveries: Statement = {
  name: "webhook_deliveries/shift",
  text:
    `with streams as (update webhook_streams set probe_at = ${earlier("probe_at")} where platform_id = $1::uuid returning 1) ` +
    `update webhook_deliveries set next_at = ${earlier("next_at")} ` +
    "where platform_id = $1::uuid and state = 'WAITING' and (select count(*) from streams) > 0",
};

/** Computed in UTC, because Citus updates no row by an expression that depends on the time zone. */
function earlier(time: string): string {
  return `(${time} at time zone 'UTC' - $2::int8 * interval '1 millisecond') at time zone 'UTC'`;
}
