/** The checks of a payment between two parties before it is priced. */
import { invalidField, outOfRange, Refusal } from "../../../engine/refusal.ts";
import { MAX_AMOUNT_MINOR } from "../../../money/money.ts";
import {
  refuseFrozenCredit,
  refuseFrozenCustomer,
  refuseFrozenDebit,
} from "../../accounts/freezes/freeze.ts";
import { type CustomerInfo, missingFields } from "../../customers/customer-info.ts";
import { refuseUnlessReady } from "../../customers/readiness.ts";
import {
  enabledCurrency,
  type Platform,
  type SupportedCurrency,
  supportedCurrency,
} from "../../platform.ts";
import {
  type Corridor,
  corridorBetween,
  withoutCounterparty,
} from "../../prices/rates/corridor.ts";
import { type LockedSide, type Price, priceOf } from "../../prices/rates/pricing.ts";
import { providerFieldsOf } from "../../provider-fields.ts";
import { refuseUnknownRail } from "../transfers/transfer-rules.ts";
import {
  type Market,
  type MarketCorridor,
  marketCorridor,
  refuseUncarried,
} from "./market/market-quote.ts";
import { knownAbout } from "./parties/counterparty-information.ts";
import {
  type Destination,
  outsideTermsOf,
  type Parties,
  type Source,
} from "./parties/quote-parties.ts";
import { networkFault, realtimeInstructions } from "./payment-instructions.ts";

export interface QuoteTerms {
  readonly lockedSide: LockedSide;
  readonly lockedMinor: bigint;
  readonly immediatelyExecute: boolean;
  readonly purposeOfPayment: string | undefined;
  /** Data about the sender from the request, by field name. */
  readonly senderCustomerInfo: CustomerInfo;
}

/** The terms, and the market data from which production prices are made. */
export interface PricedTerms extends QuoteTerms {
  readonly market: Market | undefined;
}

/** Currencies whose payouts require a purpose. */
const CURRENCIES_WITH_PURPOSE: ReadonlySet<string> = new Set(["INR", "NGN"]);

/**
 * Refuses, in this order: immediate execution of a source that cannot be executed without its owner or payer; a crypto network that is
 * missing or does not carry the currency; a funding currency that nothing can be paid in; a rail that the destination does not have; in
 * production whatever `refuseUncarried` lists; a pair of currencies that the platform does not move, or that has no known rate; a purpose
 * that is missing; a customer who is not ready, the payer first; a freeze; data about the sender or the receiver that is missing.
 */
export function refuseParties(
  platform: Platform,
  parties: Parties,
  terms: PricedTerms,
): MarketCorridor {
  const { source, destination, customer, payee } = parties;
  refuseImmediate(source, terms);
  refuseNetwork(source);
  refuseRail(destination);
  if (terms.market !== undefined) refuseUncarried(parties, terms, terms.market);
  const sending = refuseCurrencies(platform, source, destination);
  const corridor = corridorOf({ source, destination }, terms);
  if (
    CURRENCIES_WITH_PURPOSE.has(destination.currency) &&
    destination.kind === "external" &&
    terms.purposeOfPayment === undefined
  ) {
    throw invalidField("purposeOfPayment", `is required for payments in ${destination.currency}`);
  }
  if (customer !== null) refuseUnlessReady(customer);
  if (payee !== null) refuseUnlessReady(payee);
  refuseFrozen(parties);
  refuseMissingFields(sending, destination, terms);
  return corridor;
}

function corridorOf(
  { source, destination }: Pick<Parties, "source" | "destination">,
  { market }: PricedTerms,
): MarketCorridor {
  const outside = outsideTermsOf(destination);
  if (outside !== undefined) return { corridor: outside.corridor, found: null };
  return market === undefined
    ? { corridor: sandboxCorridor({ source, destination }), found: null }
    : marketCorridor({ source, destination }, market);
}

function refuseFrozen({ source, destination, customer, payee }: Parties): void {
  if (source.kind === "internal") refuseFrozenDebit(source.account, "source.accountId");
  refuseFrozenCustomer(customer?.frozen ?? null);
  if (destination.kind === "internal") {
    refuseFrozenCredit(destination.account, "destination.accountId");
  }
  if (destination.kind === "uma" && payee?.frozen?.scope === "ALL") {
    refuseFrozenCustomer(payee.frozen);
  }
}

function refuseImmediate(source: Source, { immediatelyExecute }: QuoteTerms): void {
  if (!immediatelyExecute) return;
  if (source.kind === "realtime") {
    throw invalidField("immediatelyExecute", "waits for the payer's money with this source");
  }
  if (isEmbeddedWallet(source)) {
    throw invalidField("immediatelyExecute", "needs the owner's signature with this source");
  }
}

export function isEmbeddedWallet(source: Source): boolean {
  return source.kind === "internal" && source.account.type === "EMBEDDED_WALLET";
}

function refuseNetwork(source: Source): void {
  if (source.kind !== "realtime") return;
  const fault = networkFault(source.currency, source.cryptoNetwork);
  if (fault !== undefined) {
    const message = {
      "not-crypto": `is for crypto currencies; ${source.currency} has no network`,
      required: `is required for ${source.currency}: one of ${fault.networks.join(", ")}`,
      unknown: `does not carry ${source.currency}: one of ${fault.networks.join(", ")}`,
    }[fault.fault];
    throw invalidField("source.cryptoNetwork", message);
  }
  const { currency, cryptoNetwork: network } = source;
  if (realtimeInstructions("any", { currency, network }).length === 0) {
    throw new Refusal("INVALID_CURRENCY", { currency }, `Nothing can be paid in with ${currency}.`);
  }
}

