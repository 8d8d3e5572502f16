/** A customer of a platform: a person or a business whose money the platform holds and moves. */

import type { World } from "../../engine/command.ts";
import { countedBy, deletionFacet } from "../../tables/facets.ts";
import type { Facet } from "../../tables/list-totals.ts";
import { defineLookup, defineTable, fixed, mutable } from "../../tables/tables.ts";
import type { Freeze } from "../accounts/freezes/freeze.ts";
import type { Metadata } from "../metadata.ts";
import type { IdType } from "./customer-fields.ts";

export const customerTypes = ["INDIVIDUAL", "BUSINESS"] as const;

export type CustomerType = (typeof customerTypes)[number];

/**
 * The same for a person (KYC) and a business (KYB).
 *
 * UNVERIFIED  no submission was accepted; leaves by a submission to PENDING, or in a sandbox to its decision
 * PENDING     a decision is awaited; leaves to APPROVED or REJECTED
 * APPROVED    may move money; final
 * REJECTED    may not; final, unless people of the platform override it
 */
export const kycStatuses = ["UNVERIFIED", "PENDING", "APPROVED", "REJECTED"] as const;

export type KycStatus = (typeof kycStatuses)[number];

export interface Address {
  readonly line1: string;
  readonly line2?: string;
  readonly city?: string;
  readonly state?: string;
  readonly postalCode: string;
  readonly country: string;
}

/** Further fields of a person that the API may show. */
export interface CustomerProfile {
  readonly idType?: IdType;
  readonly countryOfIssuance?: string;
  readonly sourceOfFundsCategories?: readonly string[];
  readonly sourceOfFundsOtherDescription?: string;
  readonly sourceOfWealthCategories?: readonly string[];
  readonly sourceOfWealthOtherDescription?: string;
  readonly purposeOfAccount?: string;
  readonly purposeOfAccountOtherDescription?: string;
  readonly expectedMonthlyTransactionCount?: string;
  readonly expectedMonthlyTransactionVolume?: string;
  readonly annualIncomeRange?: string;
  readonly netWorthRange?: string;
  readonly pepStatus?: string;
}

/** The fields of a business. A request must have the first four; an import may omit them. */
export interface BusinessInfo {
  readonly legalName: string;
  readonly country?: string;
  readonly taxId?: string;
  readonly incorporatedOn?: string;
  readonly registrationNumber?: string;
  readonly doingBusinessAs?: string;
  readonly entityType?: string;
  readonly businessType?: string;
  readonly countriesOfOperation?: readonly string[];
  readonly purposeOfAccount?: string;
  readonly purposeOfAccountOtherDescription?: string;
  readonly sourceOfFunds?: string;
  readonly sourceOfFundsCategories?: readonly string[];
  readonly sourceOfFundsOtherDescription?: string;
  readonly expectedMonthlyTransactionCount?: string;
  readonly expectedMonthlyTransactionVolume?: string;
  readonly expectedRecipientJurisdictions?: readonly string[];
  readonly expectedCounterpartyCountries?: readonly string[];
  readonly naicsCode?: string;
  readonly primaryContactFirstName?: string;
  readonly primaryContactLastName?: string;
}

export interface Customer {
  readonly id: string;
  readonly platformCustomerId: string;
  readonly customerType: CustomerType;
  readonly umaAddress: string;
  readonly region: string | null;
  readonly currencies: readonly string[];
  /** Whether the currencies follow the platform's instead of a choice of the customer. */
  readonly infersCurrencies: boolean;
  readonly email: string | null;
  readonly phoneNumber: string | null;
  readonly address: Address | null;
  readonly fullName: string | null;
  readonly birthDate: string | null;
  readonly nationality: string | null;
  /** Of a person; null for a business. */
  readonly kycStatus: KycStatus | null;
  /** Of a business; null for a person. */
  readonly kybStatus: KycStatus | null;
  readonly profile: CustomerProfile;
  /** Null for a person. */
  readonly businessInfo: BusinessInfo | null;
  /** The identifier (such as a social security number), sealed. The API never returns it. */
  readonly identitySealed: string | null;
  /** Whether the identifier is written as a social security number is; null without one, or when it was not recorded. */
  readonly identityHasSsnForm: boolean | null;
  /** Former UMA addresses. Only this customer can use them again. */
  readonly formerUmaAddresses: readonly string[];
  readonly frozen: Freeze | null;
  readonly metadata: Metadata | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly deletedAt: number | null;
}

export const ofWhatCustomerType: Facet<Customer> = {
  name: "type",
  sql: "t.customer_type",
  of: ({ customerType }) => customerType,
};

export const customers = defineTable<Customer>(
  "customers",
  {
    id: fixed("uuid"),
    platformCustomerId: fixed("text"),
    customerType: fixed("text"),
    umaAddress: mutable("text"),
    region: fixed("text"),
    currencies: mutable("json"),
    infersCurrencies: mutable("bool"),
    email: mutable("text"),
    phoneNumber: mutable("text"),
    address: mutable("json"),
    fullName: mutable("text"),
    birthDate: mutable("text"),
    nationality: mutable("text"),
    kycStatus: mutable("text"),
    kybStatus: mutable("text"),
    profile: mutable("json"),
    businessInfo: mutable("json"),
    identitySealed: mutable("text"),
    identityHasSsnForm: mutable("bool"),
    formerUmaAddresses: mutable("json"),
    frozen: mutable("json"),
    metadata: mutable("json"),
    createdAt: fixed("time"),
    updatedAt: mutable("time"),
    deletedAt: mutable("time"),
  },
  {
    isFollowed: true,
    counted: countedBy<Customer>(ofWhatCustomerType, deletionFacet),
  },
);

export const liveByPlatformCustomerId = defineLookup(customers, {
  by: "platformCustomerId",
  where: { sql: "t.deleted_at is null", holds: (customer) => customer.deletedAt === null },
});

export function toCustomerId(id: string): string {
  return `Customer:${id}`;
}

/** The status of the customer's checks: KYC of a person, KYB of a business. */
export function standingOf({ customerType, kycStatus, kybStatus }: Customer): KycStatus {
  return (customerType === "BUSINESS" ? kybStatus : kycStatus) ?? "UNVERIFIED";
}

/** The customer with another status of its checks. */
export function withStanding(customer: Customer, standing: KycStatus, at: number): Customer {
  const status =
    customer.customerType === "BUSINESS" ? { kybStatus: standing } : { kycStatus: standing };
  return { ...customer, ...status, updatedAt: at };
}

export function isDecided(standing: KycStatus): standing is "APPROVED" | "REJECTED" {
  return standing === "APPROVED" || standing === "REJECTED";
}

export function isReady(customer: Customer): boolean {
  return customer.deletedAt === null && standingOf(customer) === "APPROVED";
}

/** Whether the owner of an account exists: a customer that was not deleted, or the platform, whose id is null. */
export function holderExists(world: Pick<World, "get">, customerId: string | null): boolean {
  return customerId === null || world.get(customers.ref(customerId)).deletedAt === null;
}
