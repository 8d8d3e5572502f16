/**
 * Table descriptions: name, typed columns, and which columns are mutable. The type of a row is derived from its columns. The engine
 * writes rows only through them, with one statement per table for new rows and one for changed rows; reads decode to the same row
 * types. `platform_id`, the tenant, is not a member of a row: it is the first column of every table and a parameter of every statement.
 *
 *   const columns = { id: fixed("uuid"), state: mutable<State>("text"), note: mutable<string | null>("text") };
 *   export interface Item extends RowOf<typeof columns> {}
 *   export const items = defineTable<Item>("items", columns);
 *
 * The columns are a constant of their own, so that the options of a table may name the row's type.
 */

import type { ByteWriter } from "../postgres/byte-writer.ts";
import {
  type ColumnType,
  decodeCell,
  encodeValue,
  SQL_TYPES,
  selectExpression,
} from "../postgres/columns.ts";
import type { Statement, Step } from "../postgres/pipeline.ts";
import { Bug } from "../std/assert.ts";
import type { Counted } from "./list-totals.ts";
import { defineUpsert, namesOf, type RowsOf, type Upsert, type UpsertColumn } from "./upsert.ts";

export interface TableRow {
  readonly id: string;
}

/** What a column of each type holds, unless the column names a narrower type. */
interface ColumnValues {
  readonly uuid: string;
  readonly text: string;
  readonly int8: bigint;
  readonly int4: number;
  readonly bool: boolean;
  readonly time: number;
  readonly bytes: Buffer;
}

/** The column types that can hold a value. A type of JSON is always named. */
type TypeFor<Value> = unknown extends Value
  ? never
  :
      | "json"
      | {
          [Type in keyof ColumnValues]: NonNullable<Value> extends ColumnValues[Type]
            ? Type
            : never;
        }[keyof ColumnValues];

/** `Value` is the type of the row's member; it exists for the compiler only. */
export interface ColumnSpec<Value> {
  readonly type: ColumnType;
  readonly mutable: boolean;
  readonly member?: Value;
}

/**
 * A column that is set at insert only. A narrower type, `null` and the type of JSON are named: `fixed<State>("text")`,
 * `fixed<string | null>("uuid")`.
 */
export function fixed<Type extends keyof ColumnValues>(type: Type): ColumnSpec<ColumnValues[Type]>;
export function fixed<Value>(type: TypeFor<Value>): ColumnSpec<Value>;
export function fixed(type: ColumnType): ColumnSpec<unknown> {
  return { type, mutable: false };
}

/** A column that updates may change. */
export function mutable<Type extends keyof ColumnValues>(
  type: Type,
): ColumnSpec<ColumnValues[Type]>;
export function mutable<Value>(type: TypeFor<Value>): ColumnSpec<Value>;
export function mutable(type: ColumnType): ColumnSpec<unknown> {
  return { type, mutable: true };
}

/** The row that columns describe. An interface extends it, so that an error names the row and does not list its columns. */
export type RowOf<Columns> = {
  readonly [Key in keyof Columns]: Columns[Key] extends ColumnSpec<infer Value> ? Value : never;
};

interface Column {
  readonly key: string;
  readonly name: string;
  readonly type: ColumnType;
  readonly mutable: boolean;
}

/** An append-only table. Its rows need no id. */
export interface Records<Row extends object> {
  readonly name: string;
  readonly columns: readonly Column[];
  /** The select list; each column is qualified by the alias. */
  selectList(alias: string): string;
  /** A row from text cells in select-list order, starting at `from`. */
  decode(cells: readonly (string | null)[], from?: number): Row;
  insertStep(platformId: string, rows: readonly Row[]): Step;
}

