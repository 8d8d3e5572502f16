import { describe, expect, it } from "vitest";
import { customer, platform } from "../../../test/kit/payment-rows.ts";
import type { Platform } from "../platform.ts";
import type { BusinessInfo, Customer } from "./customer.ts";
import { currencyFaults, inferredCurrencies } from "./customer-currencies.ts";

const [usd] = platform.supportedCurrencies;
if (usd === undefined) throw new Error("no currency");

const supporting = (...codes: readonly string[]): Platform => ({
  ...platform,
  supportedCurrencies: codes.map((currencyCode) => ({ ...usd, currencyCode })),
});

const ASKING = ["AED", "BRL", "COP", "INR", "NGN", "PHP"];

const address = { line1: "1", postalCode: "2", country: "US" };
const nobody = { ...customer, fullName: null, currencies: [] };
const person: Customer = {
  ...nobody,
  fullName: "Ana Ruiz",
  birthDate: "1990-01-01",
  nationality: "US",
  address,
  identitySealed: "sealed",
};
const everything: BusinessInfo = {
  legalName: "Blue Ridge LLC",
  country: "US",
  taxId: "1",
  incorporatedOn: "2015-06-01",
};
/** What is known of a person says nothing about a business. */
const firm = (businessInfo: Partial<BusinessInfo>, where: Customer["address"]): Customer => ({
  ...person,
  customerType: "BUSINESS",
  businessInfo: businessInfo as BusinessInfo,
  address: where,
});

function missing(of: Customer) {
  const faults = currencyFaults(supporting("USD", ...ASKING), {
    wanted: ["USD", ...ASKING],
    customer: of,
  });
  return faults.map(({ error }) => error.message.replace(" needs more to be known", ""));
}

describe("the providers of a currency", () => {
  it("ask for all of this of a person", () => {
    expect(missing(nobody)).toEqual([
      "AED: FULL_NAME, POSTAL_ADDRESS",
      "BRL: FULL_NAME, TAX_ID",
      "COP: FULL_NAME, BIRTH_DATE",
      "INR: FULL_NAME, BIRTH_DATE, NATIONALITY",
      "NGN: FULL_NAME, BIRTH_DATE",
      "PHP: FULL_NAME, BIRTH_DATE, NATIONALITY",
    ]);
    expect(missing(person)).toEqual([]);
  });

  it("require the same of a business, with the fields of a business", () => {
    expect(missing(firm({}, null))).toEqual(missing(nobody));
    expect(missing(firm(everything, address))).toEqual([]);
    const { country: _c, ...homeless } = everything;
    expect(missing(firm(homeless, address))).toEqual(["INR: NATIONALITY", "PHP: NATIONALITY"]);
    const { taxId: _t, ...untaxed } = everything;
    expect(missing(firm(untaxed, address))).toEqual(["BRL: TAX_ID"]);
  });
});

describe("the currencies of a customer who did not choose", () => {
  const inferred = (change: Partial<Customer>, ...codes: readonly string[]) =>
    inferredCurrencies(supporting(...codes), { ...nobody, ...change });

  it("are those whose providers have the fields that they require", () => {
    expect(inferred({}, "USD", "BRL", "USDC")).toEqual(["USD", "USDC"]);
    expect(inferred(person, "USD", "BRL", "USDC")).toEqual(["USD", "BRL", "USDC"]);
  });

  it("are the money of its region and all crypto, where the platform has that money", () => {
    expect(inferred({ region: "DE" }, "USD", "EUR", "BTC")).toEqual(["EUR", "BTC"]);
    expect(inferred({ region: "DE" }, "USD", "GBP", "BTC")).toEqual(["USD", "GBP", "BTC"]);
  });

  it("exclude other countries' currencies while the provider of its region requires more data", () => {
    const known = { region: "BR", fullName: "Ana Ruiz", identitySealed: "sealed" };
    expect(inferred({ region: "BR" }, "USD", "BRL", "BTC")).toEqual(["BTC"]);
    expect(inferred({ region: "BR" }, "USD", "BRL")).toEqual([]);
    expect(inferred(known, "USD", "BRL", "BTC")).toEqual(["BRL", "BTC"]);
  });

  it("keep what it has, also where that is not supported any more", () => {
    expect(inferred({ currencies: ["MXN", "USD"] }, "EUR", "USD")).toEqual(["MXN", "USD", "EUR"]);
    expect(inferred({ region: "DE", currencies: ["USD"] }, "EUR", "USD")).toEqual(["USD", "EUR"]);
  });
});
