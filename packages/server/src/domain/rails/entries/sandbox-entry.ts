/** Money for an invoice on the built-in layer of sandboxes, as a connector would tell it. */
import { toIso } from "../../../std/clock.ts";
import type { UmaInvoice } from "../../uma/incoming/uma-invoice.ts";
import type { ToldEntry } from "./rail-entry.ts";

/** The amount of the invoice. `at` is the time of its platform. */
export function sandboxEntry(
  { id, asset, amountMinor }: UmaInvoice,
  { bankReference, at }: { readonly bankReference: string; readonly at: number },
): ToldEntry {
  return {
    bankReference,
    direction: "CREDIT",
    currency: asset,
    amountMinor,
    bookedOn: toIso(at).slice(0, 10),
    bookedAt: at,
    valueDate: null,
    reference: null,
    remittance: null,
    payer: null,
    virtualAccount: null,
    invoiceId: id,
    feeOf: null,
    references: [],
    instructionId: undefined,
    paymentId: undefined,
    returnOf: undefined,
  };
}
