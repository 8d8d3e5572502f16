/** Reads of one row by its id. */
import type { Reads } from "../postgres/database.ts";
import type { Records } from "./tables.ts";

type Finder<Row> = (reads: Reads, platformId: string, id: string) => Promise<Row | undefined>;

export function finderOf<Row extends { readonly id: string }>(table: Records<Row>): Finder<Row> {
  return finderWhere(table, "");
}

/** Finds no row that is marked as deleted. */
export function liveFinderOf<
  Row extends { readonly id: string; readonly deletedAt: number | null },
>(table: Records<Row>): Finder<Row> {
  return finderWhere(table, " and t.deleted_at is null");
}

function finderWhere<Row extends object>(table: Records<Row>, further: string): Finder<Row> {
  const byId = {
    name: `${table.name}/get`,
    text:
      `select ${table.selectList("t")} from ${table.name} t ` +
      `where t.platform_id = $1::uuid and t.id = $2::uuid${further}`,
  };
  return async (reads, platformId, id) => {
    const [row] = await reads.rows(table, byId, [platformId, id]);
    return row;
  };
}

/** Finds the row of a platform whose id is the platform's. */
export function platformRowFinderOf<Row extends { readonly id: string }>(
  table: Records<Row>,
): (reads: Reads, platformId: string) => Promise<Row | undefined> {
  const byPlatform = {
    name: `${table.name}/get`,
    text:
      `select ${table.selectList("t")} from ${table.name} t ` +
      "where t.platform_id = $1::uuid and t.id = $1::uuid",
  };
  return async (reads, platformId) => {
    const [row] = await reads.rows(table, byPlatform, [platformId]);
    return row;
  };
}
