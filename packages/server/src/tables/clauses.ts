/** The conditions of a list as SQL. */
import type { ReadValue } from "../postgres/database.ts";
import type { ListQuery } from "./list-query.ts";

export const PLATFORM = "t.platform_id = $1::uuid";

export interface Alternative {
  readonly clauses: readonly string[];
  /** The ids of which `k.id` is each, in a query of the alternative. */
  readonly each?: string;
}

/** The clauses that are joined by "and", and the alternatives that become a union, if any may. Appends to `values`. */
export function clausesOf(
  conditions: ListQuery["conditions"],
  values: ReadValue[],
  mayBeUnion = true,
) {
  const clauses = [PLATFORM];
  let alternatives: readonly Alternative[] = [{ clauses: [] }];
  for (const condition of conditions) {
    if (condition === undefined) continue;
    const { value } = condition;
    const place = value === undefined ? "?" : `$${values.push(value)}`;
    const put = (text: string) => text.replaceAll("?", place);
    const parts = [condition.sql].flat();
    if (mayBeUnion && parts.length > 1 && alternatives.length === 1) {
      alternatives = parts.map((part) =>
        typeof part === "string"
          ? { clauses: [put(part)] }
          : { clauses: [`${part.column} = k.id`], each: put(part.ids) },
      );
      continue;
    }
    const texts = parts.map((part) =>
      put(typeof part === "string" ? part : `${part.column} = any (${part.ids})`),
    );
    clauses.push(texts.length > 1 ? `(${texts.join(" or ")})` : texts.join(""));
  }
  return { clauses, alternatives };
}

/** The query of an alternative, for each of its ids. */
export function forEach({ each }: Alternative, query: string): string {
  return each === undefined ? query : `select m.* from unnest(${each}) k(id), lateral (${query}) m`;
}

/** The row of each id of an SQL expression, in its order. In `row`, `k.id` is the id. */
export function inOrderOf(ids: string, row: string): string {
  return `select m.* from unnest(${ids}) with ordinality k(id, place), lateral (${row}) m order by k.place`;
}
