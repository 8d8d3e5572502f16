/**
 * Lists of deliveries, the latest event first. A page walks at most `WALKED` events and may end before it is full; `next` then says where
 * to continue.
 *
 * The filter decides which events are walked: for failed and waiting deliveries, and those that did not arrive, the parked ones; for deliveries behind, parked ones and
 * events after the positions of the streams; otherwise the events of the object, of the types, or all.
 */
import type { ReadCells, Reads, ReadValue } from "../../../postgres/database.ts";
import type { Statement } from "../../../postgres/pipeline.ts";
import { eventTypes } from "../../event-catalogue.ts";
import {
  boundsOf,
  type EventQuery,
  findEvent,
  indexedTypes,
  seqBounds,
  walkEvents,
} from "../event-list.sql.ts";
import { eventTypesOf } from "../webhook-endpoint.ts";
import {
  DELIVERIES,
  DELIVERY_DETAILS,
  type Delivery,
  type DeliveryState,
  decodeDelivery,
  deliveryStates,
  ENDPOINTS_CTE,
} from "./delivery-state.sql.ts";

export const statusClasses = ["2xx", "3xx", "4xx", "5xx", "none"] as const;
/** The class of the last attempt's status; `none`: there was no response. */
export type StatusClass = (typeof statusClasses)[number];

/** NOT_ARRIVED: failed, or waiting after a failure. */
export const listedStates = [...deliveryStates, "NOT_ARRIVED"] as const;
export type ListedState = (typeof listedStates)[number];

export interface DeliveryQuery
  extends Pick<EventQuery, "platformId" | "types" | "subject" | "since" | "until" | "limit"> {
  /** The stored id, as in `StreamKey`. */
  readonly endpointId: string | undefined;
  readonly eventId: string | undefined;
  readonly state: ListedState | undefined;
  readonly statusClass: StatusClass | undefined;
  readonly after: DeliveryPosition | undefined;
}

/** A delivery in the order of the list. */
export interface DeliveryPosition {
  readonly eventSeq: bigint;
  readonly endpointId: string;
}

export interface DeliveryPage {
  readonly rows: readonly Delivery[];
  /** The position after which the next page begins; undefined at the end of the list. */
  readonly next: DeliveryPosition | undefined;
}

const WALKED = 1_000;
/** Sorts after every endpoint of an event. */
export const LAST_ENDPOINT = "ffffffff-ffff-ffff-ffff-ffffffffffff";

const NOTHING: DeliveryPage = { rows: [], next: undefined };

export async function listDeliveries(reads: Reads, query: DeliveryQuery): Promise<DeliveryPage> {
  const { platformId, eventId } = query;
  const event = eventId === undefined ? undefined : await findEvent(reads, platformId, eventId);
  if (eventId !== undefined && event === undefined) return NOTHING;
  return reads.withPermit(platformId, async (cells) => {
    const narrowed = await narrow(cells, query);
    return narrowed === undefined
      ? NOTHING
      : readPage(cells, { ...narrowed, eventSeq: event?.seq });
  });
}

interface NarrowedQuery extends DeliveryQuery {
  /** The sequence of the only event that is wanted. */
  readonly eventSeq?: bigint | undefined;
  /** Exclusive bounds of the sequence. */
  readonly from: bigint | undefined;
  readonly before: bigint | undefined;
}

const endpointsOf: Statement = {
  name: "webhook_deliveries/endpoints",
  text:
    `with ${ENDPOINTS_CTE} select t.endpoint_id, t.events, t.filter_since_event_seq > t.since_event_seq, t.position ` +
    "from endpoints t where t.endpoint_id = coalesce($2::uuid, t.endpoint_id)",
};

/** An attempt is at most this many events ahead of the position of its stream. */
export const FURTHEST_AHEAD = 4_096;

/** Narrows the query to events that can have the wanted deliveries; undefined when none can. */
async function narrow(cells: ReadCells, query: DeliveryQuery): Promise<NarrowedQuery | undefined> {
  const { platformId, endpointId, state, statusClass, after } = query;
  const endpoints = await cells(endpointsOf, [platformId, endpointId ?? null]);
  if (endpoints.length === 0) return undefined;
  const moments = await seqBounds(cells, { ...query, after: undefined, before: undefined });
  const before = after === undefined ? [] : [after.eventSeq + 1n];
  if (moments.before !== undefined) before.push(moments.before);
  if (state === "DELIVERED" || statusClass === "2xx") {
    const positions = endpoints.map(([, , , position]) => BigInt(position ?? 0));
    const furthest = positions.reduce((most, position) => (position > most ? position : most), 0n);
    before.push(furthest + BigInt(FURTHEST_AHEAD) + 1n);
  }
  const types = typesFor(query, endpoints);
  if (types === undefined) return undefined;
  const least = before.toSorted((one, other) => (one < other ? -1 : 1))[0];
  return { ...query, types, from: moments.after, before: least };
}

