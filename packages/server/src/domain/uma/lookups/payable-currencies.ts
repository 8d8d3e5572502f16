/**
 * In which currencies a receiver at another institution can be paid, within which limits, and at about which rate.
 *
 * A currency counts when this server knows it with the same number of decimals, when both sides have a layer and an asset in common that has
 * a price in it, and when the platform has a rate from the payer's currency to that asset. All prices are exact fractions.
 */
import { findCurrency, getCurrency } from "../../../money/currency.ts";
import { MAX_AMOUNT_MINOR } from "../../../money/money.ts";
import { multiply, type Ratio, ratio, ratioToNumber } from "../../../money/ratio.ts";
import { mulDiv } from "../../../money/rounding.ts";
import { SANDBOX_LAYER } from "../sandbox-layer.ts";
import type { LookedUp, LookedUpCurrency, LookedUpOption } from "./looked-up.ts";

/** An asset that a connection of the platform pays in. `currency` is that of the asset at the connection. */
export interface OwnAsset {
  readonly layer: string;
  readonly identifier: string;
  readonly currency: string;
}

export interface PayableFacts {
  readonly ownAssets: readonly OwnAsset[];
  /** Smallest units of the payer's currency for one unit of the asset; undefined without a young rate. */
  readonly rateTo: (assetCurrency: string) => Ratio | undefined;
  /** The payer's; undefined when the payer can pay in none. */
  readonly payingCurrency: string | undefined;
  /** Whether the asset is the payer's currency, so that nothing is exchanged. */
  readonly isOwnMoney: (assetCurrency: string) => boolean;
  /** The platform's preferred layers, the first one first. */
  readonly layers: readonly string[];
}

export interface CommonAsset extends OwnAsset {
  /** Units of the asset for one smallest unit of the receiver's currency. */
  readonly multiplier: Ratio;
}

export interface PayableCurrency {
  readonly currency: string;
  /** There may be no room between the two. */
  readonly minMinor: bigint;
  readonly maxMinor: bigint;
  /** Whole receiving units for one whole sending unit, cut to 12 decimals. Above zero. */
  readonly estimatedRate: number;
}

export type Payable =
  | { readonly kind: "payable"; readonly currencies: readonly PayableCurrency[] }
  | { readonly kind: "none"; readonly missing: "SETTLEMENT" | "RATE" };

const LIGHTNING = "ln";
const BITCOIN = "BTC";

/** An answer that names no layers is settled over Lightning. */
export function offeredOptions({
  settlementOptions,
}: Pick<LookedUp, "settlementOptions">): readonly LookedUpOption[] {
  return (
    settlementOptions ?? [
      { layer: LIGHTNING, assets: [{ identifier: BITCOIN, multipliers: new Map() }] },
    ]
  );
}

export function payableCurrencies(answer: LookedUp, facts: PayableFacts): Payable {
  const { payingCurrency } = facts;
  if (payingCurrency === undefined) return { kind: "none", missing: "RATE" };
  const known = answer.currencies.filter(
    ({ code, decimals }) => findCurrency(code)?.decimals === decimals,
  );
  const offers = known.map((currency) => ({
    currency,
    common: commonAssets(answer, currency, facts),
  }));
  const priced = offers.flatMap(({ currency, common }) => {
    for (const asset of common) {
      const perUnit = facts.rateTo(asset.currency);
      if (perUnit === undefined) continue;
      const estimatedRate = estimateOf({ payingCurrency, asset, perUnit, currency });
      if (estimatedRate > 0) return [{ ...limitsOf(answer, currency, asset), estimatedRate }];
    }
    return [];
  });
  if (priced.length === 0) {
    const hasSettlement = offers.some(({ common }) => common.length > 0);
    return { kind: "none", missing: hasSettlement ? "RATE" : "SETTLEMENT" };
  }
  return { kind: "payable", currencies: priced };
}

/**
 * The assets of both sides in which this currency has a price: the payer's own money first, then by the platform's preferred layers, then in
 * the order of the other side. The built-in layer of sandboxes comes after all others.
 */
export function commonAssets(
  answer: LookedUp,
  currency: LookedUpCurrency,
  { ownAssets, isOwnMoney, layers }: Pick<PayableFacts, "ownAssets" | "isOwnMoney" | "layers">,
): readonly CommonAsset[] {
  const common = offeredOptions(answer).flatMap(({ layer, assets }) =>
    assets.flatMap(({ identifier, multipliers }): readonly CommonAsset[] => {
      const own = ownAssets.find((one) => one.layer === layer && one.identifier === identifier);
      const isLightning = layer === LIGHTNING && identifier === BITCOIN;
      const price = isLightning ? currency.multiplier : multipliers.get(currency.code);
      if (own === undefined || price === undefined) return [];
      return [{ layer, identifier, currency: own.currency, multiplier: price.value }];
    }),
  );
  const placeOf = (layer: string) => {
    const place = layers.indexOf(layer);
    return place === -1 ? layers.length : place;
  };
  const rankOf = (asset: CommonAsset) =>
    (asset.layer === SANDBOX_LAYER ? 2 : 0) + (isOwnMoney(asset.currency) ? 0 : 1);
  return [...common].sort(
    (one, other) => rankOf(one) - rankOf(other) || placeOf(one.layer) - placeOf(other.layer),
  );
}

function limitsOf(
  { minSendable, maxSendable }: LookedUp,
  { code: currency, min, max }: LookedUpCurrency,
  { layer, multiplier: { numerator, denominator } }: CommonAsset,
): Pick<PayableCurrency, "currency" | "minMinor" | "maxMinor"> {
  const least = [1n, min];
  const most = [MAX_AMOUNT_MINOR, max];
  if (layer === LIGHTNING) {
    least.push(mulDiv(minSendable, denominator, numerator, "up"));
    most.push(mulDiv(maxSendable, denominator, numerator, "down"));
  }
  return { currency, minMinor: largest(least), maxMinor: smallest(most) };
}

const ESTIMATE_DECIMALS = 12;

/** Whole receiving units for one whole sending unit, cut: 0 when it is smaller than what is shown. */
function estimateOf({
  payingCurrency,
  asset: { multiplier },
  perUnit,
  currency: { decimals },
}: {
  readonly payingCurrency: string;
  readonly asset: CommonAsset;
  readonly perUnit: Ratio;
  readonly currency: LookedUpCurrency;
}): number {
  const price = multiply(multiplier, perUnit);
  const sent = 10n ** BigInt(getCurrency(payingCurrency).decimals);
  const received = 10n ** BigInt(decimals);
  const rate = ratio(sent * price.denominator, received * price.numerator);
  return ratioToNumber(rate, ESTIMATE_DECIMALS, "down");
}

function largest(values: readonly bigint[]): bigint {
  return values.reduce((one, other) => (other > one ? other : one));
}

function smallest(values: readonly bigint[]): bigint {
  return values.reduce((one, other) => (other < one ? other : one));
}
