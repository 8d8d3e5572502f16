/**
 * The part INVOICE of a resolution: money for an invoice that its own payment did not take, because it was too little, too much, too late or
 * came once more. It credits the account of the invoice by a new INCOMING transaction:
 *
 *   suspense −a   fees +f   account +r                       in one currency, where a = r + f
 *   suspense −a   fees +f   fx +(a − f)   fx −r   account +r   where the asset is another currency
 *
 * The invoice and its payment stay as they are. A resolution has one such part at most: a line is for one invoice.
 */
import type { Loaded, World } from "../../../engine/command.ts";
import { invalidField, Refusal } from "../../../engine/refusal.ts";
import { present } from "../../../std/assert.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { toInternalAccountId } from "../../accounts/internal/internal-account.ts";
import { refuseWithoutRoom } from "../../accounts/internal/system-room.ts";
import { toTransactionId, transactions } from "../../payments/transactions/transaction.ts";
import { refuseBeyondLimits } from "../../prices/fx-positions/fx-position.ts";
import { priceNeeds, priceToday, shareOfPrice } from "../../uma/incoming/invoice-price.ts";
import { creditLegs, paidNeeds } from "../../uma/incoming/pay-invoice.ts";
import {
  exchangeOf,
  toUmaInvoiceId,
  type UmaInvoice,
  umaInvoices,
} from "../../uma/incoming/uma-invoice.ts";
import { depositNeeds, depositObstacle, recordInvoiceDeposit } from "./deposit.ts";
import { railEntries } from "./rail-entry.ts";
import type { PartKind, PartPrice, RailItem, ResolvedPart } from "./rail-item.ts";

export interface InvoicePart {
  readonly kind: "INVOICE";
  readonly minor: bigint;
  readonly invoiceId: string;
  readonly price: PartPrice;
}

/** A part of any kind, as far as parts for accounts and invoices are judged together. */
export type AnyPart =
  | InvoicePart
  | {
      readonly kind: Exclude<PartKind, "INVOICE">;
      readonly minor: bigint;
      readonly accountId?: string;
    };

export function invoicePartNeeds(world: Loaded, invoiceId: string): readonly AnyRef[] {
  const invoice = world.find(umaInvoices.ref(invoiceId));
  if (invoice === undefined) return [umaInvoices.ref(invoiceId)];
  return [
    ...paidNeeds(world, invoiceId),
    ...priceNeeds(world.platformId),
    ...depositNeeds(world, invoice.accountId),
  ];
}

interface Priced {
  readonly asset: string;
  readonly currency: string;
  readonly accountId: string;
  readonly amountMinor: bigint;
  readonly receivingMinor: bigint;
  readonly feeMinor: bigint;
  readonly multiplier: string;
}

/** Undefined when the money buys nothing. RATE_STALE where today's price is asked for and there is none. */
function priced(world: World, { invoiceId, price, minor }: InvoicePart): Priced | undefined {
  const invoice = world.get(umaInvoices.ref(invoiceId));
  const { asset, currency, accountId } = invoice;
  const { terms, digits } = termsOf(world, invoice, { price, minor });
  if (terms === undefined || terms.receivingMinor === 0n) return undefined;
  const { receivingMinor, feeMinor } = terms;
  return {
    asset,
    currency,
    accountId,
    amountMinor: minor,
    receivingMinor,
    feeMinor,
    multiplier: digits,
  };
}

function termsOf(
  world: World,
  invoice: UmaInvoice,
  { price, minor }: Pick<InvoicePart, "price" | "minor">,
) {
  if (price === "QUOTED") {
    return { terms: shareOfPrice(invoice, minor), digits: invoice.multiplier };
  }
  const { terms, multiplier } = priceToday(world, invoice, { side: "SENDING", minor });
  return { terms, digits: multiplier.digits };
}

/**
 * Refuses, in this order: an unknown invoice, money that went out, money that came back for an order, an invoice of another connection, one
 * in another asset, a second part of this kind, money without a young rate at today's price, money that buys nothing, an account that
 * takes none, a position beyond its limit, books without room. The account is judged with all parts for it together.
 */
