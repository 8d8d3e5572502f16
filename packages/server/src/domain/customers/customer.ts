/** A customer of a platform: a person or a business whose money the platform holds and moves. */

import type { World } from "../../engine/command.ts";
import { countedBy, deletionFacet } from "../../tables/facets.ts";
import type { Facet } from "../../tables/list-totals.ts";
import { defineLookup, defineTable, fixed, mutable, type RowOf } from "../../tables/tables.ts";
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

const columns = {
  id: fixed("uuid"),
  platformCustomerId: fixed("text"),
  customerType: fixed<CustomerType>("text"),
  umaAddress: mutable("text"),
  region: fixed<string | null>("text"),
  currencies: mutable<readonly string[]>("json"),
  /** Whether the currencies follow the platform's instead of a choice of the customer. */
  infersCurrencies: mutable("bool"),
  email: mutable<string | null>("text"),
  phoneNumber: mutable<string | null>("text"),
  address: mutable<Address | null>("json"),
  fullName: mutable<string | null>("text"),
  birthDate: mutable<string | null>("text"),
  nationality: mutable<string | null>("text"),
  /** The status of a person; null for a business. */
  kycStatus: mutable<KycStatus | null>("text"),
  /** The status of a business; null for a person. */
  kybStatus: mutable<KycStatus | null>("text"),
  profile: mutable<CustomerProfile>("json"),
  /** Null for a person. */
  businessInfo: mutable<BusinessInfo | null>("json"),
  /** The identifier (such as a social security number), sealed. The API never returns it. */
  identitySealed: mutable<string | null>("text"),
  /** Whether the identifier is written as a social security number is; null without one, or when it was not recorded. */
  identityHasSsnForm: mutable<boolean | null>("bool"),
  /** Former UMA addresses. Only this customer can use them again. */
  formerUmaAddresses: mutable<readonly string[]>("json"),
  frozen: mutable<Freeze | null>("json"),
  metadata: mutable<Metadata | null>("json"),
  createdAt: fixed("time"),
  updatedAt: mutable("time"),
  deletedAt: mutable<number | null>("time"),
};

export interface Customer extends RowOf<typeof columns> {}

export const ofWhatCustomerType: Facet<Customer> = {
  name: "type",
  sql: "t.customer_type",
  of: ({ customerType }) => customerType,
};

export const customers = defineTable<Customer>("customers", columns, {
  isFollowed: true,
  metadataOf: ({ metadata }) => metadata,
  counted: countedBy<Customer>(ofWhatCustomerType, deletionFacet),
});

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
