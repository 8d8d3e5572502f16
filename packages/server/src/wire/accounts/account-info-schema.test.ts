import Value from "typebox/value";
import { describe, expect, it } from "vitest";
import { checkAccountInfo } from "../../domain/accounts/external/account-info.ts";
import { accountTypes, ruleOf } from "../../domain/accounts/external/account-types.ts";
import {
  accountInfoForm,
  accountInfoRequest,
  accountInfoResponse,
  exampleAccountInfo,
} from "./account-info-schema.ts";

function currencyOf(accountType: (typeof accountTypes)[number]): string {
  const { currencies } = ruleOf(accountType);
  return currencies === "any-fiat" ? "CHF" : (currencies[0] ?? "");
}

describe.each(accountTypes)("the schema of %s", (accountType) => {
  const example = exampleAccountInfo(accountType);
  const form = accountInfoForm(accountType);

  it("accepts the example and its answer", () => {
    expect(Value.Check(form, example)).toBe(true);
    const result = checkAccountInfo(currencyOf(accountType), example);
    expect(result.ok && Value.Check(accountInfoResponse, result.accountInfo)).toBe(true);
  });

  it("shows an example that it takes itself", () => {
    const { examples } = JSON.parse(JSON.stringify(form));
    expect(examples).toHaveLength(1);
    expect(Value.Check(form, examples[0])).toBe(true);
  });

  it("judges each missing, wrong or odd member as the check does", () => {
    const { fields, bankName } = ruleOf(accountType);
    // The directory grows: the schema does not repeat it, and the check alone knows its names.
    const judgedAlike = fields.filter(
      ({ name }) => name !== "bankName" || bankName !== "directory",
    );
    const members = [...judgedAlike.map((field) => field.name), "beneficiary"];
    for (const name of members) {
      const rest = Object.fromEntries(Object.entries(example).filter(([key]) => key !== name));
      const text = (example as Readonly<Record<string, unknown>>)[name];
      const grouped = typeof text === "string" ? [...text].join(" -") : "- ";
      const odd = [undefined, null, 7, "", "¿", {}, [], "x".repeat(5000), grouped];
      for (const value of odd) {
        const input = value === undefined ? rest : { ...rest, [name]: value };
        const judged = checkAccountInfo(currencyOf(accountType), input).ok;
        expect(Value.Check(form, input), `${name} ${JSON.stringify(value)}`).toBe(judged);
      }
    }
  });

  it("is one of the union, and of no other", () => {
    const others = accountTypes.filter((other) => Value.Check(accountInfoForm(other), example));
    expect(others).toEqual([accountType]);
    expect(Value.Check(accountInfoRequest, example)).toBe(true);
  });
});

describe("the union", () => {
  it("is JSON, discriminated by the account type", () => {
    const { oneOf, discriminator } = JSON.parse(JSON.stringify(accountInfoRequest));
    expect(discriminator).toEqual({ propertyName: "accountType" });
    expect(oneOf.map((each: { title: string }) => each.title)).toEqual(accountTypes);
  });

  it("says that the rails are in every fiat answer, and in no other", () => {
    for (const accountType of accountTypes) {
      const { family, paymentRails } = ruleOf(accountType);
      const bare = exampleAccountInfo(accountType);
      const railed = { ...bare, paymentRails };
      expect(Value.Check(accountInfoResponse, bare), accountType).toBe(family === "wallet");
      expect(Value.Check(accountInfoResponse, railed), accountType).toBe(family === "fiat");
      const { properties } = JSON.parse(JSON.stringify(accountInfoForm(accountType)));
      expect(properties.paymentRails?.readOnly, accountType).toBe(
        family === "fiat" ? true : undefined,
      );
    }
  });
});
