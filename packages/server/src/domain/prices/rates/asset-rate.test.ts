import { describe, expect, it } from "vitest";
import { ratio } from "../../../money/ratio.ts";
import type { FeeRule, SpreadRule } from "../price-rules/price-rules.ts";
import type { RateSource } from "../rate-sources/rate-source.ts";
import { assetFee, assetRate } from "./asset-rate.ts";
import { openSources } from "./market-rate.ts";

const AT = Date.parse("2026-11-20T12:00:00Z");

function factsOf(rates: RateSource["rates"], spreads: readonly SpreadRule[] = []) {
  const source = { kind: "FIXED", priority: 1, pivots: [], rates, maxAgeMinutes: 60 };
  return { sources: openSources([source as unknown as RateSource]), spreads, at: AT };
}

const asOf = "2026-11-20T11:30:00.000Z";
const bitcoin = { base: "BTC", quote: "EUR", rate: "80000", asOf };

describe("a rate to or from an asset", () => {
  it("needs no source where both are the same", () => {
    const found = assetRate({ from: "EUR", to: "EUR" }, factsOf([]));
    expect(found).toEqual({ kind: "found", perUnit: ratio(1n, 1n), market: null });
  });

  it.each([
    ["MSAT", "BTC", ratio(1_000n, 1n)],
    ["BTC", "MSAT", ratio(1n, 1_000n)],
  ])("exchanges %s to %s exactly, without a source", (from, to, perUnit) => {
    expect(assetRate({ from, to }, factsOf([]))).toEqual({ kind: "found", perUnit, market: null });
  });

  it("counts millisatoshis for a cent by the rate of bitcoin", () => {
    const found = assetRate({ from: "MSAT", to: "EUR" }, factsOf([bitcoin]));
    // 80,000 EUR are 8,000,000 cents and 10^11 millisatoshis.
    expect(found).toMatchObject({ kind: "found", perUnit: ratio(12_500n, 1n) });
  });

  it("counts cents for a millisatoshi by the same rate", () => {
    const found = assetRate({ from: "EUR", to: "MSAT" }, factsOf([bitcoin]));
    expect(found).toMatchObject({ kind: "found", perUnit: ratio(1n, 12_500n) });
  });

  it("is worse for the payer by the spread, whichever side is the asset", () => {
    const spreads = [{ from: "*", to: "*", bps: 100 }];
    expect(assetRate({ from: "MSAT", to: "EUR" }, factsOf([bitcoin], spreads))).toMatchObject({
      perUnit: ratio(12_625n, 1n),
    });
    expect(assetRate({ from: "EUR", to: "MSAT" }, factsOf([bitcoin], spreads))).toMatchObject({
      perUnit: ratio(101n, 1_250_000n),
    });
  });

  it("says why there is none", () => {
    expect(assetRate({ from: "MSAT", to: "USD" }, factsOf([bitcoin]))).toEqual({ kind: "none" });
    const old = { ...bitcoin, asOf: "2026-11-20T10:00:00.000Z" };
    expect(assetRate({ from: "MSAT", to: "EUR" }, factsOf([old]))).toMatchObject({ kind: "stale" });
  });
});

describe("the fee on an asset", () => {
  const rule: FeeRule = {
    from: "BTC",
    to: "EUR",
    accountType: "UMA_ADDRESS",
    paymentRail: null,
    fixed: "3",
    bps: 20,
    least: "2",
    most: null,
  };

  it("counts the satoshis of a rule in millisatoshis", () => {
    const fee = assetFee([rule], { asset: "MSAT", currency: "EUR" });
    expect(fee).toEqual({ ...rule, fixed: "3000", least: "2000" });
  });

  it("is the rule itself where the asset is a currency", () => {
    expect(assetFee([rule], { asset: "BTC", currency: "EUR" })).toBe(rule);
    expect(assetFee([rule], { asset: "BTC", currency: "USD" })).toBeUndefined();
    const ofBanks = { ...rule, accountType: "IBAN" };
    expect(assetFee([ofBanks], { asset: "BTC", currency: "EUR" })).toBeUndefined();
  });
});
