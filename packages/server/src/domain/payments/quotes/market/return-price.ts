/**
 * What is refunded when the payout of a settled quote comes back. In production: the returned amount, converted to the source's currency at
 * the current rate without a spread; the fee is kept. The quote's rate is not used, because a payee who sends the payout back could then
 * choose between two rates. In a sandbox, whose rates do not move, the return of a whole payout reverses its exchange.
 */
import type { Loaded, World } from "../../../../engine/command.ts";
import { type Ratio, ratio, scale } from "../../../../money/ratio.ts";
import type { AnyRef } from "../../../../tables/tables.ts";
import { firstWithoutRoom } from "../../../accounts/internal/system-room.ts";
import { platforms } from "../../../platform.ts";
import { ANY } from "../../../prices/price-rules/price-rules.ts";
import { liveSources } from "../../../prices/rate-sources/rate-source.ts";
import { assetRate } from "../../../prices/rates/asset-rate.ts";
import { inWholeUnits } from "../../../prices/rates/corridor.ts";
import { openSources } from "../../../prices/rates/market-rate.ts";
import { accountsOfQuote } from "../execution.ts";
import { payoutCurrency, payoutOf } from "../outside-terms.ts";
import type { Quote } from "../quote.ts";

/** Why nothing is refunded: the money waits as an item with this reason. */
export type NoReturn = "AMOUNT_DIFFERS" | "NO_RATE" | "ACCOUNT_FULL";

export type ReturnPrice =
  | { readonly kind: "undone" }
  | {
      readonly kind: "converted";
      readonly cameMinor: bigint;
      readonly refundMinor: bigint;
      /** Sending units per returned unit; undefined within one currency. */
      readonly rate: Ratio | undefined;
    }
  | { readonly kind: "none"; readonly reason: NoReturn };

export function returnPriceNeeds(world: Loaded, quote: Quote): readonly AnyRef[] {
  const platform = platforms.ref(world.platformId);
  const isPriced =
    world.find(platform)?.environment === "PRODUCTION" &&
    quote.sendingCurrency !== payoutCurrency(quote);
  return isPriced ? [platform, liveSources] : [platform];
}

export function priceReturn(world: World, quote: Quote, cameMinor: bigint): ReturnPrice {
  if (world.get(platforms.ref(world.platformId)).environment !== "PRODUCTION") {
    const isWhole = cameMinor === payoutOf(quote).minor;
    return isWhole ? { kind: "undone" } : { kind: "none", reason: "AMOUNT_DIFFERS" };
  }
  const { sendingCurrency } = quote;
  const paidCurrency = payoutCurrency(quote);
  const perUnit = rateBack(world, { from: sendingCurrency, to: paidCurrency });
  if (perUnit === undefined) return { kind: "none", reason: "NO_RATE" };
  // The platform keeps the rounding remainder, as in every exchange.
  const refundMinor = mostOf(quote, scale(cameMinor, perUnit, "down"));
  if (refundMinor === 0n) return { kind: "none", reason: "AMOUNT_DIFFERS" };
  const isFull = firstWithoutRoom(world, [
    { system: "fx", currency: sendingCurrency, minor: -refundMinor },
    { system: "fx", currency: paidCurrency, minor: cameMinor },
  ]);
  if (isFull !== undefined) return { kind: "none", reason: "ACCOUNT_FULL" };
  const isWithin = sendingCurrency === paidCurrency;
  const rate = isWithin
    ? undefined
    : inWholeUnits(perUnit, { sendingCurrency, receivingCurrency: paidCurrency });
  return { kind: "converted", cameMinor, refundMinor, rate };
}

/** An order to a payer outside never gives back more than that payer has paid. */
function mostOf(quote: Quote, minor: bigint): bigint {
  const isOutside = accountsOfQuote(quote).internalSourceId === undefined;
  return isOutside && minor > quote.sendingMinor ? quote.sendingMinor : minor;
}

const NO_SPREAD = [{ from: ANY, to: ANY, bps: 0 }] as const;

/** Between smallest units; undefined when no source has a fresh rate. */
function rateBack(
  world: World,
  pair: { readonly from: string; readonly to: string },
): Ratio | undefined {
  if (pair.from === pair.to) return ratio(1n, 1n);
  const sources = openSources(world.all(liveSources));
  const found = assetRate(pair, { sources, spreads: NO_SPREAD, at: world.at });
  return found.kind === "found" ? found.perUnit : undefined;
}
