import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { multiply, type Ratio, ratio, ratioFromDecimal } from "../../../money/ratio.ts";
import type { RateSource, SourceKind, SourceRate } from "../rate-sources/rate-source.ts";
import { customerRate, marketRate, openSources, rateIn, shownRate } from "./market-rate.ts";

const NOW = Date.parse("2026-11-25T12:00:00.000Z");
const MINUTE_MS = 60_000;
const at = (minutesAgo: number) => new Date(NOW - minutesAgo * MINUTE_MS).toISOString();

const given = (base: string, quote: string, rate: string, minutesAgo = 0): SourceRate => ({
  base,
  quote,
  rate,
  asOf: at(minutesAgo),
});

let ids = 0;
const sourceOf = (rates: readonly SourceRate[], more: Partial<RateSource> = {}): RateSource => ({
  id: `source ${++ids}`,
  name: "desk",
  kind: "FIXED" satisfies SourceKind,
  priority: 100,
  pivots: ["EUR", "USD"],
  maxAgeMinutes: 60,
  lockMinutes: 5,
  maxMovePercent: 20,
  settings: {},
  sealId: "",
  headersSealed: null,
  headerFacts: {},
  rates,
  refused: [],
  asOf: NOW,
  readAt: NOW,
  lastError: null,
  staleSince: null,
  refreshJobId: null,
  staleJobId: null,
  createdAt: 0,
  updatedAt: 0,
  deletedAt: null,
  ...more,
});

function rateOf(source: RateSource, base: string, quote: string): Ratio | undefined {
  const [open] = openSources([source]);
  return open && rateIn(open, { base, quote })?.rate;
}

