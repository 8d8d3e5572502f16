/**
 * A batch as a CSV file: one row an item. The file is read in memory, within the bound of a batch, and is taken as a whole or refused with
 * the row and the column of each fault. Rows are numbered as in a spreadsheet: 1 is the header.
 */
import { MOST_ITEMS } from "../../../domain/payments/batches/payment-batch.ts";
import { type FieldError, invalidFields } from "../../../engine/refusal.ts";
import { type CsvProblem, type CsvRecord, createCsvReader } from "../../../formats/csv.ts";
import { nextTurn } from "../../../std/clock.ts";
import type { JsonObject } from "../../../std/json.ts";
import { MAX_ERRORS } from "../../../validation/json-body.ts";
import { type CompileSchema, createValidator } from "../../../validation/validation.ts";
import { judgeBatch, PaymentBatchBody } from "./batch-body.ts";

interface Column {
  readonly name: string;
  /** The field of an item that the column holds. */
  readonly field: string;
  readonly says: string;
  readonly example: string;
  readonly isRequired?: true;
}

/** The columns of a file, in the order of the template. */
export const batchColumns: readonly Column[] = [
  {
    name: "reference",
    field: "reference",
    says: "your own name of the payment, unique in the file",
    example: "salary-0018",
    isRequired: true,
  },
  {
    name: "kind",
    field: "kind",
    says: "`TRANSFER_OUT` or `BOOK`; an empty cell follows from the destination",
    example: "TRANSFER_OUT",
  },
  {
    name: "sourceAccountId",
    field: "source.accountId",
    says: "an internal account",
    example: "InternalAccount:019a4f00-0000-7000-8000-000000000002",
    isRequired: true,
  },
  {
    name: "destinationAccountId",
    field: "destination.accountId",
    says: "an external account, or an internal one",
    example: "ExternalAccount:019a4f00-0000-7000-8000-000000000003",
    isRequired: true,
  },
  {
    name: "amount",
    field: "amount",
    says: "a whole number of the smallest unit: 240000 is 2,400.00 USD",
    example: "240000",
    isRequired: true,
  },
  { name: "description", field: "description", says: "for yourself", example: "Salary November" },
  {
    name: "remittanceInformation",
    field: "remittanceInformation",
    says: "for the payee, of a transfer out",
    example: "SALARY NOV",
  },
  {
    name: "paymentRail",
    field: "destination.paymentRail",
    says: "of a transfer out",
    example: "ACH",
  },
];

/** Columns of the file of a batch's items, which an upload ignores: refused rows are mended in that file and sent again. */
export const OUTCOME_COLUMNS: readonly string[] = [
  "status",
  "transactionId",
  "errorCode",
  "errorMessage",
];

const names = batchColumns.map(({ name }) => name);
/** Texts that people write; the others have a form of their own. */
const TEXTS: ReadonlySet<string> = new Set(["reference", "description", "remittanceInformation"]);
/** A spreadsheet that opens the file would run such a text as a formula. */
const FORMULA = /^[=+\-@]/;

export const batchTemplate = `${names.join(",")}\r\n${batchColumns.map(({ example }) => example).join(",")}\r\n`;

export const columnsText = batchColumns
  .map(
    ({ name, says, isRequired }) =>
      `\`${name}\` (${isRequired === true ? "required; " : ""}${says})`,
  )
  .join(", ");

const MAX_RECORD_BYTES = 16 * 1024;
const SLICE_BYTES = 64 * 1024;

const PROBLEMS: Readonly<Record<CsvProblem, string>> = {
  "not-utf8": "is not UTF-8; save the file as “CSV UTF-8”",
  "bad-quotes": "has a quote where none can be; write a quote inside quotes twice",
  "too-long": `is longer than ${MAX_RECORD_BYTES} bytes, or a quote in it is never closed`,
};

export interface BatchFile {
  readonly name?: string;
  readonly mode: string;
  readonly requireFunds: boolean;
  readonly scheduledFor?: string;
}

/** The body of the same batch in JSON. Refuses a file with faults, of which the first hundred are listed. */
export async function bodyOfFile(
  bytes: Buffer,
  options: BatchFile,
  compile: CompileSchema,
): Promise<PaymentBatchBody> {
  const [header, ...rows] = await recordsOf(bytes);
  const columns = headerOf(header);
  if (rows.length === 0) throw refused([at(1, "the file has no rows under its header")]);
  if (rows.length > MOST_ITEMS) {
    throw refused([
      at(MOST_ITEMS + 2, `the file has ${rows.length} rows; a batch has at most ${MOST_ITEMS}`),
    ]);
  }
  const faults: FieldError[] = [];
  const items = rows.map((record, place) => itemOf(columns, record, { row: place + 2, faults }));
  const body = { ...options, items };
  const found = [...(createValidator(PaymentBatchBody, compile).faultsOf(body)?.errors ?? [])];
  const judged = judgeBatch(body as JsonObject);
  if (!judged.ok) found.push(...judged.errors);
  const all = withOthers(
    faults,
    found.map((error) => inFile(error, items)),
  );
  if (all.length > 0) throw refused(all);
  return body as PaymentBatchBody;
}

/**
 * The faults of reading the rows, and those of the body in the other rows: a row that was misread has faults there that follow from it. Of a
 * cell, the first fault.
 */
