/**
 * Pages of a table by conditions that no index serves, in the order of the list: see `search.ts` for what they may read. A condition with a `walk`
 * has an index of ids in this order, and each row of them is looked up.
 */
import type { Reads, ReadValue } from "../postgres/database.ts";
import { clausesOf, forEach, inOrderOf } from "./clauses.ts";
import { fittingRows, MAX_PAGE_CHARS } from "./fitting-rows.ts";
import type { Condition, ListPage, ListQuery, ListSource, Walk } from "./list-query.ts";
import { type FoundPositions, MOST_SEARCHED, searchPositions } from "./search.ts";

export interface SearchedQuery extends ListQuery {
  /** The conditions without an index. */
  readonly fits: ListQuery["conditions"];
}

/** Reads a page by `fits`; the rows of a page are found by their ids. Most are not counted. */
export async function searchRows<Row>(
  reads: Reads,
  source: ListSource<Row>,
  query: SearchedQuery,
): Promise<ListPage<Row>> {
  const walked = query.conditions.find(hasWalk);
  if (walked?.walk.isShort === true) return allAlong(reads, source, { query, walked });
  if (walked === undefined)
    return pageOf(reads, source, { query, found: await searchList(reads, source, query) });
  const found = await searchAlong(reads, source, { query, walked });
  const isOnly = query.after === undefined && !found.hasMore;
  const totalCount = isOnly ? found.positions.length : undefined;
  return pageOf(reads, source, { query, found, totalCount });
}

type Walked = Condition & { readonly walk: Walk };

function hasWalk(condition: Condition | undefined): condition is Walked {
  return condition?.walk !== undefined;
}

/** A page whose rows are large ends early. */
async function pageOf<Row>(
  reads: Reads,
  source: ListSource<Row>,
  {
    query: { platformId, limit },
    found: { positions, hasMore, end },
    totalCount,
  }: {
    readonly query: ListQuery;
    readonly found: FoundPositions;
    readonly totalCount?: number | undefined;
  },
): Promise<ListPage<Row>> {
  // Row by row: to join the rows of a page with another table, PostgreSQL may read all of that.
  const row = `select ${source.selectList} from ${source.from} where t.platform_id = $1::uuid and t.id = k.id limit 1`;
  const text = inOrderOf("$2::uuid[]", row);
  const found = await reads.cells({ name: "", text }, [platformId, positions]);
  const fitting = fittingRows(found, { limit, maxChars: MAX_PAGE_CHARS });
  const rows = fitting.map((cells) => source.decode(cells));
  return rows.length < found.length
    ? { rows, hasMore: true, totalCount }
    : { rows, hasMore, end, totalCount };
}

function searchList<Row>(
  reads: Reads,
  source: ListSource<Row>,
  query: SearchedQuery,
): Promise<FoundPositions> {
  const judged = query.conditions.filter((each) => each?.isUnordered === true);
  const conditions = query.conditions.filter((each) => each?.isUnordered !== true);
  const fits = [...query.fits, ...judged];
  const most = mostSearched(fits, 0);
  const walked = walkOf(source, { ...query, conditions, fits }, most);
  return searchPositions(reads, { ...walked, fits: "w.fits", limit: query.limit, most });
}

function mostSearched(fits: ListQuery["conditions"], own: number): number {
  const lookups = fits.reduce((sum, each) => sum + (each?.lookups ?? 0), own);
  return Math.floor(MOST_SEARCHED / (1 + lookups));
}

/** Alternatives are walked side by side, each by its index. */
function walkOf(
  { countFrom, from }: Pick<ListSource<unknown>, "countFrom" | "from">,
  query: SearchedQuery,
  most: number,
) {
  const { platformId, conditions, fits, order = "desc" } = query;
  const values: ReadValue[] = [platformId];
  const { clauses, alternatives } = clausesOf(conditions, values);
  const fitting = clausesOf(fits, values, false).clauses.join(" and ");
  const beyond = beyondCursor(query, values);
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

function beyondCursor({ after, order }: ListQuery, values: ReadValue[]): readonly string[] {
  return after === undefined
    ? []
    : [`t.id ${order === "asc" ? ">" : "<"} $${values.push(after)}::uuid`];
}

interface Along {
  readonly query: SearchedQuery;
  readonly walked: Walked;
}

/**
 * The ids of the walk, and whether the row of each meets all conditions. A subquery in the select list is executed for each id that is read. With a
 * join, PostgreSQL may read all ids first.
 */
function alongOf(
  { countFrom, from }: Pick<ListSource<unknown>, "countFrom" | "from">,
  { query, walked }: Along,
) {
  const { platformId, conditions, order = "desc" } = query;
  const values: ReadValue[] = [platformId];
  const place = walked.value === undefined ? "?" : `$${values.push(walked.value)}`;
  const fitting = clausesOf([...conditions, ...query.fits], values, false).clauses;
  const [, ...bounds] = clausesOf(conditions.filter(isOnId), values, false).clauses;
  const ids = ["", ...bounds, ...beyondCursor(query, values)].join(" and ");
  const judged = `(select ${fitting.join(" and ")} from ${countFrom ?? from} where t.platform_id = $1::uuid and t.id = i.id)`;
  return {
    walk:
      `select i.id, i.id::text as position, coalesce(${judged}, false) as fits from ` +
      `(select t.id ${walked.walk.sql.replaceAll("?", place)}${ids} order by t.id ${order}) i`,
    values,
  };
}

const isOnId = (condition: Condition | undefined) => condition?.isOnId === true;

/** A page of a short walk: all of its rows are judged. */
async function allAlong<Row>(
  reads: Reads,
  source: ListSource<Row>,
  { query, walked }: Along,
): Promise<ListPage<Row>> {
  const { after, limit, order = "desc" } = query;
  const { walk, values } = alongOf(source, { query: { ...query, after: undefined }, walked });
  const text = `select w.position from (${walk}) w where w.fits order by w.id ${order}`;
  const fitting = await reads.cells({ name: "", text }, values);
  const all = fitting.flatMap(([id]) => id ?? []);
  const isLeft = (id: string) => after === undefined || (order === "asc" ? id > after : id < after);
  const left = all.filter(isLeft);
  const found = {
    positions: left.slice(0, limit),
    hasMore: left.length > limit,
    end: undefined,
  };
  return pageOf(reads, source, { query, found, totalCount: all.length });
}

const isNarrow = (condition: Condition | undefined) =>
  condition !== undefined && condition.isUnordered !== true && !isOnId(condition);

/** What a row costs that is looked up by its id, in rows of a walk of the list. */
const LOOKUP = 3;
/** The same where the list is searched as well. */
const FIRST_LOOKUP = 9;

/**
 * A search along a walk with many ids. It fills a page at once unless few of these rows meet the other conditions. Then an index of those may lead to
 * them, so the list is searched as well, and the search that came further is the answer.
 */
async function searchAlong<Row>(
  reads: Reads,
  source: ListSource<Row>,
  { query, walked }: Along,
): Promise<FoundPositions> {
  const { conditions, limit, order } = query;
  const isNarrowed = conditions.some(isNarrow);
  const most = mostSearched([...conditions, ...query.fits], isNarrowed ? FIRST_LOOKUP : LOOKUP);
  const along = { ...alongOf(source, { query, walked }), fits: "w.fits", limit, most };
  const found = await searchPositions(reads, along);
  if (found.end === undefined || !isNarrowed) return found;
  const listed = await searchList(reads, source, query);
  if (listed.end === undefined) return listed;
  return listed.end < found.end === (order !== "asc") ? listed : found;
}
