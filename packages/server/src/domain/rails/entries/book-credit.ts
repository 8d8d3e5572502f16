/** Credits that name a funding address: booked to its account or to its quote, or set aside with the reason why not. */
import type { Loaded, World } from "../../../engine/command.ts";
import { systemAccount } from "../../../ledger/chart.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { type Asserter, isSame } from "../../payments/quotes/parties/quote-maker.ts";
import { quotes } from "../../payments/quotes/quote.ts";
import { platforms } from "../../platform.ts";
import { railConnections, touchConnection } from "../connections/rail-connection.ts";
import {
  addressesByNumber,
  addressesByReference,
  type FundingAddress,
  fundingAddresses,
} from "../funding/funding-address.ts";
import { fundingObstacle, takeFunding, takeFundingNeeds } from "../quotes/take-funding.ts";
import { railRoutings } from "../routes/routing.ts";
import { bookFee, type FeePlace, placeFee } from "./book-fee.ts";
import {
  bookForInvoice,
  endUndeliverable,
  type InvoicePlace,
  openPart,
  placeForInvoice,
} from "./book-invoice.ts";
import { depositNeeds, depositObstacle, recordDeposit } from "./deposit.ts";
import { type RailEntry, signedMinor, type ToldEntry } from "./rail-entry.ts";
import { type ItemReason, type NewItem, openItem } from "./rail-item.ts";
import { setAsideForPayer } from "./return-item.ts";

interface CreditOf {
  readonly connectionId: string;
  readonly told: ToldEntry;
  /** For a line typed in where another person could have done so: who typed it in, and who confirmed it. */
  readonly typedBy?: readonly Asserter[] | undefined;
}

/** The rows that a credit can touch, found by the references that it carries. */
export function creditNeeds(world: Loaded, of: CreditOf): readonly AnyRef[] {
  if (of.told.direction === "DEBIT") return [];
  const found = matchCredit(world, of);
  const refs = [
    ...matchNeeds(of),
    railRoutings.ref(world.platformId),
    platforms.ref(world.platformId),
  ];
  if (found.kind !== "address") return refs;
  const { accountId, quoteId } = found.address;
  if (accountId !== null) refs.push(...depositNeeds(world, accountId));
  if (quoteId === null) return refs;
  const { connectionId, told } = of;
  return [
    ...refs,
    systemAccount("clearing", told.currency, connectionId),
    ...takeFundingNeeds(world, quoteId),
  ];
}

/** How an entry is booked, as its row stores it. */
export type Place =
  | { readonly bookedAs: "PAYMENT" | "RETURN" }
  | { readonly bookedAs: "DEPOSIT"; readonly accountId: string; readonly transactionId: string }
  | { readonly bookedAs: "FUNDING"; readonly quoteId: string; readonly transactionId: string }
  | Extract<InvoicePlace, { bookedAs: "INVOICE" }>
  | Extract<FeePlace, { bookedAs: "FEE" }>
  | ({
      readonly bookedAs: "SUSPENSE";
      readonly goesBack?: true;
      readonly undeliverable?: string;
      readonly partOf?: string;
    } & NewItem);

export interface PlacedCredit {
  readonly place: Place;
  readonly addressId: string | null;
}

/** Decides how to book an entry that belongs to no order. Books nothing yet. */
export function placeCredit(world: World, of: CreditOf): PlacedCredit {
  const forInvoice = placeForInvoice(world, of);
  if (forInvoice !== undefined) return { place: forInvoice, addressId: null };
  const fee = placeFee(world, of);
  if (fee !== undefined) return { place: fee, addressId: null };
  const { currencies } = world.get(railConnections.ref(of.connectionId));
  if (!currencies.includes(of.told.currency)) return { place: aside("CURRENCY"), addressId: null };
  const found = of.told.direction === "DEBIT" ? undefined : matchCredit(world, of);
  switch (found?.kind) {
    case "address": {
      const { address } = found;
      const { accountId } = address;
      const place =
        accountId === null
          ? quotePlace(world, address, of)
          : accountPlace(world, address, { of, accountId });
      return { place, addressId: address.id };
    }
    case "ambiguous":
      return { place: aside("AMBIGUOUS"), addressId: null };
    default:
      return { place: aside("UNREFERENCED"), addressId: null };
  }
}

export function aside(reason: ItemReason): Extract<Place, { bookedAs: "SUSPENSE" }> {
  return { bookedAs: "SUSPENSE", reason };
}

function accountPlace(
  world: World,
  { currency }: FundingAddress,
  { of, accountId }: { readonly of: CreditOf; readonly accountId: string },
): Place {
  const { told, connectionId } = of;
  const minor = told.amountMinor;
  if (told.currency !== currency) return aside("CURRENCY");
  const obstacle = depositObstacle(world, { accountId, minor });
  if (obstacle !== undefined) return aside(obstacle.reason);
  const { creditCeiling } = world.get(railConnections.ref(connectionId)).control;
  if (creditCeiling !== null && minor > BigInt(creditCeiling)) {
    return { bookedAs: "SUSPENSE", reason: "ABOVE_CEILING", accountId };
  }
  return { bookedAs: "DEPOSIT", accountId, transactionId: world.newId() };
}

