/** The price of a quote in production: the rate of the platform's sources, its spread, its fee, and the route that carries the payout. */

import type { Loaded, World } from "../../../../engine/command.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { toIso } from "../../../../std/clock.ts";
import type { JsonObject } from "../../../../std/json.ts";
import type { AnyRef } from "../../../../tables/tables.ts";
import { findFee } from "../../../prices/price-rules/find-rule.ts";
import { type PriceRules, priceRules, rulesOf } from "../../../prices/price-rules/price-rules.ts";
import {
  liveSources,
  type RateSource,
  sourceKinds,
  toSourceId,
} from "../../../prices/rate-sources/rate-source.ts";
import {
  type Corridor,
  corridorAt,
  corridorWithin,
  withFee,
} from "../../../prices/rates/corridor.ts";
import {
  customerRate,
  type MarketRate,
  marketRate,
  openSources,
} from "../../../prices/rates/market-rate.ts";
import { type LockedSide, priceOf } from "../../../prices/rates/pricing.ts";
import {
  type Chosen,
  carrierPort,
  connectionKinds,
  type Routes,
  type Wanted,
} from "../../carrier/carrier.port.ts";
import { noRail, railPaused, refuseFirst, type Unserved } from "../../carrier/no-carrier.ts";
import { railFor, railsOf } from "../../transfers/transfer-rules.ts";
import { collectionWanted, invoiceWanted } from "../execution.ts";
import type { OutsideTerms } from "../outside-terms.ts";
import {
  type Destination,
  outsideTermsOf,
  type Parties,
  type Source,
} from "../parties/quote-parties.ts";
import { railInto } from "../payment-instructions.ts";
import { fractionText, type QuotePrice } from "./quote-price.ts";

/** Everything that a price is made from. */
export interface Market {
  readonly sources: readonly RateSource[];
  readonly rules: Omit<PriceRules, "id" | "updatedAt">;
  readonly routes: Routes;
  readonly at: number;
}

export function marketNeeds(world: Loaded): readonly AnyRef[] {
  const rules = priceRules.ref(world.platformId);
  return [liveSources, rules, ...world.port(carrierPort).routeNeeds(world)];
}

export function marketOf(world: World): Market {
  return {
    sources: world.all(liveSources),
    rules: rulesOf(world),
    routes: world.port(carrierPort).routes(world),
    at: world.at,
  };
}

export interface LockedAmount {
  readonly lockedSide: LockedSide;
  readonly lockedMinor: bigint;
}

/**
 * NOT_IMPLEMENTED for a payment that nothing carries, RAIL_PAUSED for one that only paused connections carry. Checks the payout (to an
 * account outside or an invoice), the collection, the funding by a payer, and the rate source, and names the first fault in the order of
 * `missingParts`. An amount that is not known yet is checked after pricing.
 */
export function refuseUncarried(
  { source, destination }: Parties,
  { lockedSide, lockedMinor }: LockedAmount,
  { routes, sources }: Market,
): void {
  const minorOf = (side: LockedSide) => (lockedSide === side ? lockedMinor : undefined);
  refuseFirst([
    payoutRefusal(routes, destination, minorOf("RECEIVING")),
    source.kind === "external"
      ? someRouteRefusal(routes, collectionWanted(source.account, minorOf("SENDING") ?? 1n), {
          isAmountKnown: lockedSide === "SENDING",
        })
      : undefined,
    source.kind === "realtime" ? fundingRefusal(routes, source) : undefined,
    isExchangedHere(source, destination) && sources.length === 0
      ? noRate(source.currency, destination.currency)
      : undefined,
  ]);
}

/** What another institution exchanges has a price already, and so has what this platform exchanges for it. */
function isExchangedHere(source: Source, destination: Destination): boolean {
  return source.currency !== destination.currency && outsideTermsOf(destination) === undefined;
}

function payoutRefusal(
  routes: Routes,
  destination: Destination,
  amountMinor: bigint | undefined,
): Refusal | undefined {
  const outside = outsideTermsOf(destination);
  if (outside !== undefined) return invoiceRefusal(routes, outside);
  if (destination.kind !== "external") return undefined;
  return someRouteRefusal(routes, wantedOf(destination, amountMinor ?? 1n), {
    isAmountKnown: amountMinor !== undefined,
  });
}

function invoiceRefusal(routes: Routes, { settlement }: OutsideTerms): Refusal | undefined {
  const wanted = invoiceWanted(settlement, BigInt(settlement.minor));
  return routeRefusal(routes.choose(wanted), wanted);
}

function someRouteRefusal(
  routes: Routes,
  wanted: Wanted,
  { isAmountKnown }: { readonly isAmountKnown: boolean },
): Refusal | undefined {
  const found = routes.choose(wanted);
  const isOfAmount = found.kind === "none" && found.missing === "AMOUNT";
  return isOfAmount && !isAmountKnown ? undefined : routeRefusal(found, wanted);
}

