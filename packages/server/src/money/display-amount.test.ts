import { describe, expect, it } from "vitest";
import { displayAmount } from "./display-amount.ts";

describe("a displayed amount", () => {
  it.each([
    [1n, "USD", "0.01 USD"],
    [100n, "USD", "1.00 USD"],
    [125_000n, "USD", "1,250.00 USD"],
    [100_000_000n, "USD", "1,000,000.00 USD"],
    [1234n, "JPY", "1,234 JPY"],
    [5n, "JPY", "5 JPY"],
    [1n, "BTC", "0.00000001 BTC"],
    [9_000_000_000_000_000n, "USDC", "9,000,000,000.000000 USDC"],
    [0n, "USD", "0.00 USD"],
    [-50n, "USD", "-0.50 USD"],
  ])("%d of %s is %s", (minor, currency, text) => {
    expect(displayAmount({ minor, currency })).toBe(text);
  });
});
