/**
 * The price of money for an invoice: today's price, by which a pay request and money that a person credits later are priced, or the share
 * that an amount has in the price of the invoice.
 *
 *   today's     the rate of the platform's sources with its spread, as a published multiplier, and the fee of its rules
 *   the share   receiving = ⌊amount × what the invoice credits ÷ the amount of the invoice⌋, its fee included
 *
 * In both, what the customer gets is rounded down; the rest is a part of the fee, amount − ⌈receiving × multiplier⌉.
 */
import type { World } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { type Multiplier, ratioFromDecimal, scale } from "../../../money/ratio.ts";
import { mulDiv } from "../../../money/rounding.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import type { FeeRule } from "../../prices/price-rules/price-rules.ts";
import { priceRules, rulesOf } from "../../prices/price-rules/price-rules.ts";
import { liveSources } from "../../prices/rate-sources/rate-source.ts";
import { assetFee, assetRate } from "../../prices/rates/asset-rate.ts";
import { type MarketRate, openSources } from "../../prices/rates/market-rate.ts";
import { publishedMultiplier } from "../prices/published-multiplier.ts";
import { type ReceivedPrice, receivedPrice } from "../prices/received-price.ts";
import type { UmaInvoice } from "./uma-invoice.ts";

/** The rows that today's price needs. */
export function priceNeeds(platformId: string): readonly AnyRef[] {
  return [liveSources, priceRules.ref(platformId)];
}

export interface PriceToday {
  readonly multiplier: Multiplier;
  /** Undefined when fees leave the customer nothing. */
  readonly terms: ReceivedPrice | undefined;
  readonly fee: FeeRule | undefined;
  /** Null where nothing is exchanged. */
  readonly market: Extract<MarketRate, { readonly kind: "found" }> | null;
}

/** RATE_STALE without a young rate. */
export function priceToday(
  world: World,
  { asset, currency }: { readonly asset: string; readonly currency: string },
  locked: { readonly side: "RECEIVING" | "SENDING"; readonly minor: bigint },
): PriceToday {
  const rules = rulesOf(world);
  const facts = {
    sources: openSources(world.all(liveSources)),
    spreads: rules.spreads,
    at: world.at,
  };
  const rate = assetRate({ from: asset, to: currency }, facts);
  const multiplier = rate.kind === "found" ? publishedMultiplier(rate.perUnit) : undefined;
  if (rate.kind !== "found" || multiplier === undefined) {
    throw new Refusal("RATE_STALE", { pair: `${asset}/${currency}` });
  }
  const fee = assetFee(rules.fees, { asset, currency });
  const terms = receivedPrice({ asset, currency, multiplier, fee }, locked);
  return { multiplier, terms, fee, market: rate.market };
}

/** What an amount of the asset buys at the price of the invoice; the whole amount buys what the invoice credits. */
export function shareOfPrice(
  { amountMinor, receivingMinor, multiplier }: UmaInvoice,
  minor: bigint,
): ReceivedPrice {
  const bought = mulDiv(minor, receivingMinor, amountMinor, "down");
  const feeMinor = minor - scale(bought, ratioFromDecimal(multiplier), "up");
  return { invoiceMinor: minor, receivingMinor: bought, feeMinor };
}