/** The wanted types that the filter of one endpoint lets through; undefined when none is left. A filter that was changed is not applied. */
function typesFor(
  { endpointId, types }: DeliveryQuery,
  endpoints: readonly (readonly (string | null)[])[],
): readonly string[] | undefined {
  const [, events, hasChanged] = endpoints[0] ?? [];
  const filters = JSON.parse(events ?? "[]") as readonly string[];
  if (endpointId === undefined || hasChanged === "t" || filters.length === 0) return types;
  const gets = new Set<string>(filters.flatMap(eventTypesOf));
  const wanted = (types.length === 0 ? eventTypes : types).filter((type) => gets.has(type));
  return wanted.length === 0 ? undefined : wanted;
}

async function readPage(read: ReadCells, query: NarrowedQuery): Promise<DeliveryPage> {
  const { limit } = query;
  const { text, values } = pageQuery(query);
  const found = await read({ name: "", text }, values);
  const [walked, lastSeq] = found[0] ?? [];
  const deliveries = found.map((cells) => cells.slice(2)).filter(([eventId]) => eventId !== null);
  const rows = deliveries.slice(0, limit).map(decodeDelivery);
  const last = rows.at(-1);
  if (deliveries.length > limit && last !== undefined) return { rows, next: last };
  const isEnd = Number(walked ?? 0) < WALKED;
  const eventSeq = BigInt(lastSeq ?? 0);
  return { rows, next: isEnd ? undefined : { eventSeq, endpointId: LAST_ENDPOINT } };
}

function pageQuery(query: NarrowedQuery) {
  const values: ReadValue[] = [query.platformId];
  const walk = walkOf(query, values);
  const conditions = conditionsOf(query, values);
  const where = conditions.length === 0 ? "" : `where ${conditions.join(" and ")} `;
  const limit = `$${values.push(query.limit + 1)}::int8`;
  const text =
    `with ${ENDPOINTS_CTE}, walk as materialized (select w.platform_id, w.seq, w.id, w.type, w.subject, w.at ` +
    `from (${walk}) w), page as (select d.* from ${DELIVERIES} ${where}order by d.seq desc, d.endpoint_id limit ${limit}) ` +
    "select walked.*, d.* from (select count(*), min(seq) from walk) walked " +
    `left join (${DELIVERY_DETAILS}) d on true order by d.seq desc, d.endpoint_id`;
  return { text, values };
}

/** Conditions on a delivery `d`. A delivered one counts as 2xx, even when the response was 409. */
const CLASSES: Readonly<Record<StatusClass, string>> = {
  "2xx": "d.state = 'DELIVERED'",
  "3xx": "d.last_status between 300 and 399",
  "4xx": "d.last_status between 400 and 499",
  "5xx": "d.last_status between 500 and 599",
  none: "d.attempts > 0 and d.last_status is null",
};

const IS_NOT_ARRIVED = "(d.state = 'FAILED' or (d.state = 'WAITING' and d.attempts > 0))";

function conditionsOf(query: NarrowedQuery, values: ReadValue[]): readonly string[] {
  const { endpointId, state, statusClass, types, subject, since, until, after } = query;
  const when = (value: ReadValue | undefined, toSql: (place: string) => string) =>
    value === undefined ? [] : [toSql(`$${values.push(value)}`)];
  return [
    ...when(endpointId, (place) => `d.endpoint_id = ${place}::uuid`),
    ...(state === "NOT_ARRIVED"
      ? [IS_NOT_ARRIVED]
      : when(state, (place) => `d.state = ${place}::text`)),
    ...(statusClass === undefined ? [] : [CLASSES[statusClass]]),
    ...when(types.length === 0 ? undefined : types, (place) => `d.type = any (${place}::text[])`),
    ...when(subject, (place) => `d.subject = ${place}::text`),
    ...when(since, (place) => `d.at >= ${place}::timestamptz`),
    ...when(until, (place) => `d.at < ${place}::timestamptz + interval '1 millisecond'`),
    ...when(after?.eventSeq, (seq) =>
      [
        `(d.seq < ${seq}::int8 or`,
        ...when(after?.endpointId, (id) => `d.endpoint_id > ${id}::uuid)`),
      ].join(" "),
    ),
  ];
}

/** The events in which the wanted deliveries can be, the latest first, at most `WALKED`. */
function walkOf(query: NarrowedQuery, values: ReadValue[]): string {
  const { eventSeq, subject, state, statusClass } = query;
  if (eventSeq !== undefined) {
    const place = `$${values.push(eventSeq)}`;
    return `select e.* from events e where e.platform_id = $1::uuid and e.seq = ${place}::int8`;
  }
  const types = indexedTypes(query.types);
  const events = { ...query, types, order: "desc", limit: WALKED, after: query.from } as const;
  if (subject !== undefined) return walkEvents(events, values);
  if (state === "BEHIND") return walkBehind(events, values);
  if (state === "FAILED" || state === "WAITING" || state === "NOT_ARRIVED") {
    const states = state === "NOT_ARRIVED" ? (["FAILED", "WAITING"] as const) : [state];
    const parked = walkParked(events, { states, values });
    return eventsAt(`${parked} union all (${walkQuestions(events, values)})`);
  }
  if (statusClass !== undefined && statusClass !== "2xx") {
    return eventsAt(walkParked(events, { states: ["FAILED", "WAITING"], values }));
  }
  return walkEvents(events, values);
}

