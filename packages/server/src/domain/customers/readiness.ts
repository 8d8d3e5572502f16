import { Refusal } from "../../engine/refusal.ts";
import { type Customer, isReady, type KycStatus, standingOf, toCustomerId } from "./customer.ts";

/** Refuses to move the money of a customer that is not verified, and names the API call that continues the verification. */
export function refuseUnlessReady(customer: Customer): void {
  if (isReady(customer)) return;
  const customerId = toCustomerId(customer.id);
  if (customer.deletedAt !== null) {
    const message = `The customer ${customerId} was deleted, so its money cannot be moved.`;
    throw new Refusal("USER_NOT_READY", { customerId }, message);
  }
  const field = customer.customerType === "BUSINESS" ? "kybStatus" : "kycStatus";
  const standing = standingOf(customer);
  throw new Refusal(
    "USER_NOT_READY",
    { customerId, [field]: standing },
    `The customer's ${field} is ${standing}; it must be APPROVED. ${NEXT_STEP[standing]}`,
  );
}

const NEXT_STEP: Readonly<Record<KycStatus, string>> = {
  UNVERIFIED: "POST /verifications with its customerId submits it to the check.",
  PENDING: "The check is under way: GET /verifications with its customerId tells how far it is.",
  APPROVED: "",
  REJECTED:
    "The check has rejected it, and only a person in the console overrides that: POST /customers makes another customer.",
};
