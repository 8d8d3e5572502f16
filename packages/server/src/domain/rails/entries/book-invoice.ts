/**
 * Money for an invoice, by what came and when:
 *
 *   the amount            credited, and the payment is complete
 *   more                  the amount is credited; the rest is own funds where it is small, or else an item
 *   less                  an item; the invoice stays open. Where its layer takes partial payments, the items that still wait count with the
 *                         next entry as one sum, and are resolved with it
 *   once more             an item
 *   after the end         an item: LATE if the invoice lapsed, INVOICE_CLOSED if the payment ended in another way
 *   for an account that takes nothing   an item with the reason, and the payment fails
 *
 * The connector names the invoice, so nothing else about the entry is compared.
 */
import type { Loaded, World } from "../../../engine/command.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import type { PaidChannel } from "../../job-kinds.ts";
import { toTransactionId } from "../../payments/transactions/transaction.ts";
import { failUndeliverable } from "../../uma/incoming/open-invoice.ts";
import { paidNeeds, payInvoice } from "../../uma/incoming/pay-invoice.ts";
import {
  isUnderWay,
  toUmaInvoiceId,
  type UmaInvoice,
  umaInvoices,
} from "../../uma/incoming/uma-invoice.ts";
import { railConnections } from "../connections/rail-connection.ts";
import { smallRestOf } from "./book-fee.ts";
import { depositNeeds, depositObstacle } from "./deposit.ts";
import type { RailEntry, ToldEntry } from "./rail-entry.ts";
import {
  endItem,
  type ItemReason,
  isWaiting,
  type NewItem,
  openItem,
  type RailItem,
  railItems,
} from "./rail-item.ts";

/** The parts of one invoice that are added up. Later money that is too little is an item alone. */
const MOST_ADDED_UP = 20;

export interface InvoiceMoney {
  readonly connectionId: string;
  readonly told: Pick<
    ToldEntry,
    "direction" | "currency" | "amountMinor" | "invoiceId" | "channels"
  >;
}

export type InvoicePlace =
  | {
      readonly bookedAs: "INVOICE";
      readonly transactionId: string;
      readonly restMinor: bigint;
      readonly channels: readonly PaidChannel[];
    }
  | ({
      readonly bookedAs: "SUSPENSE";
      /** The invoice whose account takes nothing. */
      readonly undeliverable?: string;
      /** The invoice of whose amount it is a part. */
      readonly partOf?: string;
    } & NewItem);

export function invoiceNeeds(world: Loaded, invoiceId: string): readonly AnyRef[] {
  const invoice = world.find(umaInvoices.ref(invoiceId));
  const refs = paidNeeds(world, invoiceId);
  if (invoice === undefined) return refs;
  const parts = (invoice.parts ?? []).map((id) => railItems.ref(id));
  return [...refs, ...depositNeeds(world, invoice.accountId), ...parts];
}

/** Undefined for an entry that names no invoice. */
export function placeForInvoice(
  world: World,
  { connectionId, told }: InvoiceMoney,
): InvoicePlace | undefined {
  if (told.invoiceId === null) return undefined;
  const invoice = world.find(umaInvoices.ref(told.invoiceId));
  const isOurs = invoice !== undefined && invoice.connectionId === connectionId;
  if (!isOurs || told.direction === "DEBIT") return aside("UNREFERENCED");
  if (told.currency !== invoice.asset) return aside("CURRENCY");
  if (!isUnderWay(invoice)) return aside(reasonAfterEnd(invoice));
  // The connector was not asked for this invoice yet.
  if (invoice.state === "ASKED") return aside("UNREFERENCED");
  const { control, settlement } = world.get(railConnections.ref(connectionId));
  const restMinor = told.amountMinor + sumOf(partsOf(world, invoice)) - invoice.amountMinor;
  if (restMinor < 0n) {
    const isPart = settlement.some((one) => one.layer === invoice.layer && one.partialPayments);
    const isCounted = isPart && (invoice.parts ?? []).length < MOST_ADDED_UP;
    return { ...aside("AMOUNT_DIFFERS"), ...(isCounted ? { partOf: invoice.id } : {}) };
  }
  const { creditCeiling } = control;
  if (creditCeiling !== null && told.amountMinor > BigInt(creditCeiling)) {
    return aside("ABOVE_CEILING");
  }
  const { accountId, receivingMinor: minor } = invoice;
  const obstacle = depositObstacle(world, { accountId, minor });
  if (obstacle !== undefined) return { ...aside(obstacle.reason), undeliverable: invoice.id };
  const { channels = [] } = told;
  return { bookedAs: "INVOICE", transactionId: invoice.id, restMinor, channels };
}

