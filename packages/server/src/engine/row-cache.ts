/**
 * One platform's rows in memory. They are true as long as nobody else has written for the platform, which the head's
 * `seq` tells; the engine drops them all when it finds another value. Bounded: two generations, and when the young one
 * is full it becomes the old one, so that rows in use stay and others go. Rows that have come to their end go at once.
 */
import { Bug } from "../std/assert.ts";
import type { Ref, Table, TableRow } from "../storage/tables.ts";
import type { RowReceiver } from "./load-rows.ts";

type Rows = Map<string, TableRow>;

/** Ids that lead nowhere are remembered up to this many; a caller can make them up. */
const MOST_ABSENT = 4_096;

export class RowCache {
  readonly #capacity: number;
  #young = new Map<string, Rows>();
  #old = new Map<string, Rows>();
  #youngCount = 0;
  #oldCount = 0;
  #absent = new Set<string>();
  /** Rows that are being fetched, and by which fetch. */
  #fetched = new Map<string, symbol>();
  #over: { readonly tableName: string; readonly row: TableRow }[] = [];

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  find<Row extends TableRow>(ref: Ref<Row>): Row | undefined {
    const young = this.#young.get(ref.table.name)?.get(ref.id);
    if (young !== undefined) return young as Row;
    const old = this.#old.get(ref.table.name)?.get(ref.id);
    if (old === undefined) return undefined;
    this.#set(ref.table.name, old);
    return old as Row;
  }

  put<Row extends TableRow>(table: Table<Row>, row: Row): void {
    this.#set(table.name, row);
    if (table.isOver(row)) this.#over.push({ tableName: table.name, row });
  }

  /** Whether a row is known not to exist. */
  isAbsent(ref: Ref<TableRow>): boolean {
    return this.#absent.has(`${ref.table.name}/${ref.id}`);
  }

  /** Remembers that there is no such row, as long as nobody else writes. */
  markAbsent(tableName: string, id: string): void {
    if (this.#absent.size >= MOST_ABSENT) this.#absent.clear();
    this.#absent.add(`${tableName}/${id}`);
  }

  /**
   * For rows that are not in memory and are fetched beside the batches. What has meanwhile been put, or dropped with all
   * other rows, is not taken from the fetch: it may be older than what is known.
   */
  openFetch(refs: readonly Ref<TableRow>[]): RowReceiver {
    const fetch = Symbol("fetch");
    for (const ref of refs) this.#fetched.set(`${ref.table.name}/${ref.id}`, fetch);
    return {
      receiveRows: (table, ids, rows) => {
        const found = new Map(rows.map((row) => [row.id, row]));
        for (const id of ids) {
          const key = `${table.name}/${id}`;
          if (this.#fetched.get(key) !== fetch) continue;
          this.#fetched.delete(key);
          const row = found.get(id);
          if (row === undefined) this.markAbsent(table.name, id);
          else this.put(table, row);
        }
      },
      receiveChildren: (children) => {
        throw new Bug(`${children.lookup.name} cannot be fetched ahead`);
      },
    };
  }

  remove(tableName: string, id: string): void {
    this.#old.get(tableName)?.delete(id);
    if (this.#young.get(tableName)?.delete(id) === true) this.#youngCount--;
  }

  get size(): number {
    return this.#youngCount + this.#oldCount;
  }

  clear(): void {
    this.#young = new Map();
    this.#old = new Map();
    this.#youngCount = 0;
    this.#oldCount = 0;
    this.#absent.clear();
    this.#fetched.clear();
    this.#over = [];
  }

  /** Lets go of rows that are over, and ages the others when there are too many. A batch that decides keeps its rows. */
  trim(): void {
    this.#dropOver();
    if (this.#youngCount < this.#capacity) return;
    this.#old = this.#young;
    this.#oldCount = this.#youngCount;
    this.#young = new Map();
    this.#youngCount = 0;
  }

  #dropOver(): void {
    for (const { tableName, row } of this.#over) {
      const latest =
        this.#young.get(tableName)?.get(row.id) ?? this.#old.get(tableName)?.get(row.id);
      if (latest === row) this.remove(tableName, row.id);
    }
    this.#over = [];
  }

  #set(tableName: string, row: TableRow): void {
    let rows = this.#young.get(tableName);
    if (rows === undefined) {
      rows = new Map();
      this.#young.set(tableName, rows);
    }
    const before = rows.size;
    rows.set(row.id, row);
    if (this.#absent.size > 0) this.#absent.delete(`${tableName}/${row.id}`);
    if (this.#fetched.size > 0) this.#fetched.delete(`${tableName}/${row.id}`);
    this.#youngCount += rows.size - before;
  }
}
