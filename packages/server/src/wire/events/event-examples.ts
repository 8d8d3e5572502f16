/** The examples of `data` that differ by the type of the event: each shows the state that the event reports. */
import type { EventType } from "../../domain/event-catalogue.ts";
import { frozenExample } from "../accounts/freeze.ts";
import { internalAccountExample } from "../accounts/internal-account.ts";
import { bulkJobExample } from "../customers/bulk-job.ts";
import { businessExample, customerExample } from "../customers/customer.ts";
import { resolveErrorsExample, verificationExample } from "../customers/verification.ts";
import { capturedHoldExample, endedHoldExample, wireHold } from "../payments/hold.ts";
import { failedScheduleExample, missedScheduleExample } from "../payments/payment-schedule.ts";
import { incomingTransactionExample, transactionExample } from "../payments/transaction.ts";
import { adjustmentExample } from "../people/adjustment.ts";
import { approvalExample } from "../people/approval.ts";
import { rateSourceExample } from "../prices/rate-source.ts";
import { railConnectionExample } from "../rails/rail-connection.ts";
import { railItemExample } from "../rails/rail-item.ts";
import { railPaymentExample } from "../rails/rail-payment.ts";
import { changedKeyExample, wireUmaCounterparty } from "../uma/uma-counterparty.ts";
import { unreachableDomainExample, wireUmaDomain } from "../uma/uma-domain.ts";
import { nextUmaKeyExample, wireUmaKey } from "../uma/uma-key.ts";

export function approvalAt(type: EventType): object {
  const { content: _, ...approval } = approvalExample;
  const state = type.slice("APPROVAL.".length);
  switch (state) {
    case "DONE":
      return { ...approval, state, resultId: adjustmentExample.id };
    case "FAILED":
      return {
        ...approval,
        state,
        failure: {
          code: "INSUFFICIENT_BALANCE",
          message: "The account's available balance is lower than the amount that is needed.",
        },
      };
    default:
      return { ...approval, state };
  }
}

export function umaCounterpartyAt(type: EventType): object {
  return type === "UMA_COUNTERPARTY.KEY_CHANGED" ? changedKeyExample : wireUmaCounterparty.example;
}

export function umaDomainAt(type: EventType): object {
  return type === "UMA_DOMAIN.UNREACHABLE" ? unreachableDomainExample : wireUmaDomain.example;
}

export function scheduleAt(type: EventType): object {
  return type === "PAYMENT_SCHEDULE.RUN_MISSED" ? missedScheduleExample : failedScheduleExample;
}

export function accountAt(type: EventType): object {
  return type === "INTERNAL_ACCOUNT.FROZEN"
    ? { ...internalAccountExample, status: "FROZEN", frozen: frozenExample }
    : internalAccountExample;
}

export function holdAt(type: EventType): object {
  switch (type) {
    case "HOLD.CAPTURED":
      return capturedHoldExample;
    case "HOLD.RELEASED":
      return endedHoldExample("RELEASED");
    case "HOLD.EXPIRED":
      return endedHoldExample("EXPIRED");
    default:
      return wireHold.example;
  }
}

export function bulkJobAt(type: EventType): object {
  return type === "BULK_UPLOAD.FAILED" ? unreadableFile : importedFile;
}

export function connectionAt(type: EventType): object {
  const { health: _, ...connection } = railConnectionExample;
  return type === "RAIL_CONNECTION.DEGRADED" ? { ...connection, status: "DEGRADED" } : connection;
}

export function railItemAt(type: EventType): object {
  return type === "RAIL_ITEM.AGED" ? { ...railItemExample, agedDays: 1 } : railItemExample;
}

export function railPaymentAt(type: EventType): object {
  return type === "RAIL_PAYMENT.CONFLICT"
    ? { ...railPaymentExample, conflict: true }
    : { ...railPaymentExample, state: "UNKNOWN", lastReport: undefined };
}

export function rateSourceAt(type: EventType): object {
  return type === "RATE_SOURCE.STALE"
    ? { ...rateSourceExample, staleSince: "2026-11-22T10:00:00.001Z" }
    : { ...rateSourceExample, refused: [refusedExample] };
}

const refusedExample = { base: "EUR", quote: "USD", value: "10.850", reason: "MOVED" };

export function customerAt(type: EventType): object {
  if (type === "CUSTOMER.FROZEN") return { ...customerExample, frozen: frozenExample };
  if (type === "CUSTOMER.UNFROZEN") return customerExample;
  const standing = type.slice(type.lastIndexOf("_") + 1);
  return type.startsWith("CUSTOMER.KYB_")
    ? { ...businessExample, kybStatus: standing }
    : { ...customerExample, kycStatus: standing };
}

export function verificationAt(type: EventType): object {
  const verificationStatus = type.slice(type.indexOf(".") + 1);
  return verificationStatus === "RESOLVE_ERRORS"
    ? resolveErrorsExample
    : { ...verificationExample, verificationStatus };
}

/** Errors in events have no row numbers. */
const importedFile = {
  ...bulkJobExample,
  errors: bulkJobExample.errors.map(({ row: _, ...error }) => error),
};

const unreadableFile = {
  ...bulkJobExample,
  status: "FAILED",
  progress: { total: 0, processed: 0, successful: 0, failed: 0 },
  errors: [
    {
      correlationId: "header",
      code: "INVALID_REQUEST_FORMAT",
      message: "The column umaAddress is missing.",
    },
  ],
};

const SETTLED_AT = "2026-11-21T10:00:01.000Z";
/** The additional members of the approval request for a UMA payment. */
const ASKED = { requestedReceiverCustomerInfoFields: [{ name: "NATIONALITY", mandatory: true }] };
const FAILED = {
  status: "FAILED",
  failureReason: "COUNTERPARTY_POST_TX_FAILED",
  failure: {
    code: "REJECTED_BY_BANK",
    message: "The bank rejected the transfer.",
    stage: "PAYOUT",
    at: "2026-11-21T10:00:00.000Z",
  },
};
const REFUND = {
  reference: "RF-8000000000000006",
  initiatedAt: "2026-11-21T10:00:00.000Z",
  status: "PENDING",
  reason: "TRANSACTION_FAILED",
};

export function transactionAt(type: EventType): object {
  const [direction, step = ""] = type.split(".");
  const payment =
    direction === "INCOMING_PAYMENT" ? incomingTransactionExample : transactionExample;
  switch (step) {
    case "COMPLETED":
      return { ...payment, status: step, settledAt: SETTLED_AT };
    case "FAILED":
      return { ...payment, ...FAILED };
    case "REFUND_PENDING":
      return { ...payment, ...FAILED, refund: REFUND };
    case "REFUND_COMPLETED":
      return {
        ...payment,
        ...FAILED,
        refund: { ...REFUND, status: "COMPLETED", settledAt: SETTLED_AT },
      };
    case "REFUND_FAILED":
      return { ...payment, ...FAILED, refund: { ...REFUND, status: "FAILED" } };
    default:
      return {
        ...payment,
        status: step,
        ...(type === "INCOMING_PAYMENT.PENDING" ? ASKED : {}),
      };
  }
}

export function umaKeyAt(type: EventType): object {
  return type === "UMA_KEY.ROTATED"
    ? { ...nextUmaKeyExample, status: "CURRENT" }
    : { ...wireUmaKey.example, source: "AUTHORITY" };
}
