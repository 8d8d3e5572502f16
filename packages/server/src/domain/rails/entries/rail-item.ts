/**
 * An item: money in a connection's suspense account, because nothing says what it is for or no account takes it. It waits until a person
 * says what it is, once and in full: OPEN where its purpose is unknown, HELD where it is for an account and above the connection's ceiling.
 * An event reports its age after 1, 5 and 20 banking days of its connection.
 */
import type { World } from "../../../engine/command.ts";
import { toWireId } from "../../../std/ids.ts";
import { countedBy, stateFacet } from "../../../tables/facets.ts";
import { finderOf } from "../../../tables/find-row.ts";
import { listerOf } from "../../../tables/list-query.ts";
import { defineLookup, defineTable, fixed, mutable, type RowOf } from "../../../tables/tables.ts";
import { scheduleJob } from "../../job-kinds.ts";
import { afterBankingDays } from "../connections/calendar.ts";
import { railConnections, touchConnection } from "../connections/rail-connection.ts";
import type { RailPayment } from "../orders/rail-payment.ts";
import type { EntryDirection, RailEntry } from "./rail-entry.ts";

export const itemReasons = [
  // Nothing names an order, or the text of the payer alone does.
  "UNREFERENCED",
  // The order has another amount, or less came back than a charge explains.
  "AMOUNT_DIFFERS",
  // Another entry has booked the order, or its return.
  "ALREADY_BOOKED",
  // The order is in a state that the entry contradicts.
  "CONTRADICTS_ORDER",
  // The account that the money is for is closed.
  "ACCOUNT_CLOSED",
  // The account that the money is for has no room for it.
  "ACCOUNT_FULL",
  // The customer that the money is for was deleted.
  "CUSTOMER_DELETED",
  // A settled collection was taken back after a partial refund to its payer, or this is the rest of a quote whose payout failed after that.
  "COLLECTION_RETURNED",
  // The text contains more than one reference.
  "AMBIGUOUS",
  // What the money is for is in another currency, or the connection does not have this one.
  "CURRENCY",
  // The account that the money is for is frozen with the scope ALL.
  "ACCOUNT_FROZEN",
  // A credit above the connection's ceiling.
  "ABOVE_CEILING",
  // The quote that the money is for was funded before, or has failed.
  "ALREADY_FUNDED",
  // The money came after the time of its quote or invoice, or a payout came back after `control.returnDays` of the connection.
  "LATE",
  // The quote that the money is for was made by the caller that typed the line in, or confirmed it.
  "OWN_QUOTE",
  // The money of a quote that failed or expired.
  "QUOTE_ENDED",
  // An order to give the money back was declined or cancelled.
  "RETURN_DECLINED",
  // A quote's payout came back, and no rate source has a fresh rate for it.
  "NO_RATE",
  // Money that had been returned came in again.
  "RETURN_CAME_BACK",
  // A payout came back without a charge that a bank kept.
  "SHORT_RETURN",
  // What came for an invoice beyond its amount.
  "OVERPAID",
  // The invoice that the money is for was paid before.
  "ALREADY_PAID",
  // The payment of the invoice that the money is for has ended.
  "INVOICE_CLOSED",
  // A charge of an order above the connection's ceiling.
  "FEE_ABOVE_CEILING",
] as const;
export type ItemReason = (typeof itemReasons)[number];

export const itemStates = ["OPEN", "HELD", "RESOLVED"] as const;
export type ItemState = (typeof itemStates)[number];

export const partKinds = [
  "ACCOUNT",
  "QUOTE",
  "RETURN",
  "PAYMENT",
  "RECEIVABLE",
  "FX",
  "OWN_FUNDS",
  "DUPLICATE_OF",
  "INVOICE",
] as const;
/** The price of money for an invoice: a share of that of the invoice, or today's. */
export const partPrices = ["QUOTED", "CURRENT"] as const;
export type PartPrice = (typeof partPrices)[number];
/** The effect of a line on its order. */
export const partOutcomes = ["SETTLED", "RETURNED"] as const;
export type PartOutcome = (typeof partOutcomes)[number];

export type PartKind = (typeof partKinds)[number];

/** A part of an item as it was resolved: amounts are text, because JSON has no whole numbers of this size. */
export type ResolvedPart = { readonly minor: string } & (
  | { readonly kind: "ACCOUNT"; readonly accountId: string; readonly transactionId: string }
  | { readonly kind: "QUOTE"; readonly quoteId: string; readonly transactionId: string }
  | { readonly kind: "RETURN"; readonly paymentId: string }
  | { readonly kind: "PAYMENT"; readonly paymentId: string; readonly outcome: PartOutcome }
  | { readonly kind: "RECEIVABLE"; readonly receivableId: string }
  | { readonly kind: "FX" }
  | { readonly kind: "OWN_FUNDS"; readonly label: string }
  | { readonly kind: "DUPLICATE_OF"; readonly entryId: string }
  | {
      readonly kind: "INVOICE";
      readonly invoiceId: string;
      readonly price: PartPrice;
      readonly transactionId: string;
      /** What the account was credited, and of the amount what was the fee. */
      readonly receivedMinor: string;
      readonly feeMinor: string;
      /** Units of the asset for one smallest unit of the account's currency, in digits. */
      readonly multiplier: string;
    }
  // Of money that was a part of the amount: the payment of the invoice has the price.
  | {
      readonly kind: "INVOICE";
      readonly invoiceId: string;
      readonly price: "QUOTED";
      readonly transactionId: string;
    }
);

export type Resolution = {
  readonly parts: readonly ResolvedPart[];
  readonly note: string;
  /** `token <id>`; for an automatic resolution, the actor that booked the line. */
  readonly by: string;
};

