/** Complete customer data for verification tests, which remove single members. */
import type {
  BeneficialOwner,
  OwnerPersonalInfo,
} from "../../src/domain/customers/beneficial-owners/beneficial-owner.ts";
import type { BusinessInfo, Customer } from "../../src/domain/customers/customer.ts";
import type { HeldDocument } from "../../src/domain/customers/verification/document-rules.ts";
import type { VerificationCase } from "../../src/domain/customers/verification/requirements.ts";

export const NOW = Date.parse("2026-11-21T12:00:00Z");
const DAY_MS = 24 * 60 * 60 * 1000;

const ADDRESS = { line1: "1 Main St", city: "Boston", postalCode: "02110", country: "US" };

const customer: Customer = {
  id: "c",
  platformCustomerId: "c-1",
  customerType: "INDIVIDUAL",
  umaAddress: "$c@p.test",
  region: null,
  currencies: ["USD"],
  infersCurrencies: false,
  email: null,
  phoneNumber: null,
  address: ADDRESS,
  fullName: null,
  birthDate: null,
  nationality: null,
  kycStatus: null,
  kybStatus: null,
  profile: {},
  businessInfo: null,
  identitySealed: null,
  identityHasSsnForm: null,
  formerUmaAddresses: [],
  frozen: null,
  metadata: null,
  createdAt: NOW,
  updatedAt: NOW,
  deletedAt: null,
};

export const businessInfo: BusinessInfo = {
  legalName: "Lind Boats LLC",
  country: "US",
  taxId: "12-3456789",
  incorporatedOn: "2015-06-01",
  countriesOfOperation: ["US"],
};

const personalInfo: OwnerPersonalInfo = {
  firstName: "Mara",
  lastName: "Lind",
  birthDate: "1980-04-05",
  nationality: "US",
  address: ADDRESS,
  idType: "SSN",
  identifier: "123-45-6789",
};

export function owner(
  more: Partial<BeneficialOwner> = {},
  info: Partial<OwnerPersonalInfo> = {},
): BeneficialOwner {
  return {
    id: "o",
    customerId: "c",
    roles: ["UBO", "CONTROL_PERSON"],
    ownershipPercentage: 60,
    kycStatus: "UNVERIFIED",
    createdAt: NOW,
    updatedAt: NOW,
    ...more,
    personalInfo: { ...personalInfo, ...info },
  };
}

/** Uploaded yesterday. */
export function document(type: string, more: Partial<HeldDocument> = {}): HeldDocument {
  return {
    id: type.toLowerCase(),
    type,
    holderId: "c",
    side: null,
    documentNumber: "N-1",
    issuingAuthority: "The state",
    broughtAt: NOW - DAY_MS,
    ...more,
  };
}

export const wholePerson: VerificationCase = {
  customer: {
    ...customer,
    kycStatus: "UNVERIFIED",
    fullName: "Ana Ruiz",
    birthDate: "1991-02-03",
    nationality: "US",
    profile: { idType: "SSN" },
    identitySealed: "sealed",
    identityHasSsnForm: true,
  },
  owners: [],
  documents: [document("PASSPORT")],
  at: NOW,
};

export const wholeBusiness: VerificationCase = {
  customer: { ...customer, customerType: "BUSINESS", kybStatus: "UNVERIFIED", businessInfo },
  owners: [owner()],
  documents: [
    document("CERTIFICATE_OF_INCORPORATION"),
    document("DIRECTOR_REGISTRY"),
    document("SHAREHOLDER_REGISTER"),
    document("UTILITY_BILL"),
  ],
  at: NOW,
};
