/**
 * The price of a payment to a receiver at another institution, before the institution is asked. The payer's currency is exchanged for an
 * asset that both sides settle in, at the platform's rate and fee; the institution exchanges the asset for the receiver's currency at its own.
 * What is asked for follows from the locked amount:
 *
 *   RECEIVING   the amount that arrives; the invoice follows from the institution's price
 *   SENDING     the units of the asset that the amount buys after the platform's fee, rounded down; what arrives follows
 */

import { type Ratio, scale } from "../../../money/ratio.ts";
import { mulDiv } from "../../../money/rounding.ts";
import { priceRecord } from "../../payments/quotes/market/market-quote.ts";
import type { QuotePrice } from "../../payments/quotes/market/quote-price.ts";
import type { PriceRules } from "../../prices/price-rules/price-rules.ts";
import {
  type AssetRate,
  assetFee,
  assetRate,
  marketCurrency,
} from "../../prices/rates/asset-rate.ts";
import {
  type Corridor,
  corridorWithin,
  inWholeUnits,
  withFee,
} from "../../prices/rates/corridor.ts";
import type { OpenSource } from "../../prices/rates/market-rate.ts";
import { type LockedSide, priceOf } from "../../prices/rates/pricing.ts";
import type { LookedUp, LookedUpCurrency } from "../lookups/looked-up.ts";
import {
  type CommonAsset,
  commonAssets,
  type OwnAsset,
  type PayableCurrency,
  type PayableFacts,
  payableCurrencies,
} from "../lookups/payable-currencies.ts";
import type { AskedAmount } from "./pay-request.port.ts";

/** An asset that a connection of the platform pays in. */
export interface PayingAsset extends OwnAsset {
  readonly connectionId: string;
}

export interface PayerFacts {
  /** The payer's currency. */
  readonly sendingCurrency: string;
  readonly locked: { readonly side: LockedSide; readonly minor: bigint };
  /** The receiver's currency; undefined: the first one that can be paid. */
  readonly wanted: string | undefined;
  readonly ownAssets: readonly PayingAsset[];
  /** The platform's preferred layers, the first one first. */
  readonly layers: readonly string[];
  readonly sources: readonly OpenSource[];
  readonly rules: Omit<PriceRules, "id" | "updatedAt">;
  /** Platform time. */
  readonly at: number;
}

export interface PricedPayment {
  readonly kind: "priced";
  readonly receivable: PayableCurrency;
  readonly currency: LookedUpCurrency;
  readonly asset: CommonAsset;
  readonly connectionId: string;
  /** From the payer's currency into the asset, with the platform's fee. */
  readonly corridor: Corridor;
  readonly price: Omit<QuotePrice, "id" | "createdAt"> | null;
  /** The longest time for which the rate may be kept; undefined where nothing is exchanged. */
  readonly lockMs: number | undefined;
  readonly asked: AskedAmount;
  readonly estimate: {
    /** Units of the asset. */
    readonly invoiceMinor: bigint;
    readonly receivingMinor: bigint;
  };
}

export type PaymentPrice =
  | PricedPayment
  | { readonly kind: "missing"; readonly missing: "SETTLEMENT" | "RATE" }
  | { readonly kind: "other-currency"; readonly supported: readonly string[] };

export function pricePayment(answer: LookedUp, facts: PayerFacts): PaymentPrice {
  const { wanted, rules, sources, at } = facts;
  const market = { sources, spreads: rules.spreads, at };
  const rateTo = (asset: string) => assetRate({ from: facts.sendingCurrency, to: asset }, market);
  const common = factsOfBoth(facts, rateTo);
  const payable = payableCurrencies(answer, common);
  if (payable.kind === "none") return { kind: "missing", missing: payable.missing };
  const { currencies } = payable;
  const receivable =
    wanted === undefined ? currencies[0] : currencies.find(({ currency }) => currency === wanted);
  const currency = answer.currencies.find(({ code }) => code === receivable?.currency);
  if (receivable === undefined || currency === undefined) {
    return { kind: "other-currency", supported: currencies.map((each) => each.currency) };
  }
  for (const asset of commonAssets(answer, currency, common)) {
    const rate = rateTo(asset.currency);
    const { connectionId } = facts.ownAssets.find(isOf(asset)) ?? {};
    if (rate.kind !== "found" || connectionId === undefined) continue;
    const offer = corridorTo(asset, { currency, rate, facts });
    return { kind: "priced", receivable, currency, asset, connectionId, ...offer };
  }
  return { kind: "missing", missing: "RATE" };
}

function factsOfBoth(
  { sendingCurrency, ownAssets, layers }: PayerFacts,
  rateTo: (asset: string) => AssetRate,
): PayableFacts {
  return {
    ownAssets,
    layers,
    payingCurrency: sendingCurrency,
    isOwnMoney: (asset) => marketCurrency(asset).currency === sendingCurrency,
    rateTo(asset) {
      const rate = rateTo(asset);
      return rate.kind === "found" ? rate.perUnit : undefined;
    },
  };
}

const isOf = (asset: CommonAsset) => (own: PayingAsset) =>
  own.layer === asset.layer && own.identifier === asset.identifier;

const MINUTE_MS = 60_000;

function corridorTo(
  asset: CommonAsset,
  {
    currency,
    rate: { perUnit, market },
    facts: { sendingCurrency, rules, locked },
  }: {
    readonly currency: LookedUpCurrency;
    readonly rate: Extract<AssetRate, { readonly kind: "found" }>;
    readonly facts: PayerFacts;
  },
): Pick<PricedPayment, "corridor" | "price" | "lockMs" | "asked" | "estimate"> {
  const currencies = { sendingCurrency, receivingCurrency: asset.currency };
  const fee = assetFee(rules.fees, { asset: sendingCurrency, currency: currency.code });
  const rate = inWholeUnits(perUnit, currencies);
  const plain = {
    ...corridorWithin(sendingCurrency),
    ...currencies,
    rate,
    smallestUnitRate: perUnit,
  };
  const corridor = withFee(plain, fee);
  return {
    corridor,
    price:
      market === null ? null : priceRecord(corridor, { found: market, fee: fee ?? null, rules }),
    lockMs: market === null ? undefined : market.source.lockMinutes * MINUTE_MS,
    ...amountsOf(locked, { corridor, code: currency.code, multiplier: asset.multiplier }),
  };
}

/** An amount from which fees leave nothing asks for no units; the command refuses it. */
function amountsOf(
  locked: PayerFacts["locked"],
  {
    corridor,
    code,
    multiplier,
  }: { readonly corridor: Corridor; readonly code: string; readonly multiplier: Ratio },
): Pick<PricedPayment, "asked" | "estimate"> {
  if (locked.side === "RECEIVING") {
    const { minor } = locked;
    return {
      asked: { units: minor, currency: code },
      estimate: { invoiceMinor: scale(minor, multiplier, "up"), receivingMinor: minor },
    };
  }
  const units = priceOf(corridor, locked)?.receivingMinor ?? 0n;
  const { numerator, denominator } = multiplier;
  return {
    asked: { units, currency: undefined },
    estimate: {
      invoiceMinor: units,
      receivingMinor: mulDiv(units, denominator, numerator, "down"),
    },
  };
}
