import { describe, expect, it } from "vitest";
import {
  businessInfo,
  document,
  NOW,
  owner,
  wholeBusiness,
  wholePerson,
} from "../../../../test/kit/verification-rows.ts";
import type { Customer } from "../customer.ts";
import { unmetRequirements, type VerificationCase } from "./requirements.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** What each error says: its type and, where it is about one, its field. */
function unmet(verificationCase: VerificationCase): readonly string[] {
  return unmetRequirements(verificationCase).map(({ type, field }) =>
    field === undefined ? type : `${type} ${field}`,
  );
}

const person = (more: Partial<Customer>): VerificationCase => ({
  ...wholePerson,
  customer: { ...wholePerson.customer, ...more },
});
const business = (more: Partial<Customer>): VerificationCase => ({
  ...wholeBusiness,
  customer: { ...wholeBusiness.customer, ...more },
});

it("requires nothing more of a complete case", () => {
  expect(unmetRequirements(wholePerson)).toEqual([]);
  expect(unmetRequirements(wholeBusiness)).toEqual([]);
});

describe("an individual", () => {
  it("whose identifier has no recorded form passes by its idType", () => {
    const customer = { ...wholePerson.customer, identityHasSsnForm: null };
    expect(unmetRequirements({ ...wholePerson, customer })).toEqual([]);
  });

  it.each([
    [{ fullName: null }, "MISSING_FIELD fullName"],
    [{ fullName: "Ana" }, "INVALID_FIELD fullName"],
    [{ fullName: " Ana " }, "INVALID_FIELD fullName"],
    [{ birthDate: null }, "MISSING_FIELD birthDate"],
    [{ birthDate: "2026-11-22" }, "INVALID_FIELD birthDate"],
    [{ nationality: null }, "MISSING_FIELD nationality"],
    [{ profile: {} }, "MISSING_FIELD idType"],
    [{ identitySealed: null }, "MISSING_FIELD identifier"],
    [{ identityHasSsnForm: false }, "INVALID_FIELD identifier"],
  ])("with %j lacks %s", (more, error) => {
    expect(unmet(person(more))).toEqual([error]);
  });

  it("is returned with everything that is missing, by field, under the customer's id", () => {
    const bare = person({
      fullName: null,
      birthDate: null,
      nationality: null,
      profile: {},
      identitySealed: null,
      address: null,
    });
    const errors = unmetRequirements({ ...bare, documents: [] });
    expect(errors.map(({ field, type }) => field ?? type)).toEqual([
      "fullName",
      "birthDate",
      "nationality",
      "idType",
      "identifier",
      "address.line1",
      "address.postalCode",
      "address.country",
      "MISSING_IDENTITY_DOCUMENT",
    ]);
    for (const { resourceId, reason } of errors) {
      expect(resourceId).toBe("Customer:c");
      expect(reason).toMatch(/^.+\.$/);
    }
    expect(errors.at(-1)?.acceptedDocumentTypes).toEqual([
      "PASSPORT",
      "DRIVERS_LICENSE",
      "NATIONAL_ID",
    ]);
  });

  const licence = (side: "FRONT" | "BACK") => document("DRIVERS_LICENSE", { id: side, side });
  it.each([
    ["a passport", [document("PASSPORT")], []],
    ["a card from both sides", [licence("FRONT"), licence("BACK")], []],
    ["one side of a card", [licence("FRONT")], ["INCOMPLETE_DOCUMENT"]],
    ["the back of a card", [licence("BACK")], ["INCOMPLETE_DOCUMENT"]],
    ["one side of a card, and a passport", [licence("FRONT"), document("PASSPORT")], []],
    [
      "sides of different cards",
      [licence("FRONT"), document("NATIONAL_ID", { side: "BACK" })],
      ["INCOMPLETE_DOCUMENT"],
    ],
    [
      "a passport without a number",
      [document("PASSPORT", { documentNumber: null })],
      ["MISSING_FIELD documentNumber"],
    ],
    [
      "a passport of nobody",
      [document("PASSPORT", { issuingAuthority: null })],
      ["MISSING_FIELD issuingAuthority"],
    ],
    ["a bill", [document("UTILITY_BILL")], ["MISSING_IDENTITY_DOCUMENT"]],
    [
      "a paper of a business",
      [document("SHAREHOLDER_REGISTER")],
      ["MISSING_IDENTITY_DOCUMENT", "WRONG_DOCUMENT_TYPE"],
    ],
    [
      "a paper of a business, and a passport",
      [document("SHAREHOLDER_REGISTER"), document("PASSPORT")],
      [],
    ],
    [
      "somebody else's passport",
      [document("PASSPORT", { holderId: "x" })],
      ["MISSING_IDENTITY_DOCUMENT"],
    ],
  ] as const)("with %s is told so", (_what, documents, errors) => {
    expect(unmet({ ...wholePerson, documents })).toEqual(errors);
  });

  it("gets an error that names the wrong document", () => {
    const [error] = unmetRequirements({ ...wholePerson, documents: [licence("FRONT")] });
    expect(error?.resourceId).toBe("Document:FRONT");
  });
});

