import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dayOf } from "../../../std/clock.ts";
import { hasMoved, plainRate, takeRates } from "./observed-rates.ts";
import { type SourceRate, shownRate } from "./rate-source.ts";

describe("a value", () => {
  it.each([
    ["1.0850", "1.0850"],
    ["007", "7"],
    ["0.001", "0.001"],
    ["1e3", "1000"],
    ["1.5E+2", "150"],
    ["1.5e-7", "0.00000015"],
    ["123456789012345678901234567890", "123456789012345678901234567890"],
    ["1234567890123456789012345678900000", "1234567890123456789012345678900000"],
    ["0.00000000000000000000000000000000001", "0.00000000000000000000000000000000001"],
  ])("%s is the rate %s", (text, rate) => {
    expect(plainRate(text)).toBe(rate);
  });

  it.each([
    ["0"],
    ["0.000"],
    ["-1"],
    ["+1"],
    ["1."],
    [".5"],
    ["1,5"],
    ["NaN"],
    ["Infinity"],
    [""],
    [" 1"],
    ["0x1"],
    ["1e400"],
    ["1e9999"],
    ["1e-400"],
    ["1e31"],
    ["1234567890123456789012345678901"],
    ["1.1\n"],
  ])("%s is none", (text) => {
    expect(plainRate(text)).toBeUndefined();
  });

  it("keeps every digit, wherever the point is", () => {
    const digits = fc.bigInt({ min: 1n, max: 10n ** 30n - 1n });
    fc.assert(
      fc.property(digits, fc.integer({ min: -25, max: 25 }), (number, exponent) => {
        const plain = plainRate(`${number}e${exponent}`);
        const [whole = "", fraction = ""] = (plain ?? "").split(".");
        // number × 10^exponent = plain, in whole numbers.
        const scaled = BigInt(`${whole}${fraction}`) * 10n ** BigInt(25 - fraction.length + 25);
        expect(scaled).toBe(number * 10n ** BigInt(exponent + 50));
      }),
    );
  });
});

describe("a move", () => {
  it("is measured from the last rate, without rounding", () => {
    expect(hasMoved("1.0850", "1.302", 20)).toBe(false);
    expect(hasMoved("1.0850", "1.30200000000000000000001", 20)).toBe(true);
    expect(hasMoved("1.0850", "0.868", 20)).toBe(false);
    expect(hasMoved("1.0850", "0.86799999999999999999999", 20)).toBe(true);
    expect(hasMoved("1", "1", 1)).toBe(false);
  });

  it("agrees with whole numbers", () => {
    const cents = fc.bigInt({ min: 1n, max: 10n ** 12n });
    fc.assert(
      fc.property(cents, cents, fc.integer({ min: 1, max: 1_000 }), (from, to, percent) => {
        const text = (value: bigint) => `${value / 100n}.${String(value % 100n).padStart(2, "0")}`;
        const off = from > to ? from - to : to - from;
        expect(hasMoved(text(from), text(to), percent)).toBe(off * 100n > from * BigInt(percent));
      }),
    );
  });
});

/** A source with one pair; answers the rate in use after each value. */
function openSource(maxMovePercent: number | null) {
  let rates: readonly SourceRate[] = [];
  return {
    take(value: string, at: number, percent = maxMovePercent) {
      const rule = { asOf: new Date(at).toISOString(), day: dayOf(at), maxMovePercent: percent };
      rates = takeRates(rates, [{ base: "EUR", quote: "USD", value }], rule).rates;
      return rates[0]?.rate ?? "";
    },
    forget() {
      rates = rates.map(shownRate);
    },
  };
}

describe("a day", () => {
  const NOON = Date.UTC(2026, 10, 24, 12);
  const SECOND = 1_000;
  const HOUR = 3_600_000;
  const DAY = 24 * HOUR;

  /** Raises the rate by 19 % every ten seconds, and answers the highest that was taken. */
  function ramp(source: ReturnType<typeof openSource>, from: number): string {
    let rate = "1.09";
    for (let step = 0; step < 20; step += 1) {
      const next = (Number(rate) * 1.19).toFixed(6);
      const taken = source.take(next, from + step * 10 * SECOND);
      if (taken !== next) return taken;
      rate = taken;
    }
    return rate;
  }

  it.each([
    ["at noon", NOON],
    ["across midnight", NOON + 12 * HOUR - 30 * SECOND],
    ["a day later", NOON + DAY],
    ["after a week without values", NOON + 7 * DAY],
  ])("bounds steps %s that are each within the bound", (_what, from) => {
    const source = openSource(20);
    source.take("1.09", NOON - HOUR);
    expect(Number(ramp(source, from))).toBeLessThanOrEqual(1.308);
  });

  it("lets a rate go far in many days", () => {
    const source = openSource(20);
    let last = "1.00";
    source.take(last, NOON);
    for (let day = 1; day <= 30; day += 1) {
      const next = (Number(last) * 1.09).toFixed(6);
      expect(source.take(next, NOON + day * DAY)).toBe(next);
      last = next;
    }
  });

  it("begins anew without a bound, and when a person has changed it", () => {
    const source = openSource(20);
    source.take("1.00", NOON);
    expect(source.take("3.00", NOON + 1)).toBe("1.00");
    expect(source.take("3.00", NOON + 2, null)).toBe("3.00");
    expect(source.take("3.50", NOON + 3)).toBe("3.50");
    expect(source.take("4.15", NOON + 4)).toBe("3.50");
    source.forget();
    expect(source.take("4.15", NOON + 5)).toBe("4.15");
  });

  it("has no rate beyond the bound from what the rate was when it or the day before began", () => {
    const move = fc.record({
      hours: fc.integer({ min: 0, max: 30 }),
      percent: fc.integer({ min: -30, max: 30 }),
    });
    fc.assert(
      fc.property(fc.array(move, { minLength: 1, maxLength: 40 }), (moves) => {
        const source = openSource(20);
        let at = NOON;
        let rate = 1_000_000n;
        source.take(`${rate}`, at);
        const history: { readonly at: number; readonly rate: bigint }[] = [{ at, rate }];
        for (const { hours, percent } of moves) {
          at += hours * HOUR + SECOND;
          rate = BigInt(source.take(`${(rate * BigInt(100 + percent)) / 100n}`, at));
          const startOfDay = Math.floor(at / DAY) * DAY;
          for (const start of [startOfDay, startOfDay - DAY]) {
            const before = history.filter((one) => one.at < start).at(-1) ?? history[0];
            expect(hasMoved(`${before?.rate}`, `${rate}`, 20)).toBe(false);
          }
          history.push({ at, rate });
        }
      }),
    );
  });
});
