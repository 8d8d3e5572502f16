/**
 * Upserts of several rows of a platform.
 *
 * A few rows are written as `values`, at most `CHUNK` in a statement. More rows are written as one array a column, whose cost hardly depends on
 * the number of rows but is large: 130 µs for the 26 columns of `transactions`, where a row as `values` costs 10 to 17 µs (ADR 172). Each
 * number of rows is a prepared statement of its own, so `CHUNK` bounds the plans that a connection keeps.
 */
import type { ByteWriter } from "../postgres/byte-writer.ts";
import { type ColumnType, encodeArray, parameter, SQL_TYPES } from "../postgres/columns.ts";
import type { Statement, Step } from "../postgres/pipeline.ts";
import { present } from "../std/assert.ts";

const CHUNK = 8;
/** From this number of rows on, arrays cost less. */
const MOST_AS_VALUES = 24;

export interface UpsertColumn<Row> {
  readonly key: keyof Row & string;
  readonly name: string;
  readonly type: ColumnType;
}

export interface UpsertOptions<Row> {
  /** The name of its prepared statements. */
  readonly name: string;
  readonly table: string;
  /** All but `platform_id`. */
  readonly columns: readonly UpsertColumn<Row>[];
  /** What follows `on conflict`. */
  readonly onConflict: string;
}

export type Upsert<Row> = (platformId: string, rows: readonly Row[]) => readonly Step[];

export function defineUpsert<Row>(options: UpsertOptions<Row>): Upsert<Row> {
  const { columns } = options;
  const arrays = arraysStatement(options);
  const values = Array.from({ length: CHUNK }, (_, index) => valuesStatement(options, index + 1));
  return (platformId, rows) => {
    if (rows.length > MOST_AS_VALUES)
      return [{ statement: arrays, parameters: arraysOf(columns, { platformId, rows }) }];
    const steps: Step[] = [];
    for (let start = 0; start < rows.length; start += CHUNK) {
      const chunk = rows.slice(start, start + CHUNK);
      const statement = present(values[chunk.length - 1], "the statement of a chunk");
      steps.push({ statement, parameters: valuesOf(columns, { platformId, rows: chunk }) });
    }
    return steps;
  };
}

function arraysStatement<Row>({ name, table, columns, onConflict }: UpsertOptions<Row>): Statement {
  const names = namesOf(columns);
  const params = columns.map(({ type }, index) => `$${index + 2}::${SQL_TYPES[type]}[]`);
  return {
    name,
    text:
      `insert into ${table} (platform_id, ${names}) select $1::uuid, x.* from unnest(${params.join(", ")}) x(${names}) ` +
      `on conflict ${onConflict}`,
  };
}

function valuesStatement<Row>(
  { name, table, columns, onConflict }: UpsertOptions<Row>,
  count: number,
): Statement {
  const rows = Array.from({ length: count }, (_, row) => {
    const first = 2 + row * columns.length;
    return columns.map(({ type }, index) => `$${first + index}::${SQL_TYPES[type]}`).join(", ");
  });
  return {
    name: `${name}-${count}`,
    text:
      `insert into ${table} (platform_id, ${namesOf(columns)}) values ${rows.map((row) => `($1::uuid, ${row})`).join(", ")} ` +
      `on conflict ${onConflict}`,
  };
}

/** The names of columns, as in a list of SQL. */
export function namesOf(columns: readonly { readonly name: string }[]): string {
  return columns.map(({ name }) => name).join(", ");
}

export interface RowsOf<Row> {
  readonly platformId: string;
  readonly rows: readonly Row[];
}

function arraysOf<Row>(
  columns: readonly UpsertColumn<Row>[],
  { platformId, rows }: RowsOf<Row>,
): Step["parameters"] {
  const arrays = columns.map(({ key, type }) => (writer: ByteWriter) => {
    encodeArray(writer, rows, { type, pick: (row) => row[key] });
  });
  return [parameter("uuid", platformId), ...arrays];
}

function valuesOf<Row>(
  columns: readonly UpsertColumn<Row>[],
  { platformId, rows }: RowsOf<Row>,
): Step["parameters"] {
  const parameters = [parameter("uuid", platformId)];
  for (const row of rows) {
    for (const { key, type } of columns) parameters.push(parameter(type, row[key]));
  }
  return parameters;
}
