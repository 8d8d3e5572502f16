/** The rows that the server refused, as a file that can be mended and sent again: as they were, with the reason in a further column. */
import type { BulkJob } from "@florin/client";
import { csvLine, recordsOf } from "./csv-records.ts";

const REASON = "refusedBecause";

type RowError = BulkJob["errors"][number];

/** Every fault of the row: the message has the first one alone. */
export function reasonOf({ message, details }: RowError): string {
  const faults: unknown = details?.errors;
  if (!Array.isArray(faults)) return message;
  return faults.map(({ field, message: says }) => `${field}: ${says}`).join("; ") || message;
}

/**
 * Rows are found by their number: another row, which was imported, may have the same `platformCustomerId`. At most as many rows as the job
 * lists errors.
 */
export async function refusedRows(file: Blob, errors: BulkJob["errors"]): Promise<Blob> {
  const reasons = new Map(errors.map((error) => [error.row, reasonOf(error)]));
  const lines: string[] = [];
  let header: readonly string[] | undefined;
  let row = 0;
  for await (const cells of recordsOf(file)) {
    if (header === undefined) {
      const names = cells.map((cell) => cell.trim());
      // A file that was mended has the column already.
      header = names.includes(REASON) ? names : [...names, REASON];
      lines.push(csvLine(header));
      continue;
    }
    row++;
    const reason = reasons.get(row);
    if (reason === undefined) continue;
    const kept = header.map((name, at) => (name === REASON ? reason : (cells[at] ?? "")));
    lines.push(csvLine([...kept, ...cells.slice(header.length)]));
    if (lines.length > errors.length) break;
  }
  return new Blob(lines, { type: "text/csv" });
}
