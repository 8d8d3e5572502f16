/** Selects child rows as one JSON column of the parent's query. */
import { selectExpression } from "../postgres/columns.ts";
import type { Records } from "./tables.ts";

export interface NestedRows<Row> {
  readonly select: string;
  decode(cell: string | null | undefined): readonly Row[];
}

/** The rows that satisfy `where`, ordered by id. */
export function nestedRows<Row extends object>(
  table: Records<Row>,
  { alias, where }: { readonly alias: string; readonly where: string },
): NestedRows<Row> {
  const cells = table.columns.map(({ name, type }) => {
    const text = `(${selectExpression(`${alias}.${name}`, type)})::text`;
    // `::text` gives true or false; `decodeCell` expects t or f.
    return type === "bool" ? `left(${text}, 1)` : text;
  });
  return {
    select:
      `(select json_agg(json_build_array(${cells.join(", ")}) order by ${alias}.id) ` +
      `from ${table.name} ${alias} where ${where})`,
    decode(cell) {
      if (cell === null || cell === undefined) return [];
      return (JSON.parse(cell) as (string | null)[][]).map((row) => table.decode(row));
    },
  };
}
