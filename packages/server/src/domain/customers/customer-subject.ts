import type { CustomerSubject } from "../webhooks/subjects.ts";
import { type Customer, type KycStatus, toCustomerId } from "./customer.ts";

export function customerSubject(customer: Customer): CustomerSubject {
  return { kind: "customer", id: toCustomerId(customer.id), customer };
}

/** The event that tells of a status; an unverified customer is nothing to tell. */
export const kycEvents: Readonly<Partial<Record<KycStatus, string>>> = {
  PENDING: "CUSTOMER.KYC_PENDING",
  APPROVED: "CUSTOMER.KYC_APPROVED",
  REJECTED: "CUSTOMER.KYC_REJECTED",
};
