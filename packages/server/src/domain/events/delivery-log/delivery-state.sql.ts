/**
 * The state of events at the endpoints of a platform. An event that was delivered at the first attempt, or has not been attempted, has no
 * row: its state follows from the position of the stream, the parked rows and the attempts.
 */
import {
  DEFAULT_ENDPOINT,
  ENDPOINTS,
  IS_ATTEMPTED,
  IS_QUESTION,
  STREAM_OF_TARGET,
} from "../stream.sql.ts";

export const deliveryStates = ["DELIVERED", "WAITING", "BEHIND", "FAILED"] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** A delivery: an event that an endpoint gets. Times are the platform's. */
export interface Delivery {
  readonly eventId: string;
  readonly eventSeq: bigint;
  readonly eventType: string;
  readonly subject: string;
  readonly endpointId: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  /** Whether the log has every attempt. */
  readonly isComplete: boolean;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  readonly lastLatencyMs: number | null;
  readonly firstAttemptAt: number | null;
  readonly lastAttemptAt: number | null;
  readonly nextAttemptAt: number | null;
  /** When it failed for the first time or fell behind, if it has not been delivered since. */
  readonly parkedAt: number | null;
  /** False for a TEST event and for an event that asks whether to take a payment: these are sent once. */
  readonly canResend: boolean;
}

/**
 * The logged attempts of an event `e` at an endpoint `t`. An attempt is never before its event. The platform's clock only moves forward, so
 * the bound on the time is early enough; it excludes partitions of earlier days. The minute allows for clock differences between servers.
 */
const ATTEMPTS =
  "webhook_attempts a where a.platform_id = $1::uuid and a.event_id = e.id and a.endpoint_id = t.endpoint_id " +
  "and a.at >= e.at - t.clock_offset_ms * interval '1 millisecond' - interval '1 minute'";
const WAS_ATTEMPTED = `exists (select 1 from ${ATTEMPTS})`;
const WAS_DELIVERED = `exists (select 1 from ${ATTEMPTS} and a.is_delivered)`;

const IS_ASKED = `(t.endpoint_id = '${DEFAULT_ENDPOINT}' and ${IS_QUESTION})`;

/** For a question whose attempts are no longer in the log: the state that follows from its decision. */
const BY_DECISION =
  "(select case when a.decision is null then 'WAITING' when a.decision in ('TIMED_OUT', 'FAILED') then 'FAILED' " +
  "else 'DELIVERED' end from payment_approvals a where a.platform_id = $1::uuid and a.event_seq = e.seq limit 1)";

/** The state of a delivery; `d` is its parked row, which may be missing. */
const STATE =
  `case when d.state is not null then d.state when ${IS_ASKED} then case when ${WAS_DELIVERED} then 'DELIVERED' ` +
  `when ${WAS_ATTEMPTED} then 'FAILED' else ${BY_DECISION} end ` +
  `when e.seq > t.position and not ${WAS_DELIVERED} then 'BEHIND' else 'DELIVERED' end`;

/** For events before the endpoint's filter was changed, only recorded rows and attempts tell whether it got them. */
const IS_DELIVERY =
  "e.seq > t.since_event_seq and (d.state is not null or case when e.seq > least(t.filter_since_event_seq, t.position) " +
  `then ${IS_ASKED} or ${IS_ATTEMPTED} else ${WAS_ATTEMPTED} end)`;

/** All endpoints of the platform, `$1`, with the position of each. */
export const ENDPOINTS_CTE =
  "endpoints as materialized (select t.platform_id, t.endpoint_id, t.since_event_seq, t.filter_since_event_seq, t.events, t.default_events, " +
  `greatest(s.position, t.since_event_seq) as position, h.clock_offset_ms from ${ENDPOINTS} ` +
  `join platform_heads h on h.platform_id = $1::uuid ${STREAM_OF_TARGET})`;

/** The deliveries of the events of `walk`: event `e`, endpoint `t`, parked row `d`, and their state. */
export const DELIVERIES =
  `(select e.*, t.endpoint_id, t.clock_offset_ms, d.attempts, d.next_at, d.parked_at, d.last_status, d.last_outcome, ${STATE} as state ` +
  "from walk e cross join endpoints t left join webhook_deliveries d on d.platform_id = $1::uuid " +
  `and d.endpoint_id = t.endpoint_id and d.event_seq = e.seq where ${IS_DELIVERY}) d`;

const millis = (time: string) => `floor(extract(epoch from ${time}) * 1000)::int8`;
const AT = `${millis("a.at")} + a.clock_offset_ms`;

/** The deliveries of `page`, rows of `DELIVERIES`, with what the attempt log has about each. */
export const DELIVERY_DETAILS =
  "select e.id, e.seq, e.type, e.subject, e.endpoint_id, e.state, e.attempts, e.last_status, e.last_outcome, " +
  `case when e.state = 'WAITING' then ${millis("e.next_at")} + e.clock_offset_ms end, ` +
  `${millis("e.parked_at")} + e.clock_offset_ms, n.*, l.*, e.type <> 'TEST' and not ${IS_QUESTION} as can_resend from page e ` +
  "cross join lateral (select e.endpoint_id, e.clock_offset_ms) t left join lateral (" +
  `select count(*), min(${AT}), max(${AT}) from ${ATTEMPTS}) n on true left join lateral (` +
  `select a.number, a.is_delivered, a.status, a.error, a.total_ms from ${ATTEMPTS} order by a.at desc, a.id desc limit 1) l on true`;

type Cell = string | null | undefined;

const numberOf = (cell: Cell) => (cell === null || cell === undefined ? null : Number(cell));

/** A row of `DELIVERY_DETAILS`. */
export function decodeDelivery(cells: readonly Cell[]): Delivery {
  const [
    eventId,
    seq,
    eventType,
    subject,
    endpointId,
    state,
    parked,
    parkedStatus,
    outcome,
    ...rest
  ] = cells;
  const [
    nextAt,
    parkedAt,
    logged,
    firstAt,
    lastAt,
    lastNumber,
    wasDelivered,
    status,
    error,
    totalMs,
    canResend,
  ] = rest;
  const isDelivered = state === "DELIVERED";
  // Without a parked row only the log has the number of attempts; a delivered or failed event had one at least.
  const least = isDelivered || (state === "FAILED" && parked === null) ? 1 : 0;
  const made = Math.max(
    least,
    Number((isDelivered && wasDelivered === "t" ? lastNumber : parked) ?? 0),
  );
  const isLastKnown = !isDelivered || wasDelivered === "t";
  return {
    eventId: eventId ?? "",
    eventSeq: BigInt(seq ?? 0),
    eventType: eventType ?? "",
    subject: subject ?? "",
    endpointId: endpointId ?? "",
    state: state as DeliveryState,
    attempts: Math.max(made, Number(logged)),
    isComplete: isLastKnown && Number(logged) >= made,
    lastStatus: numberOf(status ?? parkedStatus),
    lastError: isDelivered ? null : lastError(error, numberOf(status ?? parkedStatus), outcome),
    lastLatencyMs: numberOf(totalMs),
    firstAttemptAt: numberOf(firstAt),
    lastAttemptAt: numberOf(lastAt),
    nextAttemptAt: numberOf(nextAt),
    parkedAt: numberOf(parkedAt),
    canResend: canResend === "t",
  };
}

/** The error text in the log, or the stored outcome; null when there was a response status. */
function lastError(error: Cell, status: number | null, outcome: Cell): string | null {
  if (error !== null && error !== undefined) return error;
  return status === null ? (outcome ?? null) : null;
}
