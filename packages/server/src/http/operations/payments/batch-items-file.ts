/** The items of a batch as a CSV file: the columns of an upload, and what became of each item. */
import { toExternalAccountId } from "../../../domain/accounts/external/external-account.ts";
import { toInternalAccountId } from "../../../domain/accounts/internal/internal-account.ts";
import { listBatchItems } from "../../../domain/payments/batches/payment-batch.sql.ts";
import {
  type BatchItem,
  type PaymentBatch,
  type ShownStatus,
  shownStatus,
} from "../../../domain/payments/batches/payment-batch.ts";
import { toTransactionId } from "../../../domain/payments/transactions/transaction.ts";
import type { Reads } from "../../../postgres/database.ts";
import { csvLine } from "../../../wire/reading/csv.ts";
import { batchColumns, OUTCOME_COLUMNS } from "./batch-file.ts";

const HEADER = csvLine([...batchColumns.map(({ name }) => name), ...OUTCOME_COLUMNS]);

export const itemsFileExample =
  `${HEADER}${batchColumns.map(({ example }) => example).join(",")},REFUSED,,REFERENCE_NOT_FOUND,` +
  "destination.accountId: names no external account\r\n";

const ROWS_READ = 500;

export async function* itemsFile(
  reads: Reads,
  batch: PaymentBatch,
  of: { readonly platformId: string; readonly status: ShownStatus | undefined },
): AsyncGenerator<string> {
  yield HEADER;
  for (let after: string | undefined; ; ) {
    const { rows, hasMore } = await listBatchItems(reads, batch, {
      ...of,
      after,
      limit: ROWS_READ,
    });
    if (rows.length > 0) yield rows.map((item) => lineOf(batch, item)).join("");
    if (!hasMore) return;
    after = rows.at(-1)?.id;
  }
}

function lineOf(batch: PaymentBatch, item: BatchItem): string {
  const { kind, destinationId, terms, error, transactionId } = item;
  const cells = [
    item.reference,
    kind,
    toInternalAccountId(item.sourceId),
    kind === "BOOK" ? toInternalAccountId(destinationId) : toExternalAccountId(destinationId),
    String(item.amountMinor),
    terms?.description,
    terms?.remittanceInformation,
    terms?.paymentRail,
    shownStatus(batch, item),
    transactionId === null ? undefined : toTransactionId(transactionId),
    error?.code,
    error?.message,
  ];
  return csvLine(cells.map((cell) => cell ?? ""));
}
