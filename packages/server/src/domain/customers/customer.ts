/** A customer of a platform: a person whose money the platform holds and moves. */
import { defineTable, fixed, mutable } from "../../storage/tables.ts";

export type CustomerType = "INDIVIDUAL";

/**
 * UNVERIFIED  nothing was submitted; leaves by a submission (PENDING)
 * PENDING     a decision is awaited; leaves to APPROVED or REJECTED
 * APPROVED    may move money; final
 * REJECTED    may not; final
 */
export type KycStatus = "UNVERIFIED" | "PENDING" | "APPROVED" | "REJECTED";

export interface Address {
  readonly line1: string;
  readonly line2?: string;
  readonly city?: string;
  readonly state?: string;
  readonly postalCode: string;
  readonly country: string;
}

/** What else is known of a person, as far as it may be shown. */
export interface CustomerProfile {
  readonly idType?: string;
  readonly countryOfIssuance?: string;
}

export interface Customer {
  readonly id: string;
  readonly platformCustomerId: string;
  readonly customerType: CustomerType;
  readonly umaAddress: string;
  readonly region: string | null;
  readonly currencies: readonly string[];
  readonly email: string | null;
  readonly phoneNumber: string | null;
  readonly address: Address | null;
  readonly fullName: string | null;
  readonly birthDate: string | null;
  readonly nationality: string | null;
  readonly kycStatus: KycStatus | null;
  readonly kybStatus: string | null;
  readonly profile: CustomerProfile;
  /** The identifier (such as a social security number), sealed: it is taken in and never given out. */
  readonly identitySealed: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly deletedAt: number | null;
}

export const customers = defineTable<Customer>("customers", {
  id: fixed("uuid"),
  platformCustomerId: fixed("text"),
  customerType: fixed("text"),
  umaAddress: mutable("text"),
  region: fixed("text"),
  currencies: mutable("json"),
  email: mutable("text"),
  phoneNumber: mutable("text"),
  address: mutable("json"),
  fullName: mutable("text"),
  birthDate: mutable("text"),
  nationality: mutable("text"),
  kycStatus: mutable("text"),
  kybStatus: mutable("text"),
  profile: mutable("json"),
  identitySealed: mutable("text"),
  createdAt: fixed("time"),
  updatedAt: mutable("time"),
  deletedAt: mutable("time"),
});

export function toCustomerId(id: string): string {
  return `Customer:${id}`;
}

/** Whether this customer's money may be moved. */
export function isReady(customer: Customer): boolean {
  return customer.deletedAt === null && customer.kycStatus === "APPROVED";
}
