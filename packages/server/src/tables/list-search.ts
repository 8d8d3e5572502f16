/** Pages of a table by conditions that no index serves, in the order of the list: see `search.ts` for what they may read. */
import type { Reads, ReadValue } from "../postgres/database.ts";
import { clausesOf, type ListPage, type ListQuery } from "./list-query.ts";
import { MOST_SEARCHED, searchPositions } from "./search.ts";
import type { Table, TableRow } from "./tables.ts";

export interface SearchedQuery extends ListQuery {
  /** The conditions without an index. */
  readonly fits: ListQuery["conditions"];
}

export interface SearchedPage<Row> extends Omit<ListPage<Row>, "totalCount"> {
  /** The id after which to continue, when the search stopped before the page was full. */
  readonly end: string | undefined;
}

export function searcherOf<Row extends TableRow>(
  table: Table<Row>,
): (reads: Reads, query: SearchedQuery) => Promise<SearchedPage<Row>> {
  return async (reads, query) => {
    const { platformId, limit } = query;
    const search = { ...walkOf(table.name, query), fits: "w.fits", limit };
    const { positions, hasMore, end } = await searchPositions(reads, search);
    const found = await reads.rows(table, table.selectByIds, [platformId, positions]);
    const rowOf = new Map(found.map((row) => [row.id, row]));
    return { rows: positions.flatMap((id) => rowOf.get(id) ?? []), hasMore, end };
  };
}

/** Alternatives are walked one by one, so that each uses its index and stops at the bound. */
function walkOf(
  table: string,
  { platformId, conditions, fits, after, order = "desc" }: SearchedQuery,
) {
  const values: ReadValue[] = [platformId];
  const { clauses, alternatives } = clausesOf(conditions, values);
  const judged = clausesOf(fits, values);
  const fitting = [...judged.clauses, ...judged.alternatives.flat()].join(" and ");
  const beyond =
    after === undefined
      ? []
      : [`t.id ${order === "desc" ? "<" : ">"} $${values.push(after)}::uuid`];
  const ordering = [...conditions.flatMap((each) => each?.nullColumn ?? []), "t.id"]
    .map((column) => `${column} ${order}`)
    .join(", ");
  const walks = alternatives.map((alternative) => {
    const where = [...clauses, ...alternative, ...beyond].join(" and ");
    return `select t.id, t.id::text as position, ${fitting} as fits from ${table} t where ${where} order by ${ordering}`;
  });
  const [only = ""] = walks;
  if (walks.length === 1) return { walk: only, values };
  const all = walks.map((walk) => `(${walk} limit ${MOST_SEARCHED})`).join(" union ");
  return { walk: `select u.* from (${all}) u order by u.id ${order}`, values };
}
