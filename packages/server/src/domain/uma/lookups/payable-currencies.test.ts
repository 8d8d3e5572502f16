/** In which currencies a receiver elsewhere can be paid, against fractions that are computed by hand. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { getCurrency } from "../../../money/currency.ts";
import { MAX_AMOUNT } from "../../../money/money.ts";
import { type Ratio, ratio } from "../../../money/ratio.ts";
import type { LookedUp, LookedUpCurrency, LookedUpOption } from "./looked-up.ts";
import {
  commonAssets,
  type OwnAsset,
  offeredOptions,
  type PayableFacts,
  payableCurrencies,
} from "./payable-currencies.ts";

const price = (numerator: bigint, denominator = 1n) => ({ value: ratio(numerator, denominator) });

function currency(code: string, more: Partial<LookedUpCurrency> = {}): LookedUpCurrency {
  const decimals = code === "JPY" ? 0 : 2;
  return { code, decimals, multiplier: price(12_500n), min: 1n, max: 1_000_000n, ...more };
}

function lookedUp(more: Partial<LookedUp> = {}): LookedUp {
  return {
    callback: "https://vasp.example/pay",
    minSendable: 1_000n,
    maxSendable: 1_000_000_000_000n,
    currencies: [currency("EUR")],
    payerData: new Map(),
    settlementOptions: undefined,
    compliance: { kycStatus: "VERIFIED", isSubjectToTravelRule: true },
    ...more,
  };
}

const lightning: OwnAsset = { layer: "ln", identifier: "BTC", currency: "MSAT" };
const bank: OwnAsset = { layer: "bank.example", identifier: "EUR", currency: "EUR" };
const spark: OwnAsset = { layer: "spark", identifier: "token1", currency: "USDB" };

const option = (
  { layer, identifier }: OwnAsset,
  multipliers: Readonly<Record<string, { readonly value: Ratio }>> = {},
): LookedUpOption => ({
  layer,
  assets: [{ identifier, multipliers: new Map(Object.entries(multipliers)) }],
});

/** Smallest sending units for one unit of the asset: 80,000 USD for a bitcoin, 1.10 USD for a euro, 1 USD for a USDB. */
const rates: Readonly<Record<string, Ratio>> = {
  MSAT: ratio(1n, 12_500n),
  EUR: ratio(11n, 10n),
  USDB: ratio(1n, 10_000n),
};

function facts(more: Partial<PayableFacts> = {}): PayableFacts {
  return {
    ownAssets: [lightning],
    rateTo: (asset) => rates[asset],
    payingCurrency: "USD",
    isOwnMoney: (asset) => asset === "USD",
    layers: [],
    ...more,
  };
}

const payable = (answer: LookedUp, more: Partial<PayableFacts> = {}) => {
  const found = payableCurrencies(answer, facts(more));
  return found.kind === "payable"
    ? found.currencies.map(({ currency: code, estimatedRate }) => [code, estimatedRate])
    : found.missing;
};

