import { describe, expect, it } from "vitest";
import { external, internal } from "../../../../../test/kit/payment-rows.ts";
import type { JsonObject } from "../../../../std/json.ts";
import type { CustomerInfo } from "../../../customers/customer-info.ts";
import { knownAbout } from "./counterparty-information.ts";
import type { Destination } from "./quote-parties.ts";

function accountOf(beneficiary?: JsonObject): Destination {
  const accountInfo = beneficiary === undefined ? {} : { beneficiary };
  return {
    kind: "external",
    account: { ...external, accountInfo },
    currency: "USD",
    paymentRail: undefined,
  };
}

function addressOf(counterpartyInformation: CustomerInfo): Destination {
  return {
    kind: "uma",
    currency: "USD",
    receiver: {
      umaAddress: "$bo@x.test",
      currency: "USD",
      minMinor: 1n,
      maxMinor: 1_000n,
      requiredPayerFields: [],
      counterpartyInformation,
      home: { kind: "sandbox" },
    },
  };
}

const person = {
  beneficiaryType: "INDIVIDUAL",
  fullName: "Maya Lindqvist",
  birthDate: "1990-04-05",
  nationality: "SE",
  countryOfResidence: "DE",
  phoneNumber: "+4930123456",
  email: "maya@x.test",
  documentType: "CC",
  documentNumber: "77",
  address: { line1: "Weg 1", city: "Berlin", postalCode: "10115", country: "AT" },
};

const business = {
  beneficiaryType: "BUSINESS",
  legalName: "Blue Ridge LLC",
  taxId: "12-3456789",
  registrationNumber: "HRB 1",
  address: { line1: "Main St 1", line2: "", postalCode: "22902", country: "US" },
};

describe("the known information about the receiver", () => {
  it.each([
    ["FULL_NAME", person, "Maya Lindqvist"],
    ["BIRTH_DATE", person, "1990-04-05"],
    ["NATIONALITY", person, "SE"],
    ["COUNTRY_OF_RESIDENCE", person, "DE"],
    ["PHONE_NUMBER", person, "+4930123456"],
    ["EMAIL", person, "maya@x.test"],
    ["POSTAL_ADDRESS", person, "Weg 1, Berlin, 10115, AT"],
    ["USER_TYPE", person, "INDIVIDUAL"],
    ["ID_TYPE", person, "CC"],
    ["ID_NUMBER", person, "77"],
    ["FULL_NAME", business, "Blue Ridge LLC"],
    ["COMPANY_LEGAL_NAME", business, "Blue Ridge LLC"],
    ["TAX_ID", business, "12-3456789"],
    ["REGISTRATION_NUMBER", business, "HRB 1"],
    ["COUNTRY_OF_RESIDENCE", business, "US"],
    ["POSTAL_ADDRESS", business, "Main St 1, 22902, US"],
    ["USER_TYPE", business, "BUSINESS"],
  ])("is the %s that the account's beneficiary has", (name, beneficiary, value) => {
    expect(knownAbout(accountOf(beneficiary), [name])).toEqual({ [name]: value });
  });

  it("is the account's own number, independent of its owner", () => {
    expect(knownAbout(accountOf(), ["ACCOUNT_IDENTIFIER", "FULL_NAME"])).toEqual({
      ACCOUNT_IDENTIFIER: "12345678901",
    });
  });

  it("is empty when none was given or none is requested", () => {
    expect(knownAbout(accountOf(person), [])).toEqual({});
    expect(knownAbout(accountOf({ ...person, email: "" }), ["EMAIL", "TAX_ID"])).toEqual({});
    expect(knownAbout(accountOf({ fullName: 7, address: [] }), ["FULL_NAME"])).toEqual({});
  });

  it("is what the institution of an address answered, limited to the requested fields", () => {
    const given = addressOf({ FULL_NAME: "Bo Lind", NATIONALITY: "US", EMAIL: "" });
    expect(knownAbout(given, ["FULL_NAME", "EMAIL", "BIRTH_DATE"])).toEqual({
      FULL_NAME: "Bo Lind",
    });
  });

  it("does not include an internal account", () => {
    const house = { account: internal, currency: "USD", paymentRail: undefined } as const;
    expect(knownAbout({ kind: "internal", ...house }, ["FULL_NAME", "USER_TYPE"])).toEqual({});
  });
});
