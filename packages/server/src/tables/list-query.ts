/**
 * One page of a list, by default newest first. The cursor is the id: ids increase with a platform's time, so id order is
 * creation order. The statements are unnamed, so PostgreSQL plans each for its values. A generic plan assumes the average
 * platform, and for a platform that owns most rows it walks a whole index.
 */
import type { Reads, ReadValue } from "../postgres/database.ts";
import type { Statement } from "../postgres/pipeline.ts";
import { type Alternative, clausesOf, forEach, PLATFORM } from "./clauses.ts";
import { fittingRows, MAX_PAGE_CHARS } from "./fitting-rows.ts";
import { searchRows } from "./list-search.ts";
import { type TotalsFilter, totalQuery } from "./list-totals.ts";
import type { Table, TableRow } from "./tables.ts";

/**
 * One condition. In `sql`, `?` stands for the value and `$1` is the platform. Several texts are alternatives: those of the
 * first such condition become a union, each part with its own index, because "or" would use no index.
 */
export interface Condition {
  readonly sql: string | readonly (string | OneOf)[];
  readonly value?: ReadValue;
  /** The equivalent filter on the stored totals; with it the total is read and not counted. */
  readonly totalsFilter?: TotalsFilter;
  /**
   * A column that the condition requires to be null and that precedes the id in an index. PostgreSQL does not infer that the
   * index then returns rows in id order: unless the query orders by both columns, it may walk the primary key.
   */
  readonly nullColumn?: string;
  /** No index has the rows of this condition in the order of ids: a search judges each row by it. */
  readonly isUnordered?: boolean;
  /** The rows of other tables that it reads for each row, so that a search by it looks at fewer. */
  readonly lookups?: number;
  /** It reads the id alone. */
  readonly isOnId?: boolean;
  /** The list is walked by this table of ids. The condition judges each row as well, so the table may have more ids than the list. */
  readonly walk?: Walk;
}

/** A table that has ids of the list in an index, in their order. */
export interface Walk {
  /** From `from` to the last condition. The table has the alias `t` and the column `id`; `?` is the value of the condition. */
  readonly sql: string;
  /** It has so few ids that all are judged for each page, and the total is known. */
  readonly isShort: boolean;
}

/**
 * An alternative: the column has one of these ids. The list is read for each id by itself. With `any`, PostgreSQL may walk the whole list where
 * it expects that many rows have one of the ids.
 */
export interface OneOf {
  readonly column: string;
  /** An SQL expression of type `uuid[]`. */
  readonly ids: string;
}

export interface ListQuery {
  readonly platformId: string;
  /** `undefined` conditions are ignored. */
  readonly conditions: readonly (Condition | undefined)[];
  readonly after: string | undefined;
  readonly limit: number;
  readonly order?: "asc" | "desc" | undefined;
}

export interface ListPage<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
  /** Undefined where many rows would be counted. */
  readonly totalCount: number | undefined;
  /** The id after which to continue, when a search stopped before the page was full. */
  readonly end?: string | undefined;
}

export interface ListSource<Row> {
  readonly selectList: string;
  /** The listed table has the alias `t`. */
  readonly from: string;
  /** For the count: `from` without joins that only add columns. */
  readonly countFrom?: string;
  /** The table whose totals are stored in `list_totals`, if they are. */
  readonly list?: Pick<Table<never>, "name" | "counted"> | undefined;
  /** The count ends one row behind this number. */
  readonly mostCounted?: number;
  decode(cells: readonly (string | null)[]): Row;
}

export function tableSource<Row extends TableRow>(table: Table<Row>): ListSource<Row> {
  return {
    list: table,
    selectList: table.selectList("t"),
    from: `${table.name} t`,
    decode: (cells) => table.decode(cells),
  };
}

/** Reads pages of a table, of the rows that satisfy `always`. */
export function listerOf<Row extends TableRow>(
  table: Table<Row>,
  ...always: readonly Condition[]
): (reads: Reads, query: ListQuery) => Promise<ListPage<Row>> {
  const source = tableSource(table);
  return (reads, query) =>
    listPage(reads, source, { ...query, conditions: [...always, ...query.conditions] });
}

/** Reads pages without the count of all. */
export function rowListerOf<Row extends TableRow>(
  table: Table<Row>,
): (reads: Reads, query: ListQuery) => Promise<Omit<ListPage<Row>, "totalCount">> {
  const source = tableSource(table);
  return (reads, query) => listRows(reads, source, query);
}

const MOST_COUNTED = 20_000;

/** A page of rows that no totals are kept of: beyond `MOST_COUNTED` they are not counted. */
export async function roughPage<Row>(
  reads: Reads,
  source: ListSource<Row>,
  query: ListQuery,
): Promise<ListPage<Row>> {
  const page = await listPage(
    reads,
    { ...source, list: undefined, mostCounted: MOST_COUNTED },
    query,
  );
  const { totalCount } = page;
  const isKnown = totalCount !== undefined && totalCount <= MOST_COUNTED;
  return { ...page, totalCount: isKnown ? totalCount : undefined };
}