export interface Table<Row extends TableRow> extends Records<Row> {
  /** The number of the table in order of definition; the row cache uses it as array index. */
  readonly place: number;
  readonly selectByIds: Statement;
  /** Updates existing rows. Empty for a table without mutable columns. */
  rewriteSteps(platformId: string, rows: readonly Row[]): readonly Step[];
  /** Whether the row is in a final state: it is rarely read again, so the cache drops it. */
  isFinal(row: Row): boolean;
  /** Whether each written row is noted in `row_changes`, for the search index. */
  readonly isFollowed: boolean;
  /** What callers attach to a row, by which it is found where the platform has declared the key. */
  metadataOf(row: Row): Readonly<Record<string, string>> | null;
  /** Set when totals of the table are stored: see `list-totals.ts`. */
  readonly counted: Counted<Row> | undefined;
  ref(id: string): Ref<Row>;
}

export interface Ref<Row extends TableRow> {
  readonly kind: "row";
  readonly table: Table<Row>;
  readonly id: string;
}

export interface Children<Row extends TableRow> {
  readonly kind: "children";
  readonly lookup: Lookup<Row>;
  readonly key: string;
}

export interface Lookup<Row extends TableRow> {
  readonly table: Table<Row>;
  readonly name: string;
  readonly select: Statement;
  readonly keyType: ColumnType;
  keyOf(row: Row): string | null;
  holds(row: Row): boolean;
  of(key: string): Children<Row>;
}

export type AnyRef = Ref<TableRow> | Children<TableRow>;

export function defineRecords<Row extends object>(
  name: string,
  specs: { readonly [Key in keyof Row]: ColumnSpec<Row[Key]> },
): Records<Row> {
  const columns: Column[] = Object.entries<ColumnSpec<unknown>>(specs).map(([key, spec]) => ({
    key,
    name: snakeCase(key),
    ...spec,
  }));
  const blank = blankRow(columns);
  const copy = copyStatement(name, columns);
  return {
    name,
    columns,
    selectList: (alias) =>
      columns
        .map(({ name: column, type }) => selectExpression(`${alias}.${column}`, type))
        .join(", "),
    decode(cells, from = 0) {
      const row: Record<string, unknown> = { ...blank };
      for (const [index, column] of columns.entries()) {
        row[column.key] = decodeCell(cells[from + index] ?? null, column.type);
      }
      return row as unknown as Row;
    },
    insertStep: (platformId, rows) => ({
      statement: copy,
      parameters: [],
      copied: copiedRows(columns, { platformId, rows }),
    }),
  };
}

let tableCount = 0;

export function defineTable<Row extends TableRow>(
  name: string,
  specs: { readonly [Key in keyof Row]: ColumnSpec<Row[Key]> },
  options: {
    readonly isFinal?: (row: Row) => boolean;
    readonly counted?: Counted<Row>;
    readonly isFollowed?: true;
    readonly metadataOf?: (row: Row) => Readonly<Record<string, string>> | null;
  } = {},
): Table<Row> {
  const records = defineRecords<Row>(name, specs);
  const table: Table<Row> = {
    ...records,
    place: tableCount++,
    selectByIds: {
      name: `${name}/by-ids`,
      text:
        `select r.* from unnest($2::uuid[]) k(id), lateral (select ${records.selectList("t")} from ${name} t ` +
        "where t.platform_id = $1::uuid and t.id = k.id limit 1) r",
    },
    rewriteSteps: rewriteOf(records),
    isFinal: options.isFinal ?? (() => false),
    isFollowed: options.isFollowed ?? false,
    metadataOf: options.metadataOf ?? (() => null),
    counted: options.counted,
    ref: (id) => ({ kind: "row", table, id }),
  };
  return table;
}

/**
 * A template with all members of a row, which rows copy and fill. An object that gets more than a dozen members one by one
 * becomes a dictionary in V8, which is slow to read and to copy; an object from `JSON.parse` does not.
 */
function blankRow(columns: readonly Column[]): Readonly<Record<string, null>> {
  return JSON.parse(JSON.stringify(Object.fromEntries(columns.map(({ key }) => [key, null]))));
}

