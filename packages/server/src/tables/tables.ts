/**
 * A table as the engine sees it: a name, typed columns, which of them change. The engine writes rows only through these
 * descriptions, one statement a table for new rows and one for changed ones, and reads give back the same row shapes.
 * `platform_id` is not part of a row: it is the first column of every table and every statement names it.
 */

import type { ByteWriter } from "../postgres/byte-writer.ts";
import {
  type ColumnType,
  decodeCell,
  encodeArray,
  encodeValue,
  SQL_TYPES,
  selectExpression,
} from "../postgres/columns.ts";
import type { Statement, Step } from "../postgres/pipeline.ts";
import { Bug } from "../std/assert.ts";
import type { Counted } from "./list-totals.ts";

export interface TableRow {
  readonly id: string;
}

export interface ColumnSpec {
  readonly type: ColumnType;
  readonly mutable: boolean;
}

/** A column that is written once. */
export function fixed(type: ColumnType): ColumnSpec {
  return { type, mutable: false };
}

/** A column that an update writes again. */
export function mutable(type: ColumnType): ColumnSpec {
  return { type, mutable: true };
}

interface Column {
  readonly key: string;
  readonly name: string;
  readonly type: ColumnType;
  readonly mutable: boolean;
}

/** Rows that are only ever added: no id of their own is needed. */
export interface Records<Row extends object> {
  readonly name: string;
  readonly columns: readonly Column[];
  /** The select list, each column prefixed by the alias. */
  selectList(alias: string): string;
  /** A row from text cells in select-list order, starting at `from`. */
  decode(cells: readonly (string | null)[], from?: number): Row;
  /** Adds rows. */
  insertStep(platformId: string, rows: readonly Row[]): Step;
}

export interface Table<Row extends TableRow> extends Records<Row> {
  /** Tables are counted as they are defined, so that what is kept of each can be found by number. */
  readonly place: number;
  readonly selectByIds: Statement;
  /** Writes rows again that exist. None of a table in which no column ever changes. */
  rewriteSteps(platformId: string, rows: readonly Row[]): readonly Step[];
  /** Whether a row has come to its end: it is rarely read again, so it need not stay in memory. */
  isOver(row: Row): boolean;
  /** By what its rows are counted, when they are: see `list-totals.ts`. */
  readonly counted: Counted<Row> | undefined;
  ref(id: string): Ref<Row>;
}

/** One row, by id. */
export interface Ref<Row extends TableRow> {
  readonly kind: "row";
  readonly table: Table<Row>;
  readonly id: string;
}

/** All rows of a table whose column has a value (and that `holds`). */
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
  specs: { readonly [Key in keyof Row]-?: ColumnSpec },
): Records<Row> {
  const columns: Column[] = Object.entries<ColumnSpec>(specs).map(([key, spec]) => ({
    key,
    name: snakeCase(key),
    ...spec,
  }));
  const blank = blankRow(columns);
  const insert = insertStatement(name, columns);
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
    insertStep: (platformId, rows) =>
      rows.length < COPIED_FROM
        ? { statement: insert, parameters: arraysOf(columns, { platformId, rows }) }
        : { statement: copy, parameters: [], copied: copiedRows(columns, { platformId, rows }) },
  };
}

let tablesDefined = 0;

export function defineTable<Row extends TableRow>(
  name: string,
  specs: { readonly [Key in keyof Row]-?: ColumnSpec },
  options: { readonly isOver?: (row: Row) => boolean; readonly counted?: Counted<Row> } = {},
): Table<Row> {
  const records = defineRecords<Row>(name, specs);
  const rewrite = rewriteStatement(name, records.columns);
  const table: Table<Row> = {
    ...records,
    place: tablesDefined++,
    selectByIds: {
      name: `${name}/by-ids`,
      text:
        `select r.* from unnest($2::uuid[]) k(id), lateral (select ${records.selectList("t")} from ${name} t ` +
        "where t.platform_id = $1::uuid and t.id = k.id limit 1) r",
    },
    rewriteSteps: (platformId, rows) =>
      rewrite === undefined || rows.length === 0
        ? []
        : [{ statement: rewrite, parameters: arraysOf(records.columns, { platformId, rows }) }],
    isOver: options.isOver ?? (() => false),
    counted: options.counted,
    ref: (id) => ({ kind: "row", table, id }),
  };
  return table;
}

/**
 * All members of a row, empty. Rows are copies of it that are filled in: an object that gets its members one by one becomes
 * a dictionary from a dozen on, slow to read and dear to copy; one that JSON made does not.
 */
function blankRow(columns: readonly Column[]): Readonly<Record<string, null>> {
  return JSON.parse(JSON.stringify(Object.fromEntries(columns.map(({ key }) => [key, null]))));
}

interface RowsOf<Row> {
  readonly platformId: string;
  readonly rows: readonly Row[];
}

/** The platform, and one array a column with its values in all rows. */
function arraysOf<Row extends object>(
  columns: readonly Column[],
  { platformId, rows }: RowsOf<Row>,
): Step["parameters"] {
  const arrays = columns.map((column) => (writer: ByteWriter) => {
    const key = column.key as keyof Row;
    encodeArray(writer, rows, { type: column.type, pick: (row) => row[key] });
  });
  return [(writer) => encodeValue(writer, platformId, "uuid"), ...arrays];
}

/** Row after row, each with the number of its values in front. */
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

/** A name stands for one statement on a connection, and for one set of rows in a batch: no two lookups may share it. */
const lookupNames = new Set<string>();

function lookupName(table: string, name: string): string {
  const full = `${table}/${name}`;
  if (lookupNames.has(full)) throw new Bug(`two lookups are called ${full}`);
  lookupNames.add(full);
  return full;
}

/**
 * Rows of `table` by one of its columns. `where` narrows it in SQL exactly as `holds` does for rows not yet written; a second
 * lookup by the same column has a name of its own.
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

/** The rows of a platform for which something holds, said once in SQL and once for rows that are not yet written. */
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
 * From so many rows on they are copied, not inserted: PostgreSQL then writes a page of rows at a time, to the table and to
 * its log, and takes several pages at once when the table grows. Fewer rows are inserted, because a copy is an exchange of
 * its own with the server. Where the line lies was chosen, not measured.
 */
const COPIED_FROM = 4;

function copyStatement(table: string, columns: readonly Column[]): Statement {
  return {
    name: `${table}/copy`,
    text: `copy ${table} (platform_id, ${namesOf(columns)}) from stdin (format binary)`,
  };
}

function insertStatement(table: string, columns: readonly Column[]): Statement {
  const names = namesOf(columns);
  const params = columns.map((column, index) => `$${index + 2}::${SQL_TYPES[column.type]}[]`);
  return {
    name: `${table}/insert`,
    text: `insert into ${table} (platform_id, ${names}) select $1::uuid, x.* from unnest(${params.join(", ")}) x(${names})`,
  };
}

function namesOf(columns: readonly Column[]): string {
  return columns.map(({ name }) => name).join(", ");
}

/**
 * Said as an insert that always meets its row: PostgreSQL then goes straight to the primary key, whatever it believes about
 * the table. A join with the list of rows is planned by estimates, and on a table that was never analyzed it scans.
 */
function rewriteStatement(table: string, columns: readonly Column[]): Statement | undefined {
  const changing = columns.filter((column) => column.mutable);
  if (changing.length === 0) return undefined;
  const sets = changing.map(({ name }) => `${name} = excluded.${name}`).join(", ");
  return {
    name: `${table}/rewrite`,
    text: `${insertStatement(table, columns).text} on conflict (platform_id, id) do update set ${sets}`,
  };
}

function snakeCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