const columns = {
  id: fixed("uuid"),
  connectionId: fixed("uuid"),
  /** The entry that the money came by; null for an item of an order that came back. */
  entryId: fixed<string | null>("uuid"),
  /** Of a HELD item: the account that the money is for. */
  accountId: fixed<string | null>("uuid"),
  /** The transaction of the quote whose money this was; its refund ends with the item. */
  transactionId: fixed<string | null>("uuid"),
  /** The order that came back, that failed to return the money, or whose returned money came in again. */
  paymentId: fixed<string | null>("uuid"),
  /** The order that the entry's text names, or that the entry could not settle or return. It is only a hint. */
  suggestedPaymentId: fixed<string | null>("uuid"),
  reason: fixed<ItemReason>("text"),
  direction: fixed<EntryDirection>("text"),
  currency: fixed("text"),
  amountMinor: fixed("int8"),
  state: mutable<ItemState>("text"),
  /** The last age that an event reported. */
  agedDays: mutable("int4"),
  /** The job that reports the next age; null after the last one. */
  jobId: mutable<string | null>("uuid"),
  resolution: mutable<Resolution | null>("json"),
  resolvedAt: mutable<number | null>("time"),
  createdAt: fixed("time"),
};

export interface RailItem extends RowOf<typeof columns> {}

export const railItems = defineTable<RailItem>("rail_items", columns, {
  isFinal: ({ state }) => state === "RESOLVED",
  counted: countedBy<RailItem>(stateFacet),
});

export const findRailItem = finderOf(railItems);
export const listRailItems = listerOf(railItems);

export const itemsOfEntry = defineLookup(railItems, { by: "entryId" });
export const itemsOfTransaction = defineLookup(railItems, { by: "transactionId" });

/** Whether the item still waits for a person's resolution. */
export function isWaiting({ state }: Pick<RailItem, "state">): boolean {
  return state !== "RESOLVED";
}

export function toRailItemId(id: string): string {
  return toWireId("RailItem", id);
}

export interface RailItemSubject {
  readonly kind: "RailItem";
  readonly id: string;
  readonly item: RailItem;
}

export function railItemSubject(item: RailItem): RailItemSubject {
  return { kind: "RailItem", id: toRailItemId(item.id), item };
}

export interface NewItem {
  readonly reason: ItemReason;
  /** Undefined: the whole entry. */
  readonly amountMinor?: bigint;
  readonly accountId?: string;
  readonly transactionId?: string | null;
  readonly paymentId?: string;
  readonly suggestedPaymentId?: string;
}

type Opened = Omit<
  RailItem,
  "id" | "state" | "agedDays" | "jobId" | "resolution" | "resolvedAt" | "createdAt"
>;

/** Opens an item for money in suspense: HELD if it names an account, OPEN otherwise. */
export function openItem(world: World, entry: RailEntry, item: NewItem): RailItem {
  const { id: entryId, connectionId, direction, currency } = entry;
  const { reason, amountMinor = entry.amountMinor } = item;
  const { accountId = null, transactionId = null, paymentId = null } = item;
  const { suggestedPaymentId = null } = item;
  const named = { accountId, transactionId, paymentId, suggestedPaymentId };
  const origin = { connectionId, entryId, ...named };
  return open(world, { ...origin, reason, direction, currency, amountMinor });
}

/** Opens an item for the money of an order that came back. */
export function openItemOfOrder(
  world: World,
  of: {
    readonly payment: Pick<RailPayment, "id" | "connectionId" | "currency">;
    readonly reason: ItemReason;
    readonly amountMinor: bigint;
  },
): RailItem {
  const { payment, reason, amountMinor } = of;
  const { id: paymentId, connectionId, currency } = payment;
  const absent = { entryId: null, accountId: null, transactionId: null, suggestedPaymentId: null };
  const origin = { connectionId, ...absent, paymentId };
  return open(world, { ...origin, reason, direction: "CREDIT", currency, amountMinor });
}

function open(world: World, item: Opened): RailItem {
  const id = world.newId();
  const { connectionId } = item;
  const opened = world.put(railItems, {
    id,
    ...item,
    state: item.accountId === null ? "OPEN" : "HELD",
    agedDays: 0,
    jobId: scheduleAge(world, { id, connectionId, createdAt: world.at }, 0),
    resolution: null,
    resolvedAt: null,
    createdAt: world.at,
  });
  world.emit("RAIL_ITEM.OPEN", railItemSubject(opened));
  // Makes the count of open items that an archiving relies on stale.
  touchConnection(world, connectionId);
  return opened;
}

/** Marks an item as resolved. The money has been moved by the caller. */
export function endItem(
  world: World,
  item: RailItem,
  { parts, note }: Pick<Resolution, "parts" | "note">,
): RailItem {
  if (item.jobId !== null) world.cancel(item.jobId);
  // Makes the count of open items that an archiving relies on stale.
  touchConnection(world, item.connectionId);
  return world.put(railItems, {
    ...item,
    state: "RESOLVED",
    jobId: null,
    resolution: { parts, note, by: `${world.actor.kind} ${world.actor.id}` },
    resolvedAt: world.at,
  });
}

/** The ages that events report, in banking days. */
export const TOLD_AGES: readonly number[] = [1, 5, 20];

/** Schedules the job that reports the next age; null after the last one. Needs the connection's row. */
export function scheduleAge(
  world: World,
  { id, connectionId, createdAt }: Pick<RailItem, "id" | "connectionId" | "createdAt">,
  toldDays: number,
): string | null {
  const days = TOLD_AGES.find((age) => age > toldDays);
  if (days === undefined) return null;
  const connection = world.get(railConnections.ref(connectionId));
  const dueAt = afterBankingDays(connection, createdAt, days);
  return scheduleJob(world, { kind: "age-rail-item", payload: { itemId: id }, dueAt });
}
