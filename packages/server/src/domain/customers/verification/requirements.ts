/** The requirements of a submission: fields, owners, documents. */
import { dayOf } from "../../../std/clock.ts";
import type { BeneficialOwner } from "../beneficial-owners/beneficial-owner.ts";
import { type Customer, toCustomerId } from "../customer.ts";
import { businessDocumentErrors, type HeldDocument, identityErrors } from "./document-rules.ts";
import { peopleErrors } from "./owner-rules.ts";
import type { VerificationError } from "./verification.ts";

/** The data of a check at one moment: the customer, its owners and their documents. */
export interface VerificationCase {
  readonly customer: Customer;
  readonly owners: readonly BeneficialOwner[];
  /** Documents of the customer and of its owners. */
  readonly documents: readonly HeldDocument[];
  readonly at: number;
}

/** All unmet requirements: the customer's fields, then its owners, then documents; empty when complete. */
export function unmetRequirements(
  verificationCase: VerificationCase,
): readonly VerificationError[] {
  return verificationCase.customer.customerType === "BUSINESS"
    ? businessErrors(verificationCase)
    : personErrors(verificationCase);
}

type Read = (customer: Customer) => unknown;

const PERSON_FIELDS: readonly (readonly [field: string, read: Read])[] = [
  ["fullName", ({ fullName }) => fullName],
  ["birthDate", ({ birthDate }) => birthDate],
  ["nationality", ({ nationality }) => nationality],
  ["idType", ({ profile }) => profile.idType],
  ["identifier", ({ identitySealed }) => identitySealed],
  ["address.line1", ({ address }) => address?.line1],
  ["address.postalCode", ({ address }) => address?.postalCode],
  ["address.country", ({ address }) => address?.country],
];

const BUSINESS_FIELDS: readonly (readonly [field: string, read: Read])[] = [
  ["customer.businessInfo.legalName", ({ businessInfo }) => businessInfo?.legalName],
  ["customer.businessInfo.country", ({ businessInfo }) => businessInfo?.country],
  ["customer.businessInfo.taxId", ({ businessInfo }) => businessInfo?.taxId],
  ["customer.businessInfo.incorporatedOn", ({ businessInfo }) => businessInfo?.incorporatedOn],
  [
    "customer.businessInfo.countriesOfOperation",
    ({ businessInfo }) => businessInfo?.countriesOfOperation?.[0],
  ],
  ["customer.address.line1", ({ address }) => address?.line1],
  ["customer.address.postalCode", ({ address }) => address?.postalCode],
  ["customer.address.country", ({ address }) => address?.country],
];

function personErrors({ customer, documents, at }: VerificationCase): readonly VerificationError[] {
  const { fullName, birthDate } = customer;
  const invalid: [field: string, reason: string][] = [];
  if (fullName !== null && fullName.trim().split(/\s+/).length < 2) {
    invalid.push(["fullName", "A first and a last name are needed."]);
  }
  if (birthDate !== null && birthDate > dayOf(at)) {
    invalid.push(["birthDate", "The date lies in the future."]);
  }
  if (customer.profile.idType === "SSN" && customer.identityHasSsnForm === false) {
    invalid.push(["identifier", "An SSN has the form ###-##-####."]);
  }
  return [
    ...missingFields(customer, PERSON_FIELDS),
    ...invalidFieldsOf(customer, invalid),
    ...identityErrors({ resourceId: toCustomerId(customer.id), holderId: customer.id }, documents),
  ];
}

function businessErrors(verificationCase: VerificationCase): readonly VerificationError[] {
  const { customer, owners, documents, at } = verificationCase;
  const founded = customer.businessInfo?.incorporatedOn;
  const invalid: [field: string, reason: string][] = [];
  if (founded !== undefined && founded > dayOf(at)) {
    invalid.push(["customer.businessInfo.incorporatedOn", "The date lies in the future."]);
  }
  if (owners.reduce((sum, owner) => sum + owner.ownershipPercentage, 0) > 100) {
    invalid.push(["customer.beneficialOwners", "The owners hold more than 100 % together."]);
  }
  return [
    ...missingFields(customer, BUSINESS_FIELDS),
    ...invalidFieldsOf(customer, invalid),
    ...peopleErrors({ customer, owners, documents, today: dayOf(at) }),
    ...businessDocumentErrors(customer, { documents, at }),
  ];
}

function missingFields(
  customer: Customer,
  fields: typeof PERSON_FIELDS,
): readonly VerificationError[] {
  const resourceId = toCustomerId(customer.id);
  return fields.flatMap(([field, read]) => {
    const value = read(customer);
    if (value !== undefined && value !== null) return [];
    return [{ resourceId, type: "MISSING_FIELD", reason: `${field} is missing.`, field }];
  });
}

function invalidFieldsOf(
  customer: Customer,
  invalid: readonly (readonly [field: string, reason: string])[],
): readonly VerificationError[] {
  const resourceId = toCustomerId(customer.id);
  return invalid.map(([field, reason]) => ({ resourceId, type: "INVALID_FIELD", reason, field }));
}