describe("a currency of the receiver", () => {
  it("is payable with limits and a rate, over Lightning when no layer is named", () => {
    expect(payableCurrencies(lookedUp(), facts())).toEqual({
      kind: "payable",
      currencies: [{ currency: "EUR", minMinor: 1n, maxMinor: 1_000_000n, estimatedRate: 1 }],
    });
  });

  it("keeps its place in the receiver's order", () => {
    const currencies = ["MXN", "EUR", "JPY", "USD"].map((code) => currency(code));
    const found = payable(lookedUp({ currencies }));
    expect(found).toEqual([
      ["MXN", 1],
      ["EUR", 1],
      ["JPY", 100],
      ["USD", 1],
    ]);
  });

  it.each([
    ["is unknown", currency("XYZ")],
    ["is named like a member of every object", currency("__proto__")],
    ["is the currency of connections alone", currency("MSAT", { decimals: 0 })],
    ["has other decimals", currency("EUR", { decimals: 3 })],
    ["has no decimals where we have two", currency("EUR", { decimals: 0 })],
    ["is in small letters", currency("eur")],
  ])("that %s is left out", (_what, strange) => {
    expect(payable(lookedUp({ currencies: [strange, currency("USD")] }))).toEqual([["USD", 1]]);
    expect(payable(lookedUp({ currencies: [strange] }))).toBe("SETTLEMENT");
  });

  it("has a rate that is cut and not rounded", () => {
    // 1 / (3 × 1/12500) whole units for one: 4,166.666666666666…
    const answer = lookedUp({ currencies: [currency("EUR", { multiplier: price(3n) })] });
    expect(payable(answer)).toEqual([["EUR", 4_166.666666666666]]);
    const dear = lookedUp({ currencies: [currency("EUR", { multiplier: price(3n * 10n ** 9n) })] });
    expect(payable(dear)).toEqual([["EUR", 0.000004166666]]);
  });

  it("whose rate is below what is shown has none", () => {
    const answer = lookedUp({ currencies: [currency("EUR", { multiplier: price(10n ** 30n) })] });
    expect(payable(answer)).toBe("RATE");
  });

  it("has the limits of Lightning as well, rounded towards what fits", () => {
    const limits = (more: Partial<LookedUp>) => {
      const found = payableCurrencies(lookedUp(more), facts());
      if (found.kind === "none") throw new Error(found.missing);
      return found.currencies.map(({ minMinor, maxMinor }) => [minMinor, maxMinor]);
    };
    expect(limits({ minSendable: 12_501n, maxSendable: 37_499n })).toEqual([[2n, 2n]]);
    expect(limits({ minSendable: 12_500n, maxSendable: 37_500n })).toEqual([[1n, 3n]]);
    const huge = currency("EUR", {
      min: 0n,
      max: (1n << 63n) - 1n,
      multiplier: price(1n, 10n ** 9n),
    });
    expect(limits({ currencies: [huge], minSendable: 0n })).toEqual([[1n, BigInt(MAX_AMOUNT)]]);
    // No room: the caller leaves such a currency out.
    expect(limits({ minSendable: 50_000n, maxSendable: 25_000n })).toEqual([[4n, 2n]]);
  });

  it("has no limits of Lightning on another layer", () => {
    const settlementOptions = [option(bank, { EUR: price(1n) })];
    const answer = lookedUp({ settlementOptions, minSendable: 10n ** 12n, maxSendable: 0n });
    const found = payableCurrencies(answer, facts({ ownAssets: [bank] }));
    expect(found).toEqual({
      kind: "payable",
      currencies: [
        { currency: "EUR", minMinor: 1n, maxMinor: 1_000_000n, estimatedRate: 0.90909090909 },
      ],
    });
  });
});

describe("nothing is payable", () => {
  it("without a layer and an asset in common", () => {
    expect(payable(lookedUp(), { ownAssets: [] })).toBe("SETTLEMENT");
    expect(payable(lookedUp(), { ownAssets: [bank, spark] })).toBe("SETTLEMENT");
    expect(payable(lookedUp({ settlementOptions: [] }))).toBe("SETTLEMENT");
    expect(payable(lookedUp({ currencies: [] }))).toBe("SETTLEMENT");
    const sameLayer = [option({ ...bank, identifier: "USD" }, { EUR: price(1n) })];
    expect(payable(lookedUp({ settlementOptions: sameLayer }), { ownAssets: [bank] })).toBe(
      "SETTLEMENT",
    );
    const priceless = [option(bank, { USD: price(1n) })];
    expect(payable(lookedUp({ settlementOptions: priceless }), { ownAssets: [bank] })).toBe(
      "SETTLEMENT",
    );
  });

  it("without a rate to the asset, or without a currency to pay in", () => {
    expect(payable(lookedUp(), { rateTo: () => undefined })).toBe("RATE");
    expect(payable(lookedUp(), { payingCurrency: undefined })).toBe("RATE");
  });
});

