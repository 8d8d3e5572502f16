/** The tables of the request log, their reads and the statements of its writer. */
import { hash } from "node:crypto";
import { decodeCell, parameter } from "../../../postgres/columns.ts";
import type { Reads, ReadValue } from "../../../postgres/database.ts";
import type { Statement, Step } from "../../../postgres/pipeline.ts";
import { uuidOfDigest } from "../../../std/ids.ts";
import { finderOf } from "../../../tables/find-row.ts";
import { type Condition, fittingRows } from "../../../tables/list-query.ts";
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

export interface NewCallsQuery {
  readonly platformId: string;
  readonly conditions: readonly (Condition | undefined)[];
  /** Only calls with ids above this one. */
  readonly floor: string;
  /** Ids to leave out. */
  readonly known: readonly string[];
  readonly limit: number;
}

/** The next calls after an id, in the order in which they were written. */
export async function newRequestLogs(
  reads: Reads,
  { platformId, conditions, floor, known, limit }: NewCallsQuery,
): Promise<readonly RequestLogRow[]> {
  const { clauses, values } = clausesOf(platformId, conditions);
  clauses.push(`t.id > $${values.push(floor)}::uuid`);
  clauses.push(`not (t.id = any ($${values.push(known)}::uuid[]))`);
  const text =
    `select ${requestLogs.selectList("t")} from request_logs t where ${clauses.join(" and ")} ` +
    `order by t.id limit $${values.push(limit)}::int8`;
  const found = await reads.cells({ name: "", text }, values);
  return found.map((cells) => requestLogs.decode(cells));
}

export interface RequestLogQuery {
  readonly platformId: string;
  readonly conditions: readonly (Condition | undefined)[];
  readonly after: string | undefined;
  readonly limit: number;
}

const MAX_PAGE_CHARS = 512 * 1024;

/** One page, newest first. The length of the list is not counted: it changes with every call. */
export async function listRequestLogs(reads: Reads, query: RequestLogQuery) {
  const { clauses, values } = clausesOf(query.platformId, query.conditions);
  if (query.after !== undefined) clauses.push(`t.id < $${values.push(query.after)}::uuid`);
  const text =
    `select ${requestLogs.selectList("t")} from request_logs t where ${clauses.join(" and ")} ` +
    `order by t.id desc limit $${values.push(query.limit + 1)}::int8`;
  const found = await reads.cells({ name: "", text }, values);
  const fitting = fittingRows(found, { limit: query.limit, maxChars: MAX_PAGE_CHARS });
  return {
    rows: fitting.map((cells) => requestLogs.decode(cells)),
    hasMore: fitting.length < found.length,
  };
}

function clausesOf(platformId: string, conditions: RequestLogQuery["conditions"]) {
  const values: ReadValue[] = [platformId];
  const clauses = ["t.platform_id = $1::uuid"];
  for (const condition of conditions) {
    if (condition === undefined) continue;
    const { sql, value } = condition;
    const place = value === undefined ? "?" : `$${values.push(value)}`;
    clauses.push([sql].flat().join(" or ").replaceAll("?", place));
  }
  return { clauses, values };
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
