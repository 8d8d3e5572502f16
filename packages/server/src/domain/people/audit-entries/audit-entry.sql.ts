/** Reads of the audit log. A position in it is the number of a command. */
import { type AuditEntry, auditEntries } from "../../../engine/audit-entries.ts";
import { decodeCell } from "../../../postgres/columns.ts";
import type { Reads, ReadValue } from "../../../postgres/database.ts";
import { fittingRows } from "../../../tables/fitting-rows.ts";
import type { Condition } from "../../../tables/list-query.ts";
import { commandsAt, type Moments } from "../../accounts/internal/entries.sql.ts";

/** An audit entry with data that is joined to it. */
export interface ListedAuditEntry {
  readonly entry: AuditEntry;
  /** The hash of its command in the log. */
  readonly hash: Buffer;
  /** The name of a token, which is not in the entry. */
  readonly tokenName: string | null;
}

export interface AuditQuery {
  readonly platformId: string;
  readonly conditions: readonly (Condition | undefined)[];
  /** Inclusive bounds, platform time. */
  readonly moments: Moments;
  /** The number of a command; the page begins before it. */
  readonly before: string | undefined;
  readonly limit: number;
}

const MAX_PAGE_CHARS = 512 * 1024;

/** One page, newest first. The whole log is not counted: it is kept forever. */
export async function listAuditEntries(reads: Reads, query: AuditQuery) {
  const values: ReadValue[] = [query.platformId];
  const clauses = ["t.platform_id = $1::uuid"];
  for (const condition of query.conditions) {
    if (condition === undefined) continue;
    const { sql, value } = condition;
    const place = value === undefined ? "?" : `$${values.push(value)}`;
    clauses.push([sql].flat().join(" or ").replaceAll("?", place));
  }
  const [from, to] = await commandsAt(reads, query.platformId, query.moments);
  if (from !== undefined) clauses.push(`t.command_seq >= $${values.push(from)}::int8`);
  if (to !== undefined) clauses.push(`t.command_seq < $${values.push(to)}::int8`);
  if (query.before !== undefined)
    clauses.push(`t.command_seq < $${values.push(query.before)}::int8`);
  const page = `select t.* from audit_entries t where ${clauses.join(" and ")} order by t.command_seq desc limit $${values.push(query.limit + 1)}::int8`;
  const text =
    `select l.hash, k.name, ${auditEntries.selectList("t")} from (${page}) t ` +
    "join command_log l on l.platform_id = $1::uuid and l.seq = t.command_seq " +
    "left join tokens k on k.platform_id = $1::uuid and k.id = case when t.actor_kind = 'token' then t.actor_id::uuid end " +
    "order by t.command_seq desc";
  const found = await reads.cells({ name: "", text }, values);
  const fitting = fittingRows(found, { limit: query.limit, maxChars: MAX_PAGE_CHARS });
  return {
    rows: fitting.map(
      (cells): ListedAuditEntry => ({
        hash: decodeCell(cells[0] ?? null, "bytes") as Buffer,
        tokenName: cells[1] ?? null,
        entry: auditEntries.decode(cells, 2),
      }),
    ),
    hasMore: fitting.length < found.length,
  };
}
