/** The log of attempts to deliver events: its table, its partitions by day, and reads of the attempts of one delivery. */
import { parameter } from "../../../postgres/columns.ts";
import type { Reads, ReadValue } from "../../../postgres/database.ts";
import type { Statement, Step } from "../../../postgres/pipeline.ts";
import { fittingRows } from "../../../tables/fitting-rows.ts";
import { defineRecords, fixed, type RowOf } from "../../../tables/tables.ts";
import type { DeliveryKey } from "../delivery-id.ts";

const columns = {
  endpointId: fixed("uuid"),
  eventId: fixed("uuid"),
  id: fixed("uuid"),
  /** Host time. */
  at: fixed("time"),
  /** Platform time minus host time. */
  clockOffsetMs: fixed("int8"),
  number: fixed("int4"),
  isDelivered: fixed("bool"),
  status: fixed<number | null>("int4"),
  /** Why there was no answer. */
  error: fixed<string | null>("text"),
  connectMs: fixed<number | null>("int4"),
  firstByteMs: fixed<number | null>("int4"),
  totalMs: fixed("int4"),
  /** JSON objects. */
  requestHeaders: fixed("text"),
  responseHeaders: fixed<string | null>("text"),
  responseBody: fixed<string | null>("text"),
  server: fixed("text"),
};

export interface LoggedAttempt extends RowOf<typeof columns> {}

export const webhookAttempts = defineRecords<LoggedAttempt>("webhook_attempts", columns);

const addDay: Statement = {
  name: "webhook_attempts/add-day",
  text: "select add_webhook_attempts_day($1::text::date)",
};

/** Creates the partition of a day, unless it exists. */
export function addAttemptsDayStep(day: string): Step {
  return { statement: addDay, parameters: [parameter("text", day)] };
}

const dropBefore: Statement = {
  name: "webhook_attempts/drop-before",
  text: "select drop_webhook_attempts_before($1::text::date)",
};

/** Drops the partitions before this day; the result is their number. */
export function dropAttemptsBeforeStep(day: string): Step {
  return { statement: dropBefore, parameters: [parameter("text", day)] };
}

export interface AttemptQuery extends DeliveryKey {
  readonly platformId: string;
  /** The last attempt of the previous page. */
  readonly after: string | undefined;
  readonly limit: number;
}

const MAX_PAGE_CHARS = 512 * 1024;

/** One page of the attempts of a delivery, the latest first. */
export async function listAttempts(reads: Reads, query: AttemptQuery) {
  const { platformId, endpointId, eventId, after, limit } = query;
  const values: ReadValue[] = [platformId, eventId, endpointId];
  const behind = after === undefined ? "" : `and a.id < $${values.push(after)}::uuid `;
  const text =
    `select ${webhookAttempts.selectList("a")} from webhook_attempts a where a.platform_id = $1::uuid ` +
    `and a.event_id = $2::uuid and a.endpoint_id = $3::uuid ${behind}` +
    `order by a.id desc limit $${values.push(limit + 1)}::int8`;
  const found = await reads.cells({ name: "", text }, values);
  const fitting = fittingRows(found, { limit, maxChars: MAX_PAGE_CHARS });
  return {
    rows: fitting.map((cells) => webhookAttempts.decode(cells)),
    hasMore: fitting.length < found.length,
  };
}