export async function listPage<Row>(
  reads: Reads,
  source: ListSource<Row>,
  query: ListQuery,
): Promise<ListPage<Row>> {
  if (query.conditions.some((each) => each?.walk !== undefined))
    return searchRows(reads, source, { ...query, fits: [] });
  const { page, count } = queriesOf(source, query);
  const { found, hasMore, totalCount } = await reads.withPermit(query.platformId, async (cells) => {
    const found = await cells(unnamed(page.text), page.values);
    const hasMore = found.length > query.limit;
    // The only page contains all matching rows.
    if (query.after === undefined && !hasMore) return { found, hasMore, totalCount: found.length };
    const [total] = await cells(unnamed(count.text), count.values);
    return { found, hasMore, totalCount: Number(total?.[0] ?? 0) };
  });
  const fitting = fittingRows(found, { limit: query.limit, maxChars: MAX_PAGE_CHARS });
  return {
    rows: fitting.map((cells) => source.decode(cells)),
    hasMore: hasMore || fitting.length < found.length,
    totalCount,
  };
}

/** The rows of a page, without a count of all: for a walk of the whole list, which would repeat the count at each page. */
export async function listRows<Row>(
  reads: Reads,
  source: ListSource<Row>,
  query: ListQuery,
): Promise<Omit<ListPage<Row>, "totalCount">> {
  const { text, values } = queriesOf({ ...source, list: undefined }, query).page;
  const found = await reads.cells(unnamed(text), values);
  const fitting = fittingRows(found, { limit: query.limit, maxChars: MAX_PAGE_CHARS });
  return {
    rows: fitting.map((cells) => source.decode(cells)),
    hasMore: fitting.length < found.length,
  };
}

interface SqlQuery {
  readonly text: string;
  readonly values: readonly ReadValue[];
}

function queriesOf<Row>(
  source: ListSource<Row>,
  query: ListQuery,
): { readonly page: SqlQuery; readonly count: SqlQuery } {
  const values: ReadValue[] = [query.platformId];
  const { clauses, alternatives } = clausesOf(query.conditions, values);
  const { countFrom = source.from, mostCounted } = source;
  // In order, so that PostgreSQL does not come upon the rows of other platforms first.
  const bound = mostCounted === undefined ? "" : ` order by id limit ${mostCounted + 1}`;
  const countOf = (ids: string) => `select count(*) from (${ids}${bound}) m`;
  const matchingIn = (from: string, alternative: Alternative) =>
    `from ${from} where ${[...clauses, ...alternative.clauses].join(" and ")}`;
  const counted = [...values];
  const order = query.order ?? "desc";
  const beyond =
    query.after === undefined
      ? ""
      : ` and t.id ${order === "desc" ? "<" : ">"} $${values.push(query.after)}::uuid`;
  const columns = [...query.conditions.flatMap((each) => each?.nullColumn ?? []), "t.id"];
  const ordering = columns.map((column) => `${column} ${order}`).join(", ");
  const limit = `limit $${values.push(query.limit + 1)}::int8`;
  const ending = `order by ${ordering} ${limit}`;
  const [only] = alternatives;
  if (only !== undefined && alternatives.length === 1) {
    const matching = matchingIn(source.from, only);
    const onlyCounted = matchingIn(countFrom, only);
    const text = `select ${source.selectList} ${matching}${beyond} ${ending}`;
    const page = { text, values };
    return (
      withStoredTotal({ page, matching: onlyCounted }, { source, query }, counted) ?? {
        page,
        count: { text: countOf(`select t.id ${onlyCounted}`), values: counted },
      }
    );
  }
  const parts = alternatives.map((each) => ({ each, from: matchingIn(countFrom, each) }));
  const ids = parts
    .map(({ each, from }) => `(${forEach(each, `select t.id ${from}${beyond} ${ending}`)})`)
    .join(" union ");
  const all = parts.map(({ each, from }) => forEach(each, `select t.id ${from}`)).join(" union ");
  const first = `select m.id from (${ids}) m order by m.id ${order} ${limit}`;
  const isOnPage = `${PLATFORM} and t.id = any (array(${first}))`;
  return {
    page: {
      text: `select ${source.selectList} from ${source.from} where ${isOnPage} ${ending}`,
      values,
    },
    count: { text: countOf(all), values: counted },
  };
}

/** Uses the stored totals. Undefined when a condition of the list has no equivalent filter on them. */
function withStoredTotal<Row>(
  { page, matching }: { readonly page: SqlQuery; readonly matching: string },
  { source, query }: { readonly source: ListSource<Row>; readonly query: ListQuery },
  clauseValues: readonly ReadValue[],
): { readonly page: SqlQuery; readonly count: SqlQuery } | undefined {
  const { list } = source;
  if (list?.counted === undefined) return undefined;
  const { name, counted } = list;
  const filters = query.conditions.flatMap((each) =>
    each === undefined ? [] : [each.totalsFilter],
  );
  if (!filters.every(isDefined)) return undefined;
  const total = totalQuery({ name, counted }, filters, matching);
  if (total === undefined) return undefined;
  const counting = total.countsRows ? [...clauseValues] : [query.platformId];
  const count = { text: total.text(counting), values: counting };
  if (total.countsRows) return { page, count };
  // The total as limit stops the index walk after the last matching row.
  const values = [...page.values];
  const text = `select * from (${page.text}) p limit (${total.text(values)})`;
  return { page: { text, values }, count };
}

function isDefined(filter: TotalsFilter | undefined): filter is TotalsFilter {
  return filter !== undefined;
}

function unnamed(text: string): Statement {
  return { name: "", text };
}