describe("a business", () => {
  it("with a person's passport instead of its own documents gets an error that names the passport", () => {
    const documents = [...wholeBusiness.documents, document("PASSPORT")];
    expect(unmet({ ...wholeBusiness, documents })).toEqual([]);
    const [, ...without] = documents;
    const errors = unmetRequirements({ ...wholeBusiness, documents: without });
    expect(errors.map(({ type, resourceId }) => `${type} ${resourceId}`)).toEqual([
      "MISSING_LEGAL_PRESENCE_DOCUMENT Customer:c",
      "WRONG_DOCUMENT_TYPE Document:passport",
    ]);
  });

  it("whose formation documents are older than a year needs a proof of good standing", () => {
    const old = { broughtAt: NOW - 367 * DAY_MS };
    const [, ...rest] = wholeBusiness.documents;
    const documents = [document("CERTIFICATE_OF_INCORPORATION", old), ...rest];
    expect(unmet({ ...wholeBusiness, documents })).toEqual(["MISSING_GOOD_STANDING_DOCUMENT"]);
    for (const more of [
      document("GOOD_STANDING_CERTIFICATE"),
      document("STATE_REGISTRY_EXCERPT"),
    ]) {
      expect(unmet({ ...wholeBusiness, documents: [...documents, more] })).toEqual([]);
    }
    const aged = (ageMs: number) => [
      document("CERTIFICATE_OF_INCORPORATION", { broughtAt: NOW - ageMs }),
      ...rest,
    ];
    expect(unmet({ ...wholeBusiness, documents: aged(366 * DAY_MS) })).toEqual([]);
    expect(unmet({ ...wholeBusiness, documents: aged(366 * DAY_MS + 1) })).toHaveLength(1);
    const stale = document("GOOD_STANDING_CERTIFICATE", old);
    expect(unmet({ ...wholeBusiness, documents: [...documents, stale] })).toEqual([
      "MISSING_GOOD_STANDING_DOCUMENT",
    ]);
  });

  it.each([
    ...(["country", "taxId", "incorporatedOn", "countriesOfOperation"] as const).map(
      (field) => [field, `MISSING_FIELD customer.businessInfo.${field}`] as const,
    ),
  ])("without %s lacks %s", (field, error) => {
    const { [field]: _left, ...rest } = businessInfo;
    expect(unmet(business({ businessInfo: rest }))).toEqual([error]);
  });

  it("needs an address, a date of incorporation in the past, and countries of operation", () => {
    expect(unmet(business({ address: null }))).toEqual([
      "MISSING_FIELD customer.address.line1",
      "MISSING_FIELD customer.address.postalCode",
      "MISSING_FIELD customer.address.country",
    ]);
    const tomorrow = { ...businessInfo, incorporatedOn: "2026-11-22" };
    expect(unmet(business({ businessInfo: tomorrow }))).toEqual([
      "INVALID_FIELD customer.businessInfo.incorporatedOn",
    ]);
    const nowhere = { ...businessInfo, countriesOfOperation: [] };
    expect(unmet(business({ businessInfo: nowhere }))).toEqual([
      "MISSING_FIELD customer.businessInfo.countriesOfOperation",
    ]);
  });

  it.each([
    [
      "CERTIFICATE_OF_INCORPORATION",
      "MISSING_LEGAL_PRESENCE_DOCUMENT",
      [
        "CERTIFICATE_OF_INCORPORATION",
        "ARTICLES_OF_INCORPORATION",
        "ARTICLES_OF_ASSOCIATION",
        "STATE_REGISTRY_EXCERPT",
      ],
    ],
    [
      "DIRECTOR_REGISTRY",
      "MISSING_CONTROL_STRUCTURE_DOCUMENT",
      [
        "DIRECTOR_REGISTRY",
        "TRUST_AGREEMENT",
        "STATE_COMPANY_REGISTRY",
        "PARTNERSHIP_CONTROL_AGREEMENT",
      ],
    ],
    [
      "SHAREHOLDER_REGISTER",
      "MISSING_OWNERSHIP_STRUCTURE_DOCUMENT",
      ["SHAREHOLDER_REGISTER", "TRUST_AGREEMENT", "PARTNERSHIP_AGREEMENT"],
    ],
    [
      "UTILITY_BILL",
      "MISSING_PROOF_OF_ADDRESS_DOCUMENT",
      [
        "UTILITY_BILL",
        "RENT_OR_LEASE_AGREEMENT",
        "ELECTRICITY_BILL",
        "BANK_STATEMENT",
        "TAX_RETURN",
        "PROOF_OF_ADDRESS",
      ],
    ],
  ])("without a %s gets %s, and the documents that would suffice", (left, error, accepted) => {
    const documents = wholeBusiness.documents.filter(({ type }) => type !== left);
    const [found, ...more] = unmetRequirements({ ...wholeBusiness, documents });
    expect(found).toMatchObject({
      resourceId: "Customer:c",
      type: error,
      acceptedDocumentTypes: accepted,
    });
    expect(more).toEqual([]);
    for (const type of accepted) {
      const mended = [...documents, document(type)];
      expect(unmet({ ...wholeBusiness, documents: mended })).toEqual([]);
    }
  });

  it("proves its address with something not older than three months", () => {
    const withBill = (ageDays: number) =>
      unmetRequirements({
        ...wholeBusiness,
        documents: wholeBusiness.documents.map((one) =>
          one.type === "UTILITY_BILL" ? { ...one, broughtAt: NOW - ageDays * DAY_MS } : one,
        ),
      });
    expect(withBill(92)).toEqual([]);
    expect(withBill(93)).toMatchObject([
      { resourceId: "Document:utility_bill", type: "EXPIRED_DOCUMENT" },
    ]);
  });
});

