import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findFee, findSpread } from "./find-rule.ts";
import type { FeeRule } from "./price-rules.ts";

const rule = (more: Partial<FeeRule>): FeeRule => ({
  from: "*",
  to: "*",
  accountType: null,
  paymentRail: null,
  fixed: "0",
  bps: 0,
  least: null,
  most: null,
  ...more,
});

const priced = { from: "USD", to: "EUR", accountType: "EUR_ACCOUNT", paymentRail: "SEPA" };

describe("the rule that applies", () => {
  it("is the one that comes first in this order, wherever it stands in the table", () => {
    const order = [
      rule({ to: "EUR", from: "USD", paymentRail: "SEPA", accountType: "EUR_ACCOUNT" }),
      rule({ to: "EUR", from: "USD", paymentRail: "SEPA" }),
      rule({ to: "EUR", from: "USD", accountType: "EUR_ACCOUNT" }),
      rule({ to: "EUR", from: "USD" }),
      rule({ to: "EUR", paymentRail: "SEPA" }),
      rule({ to: "EUR" }),
      rule({ from: "USD", paymentRail: "SEPA", accountType: "EUR_ACCOUNT" }),
      rule({ from: "USD" }),
      rule({ paymentRail: "SEPA" }),
      rule({ accountType: "EUR_ACCOUNT" }),
      rule({}),
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray(order, { minLength: 1 }), (table) => {
        const first = order.find((each) => table.includes(each));
        expect(findFee(table, priced)).toBe(first);
      }),
    );
  });

  it("fits in all that it names", () => {
    const others = [
      { to: "GBP" },
      { from: "GBP" },
      { paymentRail: "SWIFT" },
      { accountType: "GBP_ACCOUNT" },
    ];
    for (const other of others) expect(findFee([rule(other)], priced)).toBeUndefined();
    const internal = { ...priced, accountType: undefined, paymentRail: undefined };
    expect(findFee([rule({ paymentRail: "SEPA" })], internal)).toBeUndefined();
    expect(findFee([rule({ to: "EUR" })], internal)).toEqual(rule({ to: "EUR" }));
  });

  it("is found likewise for a spread", () => {
    const spreads = [
      { from: "*", to: "*", bps: 1 },
      { from: "USD", to: "*", bps: 2 },
      { from: "*", to: "EUR", bps: 3 },
    ];
    expect(findSpread(spreads, { from: "USD", to: "EUR" })?.bps).toBe(3);
    expect(findSpread(spreads, { from: "USD", to: "GBP" })?.bps).toBe(2);
    expect(findSpread(spreads, { from: "GBP", to: "JPY" })?.bps).toBe(1);
    expect(findSpread([], { from: "GBP", to: "JPY" })).toBeUndefined();
  });
});
