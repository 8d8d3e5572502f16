/**
 * Work of a platform that takes longer than a call: imports, exports, statements, orders to send events again. The last few of each
 * kind are read by their primary keys.
 */
import type { ReadCells } from "../../../postgres/database.ts";

export const longWorkKinds = ["IMPORT", "EXPORT", "STATEMENT", "RESEND"] as const;

export type LongWorkKind = (typeof longWorkKinds)[number];

export const longWorkStates = ["RUNNING", "DONE", "FAILED", "CANCELLED"] as const;

export type LongWorkState = (typeof longWorkStates)[number];

export interface LongWork {
  readonly kind: LongWorkKind;
  readonly id: string;
  readonly state: LongWorkState;
  /** Rows, entries or deliveries. */
  readonly done: number;
  /** Null while it is not known. */
  readonly total: number | null;
  /** In platform time, like the end. */
  readonly startedAt: number;
  readonly endedAt: number | null;
}

/** The most rows of each kind. */
const MOST_SHOWN = 10;

const at = (column: string) => `floor(extract(epoch from ${column}) * 1000)::int8`;

const ENDING = `where t.platform_id = $1::uuid order by t.id desc limit ${MOST_SHOWN}`;

const statements = {
  IMPORT: {
    name: "long_work/imports",
    text:
      "select t.id, case t.status when 'COMPLETED' then 'DONE' when 'FAILED' then 'FAILED' else 'RUNNING' end, " +
      `t.processed, nullif(t.total, 0), ${at("t.created_at")}, ${at("t.completed_at")} from bulk_jobs t ${ENDING}`,
  },
  EXPORT: {
    name: "long_work/exports",
    text:
      "select t.id, case t.state when 'PENDING' then 'RUNNING' when 'FAILED' then 'FAILED' else 'DONE' end, " +
      `t.row_count, null, ${at("t.created_at")}, ${at("t.completed_at")} from exports t ${ENDING}`,
  },
  STATEMENT: {
    name: "long_work/statements",
    text:
      "select t.id, case t.state when 'READY' then 'DONE' else 'RUNNING' end, " +
      "coalesce(t.last_version - t.first_version + 1, 0), t.last_version - t.first_version + 1, " +
      `${at("t.created_at")}, case when t.state = 'READY' then ${at("t.created_at")} end from statements t ${ENDING}`,
  },
  RESEND: {
    name: "long_work/resends",
    text:
      "select t.id, case t.state when 'COMPLETED' then 'DONE' when 'STOPPED' then 'FAILED' else t.state end, " +
      "(select coalesce(sum(r.sent + r.failed), 0) from webhook_resends r where r.platform_id = $1::uuid " +
      `and r.resend_id = t.id), t.matched, ${at("t.created_at")}, ${at("t.ended_at")} from event_resends t ${ENDING}`,
  },
} as const;

/** The work of the requested kinds, the newest first. */
export async function listLongWork(
  cells: ReadCells,
  platformId: string,
  kinds: readonly LongWorkKind[],
): Promise<readonly LongWork[]> {
  const found: LongWork[] = [];
  for (const kind of kinds) {
    const rows = await cells(statements[kind], [platformId]);
    for (const [id, state, done, total, startedAt, endedAt] of rows)
      found.push({
        kind,
        id: id ?? "",
        state: state as LongWorkState,
        done: Number(done),
        total: total == null ? null : Number(total),
        startedAt: Number(startedAt),
        endedAt: endedAt == null ? null : Number(endedAt),
      });
  }
  return found.toSorted((one, other) => other.startedAt - one.startedAt);
}
