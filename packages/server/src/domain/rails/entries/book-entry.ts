/**
 * Books an entry by the first rule that applies: it pays the invoice that the connector names; it is the charge of the order that the
 * connector names; it settles or returns the order that the rail names, or is tied to it if a report did so before; a credit that names a funding address goes to the account or the quote of that address; everything else goes to suspense. The
 * payer writes the free text, so an order named there is only suggested to the person who resolves the item. So each entry moves the
 * connection's clearing account by its amount, once: in the posting of its order, of the credit, of the charge, or to suspense.
 *
 * An order is tied to one settling entry and one returning entry at most. A name or an amount alone ties nothing.
 */
import type { Loaded, World } from "../../../engine/command.ts";
import { systemAccount } from "../../../ledger/chart.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { refuseWithoutRoom } from "../../accounts/internal/system-room.ts";
import type { Asserter } from "../../payments/quotes/parties/quote-maker.ts";
import { bookNeeds, countLine } from "../books/rail-book.ts";
import { noteImport, railConnections } from "../connections/rail-connection.ts";
import {
  endToEndIdIn,
  endToEndIdOf,
  idOfEndToEndId,
  putPayment,
  type RailPayment,
  railPayments,
} from "../orders/rail-payment.ts";
import { reportNeeds, takeReport } from "../orders/take-report.ts";
import { returnObstacle } from "../returns/return-rule.ts";
import {
  aside,
  bookPlace,
  creditNeeds,
  type Place,
  type PlacedCredit,
  placeCredit,
} from "./book-credit.ts";
import { feeNeeds, isCharge, mayMoveOwnFunds } from "./book-fee.ts";
import { invoiceNeeds } from "./book-invoice.ts";
import {
  type EntrySource,
  entriesByReference,
  isSameEntry,
  type RailEntry,
  railEntries,
  reportedReferences,
  signedMinor,
  type ToldEntry,
} from "./rail-entry.ts";

interface EntryOf {
  readonly connectionId: string;
  readonly told: ToldEntry;
  /** See `CreditOf`. */
  readonly typedBy?: readonly Asserter[] | undefined;
}

/** The rows that booking this entry can touch. */
export function entryNeeds(world: Loaded, { connectionId, told }: EntryOf): readonly AnyRef[] {
  const named = namedPayment(world, { connectionId, told });
  return [
    railConnections.ref(connectionId),
    entriesByReference.of(told.bankReference),
    ...(told.returnOf === undefined ? [] : [entriesByReference.of(told.returnOf)]),
    ...bookNeeds({ connectionId, currency: told.currency }),
    systemAccount("suspense", told.currency, connectionId),
    ...namedNeeds(world, named),
    ...reportedNamesOf(world, { connectionId, told }).map((name) => entriesByReference.of(name)),
    ...(told.invoiceId === null ? [] : invoiceNeeds(world, told.invoiceId)),
    ...feeNeeds(told),
    ...(mayMoveOwnFunds(told) ? [systemAccount("own-funds", told.currency, connectionId)] : []),
    ...creditNeeds(world, { connectionId, told }),
  ];
}

/** The entry of this connection that has the reference. */
export function findEntry(world: Loaded, { connectionId, told }: EntryOf): RailEntry | undefined {
  return entryUnder(world, connectionId, told.bankReference);
}

function entryUnder(
  world: Loaded,
  connectionId: string,
  bankReference: string,
): RailEntry | undefined {
  const entries = world.all(entriesByReference.of(bankReference));
  return entries.find((entry) => entry.connectionId === connectionId);
}

/** `different`: the reference was used for another line, and nothing is booked. */
export type EntryBooked =
  | { readonly kind: "booked" | "known"; readonly entry: RailEntry }
  | { readonly kind: "different"; readonly entry: RailEntry };

