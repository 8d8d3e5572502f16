import { describe, expect, it } from "vitest";
import { findCurrency } from "../../../money/currency.ts";
import { isCountryCode } from "../../../std/countries.ts";
import { accountExamples } from "../external/account-examples.ts";
import { accountTypes, ruleOf } from "../external/account-types.ts";
import { institutions, isInstitution, listInstitutions, nearestInstitutions } from "./directory.ts";

const of = (country: string) => listInstitutions({ country }).map(({ bankName }) => bankName);

describe("the directory", () => {
  it("has hundreds of institutions, each with a name, a country and a currency that exist", () => {
    expect(institutions.length).toBeGreaterThan(600);
    for (const { bankName, displayName, country, currency } of institutions) {
      expect(bankName, displayName).toMatch(/^\S(.{0,68}\S)?$/);
      expect(displayName, bankName).toMatch(/^\S(.{0,68}\S)?$/);
      expect(bankName).not.toMatch(/[;=\n]| {2}/);
      expect([isCountryCode(country), findCurrency(currency)?.kind]).toEqual([true, "fiat"]);
    }
  });

  it("names no institution of a country twice", () => {
    const keys = institutions.map(({ country, bankName }) => `${country} ${bankName}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("is in the order of countries and names", () => {
    const keys = institutions.map(({ country, bankName }) => `${country} ${bankName}`);
    expect(keys).toEqual(keys.toSorted());
  });

  it("covers every country whose accounts name a bank or an operator", () => {
    const named = accountTypes.map(ruleOf).filter(({ fields, countries }) => {
      const names = fields.map((field) => field.name);
      return countries[0] !== "US" && (names.includes("bankName") || names.includes("provider"));
    });
    const countries = named.flatMap((rule) => rule.countries);
    expect(countries.length).toBeGreaterThan(25);
    expect(countries.filter((country) => of(country).length === 0)).toEqual([]);
    for (const rule of named.filter(({ countries: held }) => held.length > 0)) {
      const [country = ""] = rule.countries;
      expect(rule.currencies).toContain(listInstitutions({ country })[0]?.currency);
    }
  });

  it.each(
    accountTypes.flatMap((accountType) => {
      const { bankName } = accountExamples[accountType] as { readonly bankName?: string };
      const [country = ""] = ruleOf(accountType).countries;
      return bankName === undefined || country === "" || country === "US"
        ? []
        : [[accountType, country, bankName] as const];
    }),
  )("has the bank of the example of a %s: %s, %s", (_type, country, bankName) => {
    expect(isInstitution(country, bankName)).toBe(true);
  });

  it.each([
    ["PH", "BDO Unibank", "BDO Unibank", "PHP"],
    ["PH", "BPI", "Bank of the Philippine Islands", "PHP"],
    ["CN", "AliPay", "Alipay", "CNY"],
    ["CO", "Nequi", "Nequi", "COP"],
    ["BD", "bKash", "bKash", "BDT"],
    ["PK", "JazzCash", "JazzCash", "PKR"],
    ["KE", "M-PESA", "M-PESA", "KES"],
  ])("has %s %s", (country, bankName, displayName, currency) => {
    expect(listInstitutions({ country, currency })).toContainEqual({
      bankName,
      displayName,
      country,
      currency,
    });
  });

  it("is narrowed by country, by currency, and by both", () => {
    expect(listInstitutions({})).toEqual(institutions);
    expect(new Set(listInstitutions({ currency: "XOF" }).map(({ country }) => country))).toEqual(
      new Set(["BJ", "CI", "SN", "TG"]),
    );
    expect(listInstitutions({ country: "CI", currency: "XOF" })).toHaveLength(of("CI").length);
    expect(listInstitutions({ country: "CI", currency: "PHP" })).toEqual([]);
    expect(listInstitutions({ country: "FR" })).toEqual([]);
  });
});

describe("a name", () => {
  it.each(["BDO unibank", "BDO Unibank ", "Bank of the Philippine Islands", "toString", ""])(
    "is another one when it is written otherwise: %j",
    (name) => {
      expect(isInstitution("PH", name)).toBe(false);
    },
  );

  it("belongs to its own country only", () => {
    expect([isInstitution("NG", "Zenith Bank"), isInstitution("PH", "Zenith Bank")]).toEqual([
      true,
      false,
    ]);
    expect(isInstitution("FR", "BNP Paribas")).toBe(false);
  });

  it.each([
    ["NG", "zenith", "Zenith Bank"],
    ["NG", "Guaranty Trust", "GTBank"],
    ["PH", "Bank of the Philippine Islands", "BPI"],
    ["PH", "Gcash", "GCash"],
    ["ZA", "FNB", "First National Bank"],
    ["ZA", "Standardbank", "Standard Bank"],
  ])("in %s that is like %j leads to %s", (country, given, nearest) => {
    expect(nearestInstitutions(country, given)[0]).toBe(nearest);
  });

  it("without a similar name gets no suggestion, and no name gets more than five", () => {
    expect(nearestInstitutions("NG", "q")).toEqual([]);
    expect(nearestInstitutions("NG", "…")).toEqual([]);
    expect(nearestInstitutions("FR", "Zenith Bank")).toEqual([]);
    expect(nearestInstitutions("NG", "Bank")).toHaveLength(5);
  });
});
