/**
 * An entry: one line of an external account, as the bank booked it. It is stored once, under the bank's reference, and never changed. It
 * books money in the commit that stores it: as the settlement or the return of an order, as a credit to the account or the quote whose
 * funding address it names, or else in the connection's suspense account.
 */
import { toWireId } from "../../../std/ids.ts";
import { countedBy } from "../../../tables/facets.ts";
import { finderOf } from "../../../tables/find-row.ts";
import { listerOf } from "../../../tables/list-query.ts";
import type { Facet } from "../../../tables/list-totals.ts";
import { defineLookup, defineTable, fixed, type RowOf } from "../../../tables/tables.ts";
import type { PaidChannel } from "../../job-kinds.ts";
import type { QuotedReferences } from "../funding/payment-reference.ts";

export const entryDirections = ["CREDIT", "DEBIT"] as const;
/** CREDIT: the balance of the external account grows. */
export type EntryDirection = (typeof entryDirections)[number];

/** Where the entry came from. REPORT: it was booked from the report of a return; see `reported-return.ts`. */
export const entrySources = ["MANUAL", "CALLBACK", "FEED", "REPORT"] as const;
export type EntrySource = (typeof entrySources)[number];

/**
 * PAYMENT: it settled an order. RETURN: it returned an order. DEPOSIT: it credited an internal account. FUNDING: it funds a quote.
 * INVOICE: it paid an invoice. FEE: it is the charge of an order. SUSPENSE: its purpose is unknown.
 */
export const bookings = [
  "PAYMENT",
  "RETURN",
  "DEPOSIT",
  "FUNDING",
  "INVOICE",
  "FEE",
  "SUSPENSE",
] as const;
export type Booking = (typeof bookings)[number];

export type Payer = { readonly name?: string; readonly account?: string };

const columns = {
  id: fixed("uuid"),
  connectionId: fixed("uuid"),
  /** The bank's own reference, unique within the account. */
  bankReference: fixed("text"),
  direction: fixed<EntryDirection>("text"),
  currency: fixed("text"),
  amountMinor: fixed("int8"),
  /** `YYYY-MM-DD` */
  bookedOn: fixed("text"),
  /** Null when the bank reports only the day. */
  bookedAt: fixed<number | null>("time"),
  valueDate: fixed<string | null>("text"),
  /** The reference given to the payment by its payer or by us; an order is named by its `endToEndId`. */
  reference: fixed<string | null>("text"),
  remittance: fixed<string | null>("text"),
  payer: fixed<Payer | null>("json"),
  /** The account number to which the payer paid, as `plainNumber` writes it. */
  virtualAccount: fixed<string | null>("text"),
  /** The invoice that the connector says the money is for. */
  invoiceId: fixed<string | null>("uuid"),
  /** The order whose charge the entry is, as the connector names it, also where it was not booked as that. */
  feeOf: fixed<string | null>("uuid"),
  bookedAs: fixed<Booking>("text"),
  /** The order that the entry is about, even if it could not be booked to that order. */
  paymentId: fixed<string | null>("uuid"),
  /** The funding address that the entry names, even if it could not be booked to that address. */
  addressId: fixed<string | null>("uuid"),
  /** The transaction of a DEPOSIT or an INVOICE, or that of the quote of a FUNDING. */
  transactionId: fixed<string | null>("uuid"),
  source: fixed<EntrySource>("text"),
  /** `token <id>`, `worker <kind>` and so on. */
  bookedBy: fixed("text"),
  createdAt: fixed("time"),
};

export interface RailEntry extends RowOf<typeof columns> {}

/** The fields that booking adds to a received entry. */
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

/** An entry as received. The members below only decide how it is booked. */
export interface ToldEntry extends Omit<RailEntry, Booked> {
  /** The funding references in each of its texts (`quotedReferences`): found once, before the commit that books the entry. */
  readonly references: QuotedReferences;
  /** The funding address that the connector says the money came to. */
  readonly instructionId: string | undefined;
  /** The order that the connector says the entry is about. */
  readonly paymentId: string | undefined;
  /** The bank reference of the entry that this one gives back. */
  readonly returnOf: string | undefined;
  /** Of money for an invoice: the channels over which it came, where the connector tells them. */
  readonly channels?: readonly PaidChannel[] | undefined;
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

/** Across all connections, because two banks may use the same reference. */
export const entriesByReference = defineLookup(railEntries, { by: "bankReference" });

export function toRailEntryId(id: string): string {
  return toWireId("RailEntry", id);
}

/** The bank references of lines booked from the report of a return: `taken` for an accepted return, `aside` for any other. */
export function reportedReferences(endToEndId: string, amountMinor: bigint) {
  const taken = `RETURN ${endToEndId}`;
  return { taken, aside: `${taken} ${amountMinor}` };
}

/** The signed change of the external balance. */
export function signedMinor({
  direction,
  amountMinor,
}: Pick<RailEntry, "direction" | "amountMinor">): bigint {
  return direction === "CREDIT" ? amountMinor : -amountMinor;
}

/** Whether both are the same line. Texts are not compared, because a bank may shorten or extend them later. */
export function isSameEntry(entry: RailEntry, told: ToldEntry): boolean {
  return (
    entry.direction === told.direction &&
    entry.currency === told.currency &&
    entry.amountMinor === told.amountMinor
  );
}
