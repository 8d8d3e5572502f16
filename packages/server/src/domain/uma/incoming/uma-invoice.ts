/**
 * An invoice: what another institution pays, in an asset, so that a customer gets an amount of a currency. Its id is that of the incoming
 * transaction.
 *
 *   ASKED    priced; the platform is asked whether it takes the payment
 *   WANTED   approved; a connector makes the text
 *   OPEN     the payer's institution has the text
 *   PAID     an entry paid it, and the customer is credited
 *   CLOSED   nothing is taken for it any more; `endedAs` says why
 *
 * The price holds until the invoice is PAID or CLOSED. If the server dies while it is WANTED, its job cancels it at the connector.
 */
import type { Loaded, World } from "../../../engine/command.ts";
import { toWireId } from "../../../std/ids.ts";
import { finderOf } from "../../../tables/find-row.ts";
import {
  type AnyRef,
  defineLookup,
  defineTable,
  fixed,
  mutable,
  type RowOf,
} from "../../../tables/tables.ts";
import {
  currencyNeeds,
  type Exchange,
  releaseExchange,
} from "../../prices/fx-positions/fx-position.ts";
import type { FeeRule } from "../../prices/price-rules/price-rules.ts";

export const umaInvoiceStates = ["ASKED", "WANTED", "OPEN", "PAID", "CLOSED"] as const;

/** REFUSED: the platform did not take the payment. NOT_MADE: no connector made the text. UNDELIVERABLE: the account took no money. */
export const invoiceEnds = ["REFUSED", "NOT_MADE", "EXPIRED", "UNDELIVERABLE"] as const;
export type InvoiceEnd = (typeof invoiceEnds)[number];

/** How the price was made; null where nothing was exchanged. */
export type InvoicePrice = {
  readonly sourceId: string;
  readonly sourceName: string;
  readonly rateAsOf: string;
  /** A fraction: smallest units of the market's currencies for one of what is bought. */
  readonly mid: string;
  readonly spreadBps: number;
  readonly spreadsVersion: number;
  readonly feeRule: FeeRule | null;
  readonly feesVersion: number;
};

export type InvoiceHook = {
  readonly callback: string;
  /** The domain of the platform that the institution knows. */
  readonly ownDomain: string;
};

const columns = {
  id: fixed("uuid"),
  /** The customer's account that is credited. */
  accountId: fixed("uuid"),
  /** The connection that makes the text and takes the money. */
  connectionId: fixed("uuid"),
  layer: fixed("text"),
  /** The layer's name of the asset. */
  identifier: fixed("text"),
  /** The currency in which the connection tells the asset. */
  asset: fixed("text"),
  decimals: fixed("int4"),
  /** What is to be paid, in units of the asset. */
  amountMinor: fixed("int8"),
  currency: fixed("text"),
  receivingMinor: fixed("int8"),
  /** In units of the asset. */
  feeMinor: fixed("int8"),
  /** Units of the asset for one smallest unit of the currency, in digits. */
  multiplier: fixed("text"),
  price: fixed<InvoicePrice | null>("json"),
  /** How long it is open. */
  invoiceSeconds: fixed("int4"),
  /** The payer's institution. */
  vaspDomain: fixed("text"),
  /** The lookup that it belongs to. */
  tokenId: fixed("text"),
  /** Where the payer's institution wants to be told after the payment; null where it does not. */
  hook: fixed<InvoiceHook | null>("json"),
  state: mutable<(typeof umaInvoiceStates)[number]>("text"),
  text: mutable<string | null>("text"),
  expiresAt: mutable<number | null>("time"),
  nodePubKey: mutable<string | null>("text"),
  utxos: mutable<readonly string[] | null>("json"),
  /** The entry that paid it. */
  entryId: mutable<string | null>("uuid"),
  endedAs: mutable<InvoiceEnd | null>("text"),
  /** The items of money that came as parts of its amount, oldest first; null where none came. */
  parts: mutable<readonly string[] | null>("json"),
  /** The job that closes it unless it is paid. */
  jobId: mutable<string | null>("uuid"),
  createdAt: fixed("time"),
  updatedAt: mutable("time"),
};

export interface UmaInvoice extends RowOf<typeof columns> {}

export const umaInvoices = defineTable<UmaInvoice>("uma_invoices", columns, {
  isFinal: ({ state }) => state === "PAID" || state === "CLOSED",
});

export function toUmaInvoiceId(id: string): string {
  return toWireId("UmaInvoice", id);
}

export const findUmaInvoice = finderOf(umaInvoices);

export const invoicesOfToken = defineLookup(umaInvoices, { by: "tokenId" });

/** The exchange that the platform makes: it gains the asset without the fee, and gives the currency. */
export function exchangeOf({
  asset,
  currency,
  amountMinor,
  feeMinor,
  receivingMinor,
}: Pick<
  UmaInvoice,
  "asset" | "currency" | "amountMinor" | "feeMinor" | "receivingMinor"
>): Exchange {
  const convertedMinor = amountMinor - feeMinor;
  return { sendingCurrency: asset, receivingCurrency: currency, convertedMinor, receivingMinor };
}

/** The rows that ending the invoice of a transaction needs. */
export function endNeeds(world: Loaded, id: string): readonly AnyRef[] {
  const invoice = world.find(umaInvoices.ref(id));
  const refs: AnyRef[] = [umaInvoices.ref(id)];
  return invoice === undefined
    ? refs
    : [...refs, ...currencyNeeds(world, invoice.asset, invoice.currency)];
}

/** Ends an invoice that is under way: its price is not kept any more. */
export function endInvoice(
  world: World,
  invoice: UmaInvoice,
  end:
    | { readonly state: "PAID"; readonly entryId: string }
    | { readonly state: "CLOSED"; readonly endedAs: InvoiceEnd },
): UmaInvoice {
  releaseExchange(world, exchangeOf(invoice));
  if (invoice.jobId !== null) world.cancel(invoice.jobId);
  return world.put(umaInvoices, { ...invoice, ...end, jobId: null, updatedAt: world.at });
}

export function isUnderWay({ state }: Pick<UmaInvoice, "state">): boolean {
  return state !== "PAID" && state !== "CLOSED";
}