describe("a source has a pair", () => {
  const source = sourceOf([
    given("EUR", "USD", "1.0850"),
    given("EUR", "GBP", "0.8321"),
    given("USD", "MXN", "17.25"),
    given("USD", "KES", "129.3"),
  ]);

  it.each([
    ["itself", "EUR", "USD", 10_850n, 10_000n],
    ["the other way around", "USD", "EUR", 10_000n, 10_850n],
    ["through the euro", "USD", "GBP", 8_321n, 10_850n],
    ["through the euro, the other way around", "GBP", "USD", 10_850n, 8_321n],
    ["through the dollar", "KES", "MXN", 1_725n * 10n, 1_293n * 100n],
    ["through the dollar, from the euro", "EUR", "MXN", 10_850n * 1_725n, 10_000n * 100n],
  ])("%s: %s %s", (_how, base, quote, numerator, denominator) => {
    expect(rateOf(source, base, quote)).toEqual(ratio(numerator, denominator));
  });

  it("and not through two pivots, nor through none", () => {
    expect(rateOf(source, "GBP", "MXN")).toBeUndefined();
    expect(rateOf({ ...source, pivots: [] }, "USD", "GBP")).toBeUndefined();
    expect(rateOf(source, "EUR", "JPY")).toBeUndefined();
  });

  it("through the first pivot that has both", () => {
    const both = sourceOf([
      given("EUR", "GBP", "0.8"),
      given("EUR", "JPY", "160"),
      given("USD", "GBP", "0.75"),
      given("USD", "JPY", "151"),
    ]);
    expect(rateOf(both, "GBP", "JPY")).toEqual(ratio(200n, 1n));
    expect(rateOf({ ...both, pivots: ["USD", "EUR"] }, "GBP", "JPY")).toEqual(ratio(604n, 3n));
  });

  it("as exactly as its digits say", () => {
    const digits = fc.bigInt({ min: 1n, max: 10n ** 30n - 1n });
    const decimals = fc.integer({ min: 0, max: 15 });
    fc.assert(
      fc.property(digits, decimals, digits, decimals, (one, places, other, otherPlaces) => {
        const text = (value: bigint, scale: number) => {
          const padded = value.toString().padStart(scale + 1, "0");
          return scale === 0 ? padded : `${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
        };
        const rates = [
          given("EUR", "USD", text(one, places)),
          given("EUR", "GBP", text(other, otherPlaces)),
        ];
        // One pound in dollars, as two whole numbers: (one / 10^places) ÷ (other / 10^otherPlaces).
        const found = rateOf(sourceOf(rates), "GBP", "USD");
        const top = one * 10n ** BigInt(otherPlaces);
        const bottom = other * 10n ** BigInt(places);
        expect((found?.numerator ?? 0n) * bottom).toBe(top * (found?.denominator ?? 0n));
      }),
    );
  });
});

describe("the rate of the market", () => {
  const pair = { from: "USD", to: "EUR" };
  const none = { spreads: [], at: NOW };
  const found = (
    sources: readonly RateSource[],
    facts: Partial<Parameters<typeof marketRate>[1]> = {},
  ) => marketRate(pair, { ...none, ...facts, sources: openSources(sources) });

  it("is young for as long as its source says, to the millisecond", () => {
    const source = sourceOf([given("EUR", "USD", "1.1", 60)]);
    expect(found([source])).toMatchObject({ kind: "found", asOf: NOW - 60 * MINUTE_MS });
    expect(found([source], { at: NOW + 1 })).toMatchObject({ kind: "stale", source });
  });

  it("is as old as the older of its two parts", () => {
    const source = sourceOf([given("EUR", "USD", "1.1", 3), given("EUR", "GBP", "0.8", 7)]);
    const rate = marketRate(
      { from: "GBP", to: "USD" },
      { ...none, sources: openSources([source]) },
    );
    expect(rate).toMatchObject({ kind: "found", asOf: NOW - 7 * MINUTE_MS });
  });

  it("comes from the first source that has it young enough", () => {
    const old = sourceOf([given("EUR", "USD", "1.1", 61)], { priority: 1 });
    const other = sourceOf([given("EUR", "GBP", "0.8")], { priority: 2 });
    const second = sourceOf([given("EUR", "USD", "1.2")], { priority: 3 });
    const third = sourceOf([given("EUR", "USD", "1.3")], { priority: 3 });
    expect(found([third, second, other, old])).toMatchObject({ source: second });
    expect(found([other, old])).toMatchObject({ kind: "stale", source: old });
    expect(found([other])).toEqual({ kind: "none" });
    expect(found([])).toEqual({ kind: "none" });
  });

  it("is awaited from a source that was never read", () => {
    const unread = sourceOf([], { kind: "HTTP", asOf: null });
    expect(found([unread])).toMatchObject({ kind: "stale", source: unread, asOf: null });
    expect(found([sourceOf([], { asOf: null })])).toEqual({ kind: "none" });
  });

  it("of a reference source needs a spread, which may be zero", () => {
    const ecb = sourceOf([given("EUR", "USD", "1.1")], { kind: "ECB" });
    expect(found([ecb])).toMatchObject({ kind: "no-spread", source: ecb });
    const spreads = [{ from: "*", to: "EUR", bps: 0 }];
    expect(found([ecb], { spreads })).toMatchObject({ kind: "found", spreadBps: 0 });
  });

  it("is none when it is larger than any", () => {
    const huge = sourceOf([given("EUR", "USD", `1${"0".repeat(17)}`)]);
    expect(found([huge])).toEqual({ kind: "none" });
  });
});

describe("the customer's rate", () => {
  it("is worse than the source's by the spread", () => {
    expect(customerRate(ratioFromDecimal("1.0850"), 50)).toEqual(ratioFromDecimal("1.090425"));
    expect(customerRate(ratio(1n, 3n), 0)).toEqual(ratio(1n, 3n));
  });
});

describe("a rate as it is shown", () => {
  const part = fc.bigInt({ min: 1n, max: 10n ** 60n });

  it("fits, and has at least sixteen digits right", () => {
    fc.assert(
      fc.property(part, part, (numerator, denominator) => {
        const rate = ratio(numerator, denominator);
        const isUsable =
          numerator < denominator * 10n ** 17n && denominator < numerator * 10n ** 17n;
        fc.pre(isUsable);
        const shown = shownRate(rate);
        const largest = 2n ** 63n - 1n;
        expect(shown.numerator <= largest && shown.denominator <= largest).toBe(true);
        const off = multiply(shown, ratio(rate.denominator, rate.numerator));
        const difference = off.numerator - off.denominator;
        expect((difference < 0n ? -difference : difference) * 10n ** 16n <= off.denominator).toBe(
          true,
        );
      }),
    );
  });

  it("is itself when it fits", () => {
    expect(shownRate(ratio(1n, 3n))).toEqual(ratio(1n, 3n));
  });
});
