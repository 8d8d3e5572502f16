/** Whom to tell of a payment, and of which payment another institution tells. */
import type { Reads } from "../../../postgres/database.ts";
import { findQuote } from "../../payments/quotes/quote.ts";
import { findTransaction } from "../../payments/transactions/transaction.sql.ts";
import { findUmaInvoice } from "../incoming/uma-invoice.ts";
import type { HookPayment } from "./hook-token.ts";

export interface HookTarget {
  /** Of the payment. */
  readonly direction: HookPayment["direction"];
  readonly vaspDomain: string;
  /** The domain of the platform that the institution knows. */
  readonly ownDomain: string;
  readonly callback: string;
}

/** Undefined for a payment that is not settled, or not any more, and where the institution does not want to be told. */
export async function findHookTarget(
  reads: Reads,
  platformId: string,
  transactionId: string,
): Promise<HookTarget | undefined> {
  const transaction = await findTransaction(reads, platformId, transactionId);
  if (transaction?.status !== "COMPLETED") return undefined;
  if (transaction.quoteId === null) {
    const invoice = await findUmaInvoice(reads, platformId, transactionId);
    if (invoice === undefined || invoice.hook === null) return undefined;
    return { direction: "IN", vaspDomain: invoice.vaspDomain, ...invoice.hook };
  }
  const quote = await findQuote(reads, platformId, transaction.quoteId);
  const { vaspDomain, hook } = quote?.settlement ?? {};
  if (vaspDomain === undefined || hook?.callback === undefined) return undefined;
  return { direction: "OUT", vaspDomain, ownDomain: hook.ownDomain, callback: hook.callback };
}

const quoted = {
  name: "quote_invoices/of-hook",
  text:
    "select q.transaction_id from quote_invoices v join quotes q on q.platform_id = $1::uuid and q.id = v.quote_id " +
    "where v.platform_id = $1::uuid and v.hook_id = $2::uuid",
};

/** Undefined for a request to pay that led to no quote. */
export async function findHookedTransaction(
  reads: Reads,
  platformId: string,
  { direction, reference }: HookPayment,
): Promise<string | undefined> {
  if (direction === "IN") return reference;
  const [cells] = await reads.cells(quoted, [platformId, reference]);
  return cells?.[0] ?? undefined;
}