function reasonAfterEnd({ state, endedAs }: UmaInvoice): ItemReason {
  if (state === "PAID") return "ALREADY_PAID";
  return endedAs === "EXPIRED" ? "LATE" : "INVOICE_CLOSED";
}

function aside(reason: ItemReason): Extract<InvoicePlace, { bookedAs: "SUSPENSE" }> {
  return { bookedAs: "SUSPENSE", reason };
}

/** The money that came for the invoice before, as parts of its amount, and waits. It is less than the amount. */
function partsOf(world: World, { parts }: UmaInvoice): readonly RailItem[] {
  return (parts ?? []).map((id) => world.get(railItems.ref(id))).filter(isWaiting);
}

function sumOf(items: readonly RailItem[]): bigint {
  return items.reduce((total, { amountMinor }) => total + amountMinor, 0n);
}

/** Credits the invoice of an entry; what came beyond its amount is own funds up to the connection's ceiling, or else goes to suspense. */
export function bookForInvoice(
  world: World,
  entry: RailEntry,
  { transactionId, restMinor, channels }: Extract<InvoicePlace, { bookedAs: "INVOICE" }>,
): void {
  const invoice = world.get(umaInvoices.ref(transactionId));
  const parts = partsOf(world, invoice);
  payInvoice(world, invoice, { entryId: entry.id, suspendedMinor: sumOf(parts), channels });
  for (const item of parts) resolvePart(world, item, transactionId);
  if (restMinor === 0n) return;
  const { connectionId, currency } = entry;
  const { settings } = world.get(railConnections.ref(connectionId));
  const isSmall = restMinor <= smallRestOf(settings, currency);
  world.post({
    reason: isSmall ? "own-funds.fee" : "suspense.book",
    legs: [
      { system: "clearing", currency, connectionId, minor: -restMinor },
      { system: isSmall ? "own-funds" : "suspense", currency, connectionId, minor: restMinor },
    ],
  });
  if (isSmall) return;
  openItem(world, entry, { reason: "OVERPAID", amountMinor: restMinor });
}

function resolvePart(world: World, item: RailItem, id: string): void {
  const part = {
    kind: "INVOICE",
    invoiceId: toUmaInvoiceId(id),
    price: "QUOTED",
    transactionId: toTransactionId(id),
    minor: item.amountMinor.toString(),
  } as const;
  endItem(world, item, { parts: [part], note: "Added up by itself" });
}

/** Opens the item of a part, and counts it with the money that comes next. */
export function openPart(world: World, entry: RailEntry, invoiceId: string): void {
  const { id } = openItem(world, entry, { reason: "AMOUNT_DIFFERS" });
  const invoice = world.get(umaInvoices.ref(invoiceId));
  const parts = [...(invoice.parts ?? []), id];
  world.put(umaInvoices, { ...invoice, parts, updatedAt: world.at });
}

/** Fails the payment of an invoice whose money its account did not take. */
export function endUndeliverable(world: World, invoiceId: string | undefined): void {
  if (invoiceId !== undefined) failUndeliverable(world, world.get(umaInvoices.ref(invoiceId)));
}