function fundingRefusal(routes: Routes, source: Realtime): Refusal | undefined {
  const { currency, cryptoNetwork } = source;
  if (routes.payIn(source) !== undefined) return undefined;
  if (!routes.isPayInPaused(currency)) return noFunding(source);
  const accountType = railInto(currency, cryptoNetwork);
  return railPaused({ direction: "FUNDING", currency, accountType, paymentRails: [accountType] });
}

type Realtime = Extract<Source, { kind: "realtime" }>;
type Payee = Extract<Destination, { kind: "external" }>;

function wantedOf({ account, paymentRail, currency }: Payee, amountMinor: bigint): Wanted {
  return {
    direction: "OUT",
    currency,
    accountType: account.accountType,
    paymentRails: paymentRail === undefined ? railsOf(account) : [paymentRail],
    amountMinor,
  };
}

function routeRefusal(found: Chosen, wanted: Wanted): Refusal | undefined {
  if (found.kind === "paused") return railPaused(wanted);
  return found.kind === "none" ? noRail(unserved(wanted), found.missing) : undefined;
}

function unserved({ paymentRails, ...wanted }: Wanted): Unserved {
  return { ...wanted, rail: paymentRails[0] ?? wanted.accountType };
}

function noFunding({ currency, cryptoNetwork }: Realtime): Refusal {
  const rail = railInto(currency, cryptoNetwork);
  return new Refusal(
    "NOT_IMPLEMENTED",
    {
      rail,
      direction: "FUNDING",
      currency,
      accountType: rail,
      missing: "FUNDING",
      attach: [...connectionKinds],
    },
    `No connection takes ${currency} from the payers of quotes. Attach one: POST /rails/connections (${connectionKinds.join(" or ")}) with funding.mode REFERENCE or CONNECTOR, then POST /rails/routes with the direction FUNDING.`,
  );
}

function noRate(sending: string, receiving: string): Refusal {
  return new Refusal(
    "NOT_IMPLEMENTED",
    { rail: "foreign exchange", currency: sending, missing: "RATE", attach: [...sourceKinds] },
    `Nothing gives a rate from ${sending} to ${receiving}. Attach a source: POST /rates/sources (${sourceKinds.join(", ")}).`,
  );
}

/** A corridor without fees, and how its rate came about; null within one currency. */
export interface MarketCorridor {
  readonly corridor: Corridor;
  readonly found: Extract<MarketRate, { kind: "found" }> | null;
}

/** RATE_STALE, NOT_IMPLEMENTED or INVALID_CURRENCY when no source gives the rate. */
export function marketCorridor(
  { source, destination }: Pick<Parties, "source" | "destination">,
  { sources, rules, at }: Market,
): MarketCorridor {
  const [from, to] = [source.currency, destination.currency];
  if (from === to) return { corridor: corridorWithin(from), found: null };
  const found = marketRate(
    { from, to },
    { sources: openSources(sources), spreads: rules.spreads, at },
  );
  if (found.kind !== "found") throw refusalOf(found, { from, to });
  const rate = customerRate(found.mid, found.spreadBps);
  return { corridor: corridorAt(rate, { sendingCurrency: from, receivingCurrency: to }), found };
}

function refusalOf(
  why: Exclude<MarketRate, { kind: "found" }>,
  { from, to }: { readonly from: string; readonly to: string },
): Refusal {
  switch (why.kind) {
    case "none":
      return new Refusal(
        "INVALID_CURRENCY",
        { source: from, destination: to },
        "There is no exchange rate between these currencies.",
      );
    case "no-spread":
      return new Refusal(
        "NOT_IMPLEMENTED",
        { rail: "foreign exchange", currency: from, missing: "RATE", attach: [...sourceKinds] },
        `The rates of ${why.source.name} are reference rates; set a spread for ${from} to ${to}, which may be 0: PUT /rates/spreads.`,
      );
    case "stale":
      return staleRate(why, `${from}/${to}`);
  }
}

function staleRate(
  { source, asOf }: Extract<MarketRate, { kind: "stale" }>,
  pair: string,
): Refusal {
  const { name, maxAgeMinutes } = source;
  const details: JsonObject = { pair, source: toSourceId(source.id), maxAgeMinutes };
  if (asOf === null) {
    const message = `The rate source ${name} was not read yet, so it has no rate of ${pair}.`;
    return new Refusal("RATE_STALE", details, message);
  }
  const time = toIso(asOf);
  const message = `The rate of ${pair} from ${name} is of ${time}, which is longer ago than ${maxAgeMinutes} minutes.`;
  return new Refusal("RATE_STALE", { ...details, asOf: time }, message);
}

