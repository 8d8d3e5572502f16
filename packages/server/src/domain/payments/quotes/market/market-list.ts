/**
 * The price list of a production platform: the price of an amount by its sources, spreads and fees, for every currency pair with a fresh
 * rate.
 */
import { rateToNumber } from "../../../../money/ratio.ts";
import { findFee } from "../../../prices/price-rules/find-rule.ts";
import type { FeeRule, SpreadRule } from "../../../prices/price-rules/price-rules.ts";
import type { RateSource } from "../../../prices/rate-sources/rate-source.ts";
import { corridorAt, withFee } from "../../../prices/rates/corridor.ts";
import {
  type ExchangeRate,
  priceOffer,
  railsOf,
  type SentCurrency,
} from "../../../prices/rates/exchange-rates.ts";
import { customerRate, marketRate, openSources } from "../../../prices/rates/market-rate.ts";
import type { Routes } from "../../carrier/carrier.port.ts";
import { BOOK_RAIL } from "../../transactions/delivery.ts";

export interface MarketListFacts {
  readonly sources: readonly RateSource[];
  readonly spreads: readonly SpreadRule[];
  readonly fees: readonly FeeRule[];
  readonly routes: Routes;
  readonly at: number;
}

/** Every currency for which a source has a rate, sorted by code. */
export function marketCurrencies(sources: readonly RateSource[]): readonly string[] {
  const codes = sources.flatMap(({ rates }) => rates.flatMap(({ base, quote }) => [base, quote]));
  return [...new Set(codes)].sort();
}

/**
 * For each pair of currencies: one row for payments within the books, and one for each rail that a connection pays out by.
 */
export function marketList(
  sent: readonly SentCurrency[],
  destinations: readonly string[],
  { facts, sendingMinor }: { readonly facts: MarketListFacts; readonly sendingMinor: bigint },
): readonly ExchangeRate[] {
  const sources = openSources(facts.sources);
  const railsByCurrency = new Map(
    destinations.map((code) => [code, [BOOK_RAIL, ...carriedRails(code, facts.routes)]]),
  );
  return sent.flatMap((source) =>
    destinations.flatMap((to): readonly ExchangeRate[] => {
      const from = source.currencyCode;
      if (from === to) return [];
      const found = marketRate({ from, to }, { ...facts, sources });
      if (found.kind !== "found") return [];
      const rate = customerRate(found.mid, found.spreadBps);
      const corridor = corridorAt(rate, { sendingCurrency: from, receivingCurrency: to });
      const exchangeRate = rateToNumber(rate);
      return (railsByCurrency.get(to) ?? []).map((rail) => {
        const paymentRail = rail === BOOK_RAIL ? undefined : rail;
        const fee = findFee(facts.fees, { from, to, accountType: undefined, paymentRail });
        const route = { corridor: withFee(corridor, fee), exchangeRate, rails: [rail] };
        return priceOffer({ source, route }, sendingMinor);
      });
    }),
  );
}

function carriedRails(currency: string, routes: Routes): readonly string[] {
  return railsOf(currency).filter((rail) => routes.pays(currency, rail));
}
