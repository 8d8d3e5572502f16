/** The price list: what an amount buys through every corridor, rail by rail. For information; only a quote holds. */
import { getCurrency } from "../../money/currency.ts";
import { rateToNumber } from "../../money/ratio.ts";
import { accountTypes, railsOfType, ruleOf } from "../external-accounts/account-types.ts";
import type { Platform } from "../platforms/platform.ts";
import { type Corridor, corridorBetween } from "./corridor.ts";
import { priceOf } from "./pricing.ts";
import { pricedCurrencies } from "./sandbox-rates.ts";

export interface ExchangeRate {
  readonly sourceCurrency: string;
  readonly destinationCurrency: string;
  readonly destinationPaymentRail: string;
  readonly sendingMinor: bigint;
  readonly minSendingAmount: number;
  readonly maxSendingAmount: number;
  readonly receivingMinor: bigint;
  readonly exchangeRate: number;
  readonly fixedFeeMinor: bigint;
  readonly totalFeeMinor: bigint;
}

export interface RatesWanted {
  readonly sourceCurrency: string | undefined;
  /** Every one when empty. */
  readonly destinationCurrencies: readonly string[];
  readonly sendingMinor: bigint;
}

/** The rails that pay out each currency, which are those of the accounts that can hold it. */
const railsByCurrency: ReadonlyMap<string, readonly string[]> = new Map(
  pricedCurrencies.map((currency) => [currency, railsOf(currency)]),
);

function railsOf(currency: string): readonly string[] {
  const isFiat = getCurrency(currency).kind === "fiat";
  const rails = accountTypes.flatMap((type) => {
    const { currencies } = ruleOf(type);
    const holds = currencies === "any-fiat" ? isFiat : currencies.includes(currency);
    return holds ? railsOfType(type) : [];
  });
  return [...new Set(rails)].sort();
}

/** Rows in the order of source, destination and rail; none for a currency that the platform does not send. */
export function exchangeRates(platform: Platform, wanted: RatesWanted): readonly ExchangeRate[] {
  const sources = platform.supportedCurrencies
    .filter(({ enabledTransactionTypes }) => enabledTransactionTypes.includes("OUTGOING"))
    .filter(({ currencyCode }) => currencyCode === (wanted.sourceCurrency ?? currencyCode))
    .toSorted((left, right) => (left.currencyCode < right.currencyCode ? -1 : 1));
  const isWanted = new Set(wanted.destinationCurrencies);
  const destinations = pricedCurrencies
    .filter((code) => isWanted.size === 0 || isWanted.has(code))
    .toSorted();
  return sources.flatMap((source) =>
    destinations.flatMap((destination) => {
      const corridor = corridorBetween(source.currencyCode, destination);
      if (corridor === undefined || source.currencyCode === destination) return [];
      const row = rowOf(corridor, wanted.sendingMinor);
      const { minAmount: minSendingAmount, maxAmount: maxSendingAmount } = source;
      return (railsByCurrency.get(destination) ?? []).map((destinationPaymentRail) => ({
        ...row,
        destinationPaymentRail,
        minSendingAmount,
        maxSendingAmount,
      }));
    }),
  );
}

/** An amount that fees eat up buys nothing, and is all fees. */
function rowOf(corridor: Corridor, sendingMinor: bigint) {
  const price = priceOf(corridor, { side: "SENDING", minor: sendingMinor });
  const { fixedFeeMinor } = corridor;
  return {
    sourceCurrency: corridor.sendingCurrency,
    destinationCurrency: corridor.receivingCurrency,
    sendingMinor,
    receivingMinor: price?.receivingMinor ?? 0n,
    exchangeRate: rateToNumber(corridor.rate),
    fixedFeeMinor: fixedFeeMinor < sendingMinor ? fixedFeeMinor : sendingMinor,
    totalFeeMinor: price?.feesMinor ?? sendingMinor,
  };
}
