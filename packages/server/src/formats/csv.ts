/**
 * A streaming CSV parser: RFC 4180 quotes, lines that end in CR LF or LF. It skips empty lines and a byte order mark at the
 * beginning. Every cell is text.
 *
 * Bounds: one partial record is buffered, up to `maxRecordBytes`, which also ends a quote that is never closed. The first
 * `maxCells` cells of a record are returned and the others counted.
 */
import { isUtf8 } from "node:buffer";

/** `too-long` ends the parsing; after the other faults it continues with the next record. */
export type CsvProblem = "not-utf8" | "bad-quotes" | "too-long";

export interface CsvRecord {
  readonly cells: readonly string[];
  /** The number of cells. */
  readonly width: number;
  /** The byte offset of the next record. */
  readonly end: number;
  readonly problem: CsvProblem | undefined;
}

export interface CsvReader {
  take(bytes: Buffer): readonly CsvRecord[];
  /** The last record, when the text does not end with a line end. */
  finish(): readonly CsvRecord[];
}

export interface CsvOptions {
  /** The byte offset at which parsing begins; a record begins there. */
  readonly at: number;
  readonly maxRecordBytes: number;
  readonly maxCells: number;
}

const QUOTE = 0x22;
const LF = 0x0a;
const CR = 0x0d;
const COMMA = 0x2c;
const MARK = Buffer.from([0xef, 0xbb, 0xbf]);

export function createCsvReader(options: CsvOptions): CsvReader {
  return new Reader(options);
}

class Reader implements CsvReader {
  readonly #maxRecordBytes: number;
  readonly #maxCells: number;
  /** The byte offset of `#rest`. */
  #at: number;
  #rest: Buffer = Buffer.alloc(0);
  /** The number of bytes of `#rest` that were scanned. */
  #looked = 0;
  #isQuoted = false;
  #isBroken = false;

  constructor({ at, maxRecordBytes, maxCells }: CsvOptions) {
    this.#at = at;
    this.#maxRecordBytes = maxRecordBytes;
    this.#maxCells = maxCells;
  }

  take(bytes: Buffer): readonly CsvRecord[] {
    const records: CsvRecord[] = [];
    if (this.#isBroken) return records;
    const data = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    let from = 0;
    let looked = this.#looked;
    let quote = data.indexOf(QUOTE, looked);
    for (;;) {
      const end = data.indexOf(LF, looked);
      const stop = end === -1 ? data.length : end;
      // A quote inside quotes is written twice, so a count of the quotes says whether the text is inside.
      while (quote !== -1 && quote < stop) {
        this.#isQuoted = !this.#isQuoted;
        quote = data.indexOf(QUOTE, quote + 1);
      }
      looked = stop;
      if (end === -1) break;
      looked = end + 1;
      if (this.#isQuoted) continue;
      this.#add(records, data.subarray(from, end), looked - from);
      from = looked;
    }
    this.#rest = data.subarray(from);
    this.#looked = looked - from;
    if (this.#rest.length > this.#maxRecordBytes) this.#break(records);
    return records;
  }

  finish(): readonly CsvRecord[] {
    const records: CsvRecord[] = [];
    this.#add(records, this.#rest, this.#rest.length);
    return records;
  }

  #add(records: CsvRecord[], line: Buffer, length: number): void {
    if (this.#isBroken) return;
    const hasMark = this.#at === 0 && line.subarray(0, MARK.length).equals(MARK);
    this.#at += length;
    const from = hasMark ? MARK.length : 0;
    const to = line[line.length - 1] === CR ? line.length - 1 : line.length;
    if (to <= from) return;
    if (line.length > this.#maxRecordBytes) this.#break(records);
    else {
      const record = parseRecord(line.subarray(from, to), this.#maxCells);
      records.push({ end: this.#at, ...record });
    }
  }

  #break(records: CsvRecord[]): void {
    if (!this.#isBroken) records.push({ ...unreadable("too-long"), end: this.#at });
    this.#isBroken = true;
  }
}

type Parsed = Pick<CsvRecord, "cells" | "width" | "problem">;

function unreadable(problem: CsvProblem): Parsed {
  return { cells: [], width: 0, problem };
}

function parseRecord(bytes: Buffer, maxCells: number): Parsed {
  if (!isUtf8(bytes)) return unreadable("not-utf8");
  const text = bytes.toString("utf8");
  if (text.includes('"')) return quotedCells(text, maxCells) ?? unreadable("bad-quotes");
  return { cells: text.split(",", maxCells), width: 1 + commasIn(bytes), problem: undefined };
}

function commasIn(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(COMMA); at !== -1; at = bytes.indexOf(COMMA, at + 1)) count++;
  return count;
}

const CELL = /(?:"([^"]*(?:""[^"]*)*)"|([^",]*))(,|$)/y;

/** Undefined for a misplaced quote. */
function quotedCells(text: string, maxCells: number): Parsed | undefined {
  const cells: string[] = [];
  CELL.lastIndex = 0;
  for (let width = 1; ; width++) {
    const match = CELL.exec(text);
    if (match === null) return undefined;
    const [, quoted, bare = "", close] = match;
    if (width <= maxCells) cells.push(quoted === undefined ? bare : quoted.replaceAll('""', '"'));
    if (close === "") return { cells, width, problem: undefined };
  }
}
