import { describe, expect, it } from "vitest";
import { customer } from "../../../test/kit/payment-rows.ts";
import type { Customer } from "./customer.ts";
import { knownInfoOf } from "./known-info.ts";

const address = { line1: "Weg 1", line2: "", city: "Berlin", postalCode: "10115", country: "DE" };
const person: Customer = {
  ...customer,
  region: "FR",
  email: "ana@x.test",
  phoneNumber: "+4930123456",
  birthDate: "1990-04-05",
  nationality: "SE",
  identitySealed: "sealed",
  address,
};
const firm: Customer = {
  ...customer,
  customerType: "BUSINESS",
  fullName: null,
  businessInfo: {
    legalName: "Blue Ridge LLC",
    country: "US",
    taxId: "12-3456789",
    registrationNumber: "HRB 1",
  },
};

describe("the information that a platform gives about its customer", () => {
  it("is all that is known of a person, but for its identifier", () => {
    expect(knownInfoOf(person)).toEqual({
      FULL_NAME: "Ana Ruiz",
      BIRTH_DATE: "1990-04-05",
      NATIONALITY: "SE",
      COUNTRY_OF_RESIDENCE: "FR",
      PHONE_NUMBER: "+4930123456",
      EMAIL: "ana@x.test",
      POSTAL_ADDRESS: "Weg 1, Berlin, 10115, DE",
      USER_TYPE: "INDIVIDUAL",
    });
  });

  it("is the same of a business, under its legal name", () => {
    expect(knownInfoOf(firm)).toEqual({
      FULL_NAME: "Blue Ridge LLC",
      COMPANY_LEGAL_NAME: "Blue Ridge LLC",
      COUNTRY_OF_RESIDENCE: "US",
      TAX_ID: "12-3456789",
      REGISTRATION_NUMBER: "HRB 1",
      USER_TYPE: "BUSINESS",
    });
  });

  it("has its country from the region, else from the address, else from where a business is", () => {
    const countries = [person, { ...person, region: null }, { ...firm, address }, firm];
    expect(countries.map((one) => knownInfoOf(one).COUNTRY_OF_RESIDENCE)).toEqual([
      "FR",
      "DE",
      "DE",
      "US",
    ]);
  });
});
