/** Reads a file of customers as a table: its header, its rows, and the reasons to refuse it. */
import {
  type BulkJob,
  MOST_LISTED_ERRORS,
  type RowError,
  rowLabel,
} from "../domain/customers/bulk-jobs/bulk-job.ts";
import { type CsvProblem, type CsvRecord, createCsvReader } from "../formats/csv.ts";
import type { SealedFiles } from "../secrets/sealed-files.ts";
import { nextTurn } from "../std/clock.ts";
import {
  columnNames,
  columnsOfEveryFile,
  MOST_COLUMNS,
} from "../wire/customers/customer-columns.ts";

export interface CustomerFile {
  readonly files: SealedFiles;
  readonly platformId: string;
  readonly fileId: string;
}

const MAX_RECORD_BYTES = 256 * 1024;

/** Bytes parsed before the event loop gets a turn. A whole chunk may hold 60,000 short rows and block it for 40 ms or more. */
const SLICE_BYTES = 32 * 1024;

/** The records from this offset on, in slices of the file; the event loop gets a turn between two slices. */
async function* recordsFrom(
  { files, platformId, fileId }: CustomerFile,
  from: number,
): AsyncGenerator<readonly CsvRecord[]> {
  const reader = createCsvReader({
    at: from,
    maxRecordBytes: MAX_RECORD_BYTES,
    maxCells: MOST_COLUMNS,
  });
  for (let at = from; ; ) {
    const bytes = await files.read({ platformId, fileId, at });
    if (bytes === undefined || bytes.length === 0) break;
    for (let start = 0; start < bytes.length; start += SLICE_BYTES) {
      yield reader.take(bytes.subarray(start, start + SLICE_BYTES));
      await nextTurn();
    }
    at += bytes.length;
  }
  yield reader.finish();
}

/** The names of the columns, in their order. */
export type Header = readonly string[];

export async function readHeader(file: CustomerFile): Promise<Header> {
  for await (const records of recordsFrom(file, 0)) {
    const [first] = records;
    if (first !== undefined) return headerOf(first);
  }
  return [];
}

export type FileValidation =
  | { readonly kind: "table"; readonly total: number; readonly position: number }
  | { readonly kind: "no-table"; readonly errors: readonly RowError[] };

/** Validates the whole file before the first row is imported. */
export async function validateFile(file: CustomerFile): Promise<FileValidation> {
  const errors: RowError[] = [];
  let lines = -1;
  let position = 0;
  for await (const records of recordsFrom(file, 0)) {
    for (const record of records) {
      lines += 1;
      if (lines === 0) {
        position = record.end;
        errors.push(...headerErrors(record));
      } else if (record.problem !== undefined && errors.length < MOST_LISTED_ERRORS) {
        errors.push(fileError(lines, PROBLEMS[record.problem]));
      }
    }
  }
  if (lines === -1) errors.push(fileError(0, "The file has no header row."));
  if (lines === 0 && errors.length === 0) errors.push(fileError(0, "The file has no rows."));
  return errors.length > 0
    ? { kind: "no-table", errors }
    : { kind: "table", total: lines, position };
}

const PROBLEMS: Readonly<Record<CsvProblem, string>> = {
  "not-utf8": "The row is not valid UTF-8.",
  "bad-quotes": "The row has a quote where none can be.",
  "too-long": `The row is longer than ${MAX_RECORD_BYTES} bytes, or a quote in it is never closed.`,
};

function headerOf({ cells }: CsvRecord): Header {
  return cells.map((cell) => cell.trim());
}

function headerErrors(record: CsvRecord): readonly RowError[] {
  if (record.problem !== undefined) return [fileError(0, PROBLEMS[record.problem])];
  const header = headerOf(record);
  if (record.width > MOST_COLUMNS) {
    return [fileError(0, `The file has more than ${MOST_COLUMNS} columns.`)];
  }
  const twice = columnNames.filter((name) => header.indexOf(name) !== header.lastIndexOf(name));
  const missing = columnsOfEveryFile.filter((name) => !header.includes(name));
  return [
    ...twice.map((name) => fileError(0, `The column ${name} appears twice.`)),
    ...missing.map((name) => fileError(0, `The column ${name} is missing.`)),
  ];
}

function fileError(line: number, message: string): RowError {
  const correlationId = line === 0 ? "header" : rowLabel(line);
  return { line, correlationId, code: "INVALID_REQUEST_FORMAT", message, details: null };
}

/** The rows that are not imported yet, with their numbers. */
export async function* rowsLeft(
  file: CustomerFile,
  { position, processed }: Pick<BulkJob, "position" | "processed">,
): AsyncGenerator<Row> {
  let line = processed;
  for await (const records of recordsFrom(file, position)) {
    for (const record of records) {
      line += 1;
      yield { line, cells: record.cells, width: record.width, end: record.end };
    }
  }
}

export interface Row {
  readonly line: number;
  readonly cells: readonly string[];
  /** The number of cells; only as many as a file may have columns are kept. */
  readonly width: number;
  /** The offset of the next row. */
  readonly end: number;
}
