import Type from "typebox";
import { LONGEST_REASON } from "../../../../domain/uma/payment-approval.ts";
import { rejectPayment as command } from "../../../../domain/uma/reject-payment.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { requireId } from "../../../../wire/ids.ts";
import {
  incomingTransactionExample,
  TransactionSchema,
  transactionJson,
} from "../../../../wire/payments/transaction.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { submitForCaller } from "../../../request/submit-for-caller.ts";

export const rejectTransaction = defineOperation({
  id: "rejectTransaction",
  method: "POST",
  path: "/transactions/{transactionId}/reject",
  access: "TRANSACT",
  capability: "payments.approve",
  tag: "Transactions",
  summary: "Reject an incoming payment",
  description:
    "Turns away an incoming payment that the platform was asked about. " +
    "Once the webhook that asks was answered with 202, and within five seconds of it.",
  params: Type.Object({ transactionId: pathId("Transaction") }),
  body: Type.Object({
    reason: Type.Optional(Type.String({ minLength: 1, maxLength: LONGEST_REASON })),
  }),
  bodyOptional: true,
  requestExample: { reason: "RESTRICTED_JURISDICTION" },
  answers: {
    200: {
      description: "The transaction.",
      schema: TransactionSchema,
      example: { ...incomingTransactionExample, status: "REJECTED" },
    },
  },
  refusals: ["INVALID_INPUT", "TRANSACTION_NOT_FOUND", "TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL"],
  async handle({ principal, params, body, idempotency }, services: Services) {
    const { platformId } = principal;
    const transactionId = requireId("Transaction", params.transactionId, "TRANSACTION_NOT_FOUND");
    return submitForCaller(services.engine, principal, {
      command,
      input: {
        transactionId,
        isUnanswered: await services.isQuestionUnanswered(platformId, transactionId),
        reason: body?.reason ?? null,
      },
      toAnswer: (transaction) => ({ status: 200, body: transactionJson(transaction, platformId) }),
      idempotency,
    });
  },
});
