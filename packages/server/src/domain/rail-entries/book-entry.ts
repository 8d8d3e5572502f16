/**
 * Books an entry, in the order: the order that it names is settled or returned by it, or was so by an earlier report and is
 * tied to it; a credit that names a funding address goes to the account or the quote of that; everything else goes to suspense.
 * So each entry moves the connection's clearing account by its amount, once: in the posting of its order, of the credit, or to
 * suspense.
 *
 * An order is tied to one settling entry and one returning entry at most. A name or an amount alone ties nothing.
 */
import type { Loaded, World } from "../../engine/command.ts";
import { systemAccount } from "../../ledger/chart.ts";
import type { AnyRef } from "../../tables/tables.ts";
import { refuseWithoutRoom } from "../internal-accounts/system-room.ts";
import type { Asserter } from "../quotes/funding/quote-maker.ts";
import { bookNeeds, countLine } from "../rail-books/rail-book.ts";
import { noteImport, railConnections } from "../rail-connections/rail-connection.ts";
import {
  idOfEndToEndId,
  putPayment,
  type RailPayment,
  railPayments,
} from "../rail-payments/rail-payment.ts";
import { reportNeeds, takeReport } from "../rail-payments/take-report.ts";
import { aside, bookPlace, creditNeeds, type Place, placeCredit } from "./book-credit.ts";
import {
  type EntrySource,
  entriesByReference,
  isSameEntry,
  type RailEntry,
  railEntries,
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
  const paymentId = namedPayment(world, { connectionId, told });
  return [
    railConnections.ref(connectionId),
    entriesByReference.of(told.bankReference),
    ...(told.returnOf === undefined ? [] : [entriesByReference.of(told.returnOf)]),
    ...bookNeeds({ connectionId, currency: told.currency }),
    systemAccount("suspense", told.currency, connectionId),
    ...(paymentId === undefined ? [] : reportNeeds(world, paymentId)),
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
  refuseEntryWithoutRoom(world, of);

  const minor = signedMinor(told);
  const id = world.newId();
  const payment = paymentOf(world, of);
  const { place, addressId } =
    payment === undefined
      ? placeCredit(world, of)
      : { place: tie(world, { payment, told, entryId: id, source }), addressId: null };
  const { paymentId: _, returnOf: __, instructionId: ___, references: ____, ...line } = told;
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

/** AMOUNT_OUT_OF_RANGE when the connection's books have no room for the entry. */
export function refuseEntryWithoutRoom(world: Loaded, { connectionId, told }: EntryOf): void {
  const { currency } = told;
  const minor = signedMinor(told);
  refuseWithoutRoom(world, [
    { system: "clearing", currency, connectionId, minor: -minor },
    { system: "suspense", currency, connectionId, minor },
  ]);
}

/** The order that the entry names: by its id, as the order of the entry that it gives back, or by its `endToEndId`. */
function namedPayment(world: Loaded, { connectionId, told }: EntryOf): string | undefined {
  const { paymentId, returnOf, reference } = told;
  if (paymentId !== undefined) return paymentId;
  const given = returnOf === undefined ? undefined : entryUnder(world, connectionId, returnOf);
  const ofGiven = given?.paymentId ?? undefined;
  return ofGiven ?? (reference === null ? undefined : idOfEndToEndId(reference));
}

function paymentOf(world: Loaded, { connectionId, told }: EntryOf): RailPayment | undefined {
  const id = namedPayment(world, { connectionId, told });
  const payment = id === undefined ? undefined : world.find(railPayments.ref(id));
  const isOurs = payment?.connectionId === connectionId && payment.currency === told.currency;
  return isOurs ? payment : undefined;
}

interface Tie {
  readonly payment: RailPayment;
  readonly told: ToldEntry;
  readonly entryId: string;
  readonly source: EntrySource;
}

/** A payout, and money that goes back, leaves by a debit and comes back by a credit; a collection the other way round. */
function tie(world: World, tied: Tie): Place {
  const isSettling = (tied.payment.direction === "PULL") === (tied.told.direction === "CREDIT");
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
  const after = report(world, tied, "returned");
  const { state, amountMinor, returnedMinor } = after;
  if (told.amountMinor !== (returnedMinor ?? amountMinor)) return aside("AMOUNT_DIFFERS");
  if (state === "SETTLED" && after.direction === "PULL") return aside("COLLECTION_RETURNED");
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
