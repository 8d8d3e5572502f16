/** The tables of the request log, their reads and the statements of its writer. */
import { hash } from "node:crypto";
import { decodeCell, parameter } from "../../../postgres/columns.ts";
import type { Reads, ReadValue } from "../../../postgres/database.ts";
import type { Statement, Step } from "../../../postgres/pipeline.ts";
import { uuidOfDigest } from "../../../std/ids.ts";
import { finderOf } from "../../../tables/find-row.ts";
import { fittingRows } from "../../../tables/fitting-rows.ts";
import type { Condition } from "../../../tables/list-query.ts";
import { defineRecords, fixed, type RowOf } from "../../../tables/tables.ts";

const requestLogColumns = {
  id: fixed("uuid"),
  createdAt: fixed("time"),
  method: fixed("text"),
  /** The path after the version; a path parameter that is not an id is redacted. */
  path: fixed("text"),
  operationId: fixed("text"),
  status: fixed("int4"),
  errorCode: fixed<string | null>("text"),
  durationMs: fixed("int4"),
  requestBytes: fixed("int4"),
  responseBytes: fixed("int4"),
  /** The id of the token, agent or person that called. */
  actorId: fixed("uuid"),
  isAgent: fixed("bool"),
  isPerson: fixed("bool"),
  address: fixed("text"),
  requestId: fixed("text"),
  /** The last id of the path. */
  resourceId: fixed<string | null>("text"),
  keyDigest: fixed<string | null>("uuid"),
  replayed: fixed("bool"),
  sampledOneIn: fixed("int4"),
  contentId: fixed("uuid"),
  contentPlace: fixed("int4"),
};

export interface RequestLogRow extends RowOf<typeof requestLogColumns> {}

export const requestLogs = defineRecords<RequestLogRow>("request_logs", requestLogColumns);

const requestLogContentColumns = {
  id: fixed("uuid"),
  at: fixed("time"),
  /** A JSON array of `CallContent`, sealed. */
  sealed: fixed("bytes"),
};

export interface RequestLogContent extends RowOf<typeof requestLogContentColumns> {}

export const requestLogContents = defineRecords<RequestLogContent>(
  "request_log_contents",
  requestLogContentColumns,
);

export function contentIdentity(platformId: string, contentId: string): string {
  return `request_log_contents.sealed ${platformId} ${contentId}`;
}

/** Idempotency keys are compared by half of a keyed digest, because a caller may have put a secret into one. */
export function keyDigest(secret: string, platformId: string, key: string): string {
  return uuidOfDigest(hash("sha256", `${secret} ${platformId} ${key}`, "hex"));
}

const addToDay: Statement = {
  name: "request_log_days/add",
  text:
    "insert into request_log_days as d (day, row_count) values ($1::text::date, $2::int8) " +
    "on conflict (day) do update set row_count = d.row_count + excluded.row_count returning row_count",
};

/** Adds to the rows of a day; the result is their number. */
export function addToDayStep(day: string, count: number): Step {
  return {
    statement: addToDay,
    parameters: [parameter("text", day), parameter("int8", BigInt(count))],
  };
}

/** The conditions of a filter on calls. */
export interface CallFilter {
  /** Those that an index leads to: the calls that fit them are walked in the order of their ids. */
  readonly walked: readonly (Condition | undefined)[];
  /** Those that decide which of the walked calls are shown. */
  readonly shown: readonly (Condition | undefined)[];
}

/** The most calls that a page walks. */
export const MOST_WALKED = 20_000;

export interface NewCallsQuery {
  readonly platformId: string;
  readonly filter: CallFilter;
  /** Only calls with ids above this one. */
  readonly floor: string;
  /** Ids to leave out. */
  readonly known: readonly string[];
  readonly limit: number;
}

interface WalkedRows {
  readonly rows: readonly RequestLogRow[];
  /** The last walked id, when the walk stopped at its bound before it had found enough rows. */
  readonly end: string | undefined;
}

