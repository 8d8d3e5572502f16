/** The money of an invoice has come: the customer is credited at the price that was given, and the payment is complete. */
import type { Loaded, World } from "../../../engine/command.ts";
import { systemAccount } from "../../../ledger/chart.ts";
import type { Leg } from "../../../ledger/postings.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { emitBalance } from "../../accounts/internal/internal-account.ts";
import { type PaidChannel, scheduleHook } from "../../job-kinds.ts";
import { moveTo, transactions } from "../../payments/transactions/transaction.ts";
import { completePayment } from "../end-payment.ts";
import { depositAccountOf, scheduleForwarding } from "./forward-deposit.ts";
import { endInvoice, endNeeds, type UmaInvoice, umaInvoices } from "./uma-invoice.ts";

/** The rows that money for an invoice can touch, beside those of the account that it credits. */
export function paidNeeds(world: Loaded, invoiceId: string): readonly AnyRef[] {
  const invoice = world.find(umaInvoices.ref(invoiceId));
  if (invoice === undefined) return [umaInvoices.ref(invoiceId)];
  const { asset, currency } = invoice;
  return [
    ...endNeeds(world, invoiceId),
    transactions.ref(invoiceId),
    systemAccount("fees", asset),
    systemAccount("fx", asset),
    systemAccount("fx", currency),
  ];
}

/**
 * Credits the customer. Takes the amount of the invoice from the clearing account of its connection, less what has come before and is in
 * suspense:
 *
 *   clearing −a   fees +f   account +r                       in one currency, where a = r + f
 *   clearing −a   fees +f   fx +(a − f)   fx −r   account +r   where the asset is another currency
 */
export function payInvoice(
  world: World,
  invoice: UmaInvoice,
  {
    entryId,
    suspendedMinor,
    channels = [],
  }: {
    readonly entryId: string;
    readonly suspendedMinor: bigint;
    /** Over which the money came. */
    readonly channels?: readonly PaidChannel[];
  },
): void {
  const { asset, amountMinor, accountId, connectionId } = invoice;
  const from = { currency: asset, connectionId } as const;
  const suspended = { system: "suspense", ...from, minor: -suspendedMinor } as const;
  world.post({
    reason: "uma.receive",
    legs: [
      { system: "clearing", ...from, minor: suspendedMinor - amountMinor },
      ...(suspendedMinor === 0n ? [] : [suspended]),
      ...creditLegs(invoice),
    ],
  });
  endInvoice(world, invoice, { state: "PAID", entryId });
  const pending = world.get(transactions.ref(invoice.id));
  const paid = completePayment(world, moveTo(pending, "PROCESSING", { at: world.at }));
  if (invoice.hook !== null) {
    scheduleHook(world, { transactionId: invoice.id, channels });
  }
  emitBalance(world, accountId);
  if (depositAccountOf(paid) !== undefined) scheduleForwarding(world, paid);
}

/** Where the money of an asset goes when it credits the account of an invoice. */
export function creditLegs({
  asset,
  currency,
  amountMinor,
  feeMinor,
  receivingMinor,
  accountId,
}: Pick<
  UmaInvoice,
  "asset" | "currency" | "amountMinor" | "feeMinor" | "receivingMinor" | "accountId"
>): readonly Leg[] {
  const exchange: readonly Leg[] = [
    { system: "fx", currency: asset, minor: amountMinor - feeMinor },
    { system: "fx", currency, minor: -receivingMinor },
  ];
  return [
    ...(feeMinor === 0n ? [] : [{ system: "fees", currency: asset, minor: feeMinor } as const]),
    ...(asset === currency ? [] : exchange),
    { account: accountId, minor: receivingMinor },
  ];
}
