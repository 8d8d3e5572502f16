/**
 * An entry: one line of an account outside, as its keeper booked it. It is stored once, under the bank's reference, and never changed.
 * It books money in the commit that stores it: as the settlement or the return of an order, as a credit to the account or the quote whose
 * funding address it names, or else in the connection's suspense account.
 */
import { toWireId } from "../../../std/ids.ts";
import { countedBy } from "../../../tables/facets.ts";
import { finderOf } from "../../../tables/find-row.ts";
import { listerOf } from "../../../tables/list-query.ts";
import type { Facet } from "../../../tables/list-totals.ts";
import { defineLookup, defineTable, fixed, type RowOf } from "../../../tables/tables.ts";
import type { QuotedReferences } from "../funding/payment-reference.ts";

export const entryDirections = ["CREDIT", "DEBIT"] as const;
/** CREDIT: the account outside has more. */
export type EntryDirection = (typeof entryDirections)[number];

/** Who told of the entry. REPORT: it was booked from the report of a return; see `reported-return.ts`. */
export const entrySources = ["MANUAL", "CALLBACK", "FEED", "REPORT"] as const;
export type EntrySource = (typeof entrySources)[number];

/**
 * PAYMENT: an order settled by it. RETURN: an order came back by it. DEPOSIT: it credited an internal account. FUNDING: a quote has it.
 * SUSPENSE: its purpose is unknown.
 */
export const bookings = ["PAYMENT", "RETURN", "DEPOSIT", "FUNDING", "SUSPENSE"] as const;
export type Booking = (typeof bookings)[number];

export type Payer = { readonly name?: string; readonly account?: string };

const columns = {
  id: fixed("uuid"),
  connectionId: fixed("uuid"),
  /** The keeper's own reference, unique in the account. */
  bankReference: fixed("text"),
  direction: fixed<EntryDirection>("text"),
  currency: fixed("text"),
  amountMinor: fixed("int8"),
  /** `YYYY-MM-DD` */
  bookedOn: fixed("text"),
  /** Null where the keeper tells the day alone. */
  bookedAt: fixed<number | null>("time"),
  valueDate: fixed<string | null>("text"),
  /** What the payer, or we, gave the payment: an order's `endToEndId` names it. */
  reference: fixed<string | null>("text"),
  remittance: fixed<string | null>("text"),
  payer: fixed<Payer | null>("json"),
  /** The number to which the payer paid, in its plain form. */
  virtualAccount: fixed<string | null>("text"),
  bookedAs: fixed<Booking>("text"),
  /** The order that the entry is about, also where it could not be booked as that. */
  paymentId: fixed<string | null>("uuid"),
  /** The funding address that it names, also where it could not be booked to its account. */
  addressId: fixed<string | null>("uuid"),
  /** The transaction of a DEPOSIT, or that of the quote of a FUNDING. */
  transactionId: fixed<string | null>("uuid"),
  source: fixed<EntrySource>("text"),
  /** `token <id>`, `worker <kind>` and so on. */
  bookedBy: fixed("text"),
  createdAt: fixed("time"),
};

export interface RailEntry extends RowOf<typeof columns> {}

/** What the books add to an entry that is told. */
type Booked =
  | "id"
  | "connectionId"
  | "bookedAs"
  | "paymentId"
  | "addressId"
  | "transactionId"
  | "source"
  | "bookedBy"
  | "createdAt";

/** An entry as it is told. The members here only decide how it is booked. */
export interface ToldEntry extends Omit<RailEntry, Booked> {
  /** The funding references in each of its texts (`quotedReferences`): found once, before the commit that books the entry. */
  readonly references: QuotedReferences;
  /** The funding address that the connector says the money came to. */
  readonly instructionId: string | undefined;
  /** The order that the connector says the entry is about. */
  readonly paymentId: string | undefined;
  /** The bank reference of the entry that this one gives back. */
  readonly returnOf: string | undefined;
}

export const entryDirectionFacet: Facet<Pick<RailEntry, "direction">> = {
  name: "direction",
  sql: "t.direction",
  of: ({ direction }) => direction,
};

export const railEntries = defineTable<RailEntry>("rail_entries", columns, {
  isFinal: () => true,
  counted: countedBy<RailEntry>(entryDirectionFacet),
});

export const findRailEntry = finderOf(railEntries);
export const listRailEntries = listerOf(railEntries);

/** Of every connection: two keepers may use one reference. */
export const entriesByReference = defineLookup(railEntries, { by: "bankReference" });

export function toRailEntryId(id: string): string {
  return toWireId("RailEntry", id);
}

/** Under which bank references the report of a return books its line: where the return was taken, and where it was not. */
export function reportedReferences(endToEndId: string, amountMinor: bigint) {
  const taken = `RETURN ${endToEndId}`;
  return { taken, aside: `${taken} ${amountMinor}` };
}

/** What the entry adds to the account outside. */
export function signedMinor({
  direction,
  amountMinor,
}: Pick<RailEntry, "direction" | "amountMinor">): bigint {
  return direction === "CREDIT" ? amountMinor : -amountMinor;
}

/** Whether the same line is told once more. The texts of a line may be told in more or fewer words. */
export function isSameEntry(entry: RailEntry, told: ToldEntry): boolean {
  return (
    entry.direction === told.direction &&
    entry.currency === told.currency &&
    entry.amountMinor === told.amountMinor
  );
}
