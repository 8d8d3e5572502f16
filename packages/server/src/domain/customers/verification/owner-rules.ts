/** The owners that a business must name before its check, and the data that each must have. */
import {
  type BeneficialOwner,
  toBeneficialOwnerId,
} from "../beneficial-owners/beneficial-owner.ts";
import { type Customer, toCustomerId } from "../customer.ts";
import { isSsn } from "../customer-faults.ts";
import { type HeldDocument, identityErrors } from "./document-rules.ts";
import type { VerificationError } from "./verification.ts";

/** An owner with at least this share must be named. */
const LARGE_SHARE_PERCENT = 25;

/** Entity types whose large owners need not be named. */
const WITHOUT_OWNERS: ReadonlySet<string> = new Set([
  "PUBLICLY_LISTED_COMPANY",
  "NON_PROFIT",
  "CHARITY",
]);

interface People {
  readonly customer: Customer;
  readonly owners: readonly BeneficialOwner[];
  readonly documents: readonly HeldDocument[];
  readonly today: string;
}

export function peopleErrors(people: People): readonly VerificationError[] {
  return [...absentPeople(people), ...people.owners.filter(isJudged).flatMap(ownerErrors(people))];
}

function absentPeople({ customer, owners }: People): readonly VerificationError[] {
  const resourceId = toCustomerId(customer.id);
  const errors: VerificationError[] = [];
  if (!owners.some(({ roles }) => roles.includes("CONTROL_PERSON"))) {
    const reason = "One person who controls the business has to be named.";
    errors.push({ resourceId, type: "MISSING_CONTROL_PERSON", reason });
  }
  const mayHaveNone = WITHOUT_OWNERS.has(customer.businessInfo?.entityType ?? "");
  if (!mayHaveNone && !owners.some(isOwner)) {
    const reason = `Everyone who owns ${LARGE_SHARE_PERCENT} % or more has to be named.`;
    errors.push({ resourceId, type: "MISSING_BENEFICIAL_OWNER", reason });
  }
  return errors;
}

function isOwner({ roles, ownershipPercentage }: BeneficialOwner): boolean {
  return roles.includes("UBO") || ownershipPercentage >= LARGE_SHARE_PERCENT;
}

/** Whether the owner is checked. Others, such as a director without a share, are only named. */
function isJudged(owner: BeneficialOwner): boolean {
  return isOwner(owner) || owner.roles.includes("CONTROL_PERSON");
}

function ownerErrors({ documents, today }: People) {
  return (owner: BeneficialOwner): readonly VerificationError[] => [
    ...fieldErrors(owner, today),
    ...(owner.personalInfo.nationality === "US" ? [] : foreignPapers(owner, documents)),
  ];
}

function fieldErrors(
  { id, personalInfo }: BeneficialOwner,
  today: string,
): readonly VerificationError[] {
  const { birthDate, nationality, idType, identifier, countryOfIssuance } = personalInfo;
  const hasUsNumber = idType === "SSN" || idType === "ITIN";
  const errors: VerificationError[] = [];
  const add = (type: "MISSING_FIELD" | "INVALID_FIELD", name: string, reason: string) => {
    const resourceId = toBeneficialOwnerId(id);
    errors.push({ resourceId, type, reason, field: `personalInfo.${name}` });
  };
  if (birthDate > today) add("INVALID_FIELD", "birthDate", "The date lies in the future.");
  if (nationality === "US" && !hasUsNumber) {
    add("INVALID_FIELD", "idType", "A US person has an SSN or an ITIN.");
  }
  if (idType === "SSN" && !isSsn(identifier)) {
    add("INVALID_FIELD", "identifier", "An SSN has the form ###-##-####.");
  }
  if (nationality !== "US" && !hasUsNumber && countryOfIssuance === undefined) {
    add("MISSING_FIELD", "countryOfIssuance", "The country that gave the number is missing.");
  }
  return errors;
}

/** A foreign person needs a passport and one more document. */
function foreignPapers(
  owner: BeneficialOwner,
  documents: readonly HeldDocument[],
): readonly VerificationError[] {
  const holder = { resourceId: toBeneficialOwnerId(owner.id), holderId: owner.id };
  return identityErrors(holder, documents, [["PASSPORT"], ["DRIVERS_LICENSE", "NATIONAL_ID"]]);
}
