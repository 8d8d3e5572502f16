/**
 * Searches by a condition that no index serves: it walks at most `MOST_SEARCHED` rows in the order of an index and keeps those that fit.
 * A page may therefore have fewer rows than its limit, or none, although more follow: `end` is the position after which to continue.
 */
import type { Reads, ReadValue } from "../postgres/database.ts";

/** Walking so many rows of payments takes about 50 ms. */
export const MOST_SEARCHED = 20_000;

interface Search {
  /** A query in the order of the list, without a limit, that has a text column `position`. */
  readonly walk: string;
  /** The SQL condition on the rows of the walk, whose alias is `w`. */
  readonly fits: string;
  readonly values: readonly ReadValue[];
  readonly limit: number;
  /** The most rows of the walk. */
  readonly most?: number;
}

export interface FoundPositions {
  readonly positions: readonly string[];
  readonly hasMore: boolean;
  /** The position of the last searched row, when the search stopped at its bound; else undefined. */
  readonly end: string | undefined;
}

export async function searchPositions(reads: Reads, search: Search): Promise<FoundPositions> {
  const { walk, fits, limit, most: bound = MOST_SEARCHED } = search;
  const values: ReadValue[] = [...search.values];
  const most = `$${values.push(bound)}::int8`;
  const count = `$${values.push(limit + 1)}::int8`;
  // PostgreSQL walks only as far as `walked` is read, in its order: a full page ends the walk. One row beyond the bound says whether any is left.
  const text =
    `with walked as materialized (select row_number() over () as n, w.* from (${walk} limit ${most} + 1) w), ` +
    `found as materialized (select w.n, w.position from walked w where w.n <= ${most} and (${fits}) limit ${count}) ` +
    `select f.position, case when (select count(*) from found) < ${count} then (select count(*) from walked) end, ` +
    `case when (select count(*) from found) < ${count} then (select position from walked where n = ${most}) end ` +
    "from (select 1) one left join found f on true order by f.n";
  const rows = await reads.cells({ name: "", text }, values);
  const [, walked, last] = rows[0] ?? [];
  const found = rows.flatMap(([position]) => position ?? []);
  const isCut = found.length > limit;
  const hasMore = isCut || Number(walked) > bound;
  return {
    positions: found.slice(0, limit),
    hasMore,
    end: hasMore && !isCut ? (last ?? undefined) : undefined,
  };
}