interface ParkedWalk {
  readonly states: readonly DeliveryState[];
  readonly values: ReadValue[];
}

type Bounds = Pick<NarrowedQuery, "endpointId" | "from" | "before">;

function ofEndpoint({ endpointId }: Bounds, place: (value: ReadValue) => string): string {
  return endpointId === undefined ? "" : `where t.endpoint_id = ${place(endpointId)}::uuid`;
}

/** SQL for the sequences of parked events: one index walk per endpoint and state. */
function walkParked(query: Bounds, { states, values }: ParkedWalk): string {
  const place = (value: ReadValue) => `$${values.push(value)}`;
  const bounds = boundsOf({ ...query, after: query.from }, { place, column: "d.event_seq" });
  const own = ofEndpoint(query, place);
  const clauses = [
    "d.platform_id = $1::uuid and d.endpoint_id = t.endpoint_id and d.state = k.state",
    ...bounds,
  ];
  return (
    `select d.event_seq as seq from endpoints t cross join unnest(${place(states)}::text[]) k(state) cross join lateral (` +
    `select d.event_seq from webhook_deliveries d where ${clauses.join(" and ")} ` +
    `order by d.event_seq desc limit ${WALKED}) d ${own}`
  );
}

/** SQL for the sequences of events that ask whether to accept a payment; these are never parked. */
function walkQuestions(query: Bounds, values: ReadValue[]): string {
  const place = (value: ReadValue) => `$${values.push(value)}`;
  const bounds = boundsOf({ ...query, after: query.from }, { place, column: "a.event_seq" });
  const clauses = ["a.platform_id = $1::uuid", ...bounds].join(" and ");
  return `select a.event_seq as seq from payment_approvals a where ${clauses} order by a.event_seq desc limit ${WALKED}`;
}

/** SQL for events that wait for an earlier one of their subject, and events that a stream has not reached. */
function walkBehind(query: Bounds, values: ReadValue[]): string {
  const place = (value: ReadValue) => `$${values.push(value)}`;
  const parked = walkParked(query, { states: ["BEHIND"], values });
  const bounds = boundsOf({ ...query, after: query.from }, { place, column: "e.seq" });
  const own = ofEndpoint(query, place);
  const clauses = [
    "e.platform_id = $1::uuid",
    `e.seq > (select min(t.position) from endpoints t ${own})`,
    ...bounds,
  ];
  const ahead = `select e.seq from events e where ${clauses.join(" and ")} order by e.seq desc limit ${WALKED}`;
  return eventsAt(`${parked} union all (${ahead})`);
}

function eventsAt(sequences: string): string {
  return (
    `select e.* from (select distinct k.seq from (${sequences}) k order by k.seq desc limit ${WALKED}) k ` +
    "join events e on e.platform_id = $1::uuid and e.seq = k.seq"
  );
}

/** Replaces the walk: the events with the sequences `$2`. */
const CHOSEN =
  `with ${ENDPOINTS_CTE}, walk as materialized (select e.platform_id, e.seq, e.id, e.type, e.subject, e.at from events e ` +
  "where e.platform_id = $1::uuid and e.seq = any ($2::int8[]))";

const ofEvents: Statement = {
  name: "webhook_deliveries/of-events",
  text: `${CHOSEN}, page as (select d.* from ${DELIVERIES}) ${DELIVERY_DETAILS} order by e.seq, e.endpoint_id`,
};

/** The deliveries of these events; an event has at most one per endpoint. */
export async function deliveriesOfEvents(
  cells: ReadCells,
  platformId: string,
  sequences: readonly bigint[],
): Promise<readonly Delivery[]> {
  const rows = await cells(ofEvents, [platformId, sequences.map(String)]);
  return rows.map(decodeDelivery);
}

/** Counts of the deliveries of an event. */
export interface DeliverySummary {
  readonly endpoints: number;
  readonly delivered: number;
  /** Waiting or behind. */
  readonly waiting: number;
  readonly failed: number;
}

const summaries: Statement = {
  name: "webhook_deliveries/summaries",
  text:
    `${CHOSEN} select d.seq, count(*), ` +
    "count(*) filter (where d.state = 'DELIVERED'), count(*) filter (where d.state = 'FAILED') " +
    `from ${DELIVERIES} group by d.seq`,
};

/** Summaries by sequence; there is none for an event that no endpoint gets. */
export async function deliverySummaries(
  cells: ReadCells,
  platformId: string,
  sequences: readonly bigint[],
): Promise<ReadonlyMap<bigint, DeliverySummary>> {
  const rows = await cells(summaries, [platformId, sequences.map(String)]);
  return new Map(
    rows.map(([seq, count, deliveredCount, failedCount]) => {
      const [endpoints, delivered, failed] = [count, deliveredCount, failedCount].map(Number) as [
        number,
        number,
        number,
      ];
      return [
        BigInt(seq ?? 0),
        { endpoints, delivered, waiting: endpoints - delivered - failed, failed },
      ];
    }),
  );
}
