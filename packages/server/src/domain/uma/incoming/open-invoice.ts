/** What happens to an invoice after the platform has taken the payment: a connector makes its text, or it ends without one. */
import type { Command, Loaded, World } from "../../../engine/command.ts";
import { present } from "../../../std/assert.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { takesCredits } from "../../accounts/freezes/freeze.ts";
import { internalAccounts } from "../../accounts/internal/internal-account.ts";
import { customers, holderExists } from "../../customers/customer.ts";
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

export interface StopInvoicesInput {
  readonly jobId: string;
  /** An account, or a customer with all accounts. */
  readonly holderId: string;
  readonly invoiceIds: readonly string[];
  /** The last of a full page, after which there may be more; null for the last page. */
  readonly after: string | null;
}

/**
 * The accounts of open invoices take no money any more: their connectors are asked to cancel them now. Otherwise the payer would be told
 * too late, by money that is not credited. An invoice whose account takes money again is left alone. One without a text is not stopped
 * here: `openInvoice` refuses its text.
 */
export const stopInvoices: Command<StopInvoicesInput, undefined> = {
  name: "stop-uma-invoices",
  needs: (world, { invoiceIds }) => invoiceIds.flatMap((id) => accountNeeds(world, id)),
  decide(world, { jobId, holderId, invoiceIds, after }) {
    for (const id of invoiceIds) stop(world, world.get(umaInvoices.ref(id)));
    world.cancel(jobId);
    if (after === null) return;
    scheduleJob(world, {
      kind: "stop-uma-invoices",
      payload: { holderId, after },
      dueAt: world.at,
    });
  },
};

function accountNeeds(world: Loaded, invoiceId: string): readonly AnyRef[] {
  const invoice = world.find(umaInvoices.ref(invoiceId));
  const ref = umaInvoices.ref(invoiceId);
  if (invoice === undefined) return [ref];
  const account = internalAccounts.ref(invoice.accountId);
  const customerId = world.find(account)?.customerId;
  return typeof customerId === "string"
    ? [ref, account, customers.ref(customerId)]
    : [ref, account];
}

function stop(world: World, invoice: UmaInvoice): void {
  if (invoice.state !== "OPEN" || takesMoney(world, invoice)) return;
  if (invoice.jobId !== null) world.cancel(invoice.jobId);
  const payload = { invoiceId: invoice.id, isUndeliverable: true } as const;
  const jobId = scheduleJob(world, { kind: "end-uma-invoice", payload, dueAt: world.at });
  world.put(umaInvoices, { ...invoice, jobId, updatedAt: world.at });
}

function takesMoney(world: World, { accountId }: UmaInvoice): boolean {
  const account = world.get(internalAccounts.ref(accountId));
  const isOpen = account.status === "ACTIVE" && holderExists(world, account.customerId);
  return isOpen && takesCredits(account);
}

function scheduleEnd(world: World, invoiceId: string, dueAt: number): string {
  return scheduleJob(world, { kind: "end-uma-invoice", payload: { invoiceId }, dueAt });
}

export interface OpenInvoiceInput {
  readonly invoiceId: string;
  readonly text: string;
  /** Host time. */
  readonly expiresAt: number;
  /** How long from now. A sandbox has a clock of its own, by which its invoices lapse. */
  readonly leftMs: number;
  readonly nodePubKey: string | null;
  readonly utxos: readonly string[];
}

/**
 * Stores the text of a WANTED invoice. False for one that has ended meanwhile, or whose account takes no money any more: its text must not
 * be given to the payer.
 */
export const openInvoice: Command<OpenInvoiceInput, boolean> = {
  name: "open-uma-invoice",
  needs: (world, { invoiceId }) => accountNeeds(world, invoiceId),
  decide(world, { invoiceId, leftMs, ...told }) {
    const invoice = world.get(umaInvoices.ref(invoiceId));
    if (invoice.state === "OPEN") return invoice.text === told.text;
    if (invoice.state !== "WANTED" || !takesMoney(world, invoice)) return false;
    if (invoice.jobId !== null) world.cancel(invoice.jobId);
    const jobId = scheduleEnd(world, invoiceId, world.at + leftMs + GRACE_MS);
    world.put(umaInvoices, { ...invoice, ...told, state: "OPEN", jobId, updatedAt: world.at });
    return true;
  },
};

export interface CloseInvoiceInput {
  readonly invoiceId: string;
  readonly jobId: string;
  readonly isUndeliverable?: boolean | undefined;
}

/**
 * Closes an invoice for which its connector takes no money any more, and fails its payment. A paid one is left unchanged. The connector must
 * have said so before: silence closes nothing.
 */
export const closeInvoice: Command<CloseInvoiceInput, Transaction> = {
  name: "close-uma-invoice",
  needs: (world, { invoiceId }) => [transactions.ref(invoiceId), ...endNeeds(world, invoiceId)],
  decide(world, { invoiceId, jobId, isUndeliverable = false }) {
    const transaction = world.get(transactions.ref(invoiceId));
    const invoice = world.get(umaInvoices.ref(invoiceId));
    world.cancel(jobId);
    if (!isUnderWay(invoice)) return transaction;
    return isUndeliverable ? failUndeliverable(world, invoice) : lapse(world, invoice);
  },
};

/** Ends an invoice for which no money came, and fails its payment. */
export function lapse(world: World, invoice: UmaInvoice): Transaction {
  const wasOpen = invoice.state === "OPEN";
  closeAs(world, invoice, wasOpen ? "EXPIRED" : "NOT_MADE");
  const failureReason = wasOpen ? "QUOTE_EXPIRED" : "PAY_REQUEST_FAILED";
  const transaction = world.get(transactions.ref(invoice.id));
  return failPayment(world, transaction, { failureReason, stage: "ACCEPTANCE" });
}

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

/** The account takes no money: the payment fails. Money that came is left to the caller. */
export function failUndeliverable(world: World, invoice: UmaInvoice): Transaction {
  closeAs(world, invoice, "UNDELIVERABLE");
  const transaction = present(
    world.find(transactions.ref(invoice.id)),
    "the transaction of an invoice",
  );
  return failPayment(world, transaction, OFFRAMP_FAILED);
}
