/** Reads of the events that commands have committed. Their order is the sequence, which has no gaps. */
import { events as eventRecords, type StoredEvent } from "../../engine/command-log.ts";
import type { ReadCells, Reads, ReadValue } from "../../postgres/database.ts";
import { LONGEST_LEAD_MS, timeOf } from "../../std/ids.ts";
import { fittingRows } from "../../tables/fitting-rows.ts";
import { MOST_SEARCHED, searchPositions } from "../../tables/search.ts";
import type { EventType } from "../event-catalogue.ts";

const COLUMNS = eventRecords.selectList("e");

/** An event's time is the time in its id, or earlier by at most `$4` milliseconds. */
const byId = {
  name: "events/get",
  text:
    `select ${COLUMNS} from events e where e.platform_id = $1::uuid and e.id = $2::uuid and e.seq in (` +
    "select near.seq from events near where near.platform_id = $1::uuid " +
    "and near.seq < (select event_seq_at($1::uuid, to_timestamp(($3::int8 + 1) / 1000.0))) " +
    "and near.seq >= (select event_seq_at($1::uuid, to_timestamp(($3::int8 - $4::int8) / 1000.0))) " +
    "order by near.seq desc limit $5::int8)",
};

/**
 * Finds an event through the time in its id. Almost every event has that time; an id runs ahead of it by a few milliseconds in a burst, or
 * longer after an advance of a sandbox's clock that was rolled back. The second search is bounded: it gives up after `MOST_SEARCHED`
 * events.
 */
export async function findEvent(
  reads: Reads,
  platformId: string,
  id: string,
): Promise<StoredEvent | undefined> {
  const near = (leadMs: number) =>
    reads.rows(eventRecords, byId, [platformId, id, timeOf(id), leadMs, MOST_SEARCHED]);
  const [event] = await near(USUAL_LEAD_MS);
  if (event !== undefined) return event;
  const [other] = await near(LONGEST_LEAD_MS);
  return other;
}

const USUAL_LEAD_MS = 20;

const lastSeq = {
  name: "events/last-seq",
  text: "select event_seq from platform_heads where platform_id = $1::uuid",
};

/** The sequence of the platform's last event; 0 before the first. */
export async function lastEventSeq(reads: Reads, platformId: string): Promise<bigint> {
  const [row] = await reads.cells(lastSeq, [platformId]);
  return BigInt(row?.[0] ?? 0);
}

const after = {
  name: "events/after",
  text:
    `select ${COLUMNS} from events e where e.platform_id = $1::uuid and e.seq > $2::int8 ` +
    "order by e.seq limit $3::int8",
};

/** The most characters of events that one read of a stream returns. */
const MAX_STEP_CHARS = 256 * 1024;

/** The next events after this sequence that fit into `MAX_STEP_CHARS`; at least one when there is one. */
export async function eventsAfter(
  cells: ReadCells,
  platformId: string,
  { seq, limit }: { readonly seq: bigint; readonly limit: number },
): Promise<readonly StoredEvent[]> {
  const rows = await cells(after, [platformId, seq, limit]);
  const fitting = fittingRows(rows, { limit, maxChars: MAX_STEP_CHARS });
  return fitting.map((row) => eventRecords.decode(row));
}

export interface EventQuery {
  readonly platformId: string;
  /** Empty for all types. */
  readonly types: readonly string[];
  readonly subject: string | undefined;
  /** Exclusive bounds of the sequence. */
  readonly after: bigint | undefined;
  readonly before: bigint | undefined;
  /** Platform time; inclusive. */
  readonly since: string | undefined;
  readonly until: string | undefined;
  readonly order: "asc" | "desc";
  readonly limit: number;
}

/** The query with its bounds of time as sequences: see `seqBounds`. */
type NumberedQuery = Omit<EventQuery, "since" | "until">;

export interface EventPage {
  readonly rows: readonly StoredEvent[];
  readonly hasMore: boolean;
  /** The sequence of the last event that was searched, when that is not the last row. */
  readonly end?: string | undefined;
}

/** Types that payments emit very often. The index of rare types leaves them out (migrations/0034). */
const frequentTypes: ReadonlySet<string> = new Set<EventType>([
  "OUTGOING_PAYMENT.PENDING",
  "OUTGOING_PAYMENT.PROCESSING",
  "OUTGOING_PAYMENT.COMPLETED",
  "INCOMING_PAYMENT.COMPLETED",
  "INTERNAL_ACCOUNT.BALANCE_UPDATED",
]);
/** The types when the index covers all of them; otherwise an empty list, which stands for all types. */
export function indexedTypes(types: readonly string[]): readonly string[] {
  return types.every((type) => !frequentTypes.has(type)) ? types : [];
}

/** The predicate of that partial index. */
const IS_RARE = `e.type <> all (array[${[...frequentTypes].map((type) => `'${type}'`).join(", ")}])`;

const MAX_PAGE_CHARS = 512 * 1024;

/**
 * One page. Objects and rare types have an index that ends with the sequence, so a page is a walk of at most `limit` rows per type.
 * Frequent types have none: they are searched in the next `MOST_SEARCHED` events, and a page may hold fewer rows than asked for, or none,
 * although more follow.
 */
