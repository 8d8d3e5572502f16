/**
 * How many rows of a long list a platform has: kept in `list_totals` by the day they were made and by kind, and moved in
 * the commit that adds or changes rows, so that the length of a list is known without counting it. A kind is what the
 * facets of a row say, in their order. A list that is narrowed by facets alone has the sum of the kinds that agree; one that
 * is narrowed by its time as well has that of the whole days, and what is counted of the days at both ends.
 */

import type { ReadValue } from "../postgres/database.ts";
import { assert } from "../std/assert.ts";
import { LONGEST_LEAD_MS, lowestIdAt } from "../std/ids.ts";

/** One filter by which rows are counted. Its value for a row has no space in it, and few different values exist. */
export interface Facet<Row> {
  readonly name: string;
  /** The same in SQL, with the table as `t`. */
  readonly sql: string;
  of(row: Row): string;
}

/** By what the rows of a table are counted. */
export interface Counted<Row> {
  /** When the row was made: that never changes, and is its column `created_at`. */
  at(row: Row): number;
  readonly by: readonly Facet<Row>[];
}

export interface CountedList {
  readonly name: string;
  readonly counted: Pick<Counted<never>, "by">;
}

/** What a condition says, if that is all it says: how a facet is, or that rows were made in these milliseconds. */
export interface Narrowing {
  readonly facet?: { readonly name: string; readonly value: string };
  readonly from?: number;
  readonly to?: number;
}

const DAY_MS = 86_400_000;

/** The day of a row, counted from 1970. */
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

/** How the number of a list's rows is asked for. */
export interface TotalQuery {
  /** Whether rows are counted, too: then the text has the list's conditions, whose values come first. */
  readonly countsRows: boolean;
  /** A query for it; adds its values to those of the statement. */
  text(values: ReadValue[]): string;
}

/**
 * Undefined when there is not one whole day in it. `matching` is the list from its `from` to the last of its conditions.
 */
export function totalQuery(
  list: CountedList,
  narrowings: readonly Narrowing[],
  matching: string,
): TotalQuery | undefined {
  const from = Math.max(...narrowings.map((each) => each.from ?? Number.NEGATIVE_INFINITY));
  const end = Math.min(...narrowings.map((each) => (each.to ?? Number.POSITIVE_INFINITY) + 1));
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
      `${kindClauses(list, narrowings, values).join("")})${counted.join("")}`,
  };
}

function kindClauses(
  list: CountedList,
  narrowings: readonly Narrowing[],
  values: ReadValue[],
): readonly string[] {
  return narrowings.flatMap(({ facet }) => {
    if (facet === undefined) return [];
    const part = list.counted.by.findIndex(({ name }) => name === facet.name) + 1;
    assert(part > 0, `${list.name} is not counted by ${facet.name}`);
    return [` and split_part(n.kind, ' ', ${part}) = $${values.push(facet.value)}::text`];
  });
}

/** Ids rise with time, so the primary key leads to a day's rows. */
function before(day: number): string {
  const lowestAfter = lowestIdAt(day * DAY_MS + LONGEST_LEAD_MS + 1);
  return `t.created_at < to_timestamp(${day * 86_400}) and t.id < '${lowestAfter}'::uuid`;
}

function since(day: number): string {
  return `t.created_at >= to_timestamp(${day * 86_400}) and t.id >= '${lowestIdAt(day * DAY_MS)}'::uuid`;
}
