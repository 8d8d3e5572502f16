/** Writes the refused rows to a file to correct and send again: unchanged, with the reason in one more column. */
import type { BulkJob } from "@florin/client";
import { csvLine, recordsOf } from "./csv-records.ts";

const REASON = "refusedBecause";

type RowError = BulkJob["errors"][number];

/** All errors of the row, because `message` contains only the first. */
export function reasonOf({ message, details }: RowError): string {
  const faults: unknown = details?.errors;
  if (!Array.isArray(faults)) return message;
  return faults.map(({ field, message: says }) => `${field}: ${says}`).join("; ") || message;
}

/**
 * Finds rows by number, because an imported row may have the same `platformCustomerId`. The result has at most as many rows as the
 * job lists errors.
 */
export async function refusedRows(file: Blob, errors: BulkJob["errors"]): Promise<Blob> {
  const reasons = new Map(errors.map((error) => [error.row, reasonOf(error)]));
  const lines: string[] = [];
  let header: readonly string[] | undefined;
  let row = 0;
  for await (const cells of recordsOf(file)) {
    if (header === undefined) {
      const names = cells.map((cell) => cell.trim());
      // A corrected file already has the column.
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
