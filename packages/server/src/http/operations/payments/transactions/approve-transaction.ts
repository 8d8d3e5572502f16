import Type from "typebox";
import { approvePayment as command } from "../../../../domain/uma/approve-payment.ts";
import { CustomerInfoSchema } from "../../../../wire/customers/customer-info.ts";
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

export const approveTransaction = defineOperation({
  id: "approveTransaction",
  method: "POST",
  path: "/transactions/{transactionId}/approve",
  access: "TRANSACT",
  capability: "payments.approve",
  tag: "Transactions",
  summary: "Approve an incoming payment",
  description:
    "Takes an incoming payment that the platform was asked about. " +
    "Once the webhook that asks was answered with 202, and within five seconds of it. The mandatory fields that it names have to be answered.",
  params: Type.Object({ transactionId: pathId("Transaction") }),
  body: Type.Object({ receiverCustomerInfo: Type.Optional(CustomerInfoSchema) }),
  bodyOptional: true,
  requestExample: { receiverCustomerInfo: { NATIONALITY: "US" } },
  answers: {
    200: {
      description: "The transaction, which goes on by itself.",
      schema: TransactionSchema,
      example: { ...incomingTransactionExample, status: "COMPLETED" },
    },
  },
  refusals: [
    "INVALID_INPUT",
    "MISSING_MANDATORY_USER_INFO",
    "TRANSACTION_NOT_FOUND",
    "TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL",
  ],
  async handle({ principal, params, body, idempotency }, services: Services) {
    const { platformId } = principal;
    const transactionId = requireId("Transaction", params.transactionId, "TRANSACTION_NOT_FOUND");
    return submitForCaller(services.engine, principal, {
      command,
      input: {
        transactionId,
        isUnanswered: await services.isQuestionUnanswered(platformId, transactionId),
        receiverCustomerInfo: body?.receiverCustomerInfo ?? {},
      },
      toAnswer: (transaction) => ({ status: 200, body: transactionJson(transaction, platformId) }),
      idempotency,
    });
  },
});
