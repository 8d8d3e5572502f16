/** Event types that several operations cause. */
import { kybEvents, kycEvents } from "../../domain/customers/customer-subject.ts";
import { verificationEvents as eventOfStatus } from "../../domain/customers/verification/verification.ts";
import { approvalEvents as eventOfState } from "../../domain/people/approvals/approval.ts";

export const verificationEvents = [eventOfStatus, kycEvents, kybEvents].flatMap((events) =>
  Object.values(events),
);

/** Events of an order that waits for other people. */
export const approvalEvents = Object.values(eventOfState);

export const payoutEvents = [
  "OUTGOING_PAYMENT.PENDING",
  "OUTGOING_PAYMENT.PROCESSING",
  "OUTGOING_PAYMENT.COMPLETED",
  "OUTGOING_PAYMENT.FAILED",
  "INTERNAL_ACCOUNT.BALANCE_UPDATED",
] as const;

export const collectionEvents = [
  "INCOMING_PAYMENT.PENDING",
  "INCOMING_PAYMENT.COMPLETED",
  "INCOMING_PAYMENT.FAILED",
  "INTERNAL_ACCOUNT.BALANCE_UPDATED",
] as const;

/** What follows when a quote is paid for: the payment, its refund, and what a customer who is paid sees. */
export const executionEvents = [
  "OUTGOING_PAYMENT.PROCESSING",
  "OUTGOING_PAYMENT.COMPLETED",
  "OUTGOING_PAYMENT.FAILED",
  "OUTGOING_PAYMENT.REFUND_PENDING",
  "OUTGOING_PAYMENT.REFUND_COMPLETED",
  "OUTGOING_PAYMENT.REFUND_FAILED",
  "INCOMING_PAYMENT.PENDING",
  "INCOMING_PAYMENT.COMPLETED",
  "INCOMING_PAYMENT.FAILED",
  "INTERNAL_ACCOUNT.BALANCE_UPDATED",
] as const;

export const quoteEvents = ["OUTGOING_PAYMENT.PENDING", "OUTGOING_PAYMENT.EXPIRED"] as const;

/** Events that a report about a connection's order may cause. */
export const reportEvents = [
  ...payoutEvents,
  "OUTGOING_PAYMENT.REFUND_PENDING",
  "OUTGOING_PAYMENT.REFUND_COMPLETED",
  "INCOMING_PAYMENT.COMPLETED",
  "INCOMING_PAYMENT.FAILED",
  "INCOMING_PAYMENT.REFUND_COMPLETED",
  "INCOMING_PAYMENT.REFUND_FAILED",
  "OUTGOING_PAYMENT.REFUND_FAILED",
  "RAIL_PAYMENT.CONFLICT",
  "RAIL_ITEM.OPEN",
  "RAIL_ITEM.AGED",
] as const;

export const rateEvents = ["RATE_SOURCE.STALE", "RATE_SOURCE.REFUSED"] as const;

/** Events of a new customer. */
export const newCustomerEvents = ["CUSTOMER.KYC_APPROVED", "CUSTOMER.KYB_APPROVED"] as const;