/** The next calls after an id, in the order in which they were written. */
export async function newRequestLogs(
  reads: Reads,
  { platformId, filter, floor, known, limit }: NewCallsQuery,
): Promise<WalkedRows> {
  const query = walkOf(platformId, filter, { id: floor, sign: ">" });
  query.fits.push(`not (t.id = any ($${query.values.push(known)}::uuid[]))`);
  const { found, end } = await walkCalls(reads, query, limit);
  return { rows: found.map((cells) => requestLogs.decode(cells)), end };
}

export interface RequestLogQuery {
  readonly platformId: string;
  readonly filter: CallFilter;
  readonly after: string | undefined;
  readonly limit: number;
}

const MAX_PAGE_CHARS = 512 * 1024;

/** One page, newest first. The length of the list is not counted: it changes with every call. */
export async function listRequestLogs(
  reads: Reads,
  { platformId, filter, after, limit }: RequestLogQuery,
): Promise<WalkedRows & { readonly hasMore: boolean }> {
  const past = after === undefined ? undefined : ({ id: after, sign: "<" } as const);
  const { found, end } = await walkCalls(reads, walkOf(platformId, filter, past), limit + 1);
  const fitting = fittingRows(found, { limit, maxChars: MAX_PAGE_CHARS });
  const isCut = fitting.length < found.length;
  return {
    rows: fitting.map((cells) => requestLogs.decode(cells)),
    hasMore: isCut || end !== undefined,
    end: isCut ? undefined : end,
  };
}

interface Past {
  readonly id: string;
  /** Newer calls in ascending order, or older ones in descending order. */
  readonly sign: "<" | ">";
}

function walkOf(platformId: string, { walked, shown }: CallFilter, past: Past | undefined) {
  const values: ReadValue[] = [platformId];
  const clauses = (of: CallFilter["walked"]) =>
    of.flatMap((condition) => {
      if (condition === undefined) return [];
      const { sql, value } = condition;
      const place = value === undefined ? "?" : `$${values.push(value)}`;
      return `(${[sql].flat().join(" or ").replaceAll("?", place)})`;
    });
  const within = ["t.platform_id = $1::uuid", ...clauses(walked)];
  if (past !== undefined) within.push(`t.id ${past.sign} $${values.push(past.id)}::uuid`);
  const order = `order by t.id ${past?.sign === ">" ? "asc" : "desc"}`;
  // Only these values are of the walk; PostgreSQL refuses a parameter that a statement does not use.
  const ofWalk = [...values];
  return {
    walk: `from request_logs t where ${within.join(" and ")} ${order}`,
    order,
    ofWalk,
    values,
    fits: clauses(shown),
  };
}

/**
 * A walk stops as soon as it has found enough, and after `MOST_WALKED` calls. Only a page that it could not fill asks where it
 * ended.
 */
async function walkCalls(
  reads: Reads,
  { walk, order, ofWalk, values, fits }: ReturnType<typeof walkOf>,
  limit: number,
) {
  const where = fits.length === 0 ? "" : `where ${fits.join(" and ")} `;
  const text =
    `select ${requestLogs.selectList("t")} from (select * ${walk} limit ${MOST_WALKED}) t ` +
    `${where}${order} limit $${values.length + 1}::int8`;
  const found = await reads.cells({ name: "", text }, [...values, limit]);
  if (found.length >= limit) return { found, end: undefined };
  const ending = `select t.id ${walk} limit 1 offset ${MOST_WALKED - 1}`;
  const [last] = await reads.cells({ name: "", text: ending }, ofWalk);
  return { found, end: last?.[0] ?? undefined };
}

export const findRequestLog = finderOf(requestLogs);

const contentById: Statement = {
  name: "request_log_contents/get",
  text: "select sealed from request_log_contents where platform_id = $1::uuid and id = $2::uuid",
};

/** Undefined when the content was deleted after the row was read. */
export async function findSealedContent(
  reads: Reads,
  platformId: string,
  contentId: string,
): Promise<Buffer | undefined> {
  const [cells] = await reads.cells(contentById, [platformId, contentId]);
  return cells === undefined ? undefined : (decodeCell(cells[0] ?? null, "bytes") as Buffer);
}
