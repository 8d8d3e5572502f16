import { expect, it } from "vitest";
import { type TravelRuleFacts, writeTravelRule } from "./travel-rule-message.ts";

const facts: TravelRuleFacts = {
  payer: {
    kind: "PERSON",
    id: "019a4f00-0000-7000-8000-000000000001",
    information: {
      FULL_NAME: "Ana Ruiz",
      BIRTH_DATE: "1990-02-01",
      COUNTRY_OF_RESIDENCE: "ES",
      POSTAL_ADDRESS: `${"x".repeat(69)} Madrid`,
    },
    umaAddress: "$ana@bank.example",
  },
  payeeAddress: "$bob@vasp.example",
  payerInstitution: "Acme",
  payeeInstitution: "vasp.example",
};
const read = (more: Partial<TravelRuleFacts["payer"]> = {}) =>
  JSON.parse(writeTravelRule({ ...facts, payer: { ...facts.payer, ...more } }));
const institution = (name: string) => ({
  legalPerson: {
    name: {
      nameIdentifier: [{ legalPersonName: name, legalPersonNameIdentifierType: "LEGL" }],
    },
  },
});

it("a person is told with what is known, in lines that the standard permits", () => {
  expect(read()).toEqual({
    originator: {
      originatorPerson: [
        {
          naturalPerson: {
            name: {
              nameIdentifier: [{ primaryIdentifier: "Ana Ruiz", nameIdentifierType: "LEGL" }],
            },
            geographicAddress: [
              { addressType: "HOME", addressLine: ["x".repeat(69), "Madrid"], country: "ES" },
            ],
            customerIdentification: facts.payer.id,
            dateAndPlaceOfBirth: { dateOfBirth: "1990-02-01" },
            countryOfResidence: "ES",
          },
        },
      ],
      accountNumber: ["$ana@bank.example"],
    },
    beneficiary: { accountNumber: ["$bob@vasp.example"] },
    originatingVASP: { originatingVASP: institution("Acme") },
    beneficiaryVASP: { beneficiaryVASP: institution("vasp.example") },
    payloadMetadata: { payloadVersion: "101.2023" },
  });
});

it("what is not known is left out", () => {
  const [{ naturalPerson }] = read({ information: { FULL_NAME: "Ana" } }).originator
    .originatorPerson;
  expect(Object.keys(naturalPerson)).toEqual(["name", "customerIdentification"]);
});

it("a business is told with its legal name and its number", () => {
  const information = {
    FULL_NAME: "Shop",
    COMPANY_LEGAL_NAME: "Shop Ltd",
    REGISTRATION_NUMBER: "7",
  };
  expect(read({ kind: "BUSINESS", information }).originator.originatorPerson).toEqual([
    {
      legalPerson: {
        ...institution("Shop Ltd").legalPerson,
        customerIdentification: facts.payer.id,
        nationalIdentification: { nationalIdentifier: "7", nationalIdentifierType: "RAID" },
      },
    },
  ]);
});
