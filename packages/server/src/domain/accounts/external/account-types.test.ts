import { describe, expect, it } from "vitest";
import { findCurrency } from "../../../money/currency.ts";
import { isCountryCode } from "../../../std/countries.ts";
import type { AccountTypeRule } from "./account-type-rule.ts";
import {
  accountTypes,
  isAccountType,
  primaryIdentifierOf,
  railsOfType,
  ruleOf,
} from "./account-types.ts";

const rules = accountTypes.map((accountType) => ({ accountType, ...ruleOf(accountType) }));

const namesOf = (keep: (rule: AccountTypeRule) => boolean) =>
  rules.filter(keep).map((rule) => rule.accountType);

describe("the table of account types", () => {
  it("has 38 fiat types and 8 wallets", () => {
    expect(namesOf((rule) => rule.family === "fiat")).toHaveLength(38);
    expect(namesOf((rule) => rule.family === "wallet")).toEqual([
      "BASE_WALLET",
      "ETHEREUM_WALLET",
      "LIGHTNING",
      "PLASMA_WALLET",
      "POLYGON_WALLET",
      "SOLANA_WALLET",
      "SPARK_WALLET",
      "TRON_WALLET",
    ]);
  });

  it("says of each type what the others rely on", () => {
    for (const rule of rules) {
      const fields = rule.fields.map((field) => field.name);
      expect(new Set(fields).size, rule.accountType).toBe(fields.length);
      for (const name of rule.identifiedBy) expect(fields, rule.accountType).toContain(name);
      for (const way of rule.ways) {
        expect(rule.identifiedBy, rule.accountType).toContain(way.fields[0]);
        for (const name of way.fields) expect(fields, rule.accountType).toContain(name);
      }
      expect(rule.paymentRails.length > 0, rule.accountType).toBe(rule.family === "fiat");
      expect(railsOfType(rule.accountType), rule.accountType).not.toEqual([]);
      expect(rule.countries.every(isCountryCode), rule.accountType).toBe(true);
    }
  });

  it("uses only currencies of the catalogue, and one a fiat type", () => {
    for (const rule of rules) {
      if (rule.currencies === "any-fiat") continue;
      const kinds = new Set(rule.currencies.map((code) => findCurrency(code)?.kind));
      expect([...kinds], rule.accountType).toEqual([rule.family === "fiat" ? "fiat" : "crypto"]);
      if (rule.family === "fiat") expect(rule.currencies, rule.accountType).toHaveLength(1);
    }
    expect(namesOf((rule) => rule.currencies === "any-fiat")).toEqual(["SWIFT_ACCOUNT"]);
  });

  it("always has an identifying field in what it accepts", () => {
    for (const rule of rules) {
      const surely = rule.fields.some((f) => f.required && rule.identifiedBy.includes(f.name));
      expect(surely || rule.ways.length > 1, rule.accountType).toBe(true);
    }
  });

  it("lets money be pulled from dollar accounts in the United States only", () => {
    expect(namesOf((rule) => rule.pullable)).toEqual(["USD_ACCOUNT"]);
  });

  it("takes bank names from the directory in three countries", () => {
    expect(namesOf((rule) => rule.bankName === "directory")).toEqual([
      "NGN_ACCOUNT",
      "PHP_ACCOUNT",
      "ZAR_ACCOUNT",
    ]);
  });

  it("wants a beneficiary for every fiat type and never for Lightning", () => {
    expect(namesOf((rule) => rule.beneficiary?.required ?? false)).toEqual(
      namesOf((rule) => rule.family === "fiat"),
    );
    expect(namesOf((rule) => rule.beneficiary === undefined)).toEqual(["LIGHTNING"]);
  });

  it("knows what some individuals must add", () => {
    const extras = rules.flatMap(({ accountType, family, beneficiary }) => {
      const needs = beneficiary?.individual.filter((field) => field.required) ?? [];
      const names = needs.map((field) => field.name).filter((name) => name !== "fullName");
      return family === "fiat" && names.length > 0 ? [[accountType, ...names]] : [];
    });
    expect(extras).toEqual([
      ["AED_ACCOUNT", "address"],
      ["EUR_ACCOUNT", "countryOfResidence"],
      ["GTQ_ACCOUNT", "phoneNumber", "countryOfResidence"],
      ["JMD_ACCOUNT", "address", "phoneNumber"],
    ]);
  });

  it.each(["", "usd_account", "LIGHTNING_ACCOUNT", "__proto__", "constructor", "toString"])(
    "does not know the type %j",
    (name) => {
      expect(isAccountType(name)).toBe(false);
    },
  );
});

describe("primaryIdentifierOf", () => {
  it("takes the first identifying field that is there", () => {
    const pakistan = { phoneNumber: "+923001234567", iban: "PK36SCBL0000001123456702" };
    expect(primaryIdentifierOf("PKR_ACCOUNT", { ...pakistan, accountNumber: "1" })).toBe("1");
    expect(primaryIdentifierOf("PKR_ACCOUNT", pakistan)).toBe("PK36SCBL0000001123456702");
    expect(primaryIdentifierOf("PKR_ACCOUNT", { phoneNumber: "+923001234567" })).toBe(
      "+923001234567",
    );
  });

  it("keeps the domain", () => {
    expect(primaryIdentifierOf("INR_ACCOUNT", { vpa: "a.002@okbank" })).toBe("a.002@okbank");
  });
});
