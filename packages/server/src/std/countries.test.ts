import { expect, it } from "vitest";
import { countryCodes, isCountryCode } from "./countries.ts";

it("lists each of the 249 assigned codes once, in order", () => {
  expect(countryCodes).toHaveLength(249);
  expect(new Set(countryCodes).size).toBe(249);
  expect([...countryCodes].sort()).toEqual(countryCodes);
  expect(countryCodes.every((code) => /^[A-Z]{2}$/.test(code))).toBe(true);
});

it.each(["US", "GB", "CI", "CD", "SS", "TL", "XX", "ZZ", "UK", "EU", "XK", "us", "USA", "", " US"])(
  "knows whether %s is a country",
  (text) => {
    expect(isCountryCode(text)).toBe(["US", "GB", "CI", "CD", "SS", "TL"].includes(text));
  },
);
