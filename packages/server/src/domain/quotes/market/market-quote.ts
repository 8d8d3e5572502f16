/** The price of a quote in production: the rate of the platform's sources, its spread, its fee, and the route that carries the payout. */
import type { Loaded, World } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { toIso } from "../../../std/clock.ts";
import type { JsonObject } from "../../../std/json.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { findFee } from "../../price-rules/find-rule.ts";
import { type PriceRules, priceRules, rulesOf } from "../../price-rules/price-rules.ts";
import { noRail, railPaused, type Unserved } from "../../rail-routes/no-rail.ts";
import {
  type RailRouting,
  railRoutings,
  resolveRoute,
  routingOf,
  type Wanted,
} from "../../rail-routes/routing.ts";
import {
  liveSources,
  type RateSource,
  sourceKinds,
  toSourceId,
} from "../../rate-sources/rate-source.ts";
import { type Corridor, corridorAt, corridorWithin, withFee } from "../../rates/corridor.ts";
import { customerRate, type MarketRate, marketRate, openSources } from "../../rates/market-rate.ts";
import { type LockedSide, priceOf } from "../../rates/pricing.ts";
import { railFor, railsOf } from "../../transfers/transfer-rules.ts";
import { railInto } from "../payment-instructions.ts";
import type { Destination, Parties, Source } from "../quote-parties.ts";
import { fractionText, type QuotePrice } from "./quote-price.ts";

/** Everything that a price is made from. */
export interface Market {
  readonly sources: readonly RateSource[];
  readonly rules: Omit<PriceRules, "id" | "updatedAt">;
  readonly routing: RailRouting | undefined;
  readonly at: number;
}

export function marketNeeds({ platformId }: Loaded): readonly AnyRef[] {
  return [liveSources, priceRules.ref(platformId), railRoutings.ref(platformId)];
}

export function marketOf(world: World): Market {
  return {
    sources: world.all(liveSources),
    rules: rulesOf(world),
    routing: routingOf(world),
    at: world.at,
  };
}

export interface LockedAmount {
  readonly lockedSide: LockedSide;
  readonly lockedMinor: bigint;
}

/**
 * NOT_IMPLEMENTED for what nothing carries, RAIL_PAUSED for what only paused connections do. Refuses, in this order: money from
 * outside; a payout to a UMA address; one that no route takes, whatever its amount may turn out to be; an exchange without any
 * rate source.
 */
export function refuseUncarried(
  { source, destination }: Parties,
  { lockedSide, lockedMinor }: LockedAmount,
  { routing, sources }: Market,
): void {
  if (source.kind !== "internal") throw noFunding(source);
  if (destination.kind === "uma") throw new Refusal("NOT_IMPLEMENTED", { rail: "UMA" });
  if (destination.kind === "external") {
    const isKnown = lockedSide === "RECEIVING";
    const wanted = wantedOf(destination, isKnown ? lockedMinor : 1n);
    const found = resolveRoute(routing, wanted);
    const isOfAmount = found.kind === "none" && found.missing === "AMOUNT";
    if (isKnown || !isOfAmount) refuseRoute(found, wanted);
  }
  if (source.currency !== destination.currency && sources.length === 0) {
    throw noRate(source.currency, destination.currency);
  }
}

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

function refuseRoute(found: ReturnType<typeof resolveRoute>, wanted: Wanted): void {
  if (found.kind === "paused") throw railPaused(wanted);
  if (found.kind === "none") throw noRail(unserved(wanted), found.missing);
}

function unserved({ paymentRails, ...wanted }: Wanted): Unserved {
  return { ...wanted, rail: paymentRails[0] ?? wanted.accountType };
}

function noFunding(source: Exclude<Source, { kind: "internal" }>): Refusal {
  const { currency } = source;
  const isPulled = source.kind === "external";
  const rail = isPulled ? railFor(source.account) : railInto(currency, source.cryptoNetwork);
  return new Refusal(
    "NOT_IMPLEMENTED",
    {
      rail,
      direction: isPulled ? "PULL" : "FUNDING",
      currency,
      ...(isPulled ? { accountType: source.account.accountType } : {}),
      missing: "FUNDING",
      attach: [],
    },
    `A production quote is not paid from outside. Bring the ${currency} to an internal account first (POST /transfer-in), and name that account as the source.`,
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

/** What is taken for a payment: the rail, and the corridor with the fee for it. */
export interface Offer {
  readonly corridor: Corridor;
  readonly paymentRail: string;
  readonly price: Omit<QuotePrice, "id" | "createdAt"> | null;
}

/**
 * The corridor with its fee, and the rail: the first of the destination's for which a route takes the amount that the fee for
 * that rail leaves. When none does, the first rail's corridor, whose route `refuseUnrouted` refuses after the limits of the
 * amount.
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
      found === null ? null : priceRecord(corridor, { found, fee: fee ?? null, market });
    return { corridor: withFee(corridor, fee), paymentRail: paymentRail ?? bookRail, price };
  };
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
  { routing }: Market,
) {
  return resolveRoute(routing, {
    ...wantedOf(destination, receivingMinor),
    paymentRails: [paymentRail],
  });
}

/** RAIL_PAUSED or NOT_IMPLEMENTED when no route takes this amount by the rail of the offer. */
export function refuseUnrouted(
  { destination }: Pick<Parties, "destination">,
  amount: { readonly paymentRail: string; readonly receivingMinor: bigint },
  market: Market,
): void {
  if (destination.kind !== "external") return;
  const { paymentRail, receivingMinor } = amount;
  const wanted = { ...wantedOf(destination, receivingMinor), paymentRails: [paymentRail] };
  refuseRoute(resolveRoute(market.routing, wanted), wanted);
}

function priceRecord(
  { rate }: Corridor,
  made: {
    readonly found: Extract<MarketRate, { kind: "found" }>;
    readonly fee: QuotePrice["feeRule"];
    readonly market: Market;
  },
): Offer["price"] {
  const { found, fee, market } = made;
  const { spreadsVersion, feesVersion } = market.rules;
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

/** How long a quote may hold: never longer than its source permits. */
export function lifetimeOf({ found }: MarketCorridor, usualMs: number): number {
  return found === null ? usualMs : Math.min(usualMs, found.source.lockMinutes * MINUTE_MS);
}
