/**
 * The row cache of one platform. Its rows are valid while no other process has written for the platform. Every write moves
 * the head, so the engine drops the cache when it finds another head. Rows in a final state are dropped at once.
 *
 * Bound: each table has a young and an old generation. When there are too many young rows, those of the table with most of
 * them become its old generation, and its previous old generation is dropped. A read makes an old row young again. Tables age separately,
 * because thousands of payments come and go while their accounts are used again.
 */
import { Bug, present } from "../../std/assert.ts";
import type { Ref, Table, TableRow } from "../../tables/tables.ts";
import type { RowReceiver } from "./load-rows.ts";

interface TableRows {
  young: Map<string, TableRow>;
  old: Map<string, TableRow>;
  readonly absent: Set<string>;
  /** The ids of rows that are being fetched, each with its fetch. */
  readonly fetched: Map<string, symbol>;
}

export interface Fetch extends RowReceiver {
  /** Ends the fetch; rows that arrive later are ignored. */
  abandon(): void;
}

/** At most this many absent ids are remembered for a table, because callers can invent ids. */
const MAX_ABSENT = 4_096;

export class RowCache {
  readonly #capacity: number;
  /** Indexed by `table.place`; undefined for tables without cached rows. */
  #tables: (TableRows | undefined)[] = [];
  /** Tables with an old generation, in the order of aging. */
  #aged: TableRows[] = [];
  #final: { readonly table: Table<TableRow>; readonly row: TableRow }[] = [];

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  find<Row extends TableRow>({ table, id }: Ref<Row>): Row | undefined {
    const rows = this.#tables[table.place];
    if (rows === undefined) return undefined;
    const young = rows.young.get(id);
    if (young !== undefined) return young as Row;
    const old = rows.old.get(id);
    if (old === undefined) return undefined;
    this.#set(rows, old);
    return old as Row;
  }

  put<Row extends TableRow>(table: Table<Row>, row: Row): void {
    this.#set(this.#rowsOf(table), row);
    if (table.isFinal(row)) this.#final.push({ table, row });
  }

  isAbsent({ table, id }: Ref<TableRow>): boolean {
    return this.#tables[table.place]?.absent.has(id) === true;
  }

  /** Caches the absence of a row. */
  markAbsent(table: Table<TableRow>, id: string): void {
    const { absent } = this.#rowsOf(table);
    if (absent.size >= MAX_ABSENT) absent.clear();
    absent.add(id);
  }

  /**
   * Opens a fetch of rows that are not cached. A row that was put meanwhile, or dropped with the cache, is not taken from the
   * fetch, because the fetched version may be older.
   */
  openFetch(refs: readonly Ref<TableRow>[]): Fetch {
    const fetch = Symbol("fetch");
    for (const { table, id } of refs) this.#rowsOf(table).fetched.set(id, fetch);
    return {
      receiveRows: (table, ids, rows) => {
        const { fetched } = this.#rowsOf(table);
        const found = new Map(rows.map((row) => [row.id, row]));
        for (const id of ids) {
          if (fetched.get(id) !== fetch) continue;
          fetched.delete(id);
          const row = found.get(id);
          if (row === undefined) this.markAbsent(table, id);
          else this.put(table, row);
        }
      },
      receiveChildren: (children) => {
        throw new Bug(`${children.lookup.name} cannot be fetched ahead`);
      },
      abandon: () => {
        for (const { table, id } of refs) {
          const { fetched } = this.#rowsOf(table);
          if (fetched.get(id) === fetch) fetched.delete(id);
        }
      },
    };
  }

  remove(table: Table<TableRow>, id: string): void {
    const rows = this.#tables[table.place];
    if (rows === undefined) return;
    rows.old.delete(id);
    rows.young.delete(id);
  }

  get size(): number {
    return this.#youngCount() + this.#oldCount();
  }

  clear(): void {
    this.#tables = [];
    this.#aged = [];
    this.#final = [];
  }

  /** Drops rows in a final state and ages others when there are too many. Not called while a batch decides. */
  trim(): void {
    this.#dropFinal();
    while (this.#youngCount() >= this.#capacity) this.#ageLargest();
  }

  #ageLargest(): void {
    const [first, ...others] = this.#known();
    let largest = present(first, "a table with rows");
    for (const rows of others) if (rows.young.size > largest.young.size) largest = rows;
    largest.old = largest.young;
    largest.young = new Map();
    this.#aged = [...this.#aged.filter((rows) => rows !== largest), largest];
    while (this.#aged.length > 1 && this.#oldCount() > this.#capacity) {
      const oldest = this.#aged.shift();
      if (oldest !== undefined) oldest.old = new Map();
    }
  }

  #youngCount(): number {
    let count = 0;
    for (const { young } of this.#known()) count += young.size;
    return count;
  }

  #oldCount(): number {
    return this.#aged.reduce((count, { old }) => count + old.size, 0);
  }

  #dropFinal(): void {
    for (const { table, row } of this.#final) {
      const rows = this.#tables[table.place];
      const latest = rows?.young.get(row.id) ?? rows?.old.get(row.id);
      if (latest === row) this.remove(table, row.id);
    }
    this.#final = [];
  }

  #known(): TableRows[] {
    return this.#tables.filter((rows) => rows !== undefined);
  }

  #rowsOf(table: Table<TableRow>): TableRows {
    let rows = this.#tables[table.place];
    if (rows === undefined) {
      rows = { young: new Map(), old: new Map(), absent: new Set(), fetched: new Map() };
      this.#tables[table.place] = rows;
    }
    return rows;
  }

  #set({ young, absent, fetched }: TableRows, row: TableRow): void {
    young.set(row.id, row);
    if (absent.size > 0) absent.delete(row.id);
    if (fetched.size > 0) fetched.delete(row.id);
  }
}
