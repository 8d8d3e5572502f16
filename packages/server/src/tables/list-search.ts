/** Pages of a table by conditions that no index serves, in the order of the list: see `search.ts` for what they may read. */
import type { Reads, ReadValue } from "../postgres/database.ts";
import {
  clausesOf,
  forEach,
  type ListPage,
  type ListQuery,
  type ListSource,
} from "./list-query.ts";
import { MOST_SEARCHED, searchPositions } from "./search.ts";

export interface SearchedQuery extends ListQuery {
  /** The conditions without an index. */
  readonly fits: ListQuery["conditions"];
}

export interface SearchedPage<Row> extends Omit<ListPage<Row>, "totalCount"> {
  /** The id after which to continue, when the search stopped before the page was full. */
  readonly end: string | undefined;
}

/** Reads a page by `fits`; the rows of a page are found by their ids. */
export async function searchRows<Row>(
  reads: Reads,
  source: ListSource<Row>,
  query: SearchedQuery,
): Promise<SearchedPage<Row>> {
  const { platformId, limit, order = "desc" } = query;
  const judged = query.conditions.filter((each) => each?.isUnordered === true);
  const conditions = query.conditions.filter((each) => each?.isUnordered !== true);
  const fits = [...query.fits, ...judged];
  const lookups = fits.reduce((sum, each) => sum + (each?.lookups ?? 0), 0);
  const most = Math.floor(MOST_SEARCHED / (1 + lookups));
  const walked = walkOf(source, { ...query, conditions, fits }, most);
  const search = { ...walked, fits: "w.fits", limit, most };
  const { positions, hasMore, end } = await searchPositions(reads, search);
  const text =
    `select ${source.selectList} from ${source.from} where t.platform_id = $1::uuid ` +
    `and t.id = any ($2::uuid[]) order by t.id ${order}`;
  const found = await reads.cells({ name: "", text }, [platformId, positions]);
  return { rows: found.map((cells) => source.decode(cells)), hasMore, end };
}

/** Alternatives are walked side by side, each by its index. */
function walkOf(
  { countFrom, from }: Pick<ListSource<unknown>, "countFrom" | "from">,
  { platformId, conditions, fits, after, order = "desc" }: SearchedQuery,
  most: number,
) {
  const values: ReadValue[] = [platformId];
  const { clauses, alternatives } = clausesOf(conditions, values);
  const fitting = clausesOf(fits, values, false).clauses.join(" and ");
  const beyond =
    after === undefined
      ? []
      : [`t.id ${order === "desc" ? "<" : ">"} $${values.push(after)}::uuid`];
  const ordering = [...conditions.flatMap((each) => each?.nullColumn ?? []), "t.id"]
    .map((column) => `${column} ${order}`)
    .join(", ");
  const walks = alternatives.map((alternative) => {
    const where = [...clauses, ...alternative.clauses, ...beyond].join(" and ");
    const walk = `select t.id, t.id::text as position, ${fitting} as fits from ${countFrom ?? from} where ${where} order by ${ordering}`;
    if (alternative.each === undefined) return walk;
    const each = forEach(alternative, `${walk} limit ${most + 1}`);
    return `select s.* from (${each}) s order by s.id ${order}`;
  });
  const [only = ""] = walks;
  if (walks.length === 1) return { walk: only, values };
  // PostgreSQL merges ordered walks of "union all" row by row, so a full page ends all of them.
  const all = walks.map((walk) => `(${walk})`).join(" union all ");
  return {
    walk: `select distinct on (u.id) u.* from (${all}) u order by u.id ${order}`,
    values,
  };
}
