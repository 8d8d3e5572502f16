/**
 * Checks a file of customers before it is sent: its columns, and its first rows by the server's rules for each column (`import-
 * columns.json` is generated from them). The server checks every row, and more rules.
 */
import type { MessageKey, MessageValues } from "../../../text/messages.ts";
import { CsvFault, recordsOf } from "./csv-records.ts";
import rules from "./import-columns.json";

export const ROWS_CHECKED = 20;
export const { mostBytes: MOST_BYTES, mostColumns: MOST_COLUMNS } = rules;
export const MOST_MB = MOST_BYTES / 1024 / 1024;

type Use = "required" | "optional" | "unused";

interface Column {
  readonly name: string;
  readonly use: Readonly<Record<string, Use>>;
  readonly holds: {
    readonly maxLength?: number;
    readonly pattern?: string;
    readonly enum?: readonly string[];
  };
}

const COLUMNS = new Map(
  (rules.columns as readonly Column[]).map((column) => [column.name, column]),
);
const inEveryFile = [...COLUMNS.values()].filter(({ use }) =>
  Object.values(use).every((one) => one === "required"),
);

export interface FileFault {
  /** The row's number, from 1; undefined for a fault of the whole file. */
  readonly line?: number;
  readonly column?: string;
  readonly says: MessageKey;
  readonly values?: MessageValues;
}

export interface CheckedFile {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Faults that make the server refuse the whole file. */
  readonly fatal: readonly FileFault[];
  /** Faults that make the server refuse single rows. */
  readonly refused: readonly FileFault[];
  /** Columns that the server ignores. */
  readonly unknown: readonly string[];
}

const NOTHING = { header: [], rows: [], fatal: [], refused: [], unknown: [] };

export async function checkFile(file: Blob): Promise<CheckedFile> {
  if (file.size > MOST_BYTES)
    return { ...NOTHING, fatal: [{ says: "import.tooLarge", values: { count: MOST_MB } }] };
  let header: readonly string[] | undefined;
  const rows: (readonly string[])[] = [];
  try {
    for await (const cells of recordsOf(file)) {
      if (header === undefined) header = cells.map((cell) => cell.trim());
      else rows.push(cells);
      if (rows.length === ROWS_CHECKED) break;
    }
  } catch (error) {
    if (!(error instanceof CsvFault)) throw error;
    const line = header === undefined ? {} : { line: rows.length + 1 };
    const fatal = [{ ...line, says: error.says }];
    return { ...NOTHING, header: header ?? [], rows, fatal };
  }
  if (header === undefined) return { ...NOTHING, fatal: [{ says: "import.empty" }] };
  const fatal = headerFaults(header);
  if (fatal.length === 0 && rows.length === 0) fatal.push({ says: "import.noRows" });
  const names = header;
  return {
    header,
    rows,
    fatal,
    refused:
      fatal.length > 0 ? [] : rows.flatMap((cells, index) => rowFaults(names, cells, index + 1)),
    unknown: [...new Set(header.filter((name) => !COLUMNS.has(name)))],
  };
}

function headerFaults(header: readonly string[]): FileFault[] {
  if (header.length > MOST_COLUMNS)
    return [{ says: "import.tooManyColumns", values: { count: MOST_COLUMNS } }];
  const missing = inEveryFile.filter(({ name }) => !header.includes(name));
  const twice = [...COLUMNS.keys()].filter(
    (name) => header.indexOf(name) !== header.lastIndexOf(name),
  );
  return [
    ...missing.map(({ name }) => ({ column: name, says: "import.columnMissing" as const })),
    ...twice.map((column) => ({ column, says: "import.columnTwice" as const })),
  ];
}

function rowFaults(
  header: readonly string[],
  cells: readonly string[],
  line: number,
): readonly FileFault[] {
  if (cells.length > header.length) {
    const values = { cells: cells.length, columns: header.length };
    return [{ line, says: "import.tooManyCells", values }];
  }
  const given = new Map(header.map((name, index) => [name, cells[index] ?? ""]));
  const type = given.get("customerType") ?? "";
  return [...COLUMNS.values()].flatMap(({ name, use, holds }) => {
    const cell = given.get(name) ?? "";
    const wanted = use[type] ?? use.INDIVIDUAL;
    if (cell === "")
      return wanted === "required" ? [{ line, column: name, says: "import.cellMissing" }] : [];
    if (wanted === "unused") return [];
    const fault = cellFault(cell, holds);
    return fault === undefined ? [] : [{ line, column: name, ...fault }];
  });
}

function cellFault(
  cell: string,
  { maxLength, pattern, enum: values }: Column["holds"],
): Pick<FileFault, "says" | "values"> | undefined {
  if (values !== undefined && !values.includes(cell))
    return { says: "import.cellChoice", values: { choices: values.join(", ") } };
  // Counts code points, like the server.
  if (maxLength !== undefined && [...cell].length > maxLength)
    return { says: "import.cellTooLong", values: { count: maxLength } };
  if (pattern !== undefined && !new RegExp(pattern, "u").test(cell))
    return { says: "import.cellWrong" };
  return undefined;
}