/** Rows in the binary format of `copy`: each starts with its number of fields. */
function copiedRows<Row extends object>(
  columns: readonly Column[],
  { platformId, rows }: RowsOf<Row>,
): (writer: ByteWriter) => void {
  return (writer) => {
    for (const row of rows) {
      writer.int16(columns.length + 1);
      encodeValue(writer, platformId, "uuid");
      for (const { key, type } of columns) encodeValue(writer, row[key as keyof Row], type);
    }
  };
}

/** A lookup's name is the name of its prepared statement and the key of its rows in a batch, so it must be unique. */
const lookupNames = new Set<string>();

function lookupName(table: string, name: string): string {
  const full = `${table}/${name}`;
  if (lookupNames.has(full)) throw new Bug(`two lookups are called ${full}`);
  lookupNames.add(full);
  return full;
}

/**
 * Looks rows up by a column. `where.sql` and `where.holds` are the same filter, for stored rows and for rows of the batch. A
 * second lookup by the same column needs a name.
 */
export function defineLookup<Row extends TableRow, Key extends keyof Row & string>(
  table: Table<Row>,
  options: {
    readonly by: Key;
    readonly name?: string;
    readonly where?: { readonly sql: string; readonly holds: (row: Row) => boolean };
  },
): Lookup<Row> {
  const column = table.columns.find((candidate) => candidate.key === options.by);
  if (column === undefined) throw new Bug(`${table.name} has no column ${options.by}`);
  const narrowed = options.where === undefined ? "" : ` and ${options.where.sql}`;
  const name = lookupName(table.name, options.name ?? `by-${column.name}`);
  const lookup: Lookup<Row> = {
    table,
    name,
    keyType: column.type,
    select: {
      name,
      text:
        `select ${table.selectList("t")} from ${table.name} t ` +
        `where t.platform_id = $1::uuid and t.${column.name} = any($2::${SQL_TYPES[column.type]}[])${narrowed}`,
    },
    keyOf: (row) => row[options.by] as string | null,
    holds: options.where?.holds ?? (() => true),
    of: (key) => ({ kind: "children", lookup, key }),
  };
  return lookup;
}

/** The rows of a platform that satisfy a filter, given as SQL for stored rows and as `holds` for rows of the batch. */
export function defineSelection<Row extends TableRow>(
  table: Table<Row>,
  options: { readonly name: string; readonly sql: string; readonly holds: (row: Row) => boolean },
): Children<Row> {
  const name = lookupName(table.name, options.name);
  const lookup: Lookup<Row> = {
    table,
    name,
    keyType: "text",
    select: {
      name,
      text:
        `select ${table.selectList("t")} from ${table.name} t ` +
        `where t.platform_id = $1::uuid and cardinality($2::text[]) > 0 and ${options.sql}`,
    },
    keyOf: () => "all",
    holds: options.holds,
    of: (key) => ({ kind: "children", lookup, key }),
  };
  return lookup.of("all");
}

/**
 * For any number of rows: PostgreSQL has nothing to plan for `copy`, and an `insert` of arrays costs 10 to 100 µs more a statement,
 * also for a single row.
 */
function copyStatement(table: string, columns: readonly Column[]): Statement {
  return {
    name: `${table}/copy`,
    text: `copy ${table} (platform_id, ${namesOf(columns)}) from stdin (format binary)`,
  };
}

/**
 * An update, written as an insert that always conflicts: the conflict check uses the primary key independently of planner
 * statistics. An update that joins the rows would scan a table that was never analyzed, and one statement for each row costs more from the
 * second row on.
 */
function rewriteOf<Row extends TableRow>({ name, columns }: Records<Row>): Upsert<Row> {
  const changing = columns.filter((column) => column.mutable);
  if (changing.length === 0) return () => [];
  const sets = changing.map(({ name: column }) => `${column} = excluded.${column}`).join(", ");
  return defineUpsert<Row>({
    name: `${name}/rewrite`,
    table: name,
    columns: columns as readonly UpsertColumn<Row>[],
    onConflict: `(platform_id, id) do update set ${sets}`,
  });
}

function snakeCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