/** Books the entry, unless it was booked before. Refuses an amount for which the connection's books have no room. */
export function bookEntry(world: World, of: EntryOf, source: EntrySource): EntryBooked {
  const { connectionId, told } = of;
  const known = findEntry(world, of);
  if (known !== undefined) {
    return { kind: isSameEntry(known, told) ? "known" : "different", entry: known };
  }
  const isReport = source === "REPORT" || isCharge(told);
  const reported = isReport ? undefined : reportedReturn(world, of);
  if (reported !== undefined) return { kind: "known", entry: reported };
  refuseEntryWithoutRoom(world, of);

  const minor = signedMinor(told);
  const id = world.newId();
  // A connector that names an invoice, or an order whose charge it is, has said what the money is for.
  const isExplained = told.invoiceId !== null || isCharge(told);
  const named = isExplained ? undefined : orderOf(world, of);
  const payment = named !== undefined && isTied(named, told) ? named.payment : undefined;
  const placed: PlacedCredit =
    payment === undefined
      ? placeCredit(world, of)
      : { place: tie(world, { payment, told, entryId: id, source }), addressId: null };
  const { addressId } = placed;
  const place = suggesting(placed.place, named?.payment);
  const line = lineOf(told);
  const entry = world.put(railEntries, {
    id,
    connectionId,
    ...line,
    bookedAs: place.bookedAs,
    paymentId: payment?.id ?? null,
    addressId,
    transactionId: "transactionId" in place ? (place.transactionId ?? null) : null,
    source,
    bookedBy: `${world.actor.kind} ${world.actor.id}`,
    createdAt: world.at,
  });
  countLine(world, entry, { ...entry, minor });
  bookPlace(world, entry, place);
  noteImport(world, connectionId);
  return { kind: "booked", entry };
}

/** What is stored of an entry. */
function lineOf(told: ToldEntry) {
  const { paymentId: _, returnOf: __, instructionId: ___, references: ____, ...line } = told;
  const { channels: _____, ...stored } = line;
  return stored;
}

/** A connector with `settlesReturns` may also send an entry for a return: it is the line that the report booked. */
function reportedReturn(world: Loaded, of: EntryOf): RailEntry | undefined {
  return reportedNamesOf(world, of)
    .map((name) => entryUnder(world, of.connectionId, name))
    .find((entry) => entry?.source === "REPORT" && isSameEntry(entry, of.told));
}

/**
 * The bank references of that line, when the entry carries the id of the returned order. An entry that only names another entry is left
 * out: both may be in one page, so the rows to load would not be known.
 */
function reportedNamesOf(world: Loaded, of: EntryOf): readonly string[] {
  const named = of.told.paymentId === undefined ? undefined : orderOf(world, of);
  if (named === undefined || isSettlement(named.payment, of.told)) return [];
  return Object.values(reportedReferences(endToEndIdOf(named.payment.id), of.told.amountMinor));
}

/** AMOUNT_OUT_OF_RANGE when the connection's books have no room for the entry. */
export function refuseEntryWithoutRoom(world: Loaded, { connectionId, told }: EntryOf): void {
  const { currency } = told;
  const minor = signedMinor(told);
  refuseWithoutRoom(world, [
    { system: "clearing", currency, connectionId, minor: -minor },
    { system: mayMoveOwnFunds(told) ? "own-funds" : "suspense", currency, connectionId, minor },
    { system: "suspense", currency, connectionId, minor },
  ]);
}

/** RAIL: the bank or the connector names the order. REFERENCE: the payment's reference is an `endToEndId`. TEXT: a text contains one. */
type NamedBy = "RAIL" | "REFERENCE" | "TEXT";

/** The order that the entry names: by its id, as the order of the entry that it gives back, or by its `endToEndId`. */
function namedPayment(
  world: Loaded,
  { connectionId, told }: EntryOf,
): { readonly id: string; readonly by: NamedBy } | undefined {
  const { paymentId, returnOf, reference, remittance } = told;
  if (paymentId !== undefined) return { id: paymentId, by: "RAIL" };
  const given = returnOf === undefined ? undefined : entryUnder(world, connectionId, returnOf);
  if (typeof given?.paymentId === "string") return { id: given.paymentId, by: "RAIL" };
  const referred = reference === null ? undefined : idOfEndToEndId(reference);
  if (referred !== undefined) return { id: referred, by: "REFERENCE" };
  const quoted = endToEndIdIn(reference ?? "") ?? endToEndIdIn(remittance ?? "");
  return quoted === undefined ? undefined : { id: quoted, by: "TEXT" };
}

