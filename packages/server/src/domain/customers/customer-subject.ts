import type { EventType } from "../event-catalogue.ts";
import { type BeneficialOwner, inCreationOrder } from "./beneficial-owners/beneficial-owner.ts";
import { type Customer, type KycStatus, standingOf, toCustomerId } from "./customer.ts";

export interface CustomerSubject {
  readonly kind: "Customer";
  readonly id: string;
  readonly customer: Customer;
  /** The owners of a business, oldest first; a person has none. */
  readonly owners: readonly BeneficialOwner[];
}

/** A customer as the API shows it: a business with its owners. */
export function customerSubject(
  customer: Customer,
  owners: readonly BeneficialOwner[],
): CustomerSubject {
  return {
    kind: "Customer",
    id: toCustomerId(customer.id),
    customer,
    owners: inCreationOrder(owners),
  };
}

type StandingEvents = Readonly<Partial<Record<KycStatus, EventType>>>;

/** The event for each status; UNVERIFIED has none. */
export const kycEvents: StandingEvents = {
  PENDING: "CUSTOMER.KYC_PENDING",
  APPROVED: "CUSTOMER.KYC_APPROVED",
  REJECTED: "CUSTOMER.KYC_REJECTED",
};

export const kybEvents: StandingEvents = {
  PENDING: "CUSTOMER.KYB_PENDING",
  APPROVED: "CUSTOMER.KYB_APPROVED",
  REJECTED: "CUSTOMER.KYB_REJECTED",
};

export function standingEvent(customer: Customer): EventType | undefined {
  const events = customer.customerType === "BUSINESS" ? kybEvents : kycEvents;
  return events[standingOf(customer)];
}