export async function listEvents(reads: Reads, wanted: EventQuery): Promise<EventPage> {
  const query = { ...wanted, ...(await seqBounds(reads.cells, wanted)) };
  const { limit, order, types, subject } = query;
  const isIndexed = types.every((type) => !frequentTypes.has(type)) && subject === undefined;
  if (types.length > 0 && !isIndexed) return searchEvents(reads, query);
  const values: ReadValue[] = [query.platformId];
  const walk = walkEvents({ ...query, limit: limit + 1 }, values);
  const text = `select ${COLUMNS} from (${walk}) e order by e.seq ${order}`;
  const rows = await reads.cells({ name: "", text }, values);
  const fitting = fittingRows(rows, { limit, maxChars: MAX_PAGE_CHARS });
  return {
    rows: fitting.map((row) => eventRecords.decode(row)),
    hasMore: fitting.length < rows.length,
  };
}

async function searchEvents(reads: Reads, query: NumberedQuery): Promise<EventPage> {
  const { platformId, limit, order, types } = query;
  const values: ReadValue[] = [platformId];
  const ordered = orderedEvents({ ...query, types: [] }, values);
  const walk = `select e.seq::text as position, e.type ${ordered}`;
  const fits = `w.type = any ($${values.push(types)}::text[])`;
  const found = await searchPositions(reads, { walk, fits, values, limit });
  const statement = bySeqs[order];
  const rows = await reads.cells(statement, [platformId, found.positions]);
  const fitting = fittingRows(rows, { limit, maxChars: MAX_PAGE_CHARS });
  const isCut = fitting.length < rows.length;
  return {
    rows: fitting.map((row) => eventRecords.decode(row)),
    hasMore: isCut || found.hasMore,
    end: isCut ? undefined : found.end,
  };
}

const bySeqs = {
  asc: { name: "events/by-seqs", text: textBySeqs("asc") },
  desc: { name: "events/by-seqs-desc", text: textBySeqs("desc") },
};

function textBySeqs(order: "asc" | "desc"): string {
  return (
    `select ${COLUMNS} from events e where e.platform_id = $1::uuid and e.seq = any ($2::int8[]) ` +
    `order by e.seq ${order}`
  );
}

/** SQL for the first `limit` events of a query, with all columns. `$1` is the platform; the other values are appended. */
export function walkEvents(query: NumberedQuery, values: ReadValue[]): string {
  const { types, subject, order, limit } = query;
  const place = (value: ReadValue) => `$${values.push(value)}`;
  const clauses = clausesOf(query, place);
  const ending = `order by e.seq ${order} limit ${place(limit)}::int8`;
  const isRare = types.every((type) => !frequentTypes.has(type));
  if (types.length > 0 && subject === undefined && isRare) {
    // One walk per type: with "any", PostgreSQL reads all events of the types and sorts them.
    const ofType = [...clauses, "e.type = k.type", IS_RARE].join(" and ");
    const walks = `select e.* from events e where ${ofType} ${ending}`;
    return `select e.* from unnest(${place(types)}::text[]) k(type), lateral (${walks}) e ${ending}`;
  }
  const typed =
    types.length === 0 ? clauses : [...clauses, `e.type = any (${place(types)}::text[])`];
  return `select e.* from events e where ${typed.join(" and ")} ${ending}`;
}

/** SQL for the events of a query in its order, without the conditions on types and without a limit. */
function orderedEvents(query: NumberedQuery, values: ReadValue[]): string {
  const clauses = clausesOf(query, (value) => `$${values.push(value)}`);
  return `from events e where ${clauses.join(" and ")} order by e.seq ${query.order}`;
}

function clausesOf(query: NumberedQuery, place: (value: ReadValue) => string): readonly string[] {
  const { subject } = query;
  const bounds = boundsOf(query, { place, column: "e.seq" });
  const about = subject === undefined ? [] : [`e.subject = ${place(subject)}::text`];
  return ["e.platform_id = $1::uuid", ...bounds, ...about];
}

interface Bounded {
  readonly place: (value: ReadValue) => string;
  /** The column that has the sequence of an event. */
  readonly column: string;
}

export function boundsOf(
  { after, before }: Pick<EventQuery, "after" | "before">,
  { place, column }: Bounded,
): readonly string[] {
  return [
    ...(after === undefined ? [] : [`${column} > ${place(after)}::int8`]),
    ...(before === undefined ? [] : [`${column} < ${place(before)}::int8`]),
  ];
}

const seqsAt = {
  name: "events/seqs-at",
  text:
    "select case when $2::timestamptz is not null then event_seq_at($1::uuid, $2::timestamptz) - 1 end, " +
    "case when $3::timestamptz is not null then event_seq_at($1::uuid, $3::timestamptz + interval '1 millisecond') end",
};

/**
 * The exclusive bounds of the sequence, including those that follow from times. They are read before the page: PostgreSQL assumes that a
 * bound it learns only while executing is narrow, and then reads and sorts everything within it.
 */
export async function seqBounds(
  cells: ReadCells,
  { platformId, after, before, since, until }: Pick<EventQuery, "platformId" | keyof Moments>,
): Promise<Pick<EventQuery, "after" | "before">> {
  if (since === undefined && until === undefined) return { after, before };
  const [found] = await cells(seqsAt, [platformId, since ?? null, until ?? null]);
  const [low, high] = (found ?? []).map((cell) => (cell === null ? undefined : BigInt(cell)));
  return {
    after: after !== undefined && low !== undefined && low < after ? after : (low ?? after),
    before: before !== undefined && high !== undefined && high > before ? before : (high ?? before),
  };
}

type Moments = Pick<EventQuery, "after" | "before" | "since" | "until">;
