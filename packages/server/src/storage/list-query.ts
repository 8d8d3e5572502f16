/**
 * A page of a list: newest first by id, which is the order of creation, since ids rise with a platform's time. The number
 * of texts is bounded: one for each set of conditions that a list knows.
 */
import type { Reads, ReadValue } from "./database.ts";
import type { Records } from "./tables.ts";

/** One condition: `sql` says `?` where its value goes. Without a value it stands as it is. */
export interface Condition {
  readonly sql: string;
  readonly value?: ReadValue;
}

export interface ListQuery {
  readonly platformId: string;
  /** `undefined` conditions are left out. */
  readonly conditions: readonly (Condition | undefined)[];
  /** The last id of the page before. */
  readonly after: string | undefined;
  readonly limit: number;
  readonly order?: "asc" | "desc" | undefined;
}

export interface ListPage<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
  readonly totalCount: number;
}

export interface ListSource<Row> {
  readonly name: string;
  readonly selectList: string;
  /** With the listed table as `t`. */
  readonly from: string;
  decode(cells: readonly (string | null)[]): Row;
}

export function tableSource<Row extends object>(table: Records<Row>): ListSource<Row> {
  return {
    name: table.name,
    selectList: table.selectList("t"),
    from: `${table.name} t`,
    decode: (cells) => table.decode(cells),
  };
}

/** The page and the number of all that match. */
export async function listPage<Row>(
  reads: Reads,
  source: ListSource<Row>,
  query: ListQuery,
): Promise<ListPage<Row>> {
  const values: ReadValue[] = [query.platformId];
  const clauses = ["t.platform_id = $1::uuid"];
  for (const condition of query.conditions) {
    if (condition === undefined) continue;
    if (condition.value === undefined) clauses.push(condition.sql);
    else clauses.push(condition.sql.replaceAll("?", `$${values.push(condition.value)}`));
  }
  const where = clauses.join(" and ");
  const count = named(source, `select count(*) from ${source.from} where ${where}`);
  const counted = [...values];
  const order = query.order ?? "desc";
  const beyond =
    query.after === undefined
      ? ""
      : ` and t.id ${order === "desc" ? "<" : ">"} $${values.push(query.after)}::uuid`;
  const limit = `$${values.push(query.limit + 1)}::int8`;
  const text = `select ${source.selectList} from ${source.from} where ${where}${beyond} order by t.id ${order} limit ${limit}`;
  const { found, hasMore, totalCount } = await reads.inOneTurn(query.platformId, async (cells) => {
    const found = await cells(named(source, text), values);
    const hasMore = found.length > query.limit;
    // A first page that is the only one has them all.
    if (query.after === undefined && !hasMore) return { found, hasMore, totalCount: found.length };
    const [total] = await cells(count, counted);
    return { found, hasMore, totalCount: Number(total?.[0] ?? 0) };
  });
  return {
    rows: found.slice(0, query.limit).map((cells) => source.decode(cells)),
    hasMore,
    totalCount,
  };
}

const names = new Map<string, string>();

function named(source: { readonly name: string }, text: string) {
  let name = names.get(text);
  if (name === undefined) {
    name = `${source.name}/list-${names.size}`;
    names.set(text, name);
  }
  return { name, text };
}