describe("the people of a business", () => {
  const withOwners = (...owners: VerificationCase["owners"]) => unmet({ ...wholeBusiness, owners });

  it("include a control person and every owner of a large share", () => {
    expect(withOwners()).toEqual(["MISSING_CONTROL_PERSON", "MISSING_BENEFICIAL_OWNER"]);
    expect(withOwners(owner({ roles: ["UBO"] }))).toEqual(["MISSING_CONTROL_PERSON"]);
    const control = owner({ roles: ["CONTROL_PERSON"], ownershipPercentage: 24 });
    expect(withOwners(control)).toEqual(["MISSING_BENEFICIAL_OWNER"]);
    expect(withOwners({ ...control, ownershipPercentage: 25 })).toEqual([]);
    expect(withOwners(control, owner({ roles: ["UBO"], ownershipPercentage: 1 }))).toEqual([]);
  });

  it.each(["PUBLICLY_LISTED_COMPANY", "NON_PROFIT", "CHARITY"])(
    "may be without an owner in a %s",
    (entityType) => {
      const control = owner({ roles: ["CONTROL_PERSON"], ownershipPercentage: 0 });
      const verificationCase = business({ businessInfo: { ...businessInfo, entityType } });
      expect(unmet({ ...verificationCase, owners: [control] })).toEqual([]);
    },
  );

  it("hold at most 100 percent together", () => {
    const half = owner({ ownershipPercentage: 50 });
    expect(withOwners(half, half)).toEqual([]);
    expect(withOwners(half, half, owner({ ownershipPercentage: 1 }))).toEqual([
      "INVALID_FIELD customer.beneficialOwners",
    ]);
  });

  it.each([
    [{ birthDate: "2026-11-21" }, []],
    [{ birthDate: "2026-11-22" }, ["INVALID_FIELD personalInfo.birthDate"]],
    [{ idType: "EIN" }, ["INVALID_FIELD personalInfo.idType"]],
    [{ idType: "NON_US_TAX_ID" }, ["INVALID_FIELD personalInfo.idType"]],
    [{ idType: "ITIN", identifier: "anything" }, []],
    [{ identifier: "123456789" }, ["INVALID_FIELD personalInfo.identifier"]],
  ] as const)("from the US with %j lack %j", (info, errors) => {
    expect(withOwners(owner({}, info))).toEqual(errors);
  });

  const papers = [
    document("PASSPORT", { holderId: "o" }),
    document("NATIONAL_ID", { id: "f", holderId: "o", side: "FRONT" }),
    document("NATIONAL_ID", { id: "b", holderId: "o", side: "BACK" }),
  ];
  const foreign = { nationality: "DE", idType: "NON_US_TAX_ID", countryOfIssuance: "DE" } as const;
  const abroad = (documents: VerificationCase["documents"], info: object = {}) =>
    unmetRequirements({
      ...wholeBusiness,
      owners: [owner({}, { ...foreign, ...info })],
      documents: [...wholeBusiness.documents, ...documents],
    });

  it("from abroad need a passport, one more document, and the country that issued the identifier", () => {
    expect(abroad(papers)).toEqual([]);
    const accepted = (documents: VerificationCase["documents"]) =>
      abroad(documents).map(({ resourceId, acceptedDocumentTypes }) => [
        resourceId,
        acceptedDocumentTypes,
      ]);
    const passport = ["BeneficialOwner:o", ["PASSPORT"]];
    const card = ["BeneficialOwner:o", ["DRIVERS_LICENSE", "NATIONAL_ID"]];
    expect(accepted([])).toEqual([passport, card]);
    expect(accepted(papers.slice(0, 1))).toEqual([card]);
    expect(accepted(papers.slice(1))).toEqual([passport]);
    expect(abroad(papers, { countryOfIssuance: undefined })).toMatchObject([
      { type: "MISSING_FIELD", field: "personalInfo.countryOfIssuance" },
    ]);
  });

  it.each(["SSN", "ITIN"] as const)(
    "from abroad with a number of the US, such as an %s, need not say who gave it",
    (idType) => {
      const info = { idType, identifier: "123-45-6789", countryOfIssuance: undefined };
      expect(abroad(papers, info)).toEqual([]);
    },
  );

  it("are not checked when they neither own nor control it", () => {
    const director = owner({ id: "d", roles: ["DIRECTOR"], ownershipPercentage: 10 }, foreign);
    expect(withOwners(owner(), director)).toEqual([]);
  });
});
