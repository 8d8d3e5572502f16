/**
 * What a lookup of another institution finds at an address: the currencies in which the customer can be paid from outside now, with the
 * price of each in the assets in which the platform's connections make invoices.
 */
import { type Multiplier, ratio, scale } from "../../../money/ratio.ts";
import { type Customer, isReady } from "../../customers/customer.ts";
import type { RequestedField } from "../../customers/customer-info.ts";
import { type Platform, supportedCurrency } from "../../platform.ts";
import { assetRate } from "../../prices/rates/asset-rate.ts";
import type { MarketFacts } from "../../prices/rates/market-rate.ts";
import { publishedMultiplier } from "../prices/published-multiplier.ts";
import { mergedFields, receivableAt } from "../receiver.ts";

/** An asset in which invoices can be made. */
export interface OfferedAsset {
  readonly layer: string;
  /** The layer's own name of the asset. */
  readonly identifier: string;
  /** The currency in which the connection tells of it. */
  readonly currency: string;
  /** Units of the asset; null for no limit. */
  readonly minMinor: bigint | null;
  readonly maxMinor: bigint | null;
}

export interface LookupFacts {
  readonly platform: Platform;
  /** The live customer at the address. */
  readonly customer: Customer | undefined;
  /** By priority. */
  readonly assets: readonly OfferedAsset[];
  readonly prices: MarketFacts;
}

export interface AssetPrice {
  readonly asset: OfferedAsset;
  /** Units of the asset for one smallest unit of the currency. */
  readonly multiplier: Multiplier;
}

export interface PricedCurrency {
  readonly currency: string;
  /** Smallest units of the currency. */
  readonly minMinor: bigint;
  readonly maxMinor: bigint;
  /** At least one. */
  readonly prices: readonly AssetPrice[];
}

export interface LookupReceiver {
  readonly customer: Customer;
  /** In the customer's order, at least one. */
  readonly currencies: readonly PricedCurrency[];
  /** By priority. */
  readonly assets: readonly OfferedAsset[];
  /** What the platform requires to know of a payer in these currencies. */
  readonly requiredPayerFields: readonly RequestedField[];
}

/** Others read at most so many of an answer. */
const MOST_CURRENCIES = 200;
const MOST_ASSETS = 50;

/**
 * Undefined for a customer who cannot be paid from outside: none at the address, not ready, frozen for credits, or without a currency that
 * takes payments and has a price. The callers are not told which.
 */
export function lookupReceiver({
  platform,
  customer,
  assets,
  prices,
}: LookupFacts): LookupReceiver | undefined {
  if (customer === undefined || !isReady(customer)) return undefined;
  if (customer.frozen?.scope === "ALL") return undefined;
  const offered = readable(assets, customer, prices);
  const currencies = customer.currencies.slice(0, MOST_CURRENCIES).flatMap((code) => {
    const supported = supportedCurrency(platform, code);
    if (supported?.enabledTransactionTypes.includes("INCOMING") !== true) return [];
    const priced = pricedCurrency(receivableAt(platform, code), offered, prices);
    return priced === undefined ? [] : [{ priced, fields: supported.requiredCounterpartyFields }];
  });
  if (currencies.length === 0) return undefined;
  return {
    customer,
    currencies: currencies.map(({ priced }) => priced),
    assets: offered,
    requiredPayerFields: mergedFields(currencies.flatMap(({ fields }) => fields)),
  };
}

/** Of more than others read, the first that have a price in a currency of the customer. */
function readable(
  assets: readonly OfferedAsset[],
  { currencies }: Customer,
  prices: MarketFacts,
): readonly OfferedAsset[] {
  if (assets.length <= MOST_ASSETS) return assets;
  const hasPrice = ({ currency: from }: OfferedAsset) =>
    currencies.some((to) => assetRate({ from, to }, prices).kind === "found");
  return assets.filter(hasPrice).slice(0, MOST_ASSETS);
}

/** Within the platform's limits and those of at least one asset; undefined without a price, and without room between the limits. */
function pricedCurrency(
  { currency, minMinor, maxMinor }: Omit<PricedCurrency, "prices">,
  assets: readonly OfferedAsset[],
  facts: MarketFacts,
): PricedCurrency | undefined {
  const prices = assets.flatMap((asset) => {
    const rate = assetRate({ from: asset.currency, to: currency }, facts);
    const multiplier = rate.kind === "found" ? publishedMultiplier(rate.perUnit) : undefined;
    return multiplier === undefined ? [] : [{ asset, multiplier }];
  });
  const ranges = prices
    .map((price) => rangeOf(price, { minMinor, maxMinor }))
    .filter((range) => range.minMinor <= range.maxMinor);
  if (ranges.length === 0) return undefined;
  return {
    currency,
    minMinor: least(ranges.map((range) => range.minMinor)),
    maxMinor: largest(ranges.map((range) => range.maxMinor)),
    prices,
  };
}

interface Range {
  readonly minMinor: bigint;
  readonly maxMinor: bigint;
}

/** The limits of the currency, cut to those of the asset at its price. */
function rangeOf({ asset, multiplier: { value } }: AssetPrice, { minMinor, maxMinor }: Range) {
  const perUnit = ratio(value.denominator, value.numerator);
  const from = asset.minMinor === null ? minMinor : scale(asset.minMinor, perUnit, "up");
  const to = asset.maxMinor === null ? maxMinor : scale(asset.maxMinor, perUnit, "down");
  return { minMinor: largest([minMinor, from]), maxMinor: least([maxMinor, to]) };
}

function least(values: readonly bigint[]): bigint {
  return values.reduce((one, other) => (other < one ? other : one));
}

function largest(values: readonly bigint[]): bigint {
  return values.reduce((one, other) => (other > one ? other : one));
}
