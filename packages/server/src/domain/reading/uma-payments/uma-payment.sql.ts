/** What UMA says of a payment, in either direction: an invoice that another institution pays, or one of another institution. */
import type { Reads } from "../../../postgres/database.ts";
import type { PaidChannel } from "../../job-kinds.ts";
import type { QuoteSettlement } from "../../payments/quotes/outside-terms.ts";
import { findQuote, type Quote } from "../../payments/quotes/quote.ts";
import { findTransaction } from "../../payments/transactions/transaction.sql.ts";
import type { TransactionStatus } from "../../payments/transactions/transaction.ts";
import { findUmaHook, type ShownHook, shownHook, type UmaHook } from "../../uma/hooks/uma-hook.ts";
import { findUmaInvoice, type UmaInvoice } from "../../uma/incoming/uma-invoice.ts";

type Told = Pick<
  UmaInvoice,
  | "id"
  | "state"
  | "endedAs"
  | "vaspDomain"
  | "connectionId"
  | "layer"
  | "identifier"
  | "asset"
  | "amountMinor"
  | "feeMinor"
  | "currency"
  | "receivingMinor"
  | "multiplier"
  | "expiresAt"
  | "createdAt"
>;

/** What was exchanged for a payment to another institution. */
type Exchanged = Pick<
  QuoteSettlement,
  | "umaVersion"
  | "receiverKyc"
  | "isSubjectToTravelRule"
  | "travelRule"
  | "fieldsSent"
  | "fieldsReceived"
>;

export interface UmaPayment extends Told {
  readonly direction: "INCOMING" | "OUTGOING";
  /** Of an outgoing payment. */
  readonly exchanged: Exchanged | undefined;
  /** The order that pays it; undefined before there is one. */
  readonly railPaymentId: string | undefined;
  /** What the other institution is told after the payment. */
  readonly hook: ShownHook;
  /** What it has told; undefined before. */
  readonly utxos: readonly PaidChannel[] | undefined;
}

const order = {
  name: "rail_payments/of-uma-payment",
  text: "select id from rail_payments where platform_id = $1::uuid and transaction_id = $2::uuid and direction = 'OUT'",
};

export async function findUmaPayment(
  reads: Reads,
  platformId: string,
  id: string,
): Promise<UmaPayment | undefined> {
  const [incoming, transaction, hook] = await Promise.all([
    findUmaInvoice(reads, platformId, id),
    findTransaction(reads, platformId, id),
    findUmaHook(reads, platformId, id),
  ]);
  if (incoming !== undefined) {
    const isWanted = incoming.hook !== null;
    const told = toldAfter(hook, { isWanted, isSettled: incoming.state === "PAID" });
    const ofOutgoing = { exchanged: undefined, railPaymentId: undefined };
    return { ...incoming, ...told, ...ofOutgoing, direction: "INCOMING" };
  }
  if (transaction === undefined || transaction.quoteId === null) return undefined;
  const quote = await findQuote(reads, platformId, transaction.quoteId);
  if (quote === undefined || quote.settlement === null) return undefined;
  const [cells] = await reads.cells(order, [platformId, id]);
  const state = stateOf(transaction.status);
  const isWanted = quote.settlement.hook?.callback !== undefined;
  const told = toldAfter(hook, { isWanted, isSettled: transaction.status === "COMPLETED" });
  const railPaymentId = cells?.[0] ?? undefined;
  return { ...toldOf(quote, quote.settlement), ...told, state, railPaymentId };
}

/** The messages after the payment, in both directions. */
function toldAfter(row: UmaHook | undefined, payment: Parameters<typeof shownHook>[1]) {
  return { hook: shownHook(row, payment), utxos: row?.utxos ?? undefined };
}

/** The invoice of another institution is as far as its payment. */
function stateOf(status: TransactionStatus): UmaInvoice["state"] {
  if (status === "COMPLETED" || status === "REFUNDED") return "PAID";
  return status === "PENDING" || status === "PROCESSING" ? "OPEN" : "CLOSED";
}

function toldOf(
  { transactionId, receivingCurrency, receivingMinor, createdAt }: Quote,
  settlement: QuoteSettlement,
): Omit<UmaPayment, "state" | "railPaymentId" | "hook" | "utxos"> {
  const { vaspDomain, connectionId, layer, identifier, multiplier } = settlement;
  return {
    id: transactionId,
    direction: "OUTGOING",
    endedAs: null,
    ...{ vaspDomain, connectionId, layer, identifier, multiplier },
    asset: settlement.currency,
    amountMinor: BigInt(settlement.minor),
    feeMinor: BigInt(settlement.fee),
    currency: receivingCurrency,
    receivingMinor,
    expiresAt: Date.parse(settlement.payBy),
    createdAt,
    exchanged: settlement,
  };
}
