import { describe, expect, it } from "vitest";
import { manualClock } from "../../../test/kit/http-shell.ts";
import { platform } from "../../../test/kit/payment-rows.ts";
import { countRows, offersOf, sentCurrencies } from "../../domain/prices/rates/exchange-rates.ts";
import { pricedCurrencies } from "../../domain/prices/rates/sandbox-rates.ts";
import { Refusal } from "../../engine/refusal.ts";
import { present } from "../../std/assert.ts";
import {
  createPriceLists,
  defaultPriceListLimits,
  type PriceListWanted,
} from "../operations/prices/price-lists.ts";

const [usd] = platform.supportedCurrencies;
const everything = {
  id: platform.id,
  supportedCurrencies: pricedCurrencies.map((currencyCode) => ({
    ...present(usd, "a currency"),
    currencyCode,
  })),
};

const wanted: PriceListWanted = {
  sourceCurrency: undefined,
  destinationCurrencies: [],
  sendingMinor: 10_000n,
  updatedAt: 1_764_000_000_000,
};

const codeOf = (ask: () => unknown): string => {
  try {
    ask();
    return "answered";
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
};

describe("price lists", () => {
  it("are computed once: the same question gets the same bytes", () => {
    const lists = createPriceLists({ clock: manualClock() });
    const first = lists.bodyOf(everything, wanted);
    expect(lists.bodyOf(everything, { ...wanted }) === first).toBe(true);
    const other = { ...everything, id: "another platform with the same settings" };
    expect(lists.bodyOf(other, wanted) === first).toBe(true);
    expect(first.toString("utf8")).toContain('"symbol":"€"');
    const short = { ...wanted, sourceCurrency: "USD", destinationCurrencies: ["EUR"] };
    const bytes = lists.bodyOf(everything, short);
    // It keeps no memory alive but its own.
    expect(bytes.buffer.byteLength).toBe(bytes.length);
  });

  it("take the same destinations in any order, however often each is named, as one question", () => {
    const lists = createPriceLists({ clock: manualClock() });
    const first = lists.bodyOf(everything, { ...wanted, destinationCurrencies: ["EUR", "JPY"] });
    const destinationCurrencies = ["JPY", "EUR", "JPY"];
    const second = lists.bodyOf(everything, { ...wanted, destinationCurrencies });
    expect(second === first).toBe(true);
  });

  it("are computed anew for another amount, period, choice or setting", () => {
    const lists = createPriceLists({ clock: manualClock() });
    const [first, ...others] = everything.supportedCurrencies;
    const lowered = { ...present(first, "a currency"), maxAmount: 5 };
    const bodies = [
      lists.bodyOf(everything, wanted),
      lists.bodyOf(everything, { ...wanted, sendingMinor: 10_001n }),
      lists.bodyOf(everything, { ...wanted, updatedAt: wanted.updatedAt + 300_000 }),
      lists.bodyOf(everything, { ...wanted, sourceCurrency: "USD" }),
      lists.bodyOf(everything, { ...wanted, destinationCurrencies: ["EUR"] }),
      lists.bodyOf({ ...everything, supportedCurrencies: [lowered, ...others] }, wanted),
      lists.bodyOf({ ...everything, supportedCurrencies: others }, wanted),
    ].map((body) => body.toString("utf8"));
    expect(new Set(bodies).size).toBe(bodies.length);
  });

  it("are computed within a budget of rows per platform, and repeated without one", () => {
    const clock = manualClock();
    const rows = countRows(offersOf(sentCurrencies(everything, undefined), []));
    const rate = { perSecond: rows, burst: 2 * rows };
    const lists = createPriceLists({ clock, limits: { rate } });
    const ask = (amount: bigint, of = everything) =>
      codeOf(() => lists.bodyOf(of, { ...wanted, sendingMinor: amount }));
    expect([ask(1n), ask(2n), ask(3n), ask(1n)]).toEqual([
      "answered",
      "answered",
      "RATE_LIMITED",
      "answered",
    ]);
    expect(ask(4n, { ...everything, id: "another platform" })).toBe("answered");
    clock.advance(1_000);
    expect([ask(3n), ask(4n), ask(5n)]).toEqual(["answered", "answered", "RATE_LIMITED"]);
  });

  it("charge for an amount that is refused", () => {
    const lists = createPriceLists({
      clock: manualClock(),
      limits: { rate: { perSecond: 1, burst: 10_000 } },
    });
    const ask = () => lists.bodyOf(everything, { ...wanted, sendingMinor: 9_000_000_000_000_000n });
    const codes = [codeOf(ask), codeOf(ask), codeOf(ask)];
    expect(codes).toEqual(["INVALID_AMOUNT", "INVALID_AMOUNT", "RATE_LIMITED"]);
  });

  it("are kept within a bound of bytes, the ones used last for longest", () => {
    const bytes = createPriceLists({ clock: manualClock() }).bodyOf(everything, wanted).length;
    const lists = createPriceLists({
      clock: manualClock(),
      limits: { cacheBytes: Math.round(2.5 * bytes) },
    });
    const ask = (amount: bigint) => lists.bodyOf(everything, { ...wanted, sendingMinor: amount });
    const [first, second] = [ask(10_001n), ask(10_002n)];
    expect(ask(10_001n) === first).toBe(true);
    ask(10_003n);
    expect(ask(10_001n) === first).toBe(true);
    expect(ask(10_002n) === second).toBe(false);
  });

  it("admit the longest list there is", () => {
    const rows = countRows(offersOf(sentCurrencies(everything, undefined), []));
    expect(rows).toBeLessThanOrEqual(defaultPriceListLimits.rate.burst);
  });
});
