/** The price list: the receiving amount in every corridor, by rail. For information; only a quote is binding. */
import { getCurrency } from "../../../money/currency.ts";
import { rateToNumber } from "../../../money/ratio.ts";
import { accountTypes, railsOfType, ruleOf } from "../../accounts/external/account-types.ts";
import type { Platform } from "../../platform.ts";
import { type Corridor, corridorBetween } from "./corridor.ts";
import { priceOf } from "./pricing.ts";
import { pricedCurrencies } from "./sandbox-rates.ts";

/** The price of an amount in one currency; the same for every rail of that currency. */
export interface ExchangeRate {
  readonly sourceCurrency: string;
  readonly destinationCurrency: string;
  readonly destinationPaymentRails: readonly string[];
  readonly sendingMinor: bigint;
  readonly minSendingAmount: number;
  readonly maxSendingAmount: number;
  readonly receivingMinor: bigint;
  readonly exchangeRate: number;
  readonly fixedFeeMinor: bigint;
  readonly totalFeeMinor: bigint;
}

/** A currency that a platform sends, with the limits that the platform has set for it. */
export interface SentCurrency {
  readonly currencyCode: string;
  readonly minAmount: number;
  readonly maxAmount: number;
}

/** A corridor out of a currency that the platform sends, before an amount is priced. */
export interface Offer {
  readonly source: SentCurrency;
  readonly route: Route;
}

/** The part of a corridor's rows that depends on the price table alone. */
interface Route {
  readonly corridor: Corridor;
  readonly exchangeRate: number;
  readonly rails: readonly string[];
}

/** The currencies that the platform sends, or only the one asked for, ordered by code. */
export function sentCurrencies(
  { supportedCurrencies }: Pick<Platform, "supportedCurrencies">,
  sourceCurrency: string | undefined,
): readonly SentCurrency[] {
  return supportedCurrencies
    .filter(({ enabledTransactionTypes }) => enabledTransactionTypes.includes("OUTGOING"))
    .filter(({ currencyCode }) => currencyCode === (sourceCurrency ?? currencyCode))
    .toSorted((left, right) => (left.currencyCode < right.currencyCode ? -1 : 1))
    .map(({ currencyCode, minAmount, maxAmount }) => ({ currencyCode, minAmount, maxAmount }));
}

/** Offers into these destinations, or into every priced currency when there are none; ordered by source and destination. */
export function offersOf(
  sources: readonly SentCurrency[],
  destinationCurrencies: readonly string[],
): readonly Offer[] {
  const wanted = new Set(destinationCurrencies);
  return sources.flatMap((source) =>
    routesFrom(source.currencyCode)
      .filter(({ corridor }) => wanted.size === 0 || wanted.has(corridor.receivingCurrency))
      .map((route) => ({ source, route })),
  );
}

/** One row per rail. */
export function countRows(offers: readonly Offer[]): number {
  return offers.reduce((rows, { route }) => rows + route.rails.length, 0);
}

/** An amount that does not exceed its fees buys zero. */
export function priceOffer({ source, route }: Offer, sendingMinor: bigint): ExchangeRate {
  const { corridor, exchangeRate, rails } = route;
  const price = priceOf(corridor, { side: "SENDING", minor: sendingMinor });
  const { fixedFeeMinor } = corridor;
  return {
    sourceCurrency: corridor.sendingCurrency,
    destinationCurrency: corridor.receivingCurrency,
    destinationPaymentRails: rails,
    sendingMinor,
    minSendingAmount: source.minAmount,
    maxSendingAmount: source.maxAmount,
    receivingMinor: price?.receivingMinor ?? 0n,
    exchangeRate,
    fixedFeeMinor: fixedFeeMinor < sendingMinor ? fixedFeeMinor : sendingMinor,
    totalFeeMinor: price?.feesMinor ?? sendingMinor,
  };
}

/** Routes by sending currency, computed once per process: at most one entry per priced currency. */
const routes = new Map<string, readonly Route[]>();

function routesFrom(source: string): readonly Route[] {
  const known = routes.get(source);
  if (known !== undefined) return known;
  const found = sortedDestinations.flatMap((destination): readonly Route[] => {
    const corridor = corridorBetween(source, destination);
    if (corridor === undefined || source === destination) return [];
    const rails = railsByCurrency.get(destination) ?? [];
    return [{ corridor, exchangeRate: rateToNumber(corridor.rate), rails }];
  });
  if (found.length > 0) routes.set(source, found);
  return found;
}

const sortedDestinations: readonly string[] = pricedCurrencies.toSorted();

/** The rails that pay out each currency, which are those of the accounts that can hold it. */
const railsByCurrency: ReadonlyMap<string, readonly string[]> = new Map(
  pricedCurrencies.map((currency) => [currency, railsOf(currency)]),
);

/** The rails of the accounts that can hold this currency. */
export function railsOf(currency: string): readonly string[] {
  const isFiat = getCurrency(currency).kind === "fiat";
  const rails = accountTypes.flatMap((type) => {
    const { currencies } = ruleOf(type);
    const holds = currencies === "any-fiat" ? isFiat : currencies.includes(currency);
    return holds ? railsOfType(type) : [];
  });
  return [...new Set(rails)].sort();
}
