/** Reads of the events that commands have committed. Their order is the sequence, which has no gaps. */

import type { StoredEvent } from "../../engine/command-log.ts";
import { events as eventRecords } from "../../engine/records.ts";
import type { ReadCells, Reads, ReadValue } from "../../postgres/database.ts";
import { fittingRows } from "../../tables/list-query.ts";

const COLUMNS = eventRecords.selectList("e");

const byId = {
  name: "events/get",
  text: `select ${COLUMNS} from events e where e.platform_id = $1::uuid and e.id = $2::uuid`,
};

export async function findEvent(
  reads: Reads,
  platformId: string,
  id: string,
): Promise<StoredEvent | undefined> {
  const [event] = await reads.rows(eventRecords, byId, [platformId, id]);
  return event;
}

const lastSeq = {
  name: "events/last-seq",
  text: "select event_seq from platform_heads where platform_id = $1::uuid",
};

/** The sequence of the platform's last event; 0 before the first. */
export async function lastEventSeq(reads: Reads, platformId: string): Promise<bigint> {
  const [row] = await reads.cells(lastSeq, [platformId]);
  return BigInt(row?.[0] ?? 0);
}

const lastSeqs = {
  name: "events/last-seqs",
  text: "select platform_id, event_seq from platform_heads where platform_id = any ($1::uuid[])",
};

/** The same of several platforms. */
export async function lastEventSeqs(
  reads: Reads,
  platformIds: readonly string[],
): Promise<ReadonlyMap<string, bigint>> {
  const rows = await reads.withPermit("streams", (cells) => cells(lastSeqs, [platformIds]));
  return new Map(rows.map(([platformId, seq]) => [platformId ?? "", BigInt(seq ?? 0)]));
}

const after = {
  name: "events/after",
  text:
    `select ${COLUMNS} from events e where e.platform_id = $1::uuid and e.seq > $2::int8 ` +
    "order by e.seq limit $3::int8",
};

/** The largest text of one step of a stream. */
const MAX_STEP_CHARS = 256 * 1024;

/** The next events after this sequence, at least one when there is one. */
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

export interface EventPage {
  readonly rows: readonly StoredEvent[];
  readonly hasMore: boolean;
}

const MAX_PAGE_CHARS = 512 * 1024;

/** One page. Each filter has an index that ends with the sequence, so a page is a walk of at most `limit` rows a type. */
export async function listEvents(reads: Reads, query: EventQuery): Promise<EventPage> {
  const { limit, order } = query;
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

/** The first `limit` events of a query, whole. `$1` is the platform; the other values are added. */
export function walkEvents(query: EventQuery, values: ReadValue[]): string {
  const { types, subject, order, limit } = query;
  const place = (value: ReadValue) => `$${values.push(value)}`;
  const clauses = ["e.platform_id = $1::uuid", ...boundsOf(query, { place, column: "e.seq" })];
  const ending = `order by e.seq ${order} limit ${place(limit)}::int8`;
  if (subject !== undefined) clauses.push(`e.subject = ${place(subject)}::text`);
  if (types.length > 0 && subject === undefined) {
    // A walk a type: with "any", PostgreSQL reads all events of the types and sorts them.
    const ofType = [...clauses, "e.type = k.type"].join(" and ");
    const walks = `select e.* from events e where ${ofType} ${ending}`;
    return `select e.* from unnest(${place(types)}::text[]) k(type), lateral (${walks}) e ${ending}`;
  }
  if (types.length > 0) clauses.push(`e.type = any (${place(types)}::text[])`);
  return `select e.* from events e where ${clauses.join(" and ")} ${ending}`;
}

interface Bounded {
  readonly place: (value: ReadValue) => string;
  /** The sequence of an event. */
  readonly column: string;
}

/** A time is turned into a sequence once, in a subquery that does not depend on the row. */
export function boundsOf(
  { after, before, since, until }: Pick<EventQuery, "after" | "before" | "since" | "until">,
  { place, column }: Bounded,
): readonly string[] {
  const seqAt = (moment: string) => `(select event_seq_at($1::uuid, ${moment}))`;
  return [
    ...(after === undefined ? [] : [`${column} > ${place(after)}::int8`]),
    ...(before === undefined ? [] : [`${column} < ${place(before)}::int8`]),
    ...(since === undefined ? [] : [`${column} >= ${seqAt(`${place(since)}::timestamptz`)}`]),
    ...(until === undefined
      ? []
      : [`${column} < ${seqAt(`${place(until)}::timestamptz + interval '1 millisecond'`)}`]),
  ];
}
