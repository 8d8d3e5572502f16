/** Reads of marks. */
import type { Reads } from "../../../postgres/database.ts";
import {
  type ListPage,
  type ListQuery,
  listPage,
  tableSource,
} from "../../../tables/list-query.ts";
import { type RailMark, railMarks } from "./rail-mark.ts";

const source = tableSource(railMarks);

export function listRailMarks(reads: Reads, query: ListQuery): Promise<ListPage<RailMark>> {
  return listPage(reads, source, query);
}

const byId = {
  name: "rail_marks/get",
  text:
    `select ${railMarks.selectList("t")} from rail_marks t ` +
    "where t.platform_id = $1::uuid and t.id = $2::uuid",
};

export async function findRailMark(
  reads: Reads,
  platformId: string,
  id: string,
): Promise<RailMark | undefined> {
  const [mark] = await reads.rows(railMarks, byId, [platformId, id]);
  return mark;
}