function quotePlace(
  world: World,
  { quoteId }: FundingAddress,
  { told, connectionId, typedBy = [] }: CreditOf,
): Place {
  const quote = world.get(quotes.ref(quoteId ?? ""));
  const { maker } = quote;
  const obstacle = fundingObstacle(quote, told);
  if (obstacle === undefined && maker !== null && typedBy.some((one) => isSame(maker, one))) {
    return aside("OWN_QUOTE");
  }
  if (obstacle === undefined) {
    return { bookedAs: "FUNDING", quoteId: quote.id, transactionId: quote.transactionId };
  }
  const { funding } = world.get(railConnections.ref(connectionId));
  const goesBack = obstacle === "LATE" && funding.onLate === "RETURN";
  return goesBack ? { ...aside("LATE"), goesBack: true } : aside(obstacle);
}

/** Books the money of an entry, unless the posting of its order has booked it. */
export function bookPlace(world: World, entry: RailEntry, place: Place): void {
  const { currency, connectionId, amountMinor: minor } = entry;
  switch (place.bookedAs) {
    case "DEPOSIT": {
      const { accountId, transactionId } = place;
      world.post({
        reason: "deposit.credit",
        legs: [
          { system: "clearing", currency, connectionId, minor: -minor },
          { account: accountId, minor },
        ],
      });
      recordDeposit(world, entry, { accountId, minor, transactionId });
      return;
    }
    case "FUNDING": {
      const connection = world.get(railConnections.ref(connectionId));
      takeFunding(world, world.get(quotes.ref(place.quoteId)), { entry, connection });
      return;
    }
    case "INVOICE":
      bookForInvoice(world, entry, place);
      return;
    case "FEE":
      bookFee(world, entry);
      return;
    case "SUSPENSE": {
      const { goesBack, undeliverable, partOf, ...item } = place;
      endUndeliverable(world, undeliverable);
      setAside(world, entry);
      if (goesBack === true) setAsideForPayer(world, entry, { ...item, amountMinor: minor });
      else if (partOf !== undefined) openPart(world, entry, partOf);
      else openItem(world, entry, item);
    }
  }
}

/** Books money to suspense: a credit is owed to somebody unknown, a debit is missing until a person says what it paid for. */
function setAside(world: World, entry: RailEntry): void {
  const { currency, connectionId } = entry;
  const minor = signedMinor(entry);
  world.post({
    reason: "suspense.book",
    legs: [
      { system: "clearing", currency, connectionId, minor: -minor },
      { system: "suspense", currency, connectionId, minor },
    ],
  });
  // Makes the count of open items that an archiving relies on stale.
  touchConnection(world, connectionId);
}

type CreditMatch =
  | { readonly kind: "address"; readonly address: FundingAddress }
  /** The text contains more than one reference. */
  | { readonly kind: "ambiguous" }
  | { readonly kind: "none" };

interface Credit {
  readonly connectionId: string;
  readonly told: ToldEntry;
}

function matchNeeds({ told }: Credit): readonly AnyRef[] {
  const { virtualAccount, instructionId } = told;
  const references = told.references.flatMap(([one, ...others]) => {
    return one === undefined || others.length > 0 ? [] : [addressesByReference.of(one)];
  });
  return [
    ...(virtualAccount === null ? [] : [addressesByNumber.of(virtualAccount)]),
    ...(instructionId === undefined ? [] : [fundingAddresses.ref(instructionId)]),
    ...references,
  ];
}

/**
 * Finds what a credit is for. The first that fits, in this order: the virtual account that was paid to, the address that the connector
 * names, the reference that the payment carries, the one distinct reference in its text. A payer's name or account, an amount, and a
 * reference of another platform match nothing.
 */
function matchCredit(world: Loaded, { connectionId, told }: Credit): CreditMatch {
  const { virtualAccount, instructionId } = told;
  const byNumber = virtualAccount === null ? [] : world.all(addressesByNumber.of(virtualAccount));
  const byId =
    instructionId === undefined ? undefined : world.find(fundingAddresses.ref(instructionId));
  const named = [...byNumber, ...(byId === undefined ? [] : [byId])];
  const own = named.find((address) => address.connectionId === connectionId);
  if (own !== undefined) return { kind: "address", address: own };
  for (const [one, ...others] of told.references) {
    if (one === undefined) continue;
    if (others.length > 0) return { kind: "ambiguous" };
    const [address] = world.all(addressesByReference.of(one));
    if (address !== undefined) return { kind: "address", address };
  }
  return { kind: "none" };
}
