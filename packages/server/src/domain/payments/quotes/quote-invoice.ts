/** The invoices of other institutions that quotes pay, so that none is paid by two of them. */

import type { Loaded, World } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { sha256Hex } from "../../../std/digest.ts";
import { type AnyRef, defineTable, fixed, type RowOf } from "../../../tables/tables.ts";
import { usedInvoice } from "../../constraints.ts";
import type { QuoteSettlement } from "./outside-terms.ts";

const columns = {
  id: fixed("uuid"),
  quoteId: fixed("uuid"),
  /** What stands for the payment in the URL at which the institution tells of it; null where it was given none. */
  hookId: fixed<string | null>("uuid"),
  createdAt: fixed("time"),
};

export interface QuoteInvoice extends RowOf<typeof columns> {}

export const quoteInvoices = defineTable<QuoteInvoice>("quote_invoices", columns, {
  isFinal: () => true,
});

type Invoice = Pick<QuoteSettlement, "layer" | "invoice">;

/** No layer's name has a space. */
export function quoteInvoiceId({ layer, invoice }: Invoice): string {
  const hex = sha256Hex(`${layer} ${invoice}`);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export function quoteInvoiceNeeds(invoice: Invoice): readonly AnyRef[] {
  return [quoteInvoices.ref(quoteInvoiceId(invoice))];
}

/** Refuses an invoice that a quote of this platform pays. A constraint finds those of other platforms. */
export function refuseUsedInvoice(world: Loaded, invoice: Invoice): void {
  if (world.find(quoteInvoices.ref(quoteInvoiceId(invoice))) === undefined) return;
  const { code, details, message } = usedInvoice;
  throw new Refusal(code, details, message, false);
}

export function putQuoteInvoice(
  world: World,
  settlement: Invoice & Pick<QuoteSettlement, "hook">,
  quoteId: string,
): void {
  const hookId = settlement.hook?.id ?? null;
  world.put(quoteInvoices, {
    id: quoteInvoiceId(settlement),
    quoteId,
    hookId,
    createdAt: world.at,
  });
}
