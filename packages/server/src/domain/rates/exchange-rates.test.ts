import { describe, expect, it } from "vitest";
import { platform } from "../../../test/kit/payment-rows.ts";
import type { Platform, TransactionType } from "../platforms/platform.ts";
import { exchangeRates } from "./exchange-rates.ts";
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

const wanted = (sendingMinor: bigint, ...destinationCurrencies: readonly string[]) => ({
  sourceCurrency: undefined,
  destinationCurrencies,
  sendingMinor,
});

describe("the price list", () => {
  it("has rows for what the platform sends, and into every other currency", () => {
    const mixed = moving(["EUR", "OUTGOING"], ["USD", "INCOMING"], ["GBP", "INCOMING", "OUTGOING"]);
    const rows = exchangeRates(mixed, wanted(100_000n, "EUR", "GBP"));
    const pairs = rows.map((row) => `${row.sourceCurrency} ${row.destinationCurrency}`);
    expect([...new Set(pairs)]).toEqual(["EUR GBP", "GBP EUR"]);
  });

  it("says of an amount that fees eat up that it buys nothing and is all fees", () => {
    const eaten = (sendingMinor: bigint) => {
      const [row] = exchangeRates(moving(["USD", "OUTGOING"]), wanted(sendingMinor, "EUR"));
      return [row?.receivingMinor, row?.fixedFeeMinor, row?.totalFeeMinor];
    };
    expect(eaten(5n)).toEqual([0n, 5n, 5n]);
    expect(eaten(15n)).toEqual([0n, 10n, 15n]);
    expect(eaten(100_000n)).toEqual([91_704n, 10n, 321n]);
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