function refuseRail(destination: Destination): void {
  if (destination.kind === "uma") return;
  const { paymentRail } = destination;
  if (destination.kind === "external") refuseUnknownRail(destination.account, paymentRail);
  else if (paymentRail !== undefined) {
    throw invalidField("destination.paymentRail", "must be left out for an internal account");
  }
}

function refuseCurrencies(
  platform: Platform,
  source: Source,
  destination: Destination,
): SupportedCurrency {
  const sending = enabledCurrency(platform, source.currency, "OUTGOING");
  if (destination.kind === "internal") {
    enabledCurrency(platform, destination.currency, "INCOMING");
  }
  if (source.currency === destination.currency && isTransfer(source, destination)) {
    throw new Refusal(
      "INVALID_CURRENCY",
      { source: source.currency, destination: destination.currency },
      "Both accounts are in one currency: this is a transfer (POST /transfers, /transfer-out, /transfer-in), not a quote.",
    );
  }
  return sending;
}

/**
 * Whether a plain transfer can make this payment, so that it needs no quote. Within one currency, quotes exist only for embedded wallets,
 * UMA addresses and funding from outside.
 */
function isTransfer(source: Source, destination: Destination): boolean {
  return source.kind !== "realtime" && destination.kind !== "uma" && !isEmbeddedWallet(source);
}

function sandboxCorridor({
  source,
  destination,
}: Pick<Parties, "source" | "destination">): Corridor {
  const corridor = corridorBetween(source.currency, destination.currency);
  if (corridor === undefined) {
    throw new Refusal(
      "INVALID_CURRENCY",
      { source: source.currency, destination: destination.currency },
      "There is no exchange rate between these currencies.",
    );
  }
  return destination.kind === "internal" ? withoutCounterparty(corridor) : corridor;
}

/**
 * Whether the receiver's institution answers for the data about the receiver: a platform of this deployment when the payment arrives, another
 * institution with its invoice.
 */
function isAskedLater(destination: Destination): boolean {
  return destination.kind === "uma" && destination.receiver.home.kind !== "sandbox";
}

function refuseMissingFields(
  sending: SupportedCurrency,
  destination: Destination,
  { senderCustomerInfo }: QuoteTerms,
): void {
  if (destination.kind === "uma") {
    const missing = missingFields(destination.receiver.requiredPayerFields, senderCustomerInfo);
    if (missing.length > 0) {
      throw new Refusal(
        "MISSING_MANDATORY_USER_INFO",
        { field: "senderCustomerInfo", missing },
        `senderCustomerInfo must have ${missing.join(", ")}.`,
      );
    }
  }
  if (destination.kind === "internal" || isAskedLater(destination)) return;
  const wanted = sending.requiredCounterpartyFields.filter(({ mandatory }) => mandatory);
  // The receiver's own institution has the data of an address's holder.
  const provider =
    destination.kind === "external" ? providerFieldsOf(destination.currency).counterparty : [];
  const names = [...new Set<string>([...wanted.map(({ name }) => name), ...provider])];
  const known = knownAbout(destination, names);
  const missing = names.filter((name) => !(name in known));
  if (missing.length > 0) {
    throw new Refusal(
      "INVALID_RECEIVER",
      { field: "destination", missing },
      `The receiver lacks data that is required: ${missing.join(", ")}.`,
    );
  }
}

/** Prices the payment; AMOUNT_OUT_OF_RANGE when an amount is outside a limit. */
export function priceWithinLimits(
  platform: Platform,
  { source, destination }: Parties,
  { corridor, terms }: { readonly corridor: Corridor; readonly terms: QuoteTerms },
): Price {
  const outside = outsideTermsOf(destination);
  const isInvoiceLocked = outside !== undefined && terms.lockedSide === "RECEIVING";
  const price = priceOf(corridor, {
    side: terms.lockedSide,
    minor: isInvoiceLocked ? BigInt(outside.settlement.minor) : terms.lockedMinor,
  });
  const limits = supportedCurrency(platform, source.currency);
  const { minAmount = 0, maxAmount = 0 } = limits ?? {};
  const { currency } = source;
  if (price === undefined) {
    throw new Refusal(
      "AMOUNT_OUT_OF_RANGE",
      { currency, minAmount, maxAmount },
      "Nothing is left for the receiver once the fees are taken.",
    );
  }
  const { sendingMinor, receivingMinor } = price;
  const isWithin =
    sendingMinor >= BigInt(minAmount) &&
    sendingMinor <= BigInt(maxAmount) &&
    sendingMinor <= MAX_AMOUNT_MINOR;
  if (!isWithin) throw outOfRange({ currency, amountMinor: sendingMinor, minAmount, maxAmount });
  if (receivingMinor > MAX_AMOUNT_MINOR) {
    throw new Refusal(
      "AMOUNT_OUT_OF_RANGE",
      { currency: destination.currency, maxReceivable: Number(MAX_AMOUNT_MINOR) },
      "The receiver would get more than an amount can be.",
    );
  }
  if (destination.kind === "uma") {
    refuseReceivable(destination.receiver, outside?.receivingMinor ?? receivingMinor);
  }
  return price;
}

function refuseReceivable(
  receiver: Extract<Destination, { kind: "uma" }>["receiver"],
  receivingMinor: bigint,
): void {
  const { currency, minMinor, maxMinor } = receiver;
  if (receivingMinor >= minMinor && receivingMinor <= maxMinor) return;
  throw new Refusal(
    "AMOUNT_OUT_OF_RANGE",
    { currency, minReceivable: Number(minMinor), maxReceivable: Number(maxMinor) },
    `The receiver would get ${receivingMinor}, which is not between ${minMinor} and ${maxMinor}, its limits in ${currency}.`,
  );
}
