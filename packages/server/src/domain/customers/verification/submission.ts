/**
 * A snapshot of the customer's data at one submission, never changed. A reviewer compares it with the previous one. The sealed
 * identifier of a person is left out; of an owner's identifier, the last four characters are kept.
 */
import { defineTable, fixed, type RowOf } from "../../../tables/tables.ts";
import {
  type BeneficialOwner,
  inCreationOrder,
  type OwnerPersonalInfo,
  type OwnerRole,
  toBeneficialOwnerId,
} from "../beneficial-owners/beneficial-owner.ts";
import type { Customer } from "../customer.ts";

export interface SubmittedOwner {
  readonly id: string;
  readonly roles: readonly OwnerRole[];
  readonly ownershipPercentage: number;
  readonly personalInfo: Omit<OwnerPersonalInfo, "identifier"> & {
    readonly identifierMasked: string;
  };
}

export type SubmittedData = Pick<
  Customer,
  | "email"
  | "phoneNumber"
  | "address"
  | "fullName"
  | "birthDate"
  | "nationality"
  | "profile"
  | "businessInfo"
> & { readonly owners: readonly SubmittedOwner[] };

const columns = {
  id: fixed("uuid"),
  verificationId: fixed("uuid"),
  customerId: fixed("uuid"),
  said: fixed<SubmittedData>("json"),
  createdAt: fixed("time"),
};

export interface VerificationSubmission extends RowOf<typeof columns> {}

export const verificationSubmissions = defineTable<VerificationSubmission>(
  "verification_submissions",
  columns,
  { isFinal: () => true },
);

export function submittedData(
  customer: Customer,
  owners: readonly BeneficialOwner[],
): SubmittedData {
  const { email, phoneNumber, address, fullName, birthDate, nationality } = customer;
  const { profile, businessInfo } = customer;
  return {
    ...{ email, phoneNumber, address, fullName, birthDate, nationality, profile, businessInfo },
    owners: inCreationOrder(owners).map(submittedOwner),
  };
}

const SHOWN_CHARACTERS = 4;

function submittedOwner(owner: BeneficialOwner): SubmittedOwner {
  const { id, roles, ownershipPercentage } = owner;
  const { identifier, ...rest } = owner.personalInfo;
  // A short identifier is hidden as a whole.
  const end = identifier.length > SHOWN_CHARACTERS ? identifier.slice(-SHOWN_CHARACTERS) : "";
  const personalInfo = { ...rest, identifierMasked: `•••${end}` };
  return { id: toBeneficialOwnerId(id), roles, ownershipPercentage, personalInfo };
}
