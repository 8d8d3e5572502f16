import { describe, expect, it } from "vitest";
import { countryCodes } from "../std/countries.ts";
import { currencies } from "./currency.ts";
import { currenciesWithRegions, isMoneyOf } from "./currency-regions.ts";

describe("the money of a country", () => {
  it("is known for every currency that is not crypto, each once", () => {
    const fiat = currencies.filter(({ kind }) => kind === "fiat").map(({ code }) => code);
    expect([...currenciesWithRegions].sort()).toEqual([...fiat].sort());
  });

  it("is known for every country but those where nobody lives", () => {
    const without = countryCodes.filter(
      (country) => !currenciesWithRegions.some((currency) => isMoneyOf(country, currency)),
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

  it("names only countries that there are", () => {
    const places = countryCodes.flatMap((country) =>
      currenciesWithRegions.filter((currency) => isMoneyOf(country, currency)),
    );
    expect(new Set(places).size).toBe(currenciesWithRegions.length);
  });
});