export function refuseInvoicePart(
  world: World,
  item: RailItem,
  { parts, index }: { readonly parts: readonly AnyPart[]; readonly index: number },
): void {
  const part = parts[index];
  if (part?.kind !== "INVOICE") return;
  const field = `parts[${index}].invoiceId`;
  const invoice = world.find(umaInvoices.ref(part.invoiceId));
  if (invoice === undefined) {
    throw new Refusal("REFERENCE_NOT_FOUND", { field }, `${field}: names no invoice`);
  }
  refuseOtherMoney(item, invoice, field);
  if (parts.findIndex(({ kind }) => kind === "INVOICE") !== index) {
    throw invalidField(`parts[${index}].kind`, "is there twice; a line is for one invoice");
  }
  const terms = priced(world, part);
  if (terms === undefined) {
    const message = `${part.minor} of ${item.currency} buys nothing of ${invoice.currency}; use OWN_FUNDS`;
    throw invalidField(`parts[${index}].amount`, message);
  }
  const { accountId } = invoice;
  const obstacle = depositObstacle(world, {
    accountId,
    minor: creditedTo(world, parts, accountId),
  });
  if (obstacle !== undefined) {
    const id = toInternalAccountId(accountId);
    const message = `${field}: the account ${obstacle.words}.`;
    throw new Refusal("CONFLICT", { field, accountId: id }, message);
  }
  refuseBeyondLimitsAndRoom(world, terms);
}

function refuseOtherMoney(item: RailItem, invoice: UmaInvoice, field: string): void {
  if (item.direction === "DEBIT") {
    throw invalidField(field, "cannot be paid from money that went out; use OWN_FUNDS");
  }
  if (item.entryId === null) {
    throw invalidField(field, "is not paid by money that came back for an order");
  }
  if (invoice.connectionId !== item.connectionId) {
    throw invalidField(field, "names an invoice of another connection");
  }
  if (invoice.asset !== item.currency) {
    throw invalidField(field, `is paid in ${invoice.asset}, the item is in ${item.currency}`);
  }
}

/** What the parts credit to the account together. */
export function creditedTo(world: World, parts: readonly AnyPart[], accountId: string): bigint {
  return parts.reduce((total, part) => {
    if (part.kind !== "INVOICE") {
      const isFor = part.kind === "ACCOUNT" && part.accountId === accountId;
      return isFor ? total + part.minor : total;
    }
    const invoice = world.find(umaInvoices.ref(part.invoiceId));
    if (invoice?.accountId !== accountId) return total;
    return total + (priced(world, part)?.receivingMinor ?? 0n);
  }, 0n);
}

function refuseBeyondLimitsAndRoom(world: World, terms: Priced): void {
  const { asset, currency, receivingMinor, feeMinor } = terms;
  const exchange = exchangeOf(terms);
  refuseBeyondLimits(world, exchange);
  const exchanged = [
    { system: "fx", currency: asset, minor: exchange.convertedMinor },
    { system: "fx", currency, minor: -receivingMinor },
  ] as const;
  refuseWithoutRoom(world, [
    { system: "fees", currency: asset, minor: feeMinor },
    ...(asset === currency ? [] : exchanged),
  ]);
}

/** Credits the account of the invoice. The part has passed its checks in this commit, so it has a price. */
export function applyInvoicePart(world: World, item: RailItem, part: InvoicePart): ResolvedPart {
  const terms = present(priced(world, part), "the price of money that was judged");
  const { asset, accountId, receivingMinor, feeMinor, multiplier } = terms;
  const suspense = {
    system: "suspense",
    currency: asset,
    connectionId: item.connectionId,
    minor: -part.minor,
  } as const;
  world.post({ reason: "uma.receive", legs: [suspense, ...creditLegs(terms)] });
  const entry = world.get(
    railEntries.ref(present(item.entryId, "the entry of money for an invoice")),
  );
  const payment = world.get(transactions.ref(part.invoiceId));
  const transactionId = world.newId();
  recordInvoiceDeposit(
    world,
    { entry, payment },
    { accountId, minor: receivingMinor, transactionId },
  );
  return {
    kind: "INVOICE",
    invoiceId: toUmaInvoiceId(part.invoiceId),
    price: part.price,
    transactionId: toTransactionId(transactionId),
    minor: part.minor.toString(),
    receivedMinor: receivingMinor.toString(),
    feeMinor: feeMinor.toString(),
    multiplier,
  };
}