function namedNeeds(world: Loaded, named: ReturnType<typeof namedPayment>): readonly AnyRef[] {
  if (named === undefined) return [];
  return named.by === "TEXT" ? [railPayments.ref(named.id)] : reportNeeds(world, named.id);
}

interface NamedOrder {
  readonly payment: RailPayment;
  readonly by: NamedBy;
}

function orderOf(world: Loaded, { connectionId, told }: EntryOf): NamedOrder | undefined {
  const named = namedPayment(world, { connectionId, told });
  const payment = named === undefined ? undefined : world.find(railPayments.ref(named.id));
  if (named === undefined || payment === undefined) return undefined;
  const isOurs = payment.connectionId === connectionId && payment.currency === told.currency;
  return isOurs ? { payment, by: named.by } : undefined;
}

/**
 * Whether the entry settles or returns the order, or confirms an earlier report. A debit carries the reference that the order gave to the
 * bank. A credit carries one that its payer chose, so it counts only if a report has said the same before.
 */
function isTied({ payment, by }: NamedOrder, told: ToldEntry): boolean {
  if (by !== "REFERENCE") return by === "RAIL";
  const { state } = payment;
  const isSettling = isSettlement(payment, told);
  if (isSettling && told.direction === "DEBIT") return true;
  return state === "RETURNED" || (isSettling && state === "SETTLED");
}

/** Adds the named order as a suggestion, unless the item has an order already. */
function suggesting(place: Place, payment: RailPayment | undefined): Place {
  const isOpen = place.bookedAs === "SUSPENSE" && place.paymentId === undefined;
  if (payment === undefined || !isOpen) return place;
  return { ...place, suggestedPaymentId: payment.id };
}

interface Tie {
  readonly payment: RailPayment;
  readonly told: ToldEntry;
  readonly entryId: string;
  readonly source: EntrySource;
}

/** A payout, and money that goes back, leaves by a debit and comes back by a credit; a collection the other way round. */
function isSettlement(payment: RailPayment, told: ToldEntry): boolean {
  return (payment.direction === "PULL") === (told.direction === "CREDIT");
}

function tie(world: World, tied: Tie): Place {
  const isSettling = isSettlement(tied.payment, tied.told);
  return isSettling ? tieSettlement(world, tied) : tieReturn(world, tied);
}

function tieSettlement(world: World, tied: Tie): Place {
  const { payment, told, entryId } = tied;
  if (payment.settledEntryId !== null) return aside("ALREADY_BOOKED");
  const after = report(world, tied, "settled");
  if (told.amountMinor !== payment.amountMinor) return aside("AMOUNT_DIFFERS");
  if (after.state !== "SETTLED" && after.state !== "RETURNED") return aside("CONTRADICTS_ORDER");
  if (after.movesNothing) return aside("ACCOUNT_FULL");
  putPayment(world, { ...after, settledEntryId: entryId });
  return { bookedAs: "PAYMENT" };
}

function tieReturn(world: World, tied: Tie): Place {
  const { payment, told, entryId } = tied;
  if (payment.returnedEntryId !== null) return aside("ALREADY_BOOKED");
  const obstacle = returnObstacle(world, payment, told);
  const after = report(world, tied, "returned");
  const { state, amountMinor, returnedMinor } = after;
  if (obstacle !== undefined) return aside(obstacle);
  if (told.amountMinor !== (returnedMinor ?? amountMinor)) return aside("AMOUNT_DIFFERS");
  if (state !== "RETURNED") return aside("CONTRADICTS_ORDER");
  if (after.direction === "BACK") {
    putPayment(world, { ...after, returnedEntryId: entryId });
    return { ...aside("RETURN_CAME_BACK"), paymentId: after.id };
  }
  putPayment(world, { ...after, returnedEntryId: entryId });
  return { bookedAs: "RETURN" };
}

function report(world: World, tied: Tie, status: "settled" | "returned"): RailPayment {
  const { bankReference, bookedOn, amountMinor } = tied.told;
  return takeReport(world, tied.payment, {
    source: "ENTRY",
    report: {
      status,
      scheme: tied.source === "MANUAL" ? "MANUAL" : "CONNECTOR",
      code: undefined,
      text: undefined,
      reference: bankReference,
      settledOn: bookedOn,
      amountMinor,
    },
  });
}