/** The rail chosen for a payment, and the corridor with the fee for that rail. */
export interface Offer {
  readonly corridor: Corridor;
  readonly paymentRail: string;
  readonly price: Omit<QuotePrice, "id" | "createdAt"> | null;
}

/**
 * Chooses the destination's first rail for which a route takes the amount left after that rail's fee. When there is none, answers the first
 * rail; `refuseUnrouted` refuses it once the limits of the amount are checked.
 */
export function offerOf(
  { source, destination }: Pick<Parties, "source" | "destination">,
  { corridor, found }: MarketCorridor,
  {
    market,
    locked,
    bookRail,
  }: { readonly market: Market; readonly locked: LockedAmount; readonly bookRail: string },
): Offer {
  const offer = (paymentRail: string | undefined): Offer => {
    const accountType =
      destination.kind === "external" ? destination.account.accountType : undefined;
    const [from, to] = [source.currency, destination.currency];
    const fee =
      found === null
        ? undefined
        : findFee(market.rules.fees, { from, to, accountType, paymentRail });
    const price =
      found === null
        ? null
        : priceRecord(corridor, { found, fee: fee ?? null, rules: market.rules });
    return { corridor: withFee(corridor, fee), paymentRail: paymentRail ?? bookRail, price };
  };
  const outside = outsideTermsOf(destination);
  if (outside !== undefined) return { corridor, paymentRail: bookRail, price: outside.price };
  if (destination.kind !== "external") return offer(undefined);
  const { paymentRails } = wantedOf(destination, 1n);
  const offers = paymentRails.map(offer);
  const taken = offers.find((each) => {
    const side = { side: locked.lockedSide, minor: locked.lockedMinor };
    const receivingMinor = priceOf(each.corridor, side)?.receivingMinor;
    return (
      receivingMinor !== undefined &&
      routeOf(destination, { ...each, receivingMinor }, market).kind === "taken"
    );
  });
  return taken ?? offers[0] ?? offer(railFor(destination.account));
}

function routeOf(
  destination: Payee,
  {
    paymentRail,
    receivingMinor,
  }: { readonly paymentRail: string; readonly receivingMinor: bigint },
  { routes }: Market,
) {
  return routes.choose({
    ...wantedOf(destination, receivingMinor),
    paymentRails: [paymentRail],
  });
}

/** RAIL_PAUSED or NOT_IMPLEMENTED when no route takes the payout by the offer's rail, or no route takes the money for it. */
export function refuseUnrouted(
  { source, destination }: Pick<Parties, "source" | "destination">,
  amounts: {
    readonly paymentRail: string;
    readonly sendingMinor: bigint;
    readonly receivingMinor: bigint;
  },
  market: Market,
): void {
  const { paymentRail, sendingMinor: amountMinor, receivingMinor } = amounts;
  const { routes } = market;
  const judged = (wanted: Wanted) => routeRefusal(routes.choose(wanted), wanted);
  refuseFirst([
    destination.kind === "external"
      ? judged({ ...wantedOf(destination, receivingMinor), paymentRails: [paymentRail] })
      : undefined,
    source.kind === "external" ? judged(collectionWanted(source.account, amountMinor)) : undefined,
    source.kind === "realtime" ? payInRefusal(routes, source, amountMinor) : undefined,
  ]);
}

function payInRefusal(
  routes: Routes,
  { currency, cryptoNetwork }: Realtime,
  amountMinor: bigint,
): Refusal | undefined {
  if (routes.payIn({ currency, amountMinor }) !== undefined) return undefined;
  const rail = railInto(currency, cryptoNetwork);
  const wanted = { rail, direction: "FUNDING", currency, accountType: rail, amountMinor } as const;
  return noRail(wanted, "AMOUNT");
}

/** How a price was made, for its record. */
export function priceRecord(
  { rate }: Corridor,
  made: {
    readonly found: Extract<MarketRate, { kind: "found" }>;
    readonly fee: QuotePrice["feeRule"];
    readonly rules: Pick<Market["rules"], "spreadsVersion" | "feesVersion">;
  },
): NonNullable<Offer["price"]> {
  const { found, fee, rules } = made;
  const { spreadsVersion, feesVersion } = rules;
  return {
    sourceId: found.source.id,
    sourceName: found.source.name,
    rateAsOf: found.asOf,
    mid: fractionText(found.mid),
    spreadBps: found.spreadBps,
    spreadsVersion,
    rate: fractionText(rate),
    feeRule: fee,
    feesVersion,
  };
}

const MINUTE_MS = 60_000;

/** The lifetime of a quote: the usual one, but never longer than its rate source permits. */
export function lifetimeOf({ found }: MarketCorridor, usualMs: number): number {
  return found === null ? usualMs : Math.min(usualMs, found.source.lockMinutes * MINUTE_MS);
}
