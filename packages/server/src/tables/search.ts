/**
 * Looks for rows that no index leads to: it walks the next rows of an order that an index has, so many at most, and keeps those that fit.
 * A page may therefore hold fewer rows than asked for, or none, with more behind it: `end` is where the next page begins.
 */
import type { Reads, ReadValue } from "../postgres/database.ts";

/** Some 50 ms for the rows of a payment. */
export const MOST_SEARCHED = 20_000;

interface Search {
  /** A query with a column `position`, a text, in the order of the list and without a limit. */
  readonly walk: string;
  /** The condition on the rows of the walk. */
  readonly fits: string;
  readonly values: readonly ReadValue[];
  readonly limit: number;
}

export interface FoundPositions {
  readonly positions: readonly string[];
  readonly hasMore: boolean;
  /** The position of the last row that was searched, when more rows may fit behind it. */
  readonly end: string | undefined;
}

export async function searchPositions(reads: Reads, search: Search): Promise<FoundPositions> {
  const { walk, fits, limit } = search;
  const values: ReadValue[] = [...search.values];
  const most = `$${values.push(MOST_SEARCHED)}::int8`;
  const count = `$${values.push(limit + 1)}::int8`;
  const text =
    `with walked as materialized (select row_number() over () as n, w.* from (${walk} limit ${most}) w), ` +
    `found as (select w.n, w.position from walked w where ${fits} order by w.n limit ${count}) ` +
    "select f.position, (select count(*) from walked), (select position from walked order by n desc limit 1) " +
    "from (select 1) one left join found f on true order by f.n";
  const rows = await reads.cells({ name: "", text }, values);
  const [, searched, last] = rows[0] ?? [];
  const found = rows.flatMap(([position]) => position ?? []);
  const isCut = found.length > limit;
  const hasMore = isCut || Number(searched) === MOST_SEARCHED;
  return {
    positions: found.slice(0, limit),
    hasMore,
    end: hasMore && !isCut ? (last ?? undefined) : undefined,
  };
}
