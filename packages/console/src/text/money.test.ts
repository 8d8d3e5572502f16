import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { amountLine, decimalsFor, minorText, readAmount } from "./money.ts";

describe("an amount", () => {
  it.each([
    [125_000n, 2, "1,250.00"],
    [0n, 2, "0.00"],
    [-5n, 2, "\u22120.05"],
    [1_234_567n, 0, "1,234,567"],
    [1_234n, 3, "1.234"],
    [100_000_001n, 8, "1.00000001"],
    [9_000_000_000_000_000n, 2, "90,000,000,000,000.00"],
    [123_456_789_012_345_678_901n, 2, "1,234,567,890,123,456,789.01"],
  ])("of %s with %s decimals is %s", (minor, decimals, text) => {
    expect(minorText(minor, decimals)).toBe(text);
  });

  it("has the code behind the number, whichever form the API gives it in", () => {
    expect(amountLine({ amount: 125_000, currency: { code: "USD", decimals: 2 } })).toBe(
      "1,250.00 USD",
    );
    expect(amountLine({ amount: "125000", currency: "JPY" })).toBe("125,000 JPY");
    expect(decimalsFor("KWD")).toBe(3);
  });

  it("that was shown is read as the same amount", () => {
    fc.assert(
      fc.property(
        fc.bigInt(0n, 9_000_000_000_000_000n),
        fc.integer({ min: 0, max: 8 }),
        (minor, decimals) => {
          expect(readAmount(minorText(minor, decimals), decimals)).toBe(minor);
        },
      ),
    );
  });

  it.each([
    ["1,250", 2, 125_000n],
    [" 1250.5 ", 2, 125_050n],
    ["0.000", 3, 0n],
    ["1.005", 2, undefined],
    ["1.5", 0, undefined],
    ["-1", 2, undefined],
    ["1e3", 2, undefined],
    ["", 2, undefined],
    ["12345678901234567", 2, undefined],
  ])("typed as %j with %s decimals is %s", (text, decimals, minor) => {
    expect(readAmount(text, decimals)).toBe(minor);
  });
});
