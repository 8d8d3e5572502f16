import Type from "typebox";
import { incomingRefundReasons } from "../../../../domain/payments/transactions/incoming-refund.ts";
import { requestAmount } from "../../../../validation/schema.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { descriptionField } from "../../../../wire/metadata.ts";
import {
  refundTransactionExample,
  TransactionSchema,
  transactionJson,
} from "../../../../wire/payments/transaction.ts";
import { submitOrder } from "../../../approvals/submit-held.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { refundInput, refundOrder } from "../transfers/held-transfers.ts";

export const refundTransaction = defineOperation({
  id: "refundTransaction",
  method: "POST",
  path: "/transactions/{transactionId}/refund",
  access: "TRANSACT",
  capability: "payments.create",
  tag: "Transactions",
  summary: "Refund an incoming payment",
  description:
    "Gives a COMPLETED incoming payment back to where it came from, whole or in part, by a new OUTGOING transaction. Refunds of one " +
    "payment together never exceed what was received. A book transfer is refunded at once; a transfer in by a payout to " +
    "the same external account, which can fail like any payout; in a sandbox it fails to an account that ends in 007. The payment shows `refundedAmount` and `refundPendingAmount`, " +
    "and is REFUNDED when all of it was given back. Payments from UMA addresses carry no refund; pay the sender with a quote.",
  params: Type.Object({ transactionId: pathId("Transaction") }),
  body: Type.Object({
    amount: Type.Optional(
      requestAmount({ description: "All that was not refunded yet, when absent." }),
    ),
    reason: Type.Enum([...incomingRefundReasons]),
    note: descriptionField,
  }),
  requestExample: { amount: 2500, reason: "REQUESTED_BY_PAYER", note: "Order 1042 was cancelled" },
  answers: {
    201: {
      description: "The refund's own transaction.",
      schema: TransactionSchema,
      example: refundTransactionExample,
    },
  },
  refusals: [
    "INVALID_INPUT",
    "INVALID_AMOUNT",
    "INVALID_CURRENCY",
    "AMOUNT_OUT_OF_RANGE",
    "INSUFFICIENT_BALANCE",
    "USER_NOT_READY",
    "CONFLICT",
    "ACCOUNT_FROZEN",
    "CUSTOMER_FROZEN",
    "RAIL_PAUSED",
    "TRANSACTION_NOT_FOUND",
    "REFERENCE_NOT_FOUND",
    "NOT_IMPLEMENTED",
  ],
  handle: ({ principal, params, body, idempotency }, services: Services) => {
    const content = { ...body, ...params };
    return submitOrder(services, principal, {
      order: refundOrder,
      content,
      input: refundInput(content, services),
      toAnswer: (transaction) => ({
        status: 201,
        body: transactionJson(transaction, principal.platformId),
      }),
      idempotency,
    });
  },
});
