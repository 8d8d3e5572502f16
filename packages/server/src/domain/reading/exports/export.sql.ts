/** Reads of exports and of their parts, and of the state that their rows show. */
import type { Reads } from "../../../postgres/database.ts";
import { present } from "../../../std/assert.ts";
import { finderOf } from "../../../tables/find-row.ts";
import { listerOf } from "../../../tables/list-query.ts";
import { type ExportPart, exportParts, exports, type SeenState } from "./export.ts";

export const findExport = finderOf(exports);

export const listExports = listerOf(exports);

const partsOf = {
  name: "export_parts/of-export",
  text:
    `select ${exportParts.selectList("t")} from export_parts t ` +
    "where t.platform_id = $1::uuid and t.export_id = $2::uuid order by t.number",
};

/** The parts in their order. A part takes a few seconds to write, and an export has a bound of rows, so they are few. */
export function partsOfFile(
  reads: Reads,
  platformId: string,
  exportId: string,
): Promise<readonly ExportPart[]> {
  return reads.rows(exportParts, partsOf, [platformId, exportId]);
}

const headNow = {
  name: "exports/seen",
  text:
    "select h.seq, h.event_seq, floor(extract(epoch from h.last_at) * 1000)::int8 from platform_heads h " +
    "where h.platform_id = $1::uuid",
};

/** The state of the platform at this moment. */
export async function seenNow(reads: Reads, platformId: string): Promise<SeenState> {
  const [row] = await reads.cells(headNow, [platformId]);
  const [commandSeq, eventSeq, at] = present(row, "the head of a platform with an export");
  return {
    commandSeq: BigInt(commandSeq ?? 0),
    eventSeq: BigInt(eventSeq ?? 0),
    asOf: Number(at),
  };
}
