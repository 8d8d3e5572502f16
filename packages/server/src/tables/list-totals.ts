/**
 * Stored totals of long lists. `list_totals` has the number of rows per platform, list, day of creation and kind; the commit
 * that adds or changes rows updates it. The kind of a row is the values of its facets, in their order. The total of a list
 * that is filtered by facets is the sum over the matching kinds. With a filter on time it is the sum over the whole days,
 * plus a count of the rows in the partial days at both ends.
 */

import type { ReadValue } from "../postgres/database.ts";
import { assert } from "../std/assert.ts";
import { LONGEST_LEAD_MS, lowestIdAt } from "../std/ids.ts";

/** A property by which rows are counted. Its values are few and contain no space. */
export interface Facet<Row> {
  readonly name: string;
  /** The SQL expression of `of`; the table has the alias `t`. */
  readonly sql: string;
  of(row: Row): string;
}

export interface Counted<Row> {
  /** The time of creation, which never changes; its column is `created_at`. */
  at(row: Row): number;
  readonly by: readonly Facet<Row>[];
}

export interface CountedList {
  readonly name: string;
  readonly counted: Pick<Counted<never>, "by">;
}

/** A filter that the stored totals can answer: a facet value, or a range of the creation time in milliseconds. */
export interface TotalsFilter {
  readonly facet?: { readonly name: string; readonly value: string };
  readonly from?: number;
  readonly to?: number;
}

const DAY_MS = 86_400_000;

/** Days since 1970. */
export function dayNumberOf<Row>(counted: Counted<Row>, row: Row): number {
  return Math.floor(counted.at(row) / DAY_MS);
}

export const DAY_IN_SQL = "floor(extract(epoch from t.created_at) / 86400)::int4";

export function kindOf<Row>({ by }: Counted<Row>, row: Row): string {
  return by.map((facet) => facet.of(row)).join(" ");
}

/** The kind of a row `t`, in SQL. */
export function kindInSql({ by }: CountedList["counted"]): string {
  return by.map(({ sql }) => sql).join(" || ' ' || ");
}

export interface TotalQuery {
  /** Whether rows of partial days are counted: then the text contains the list's conditions, whose values come first. */
  readonly countsRows: boolean;
  /** The SQL of the total. Appends to `values`. */
  text(values: ReadValue[]): string;
}

/** Undefined when the time filter contains no whole day. `matching` is the SQL of the list, from `from` to its last condition. */
export function totalQuery(
  list: CountedList,
  filters: readonly TotalsFilter[],
  matching: string,
): TotalQuery | undefined {
  const from = Math.max(...filters.map((each) => each.from ?? Number.NEGATIVE_INFINITY));
  const end = Math.min(...filters.map((each) => (each.to ?? Number.POSITIVE_INFINITY) + 1));
  const firstDay = Math.ceil(from / DAY_MS);
  const endDay = Math.floor(end / DAY_MS);
  if (firstDay >= endDay) return undefined;
  const days = [
    ...(Number.isFinite(firstDay) ? [` and n.day >= ${firstDay}`] : []),
    ...(Number.isFinite(endDay) ? [` and n.day < ${endDay}`] : []),
  ];
  const ends = [
    ...(from < firstDay * DAY_MS ? [before(firstDay)] : []),
    ...(end > endDay * DAY_MS ? [since(endDay)] : []),
  ];
  const counted = ends.map((part) => ` + (select count(*) ${matching} and ${part})`);
  return {
    countsRows: ends.length > 0,
    text: (values) =>
      "select (select coalesce(sum(n.total), 0)::int8 from list_totals n " +
      `where n.platform_id = $1::uuid and n.list = '${list.name}'${days.join("")}` +
      `${kindClauses(list, filters, values).join("")})${counted.join("")}`,
  };
}

function kindClauses(
  list: CountedList,
  filters: readonly TotalsFilter[],
  values: ReadValue[],
): readonly string[] {
  return filters.flatMap(({ facet }) => {
    if (facet === undefined) return [];
    const part = list.counted.by.findIndex(({ name }) => name === facet.name) + 1;
    assert(part > 0, `${list.name} is not counted by ${facet.name}`);
    return [` and split_part(n.kind, ' ', ${part}) = $${values.push(facet.value)}::text`];
  });
}

/** Ids increase with time, so the condition on the id lets PostgreSQL use the primary key. */
function before(day: number): string {
  const lowestAfter = lowestIdAt(day * DAY_MS + LONGEST_LEAD_MS + 1);
  return `t.created_at < to_timestamp(${day * 86_400}) and t.id < '${lowestAfter}'::uuid`;
}

function since(day: number): string {
  return `t.created_at >= to_timestamp(${day * 86_400}) and t.id >= '${lowestIdAt(day * DAY_MS)}'::uuid`;
}