function withOthers(
  ofRows: readonly FieldError[],
  ofBody: readonly FieldError[],
): readonly FieldError[] {
  const misread = new Set(ofRows.map(({ row }) => row));
  const others = new Map(
    ofBody
      .filter(({ row }) => row === undefined || !misread.has(row))
      .toReversed()
      .map((fault) => [`${fault.field} ${fault.row} ${fault.column}`, fault]),
  );
  return [...ofRows, ...others.values()].toSorted(
    (one, other) => (one.row ?? 0) - (other.row ?? 0),
  );
}

async function recordsOf(bytes: Buffer): Promise<readonly CsvRecord[]> {
  const reader = createCsvReader({
    at: 0,
    maxRecordBytes: MAX_RECORD_BYTES,
    maxCells: names.length + OUTCOME_COLUMNS.length,
  });
  const records: CsvRecord[] = [];
  for (let start = 0; start < bytes.length; start += SLICE_BYTES) {
    records.push(...reader.take(bytes.subarray(start, start + SLICE_BYTES)));
    await nextTurn();
  }
  return [...records, ...reader.finish()];
}

function headerOf(record: CsvRecord | undefined): readonly string[] {
  if (record === undefined) throw refused([at(1, "the file has no header row")]);
  if (record.problem !== undefined) throw refused([at(1, `the row ${PROBLEMS[record.problem]}`)]);
  const columns = record.cells.map((cell) => cell.trim());
  if (columns.length === 1 && columns[0]?.includes(";") === true) {
    throw refused([at(1, "the columns are separated by semicolons; separate them by commas")]);
  }
  const missing = batchColumns.filter(
    ({ name, isRequired }) => isRequired && !columns.includes(name),
  );
  const unknown = columns.filter(
    (name) => !names.includes(name) && !OUTCOME_COLUMNS.includes(name),
  );
  const twice = names.filter((name) => columns.indexOf(name) !== columns.lastIndexOf(name));
  const faults = [
    ...unknown.map((name) =>
      at(
        1,
        `there is no column ${JSON.stringify(name.slice(0, 40))}; the columns are ${names.join(", ")}`,
      ),
    ),
    ...twice.map((name) => at(1, `the column ${name} is there twice`)),
    ...missing.map(({ name }) => at(1, `the column ${name} is missing`)),
  ];
  if (record.width > record.cells.length)
    faults.push(at(1, `the header has ${record.width} columns`));
  if (faults.length > 0) throw refused(faults);
  return columns;
}

function itemOf(
  columns: readonly string[],
  { cells, width, problem }: CsvRecord,
  { row, faults }: { readonly row: number; readonly faults: FieldError[] },
): JsonObject {
  if (problem !== undefined) {
    faults.push(at(row, `the row ${PROBLEMS[problem]}`));
    return {};
  }
  if (width > columns.length) {
    faults.push(
      at(
        row,
        `the row has ${width} cells, and the header ${columns.length}; put a text with a comma in quotes`,
      ),
    );
  }
  const cell = new Map(columns.map((name, place) => [name, (cells[place] ?? "").trim()]));
  const text = (name: string) => cell.get(name) || undefined;
  for (const [name, value] of cell) {
    if (TEXTS.has(name) && FORMULA.test(value)) {
      faults.push(
        at(
          row,
          `begins with ${value.charAt(0)}, as a formula does; begin it with a letter or a digit`,
          name,
        ),
      );
    }
  }
  const amount = text("amount");
  const amountFault = amount === undefined ? "is empty" : faultOfAmount(amount);
  if (amountFault !== undefined) faults.push(at(row, amountFault, "amount"));
  const to = text("destinationAccountId");
  return withoutAbsent({
    reference: text("reference") ?? "",
    kind: text("kind") ?? (to?.startsWith("InternalAccount:") === true ? "BOOK" : "TRANSFER_OUT"),
    source: { accountId: text("sourceAccountId") ?? "" },
    destination: withoutAbsent({ accountId: to ?? "", paymentRail: text("paymentRail") }),
    amount: Number(amount),
    description: text("description"),
    remittanceInformation: text("remittanceInformation"),
  });
}

function faultOfAmount(amount: string): string | undefined {
  if (/^\d{1,16}$/.test(amount)) return undefined;
  if (/^\d+[.,]\d+$/.test(amount)) {
    return `is ${amount}, with a decimal point; write the amount in the smallest unit: 240000 for 2400.00`;
  }
  return `is ${JSON.stringify(amount.slice(0, 40))}; write digits alone, such as 240000`;
}

function withoutAbsent(
  members: Readonly<Record<string, JsonObject[string] | undefined>>,
): JsonObject {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}

/** The fault of an item as one of its row and column. */
function inFile({ field, message }: FieldError, items: readonly JsonObject[]): FieldError {
  const [, place, name] = /^items\.(\d+)\.(.+)$/.exec(field) ?? [];
  const said = message.replace(/items\.(\d+)/, (_, other: string) => `row ${Number(other) + 2}`);
  if (place === undefined) return { field, message: said };
  const column = batchColumns.find((one) => one.field === name)?.name;
  const reference = items[Number(place)]?.reference;
  const fault = at(Number(place) + 2, said, column);
  return typeof reference === "string" && reference !== "" ? { ...fault, reference } : fault;
}

function at(row: number, message: string, column?: string): FieldError {
  const place = column === undefined ? `row ${row}` : `row ${row}, column ${column}`;
  return {
    field: "file",
    message: `${place}: ${message}`,
    row,
    ...(column === undefined ? {} : { column }),
  };
}

function refused(faults: readonly FieldError[]) {
  return invalidFields(faults.slice(0, MAX_ERRORS));
}
