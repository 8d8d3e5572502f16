/** What happens to an invoice after the platform has taken the payment: a connector makes its text, or it ends without one. */
import type { Command, Loaded, World } from "../../../engine/command.ts";
import { present } from "../../../std/assert.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { scheduleJob } from "../../job-kinds.ts";
import { type Transaction, transactions } from "../../payments/transactions/transaction.ts";
import { failPayment, OFFRAMP_FAILED } from "../end-payment.ts";
import { type PaymentApproval, paymentApprovals } from "../payment-approval.ts";
import {
  endInvoice,
  endNeeds,
  type InvoiceEnd,
  isUnderWay,
  type UmaInvoice,
  umaInvoices,
} from "./uma-invoice.ts";

/** Longer than a connector may take for the text, so that the job of a WANTED invoice finds it only after its server died or got none. */
const MADE_WITHIN_MS = 20_000;
/** How long after its end an invoice may still be paid, before the connector is asked. */
export const GRACE_MS = 60_000;

/** The platform has taken the payment: a connector is asked for the text by the server that has the pay request. */
export function wantInvoice(world: World, id: string): UmaInvoice {
  const invoice = world.get(umaInvoices.ref(id));
  const jobId = scheduleEnd(world, id, world.at + MADE_WITHIN_MS);
  return world.put(umaInvoices, { ...invoice, state: "WANTED", jobId, updatedAt: world.at });
}

function scheduleEnd(world: World, invoiceId: string, dueAt: number): string {
  return scheduleJob(world, { kind: "end-uma-invoice", payload: { invoiceId }, dueAt });
}

export interface OpenInvoiceInput {
  readonly invoiceId: string;
  readonly text: string;
  /** Host time. */
  readonly expiresAt: number;
  readonly nodePubKey: string | null;
  readonly utxos: readonly string[];
}

/** Stores the text of a WANTED invoice. False for one that has ended meanwhile: its text must not be given to the payer. */
export const openInvoice: Command<OpenInvoiceInput, boolean> = {
  name: "open-uma-invoice",
  needs: (_world, { invoiceId }) => [umaInvoices.ref(invoiceId)],
  decide(world, { invoiceId, ...told }) {
    const invoice = world.get(umaInvoices.ref(invoiceId));
    if (invoice.state === "OPEN") return invoice.text === told.text;
    if (invoice.state !== "WANTED") return false;
    if (invoice.jobId !== null) world.cancel(invoice.jobId);
    const jobId = scheduleEnd(world, invoiceId, told.expiresAt + GRACE_MS);
    world.put(umaInvoices, { ...invoice, ...told, state: "OPEN", jobId, updatedAt: world.at });
    return true;
  },
};

export interface CloseInvoiceInput {
  readonly invoiceId: string;
  readonly jobId: string;
}

/**
 * Closes an invoice for which its connector takes no money any more, and fails its payment. A paid one is left unchanged. The connector must
 * have said so before: silence closes nothing.
 */
export const closeInvoice: Command<CloseInvoiceInput, Transaction> = {
  name: "close-uma-invoice",
  needs: (world, { invoiceId }) => [transactions.ref(invoiceId), ...endNeeds(world, invoiceId)],
  decide(world, { invoiceId, jobId }) {
    const transaction = world.get(transactions.ref(invoiceId));
    const invoice = world.get(umaInvoices.ref(invoiceId));
    world.cancel(jobId);
    if (!isUnderWay(invoice)) return transaction;
    const wasOpen = invoice.state === "OPEN";
    endInvoice(world, invoice, { state: "CLOSED", endedAs: wasOpen ? "EXPIRED" : "NOT_MADE" });
    const failureReason = wasOpen ? "QUOTE_EXPIRED" : "PAY_REQUEST_FAILED";
    return failPayment(world, transaction, { failureReason, stage: "ACCEPTANCE" });
  },
};

/** Ends the invoice of a payment that the platform did not take; a payment without one is left alone. */
export function refuseInvoice(world: World, { id, outcome }: PaymentApproval): void {
  if (outcome.kind === "invoice") closeAs(world, world.get(umaInvoices.ref(id)), "REFUSED");
}

/** The rows that an approval can touch beside those of its payment. */
export function approvalNeeds(world: Loaded, transactionId: string): readonly AnyRef[] {
  const approval = world.find(paymentApprovals.ref(transactionId));
  return approval?.outcome.kind === "invoice" ? endNeeds(world, transactionId) : [];
}

function closeAs(world: World, invoice: UmaInvoice, endedAs: InvoiceEnd): void {
  endInvoice(world, invoice, { state: "CLOSED", endedAs });
}

/** Money came, and the account takes none: the payment fails, and the money is left to the caller. */
export function failUndeliverable(world: World, invoice: UmaInvoice): void {
  closeAs(world, invoice, "UNDELIVERABLE");
  const transaction = present(
    world.find(transactions.ref(invoice.id)),
    "the transaction of an invoice",
  );
  failPayment(world, transaction, OFFRAMP_FAILED);
}
