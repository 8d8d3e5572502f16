/**
 * How many rows of a long list a platform has: kept by kind in `list_totals` and moved in the commit that adds or changes
 * rows, so that the length of a list is known without counting it. A kind is what the facets of a row say, in their
 * order. A list that is narrowed by facets alone has the sum of the kinds that agree.
 */
import { assert } from "../std/assert.ts";

/** One thing that rows are told apart by. What it says of a row has no space in it, and few values. */
export interface Facet<Row> {
  readonly name: string;
  /** The same in SQL, with the table as `t`. */
  readonly sql: string;
  of(row: Row): string;
}

export type Facets<Row> = readonly Facet<Row>[];

/** What a facet must say. */
export interface Wanted {
  readonly facet: string;
  readonly value: string;
}

export function kindOf<Row>(facets: Facets<Row>, row: Row): string {
  return facets.map((facet) => facet.of(row)).join(" ");
}

/** The kind of a row `t`, in SQL. */
export function kindInSql(facets: Facets<never>): string {
  return facets.map(({ sql }) => sql).join(" || ' ' || ");
}

/** A query for the number of rows of a list's kinds; `place` keeps a value and gives its place in the statement. */
export function totalQuery(
  list: { readonly name: string; readonly facets: Facets<never> },
  wanted: readonly Wanted[],
  place: (value: string) => string,
): string {
  const clauses = wanted.map(({ facet, value }) => {
    const part = list.facets.findIndex(({ name }) => name === facet) + 1;
    assert(part > 0, `${list.name} is not counted by ${facet}`);
    return ` and split_part(n.kind, ' ', ${part}) = ${place(value)}::text`;
  });
  return (
    "select coalesce(sum(n.total), 0)::int8 from list_totals n " +
    `where n.platform_id = $1::uuid and n.list = '${list.name}'${clauses.join("")}`
  );
}
