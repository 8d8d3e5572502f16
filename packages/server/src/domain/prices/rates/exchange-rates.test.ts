import { describe, expect, it } from "vitest";
import { platform } from "../../../../test/kit/payment-rows.ts";
import { present } from "../../../std/assert.ts";
import type { Platform, TransactionType } from "../../platform.ts";
import { corridorBetween } from "./corridor.ts";
import { countRows, offersOf, priceOffer, sentCurrencies } from "./exchange-rates.ts";
import { variableFeeMillionths } from "./sandbox-rates.ts";

const [usd] = platform.supportedCurrencies;
if (usd === undefined) throw new Error("no currency");

const moving = (...ways: readonly (readonly [code: string, ...types: TransactionType[]])[]) =>
  ({
    ...platform,
    supportedCurrencies: ways.map(([currencyCode, ...enabledTransactionTypes]) => ({
      ...usd,
      currencyCode,
      enabledTransactionTypes,
    })),
  }) satisfies Platform;

const offered = (of: Platform, ...destinations: readonly string[]) =>
  offersOf(sentCurrencies(of, undefined), destinations);

describe("the price list", () => {
  it("has offers for what the platform sends, into every other currency", () => {
    const mixed = moving(["EUR", "OUTGOING"], ["USD", "INCOMING"], ["GBP", "INCOMING", "OUTGOING"]);
    const rates = offered(mixed, "EUR", "GBP").map((offer) => priceOffer(offer, 100_000n));
    const pairs = rates.map((rate) => `${rate.sourceCurrency} ${rate.destinationCurrency}`);
    expect(pairs).toEqual(["EUR GBP", "GBP EUR"]);
  });

  it("says of an amount that fees eat up that it buys nothing and is all fees", () => {
    const [offer] = offered(moving(["USD", "OUTGOING"]), "EUR");
    const eaten = (sendingMinor: bigint) => {
      const rate = priceOffer(present(offer, "an offer"), sendingMinor);
      return [rate.receivingMinor, rate.fixedFeeMinor, rate.totalFeeMinor];
    };
    expect(eaten(5n)).toEqual([0n, 5n, 5n]);
    expect(eaten(15n)).toEqual([0n, 10n, 15n]);
    expect(eaten(100_000n)).toEqual([91_704n, 10n, 321n]);
  });

  it("computes a corridor and its shown rate once, for every platform", () => {
    const [first] = offered(moving(["USD", "OUTGOING"]), "EUR");
    const [second] = offered(moving(["GBP", "OUTGOING"], ["USD", "OUTGOING"]), "EUR").slice(1);
    expect(present(second, "an offer").route).toBe(present(first, "an offer").route);
    expect(corridorBetween("USD", "EUR")).toBe(corridorBetween("USD", "EUR"));
  });

  it("counts a row for each rail", () => {
    const offers = offered(moving(["USD", "OUTGOING"]), "EUR", "JPY");
    const rails = offers.map((offer) => priceOffer(offer, 1n).destinationPaymentRails);
    expect(rails).toEqual([["SEPA", "SEPA_INSTANT", "SWIFT"], ["SWIFT"]]);
    expect(countRows(offers)).toBe(4);
  });
});

it.each([
  ["USD", "USDC", 1_000n],
  ["USD", "USDB", 1_000n],
  ["USD", "USDT", 1_000n],
  ["USDC", "USD", 1_000n],
  ["USDB", "USD", 1_000n],
  ["USDT", "USD", 1_000n],
  ["USDC", "USDB", 1_000n],
  ["USDB", "USDC", 1_000n],
  ["USD", "MXN", 2_500n],
  ["USD", "INR", 2_500n],
  ["USD", "PHP", 2_500n],
  ["MXN", "USD", 3_000n],
  ["EUR", "PHP", 3_000n],
  ["USDC", "USDT", 3_000n],
  ["BTC", "USD", 5_000n],
  ["USDC", "BTC", 5_000n],
  ["EUR", "GBP", 3_000n],
])("the variable fee from %s to %s is %i millionths", (from, to, millionths) => {
  expect(variableFeeMillionths(from, to)).toBe(millionths);
});
