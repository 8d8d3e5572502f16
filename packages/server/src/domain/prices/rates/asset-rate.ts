/**
 * Rates between a currency and an asset in which payments to and from other institutions are settled. They come from the platform's rate
 * sources, with its spreads. Lightning settles in millisatoshis, which are 1,000 to the smallest unit of bitcoin; rate sources know bitcoin.
 */
import { multiply, type Ratio, ratio } from "../../../money/ratio.ts";
import { findFee } from "../price-rules/find-rule.ts";
import type { FeeRule } from "../price-rules/price-rules.ts";
import { inSmallestUnits } from "./corridor.ts";
import { customerRate, type MarketFacts, type MarketRate, marketRate } from "./market-rate.ts";

/** The type of account, and the rail, by which rules of fees name payments to and from UMA addresses. */
const UMA = { accountType: "UMA_ADDRESS", paymentRail: "UMA" } as const;

export type AssetRate =
  | {
      readonly kind: "found";
      /** Smallest units that the payer gives for one smallest unit of what is bought, with the spread. */
      readonly perUnit: Ratio;
      /** Null where both are the same, so that nothing is exchanged. */
      readonly market: Extract<MarketRate, { readonly kind: "found" }> | null;
    }
  | Exclude<MarketRate, { readonly kind: "found" }>;

export const MILLISATOSHIS = "MSAT";
const BITCOIN = "BTC";
const MILLISATOSHIS_PER_SATOSHI = 1_000n;

/** The currency in which rate sources and price rules know an asset, and how many units of the asset are one of its smallest units. */
export function marketCurrency(asset: string): {
  readonly currency: string;
  readonly units: bigint;
} {
  return asset === MILLISATOSHIS
    ? { currency: BITCOIN, units: MILLISATOSHIS_PER_SATOSHI }
    : { currency: asset, units: 1n };
}

/** Smallest units of `from` for one of `to`. Either may be an asset. */
export function assetRate(
  { from, to }: { readonly from: string; readonly to: string },
  facts: MarketFacts,
): AssetRate {
  const [given, bought] = [marketCurrency(from), marketCurrency(to)];
  const units = ratio(given.units, bought.units);
  if (given.currency === bought.currency) return { kind: "found", perUnit: units, market: null };
  const market = marketRate({ from: given.currency, to: bought.currency }, facts);
  if (market.kind !== "found") return market;
  const rate = inSmallestUnits(customerRate(market.mid, market.spreadBps), {
    sendingCurrency: given.currency,
    receivingCurrency: bought.currency,
  });
  return { kind: "found", perUnit: multiply(rate, units), market };
}

/** The fee on what is given in an asset, in its units; undefined when no rule applies. */
export function assetFee(
  fees: readonly FeeRule[],
  { asset, currency }: { readonly asset: string; readonly currency: string },
): FeeRule | undefined {
  const market = marketCurrency(asset);
  const rule = findFee(fees, { from: market.currency, to: currency, ...UMA });
  if (rule === undefined || market.units === 1n) return rule;
  const inUnits = (minor: string) => (BigInt(minor) * market.units).toString();
  const { fixed, least, most } = rule;
  return {
    ...rule,
    fixed: inUnits(fixed),
    least: least === null ? null : inUnits(least),
    most: most === null ? null : inUnits(most),
  };
}