describe("the asset", () => {
  const settlementOptions = [
    option(lightning),
    option(spark, { EUR: price(11n, 1n) }),
    option(bank, { EUR: price(1n) }),
  ];
  const answer = lookedUp({ settlementOptions });
  const [euro] = answer.currencies;
  if (euro === undefined) throw new Error("no euro");
  const ownAssets = [bank, lightning, spark];
  const chosen = (more: Partial<PayableFacts>) =>
    commonAssets(answer, euro, facts({ ownAssets, ...more })).map(({ layer }) => layer);

  it("is the first one of the other side", () => {
    expect(chosen({})).toEqual(["ln", "spark", "bank.example"]);
    expect(chosen({ ownAssets: [bank, spark] })).toEqual(["spark", "bank.example"]);
  });

  it("is of a preferred layer, where the platform has one", () => {
    expect(chosen({ layers: ["bank.example", "spark"] })).toEqual(["bank.example", "spark", "ln"]);
    expect(chosen({ layers: ["nobody.example", "spark"] })).toEqual([
      "spark",
      "ln",
      "bank.example",
    ]);
  });

  it("is the payer's own money, before any layer", () => {
    const isOwnMoney = (asset: string) => asset === "EUR";
    expect(chosen({ isOwnMoney, layers: ["ln"] })).toEqual(["bank.example", "ln", "spark"]);
  });

  it("is on the built-in layer after all others, even in the payer's own money", () => {
    const builtIn = { ...bank, layer: "florin-sandbox" };
    const more = lookedUp({
      settlementOptions: [option(builtIn, { EUR: price(1n) }), ...settlementOptions],
    });
    const isOwnMoney = (asset: string) => asset === "EUR";
    const all = facts({ ownAssets: [builtIn, lightning], isOwnMoney, layers: ["florin-sandbox"] });
    expect(commonAssets(more, euro, all).map((each) => each.layer)).toEqual([
      "ln",
      "florin-sandbox",
    ]);
  });

  it("is the next one when the first has no rate", () => {
    const rateTo = (asset: string) => (asset === "MSAT" ? undefined : rates[asset]);
    // 11 units of USDB for a cent at a ten-thousandth of a cent each.
    expect(payable(answer, { ownAssets, rateTo })).toEqual([["EUR", 909.090909090909]]);
  });

  it("over Lightning has the price of the currency, whatever the option says", () => {
    const odd = [option(lightning, { EUR: price(1n) })];
    const found = commonAssets(lookedUp({ settlementOptions: odd }), euro, facts());
    expect(found).toEqual([{ ...lightning, multiplier: ratio(12_500n, 1n) }]);
    expect(offeredOptions(lookedUp()).map(({ layer }) => layer)).toEqual(["ln"]);
  });
});

it("an estimate is the exact fraction, cut to twelve decimals", () => {
  const parts = fc.bigInt({ min: 1n, max: 10n ** 12n });
  fc.assert(
    fc.property(
      fc.tuple(parts, parts, parts, parts),
      fc.constantFrom("EUR", "JPY", "USD", "MXN"),
      ([a, b, c, d], code) => {
        const { decimals } = getCurrency(code);
        const one = currency(code, { decimals, multiplier: price(a, b) });
        const answer = lookedUp({ currencies: [one] });
        const found = payableCurrencies(answer, facts({ rateTo: () => ratio(c, d) }));
        const scaled = (10n ** 14n * b * d) / (10n ** BigInt(decimals) * a * c);
        if (scaled === 0n) {
          expect(found).toEqual({ kind: "none", missing: "RATE" });
          return;
        }
        if (found.kind === "none") throw new Error("none");
        const text = scaled.toString().padStart(13, "0");
        expect(found.currencies[0]?.estimatedRate).toBe(
          Number(`${text.slice(0, -12)}.${text.slice(-12)}`),
        );
      },
    ),
    { numRuns: 2_000 },
  );
});
