import type { Command } from "../../../engine/command.ts";
import { Refusal, wrongState } from "../../../engine/refusal.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { type Transaction, transactions } from "../../payments/transactions/transaction.ts";
import { railConnections } from "../../rails/connections/rail-connection.ts";
import { bookEntry, entryNeeds } from "../../rails/entries/book-entry.ts";
import type { ToldEntry } from "../../rails/entries/rail-entry.ts";
import { sandboxEntry } from "../../rails/entries/sandbox-entry.ts";
import { railRoutings } from "../../rails/routes/routing.ts";
import { lapse } from "../../uma/incoming/open-invoice.ts";
import {
  endNeeds,
  isUnderWay,
  type UmaInvoice,
  umaInvoices,
} from "../../uma/incoming/uma-invoice.ts";
import { SANDBOX_LAYER } from "../../uma/sandbox-layer.ts";

export const invoiceOutcomes = ["EXACT", "LESS", "MORE", "TWICE", "LATE", "NEVER"] as const;
/** What arrives: the amount, a tenth less or more, twice the amount, the amount after the invoice has lapsed, or nothing, so that it lapses. */
export type InvoiceOutcome = (typeof invoiceOutcomes)[number];

export interface PayUmaInvoiceInput {
  readonly transactionId: string;
  readonly outcome: InvoiceOutcome;
  /** Names the entries; new for each call. */
  readonly reference: string;
}

/**
 * Books what arrives for an invoice of the built-in layer, as the entries of a connector are booked. Refuses, in this order: a payment without
 * an invoice, an invoice of a connector, one that was not given to the payer, an amount of which there is no part.
 */
export const payUmaInvoice: Command<PayUmaInvoiceInput, Transaction> = {
  name: "pay-uma-invoice",
  needs(world, input) {
    const { transactionId } = input;
    const invoice = world.find(umaInvoices.ref(transactionId));
    const refs: AnyRef[] = [
      umaInvoices.ref(transactionId),
      transactions.ref(transactionId),
      railRoutings.ref(world.platformId),
    ];
    if (invoice === undefined) return refs;
    const { connectionId } = invoice;
    const entries = sentFor(invoice, input, invoice.createdAt);
    return [
      ...refs,
      ...endNeeds(world, transactionId),
      railConnections.ref(connectionId),
      ...entries.flatMap((told) => entryNeeds(world, { connectionId, told })),
    ];
  },
  decide(world, input) {
    const { transactionId, outcome } = input;
    const invoice = world.find(umaInvoices.ref(transactionId));
    if (invoice === undefined) throw new Refusal("TRANSACTION_NOT_FOUND");
    const { layer, state, connectionId, amountMinor } = invoice;
    if (layer !== SANDBOX_LAYER) {
      const message = `The invoice is on the layer ${layer}, whose connector tells what is paid.`;
      throw new Refusal("CONFLICT", { layer }, message);
    }
    if (state === "ASKED" || state === "WANTED") {
      const object = "invoice";
      throw wrongState({ object, status: state, needed: "OPEN or ended", action: "paid" });
    }
    if (outcome === "LESS" && amountMinor === 1n) {
      const message = "The invoice is for the smallest amount, so less cannot arrive.";
      throw new Refusal("CONFLICT", { outcome }, message);
    }

    const lapses = outcome === "LATE" || outcome === "NEVER";
    if (lapses && isUnderWay(invoice)) lapse(world, invoice);
    for (const told of sentFor(invoice, input, world.at))
      bookEntry(world, { connectionId, told }, "FEED");
    return world.get(transactions.ref(transactionId));
  },
};

/** The entries. What they need does not depend on their time. */
function sentFor(
  invoice: UmaInvoice,
  { outcome, reference }: PayUmaInvoiceInput,
  at: number,
): readonly ToldEntry[] {
  return amountsOf(invoice, outcome).map((amountMinor, index) => {
    const bankReference = `${SANDBOX_LAYER} ${reference} ${index + 1}`;
    return { ...sandboxEntry(invoice, { bankReference, at }), amountMinor };
  });
}

function amountsOf({ amountMinor }: UmaInvoice, outcome: InvoiceOutcome): readonly bigint[] {
  const tenth = amountMinor / 10n || 1n;
  switch (outcome) {
    case "EXACT":
    case "LATE":
      return [amountMinor];
    case "LESS":
      return [amountMinor - tenth];
    case "MORE":
      return [amountMinor + tenth];
    case "TWICE":
      return [amountMinor, amountMinor];
    case "NEVER":
      return [];
  }
}
