/** A person who owns or controls a business that is a customer. */
import type { CodedFault } from "../../../engine/refusal.ts";
import { finderOf } from "../../../tables/find-row.ts";
import { listerOf } from "../../../tables/list-query.ts";
import { defineLookup, defineTable, fixed, mutable, type RowOf } from "../../../tables/tables.ts";
import type { Platform } from "../../platform.ts";
import { type Address, type Customer, isDecided, type KycStatus, standingOf } from "../customer.ts";
import { futureFault } from "../customer-faults.ts";
import type { IdType } from "../customer-fields.ts";
import { ownerOutcomeOf } from "../kyc-outcomes.ts";

export const ownerRoles = [
  "UBO",
  "DIRECTOR",
  "COMPANY_OFFICER",
  "CONTROL_PERSON",
  "TRUSTEE",
  "GENERAL_PARTNER",
] as const;
export type OwnerRole = (typeof ownerRoles)[number];

export interface OwnerPersonalInfo {
  readonly firstName: string;
  readonly middleName?: string;
  readonly lastName: string;
  readonly birthDate: string;
  readonly nationality: string;
  readonly email?: string;
  readonly phoneNumber?: string;
  readonly address: Address;
  readonly idType: IdType;
  readonly identifier: string;
  readonly countryOfIssuance?: string;
}

const columns = {
  id: fixed("uuid"),
  customerId: fixed("uuid"),
  roles: mutable<readonly OwnerRole[]>("json"),
  ownershipPercentage: mutable("int4"),
  personalInfo: mutable<OwnerPersonalInfo>("json"),
  kycStatus: mutable<KycStatus>("text"),
  createdAt: fixed("time"),
  updatedAt: mutable("time"),
};

export interface BeneficialOwner extends RowOf<typeof columns> {}

export const beneficialOwners = defineTable<BeneficialOwner>("beneficial_owners", columns, {
  isFollowed: true,
});

export const findBeneficialOwner = finderOf(beneficialOwners);
export const listBeneficialOwners = listerOf(beneficialOwners);

export const ownersOfCustomer = defineLookup(beneficialOwners, { by: "customerId" });

/** Bounded because answers and events about a customer contain all of its owners. */
export const MOST_OWNERS = 50;

export function toBeneficialOwnerId(id: string): string {
  return `BeneficialOwner:${id}`;
}

/** In the order in which they were added. */
export function inCreationOrder(owners: readonly BeneficialOwner[]): readonly BeneficialOwner[] {
  return [...owners].sort((left, right) => (left.id < right.id ? -1 : 1));
}

/**
 * The status of an owner's checks. It is decided with the business: in a sandbox by the owner's last name, in production by
 * the status of the business. Before that it is PENDING in production and UNVERIFIED in a sandbox.
 */
export function ownerStanding(
  platform: Platform,
  business: Customer,
  { lastName }: Pick<OwnerPersonalInfo, "lastName">,
): KycStatus {
  const standing = standingOf(business);
  const isSandbox = platform.environment === "SANDBOX";
  if (!isDecided(standing)) return isSandbox ? "UNVERIFIED" : "PENDING";
  return isSandbox ? ownerOutcomeOf(lastName) : standing;
}

export function birthDateFaults(
  { birthDate }: { readonly birthDate?: string | undefined },
  at: number,
): readonly CodedFault[] {
  return futureFault("personalInfo.birthDate", birthDate, at);
}
