import { describe, expect, it } from "vitest";
import { countryCodes } from "../std/countries.ts";
import { currencies } from "./currency.ts";
import { isMoneyOf } from "./currency-regions.ts";

const codes = currencies.map(({ code }) => code);

describe("the money of a country", () => {
  it("is every currency that is not crypto, each of some country", () => {
    const fiat = currencies.filter(({ kind }) => kind === "fiat").map(({ code }) => code);
    const known = codes.filter((code) => countryCodes.some((country) => isMoneyOf(country, code)));
    expect(known).toEqual(fiat);
  });

  it("is known for each country except uninhabited territories", () => {
    const without = countryCodes.filter(
      (country) => !codes.some((currency) => isMoneyOf(country, currency)),
    );
    expect(without).toEqual(["AQ", "GS"]);
  });

  it.each([
    ["US", "USD", true],
    ["SV", "USD", true],
    ["DE", "EUR", true],
    ["CM", "XAF", true],
    ["SN", "XOF", true],
    ["US", "EUR", false],
    ["US", "USDC", false],
  ])("of %s: is %s among it? %s", (country, currency, expected) => {
    expect(isMoneyOf(country, currency)).toBe(expected);
  });
});
