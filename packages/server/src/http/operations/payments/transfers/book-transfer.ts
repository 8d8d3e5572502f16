import Type from "typebox";
import { requestAmount } from "../../../../validation/schema.ts";
import { descriptionField, MetadataSchema } from "../../../../wire/metadata.ts";
import {
  bookTransactionExample,
  TransactionSchema,
  transactionJson,
} from "../../../../wire/payments/transaction.ts";
import { submitOrder } from "../../../approvals/submit-held.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { bookTransferInput, bookTransferOrder } from "./held-transfers.ts";

export const bookTransfer = defineOperation({
  id: "createTransfer",
  method: "POST",
  path: "/transfers",
  access: "TRANSACT",
  capability: "payments.create",
  tag: "Transfers",
  summary: "Create a book transfer",
  description:
    "Moves money between two internal accounts of one currency. " +
    "A book transfer: both accounts are internal accounts of the platform in one currency, of any holders. The debit, the " +
    "credit and both transactions are committed together and are COMPLETED at once; no rail and no fee has a part in it. " +
    "The answer is the payer's OUTGOING transaction; `counterpartTransactionId` names the payee's INCOMING one. An embedded " +
    "wallet can receive; it pays through quotes.",
  body: Type.Object({
    source: Type.Object({ accountId: Type.String({ description: "An internal account." }) }),
    destination: Type.Object({ accountId: Type.String({ description: "An internal account." }) }),
    amount: requestAmount(),
    description: descriptionField,
    metadata: Type.Optional(MetadataSchema),
  }),
  requestExample: {
    source: { accountId: "InternalAccount:019a4f00-0000-7000-8000-000000000002" },
    destination: { accountId: "InternalAccount:019a4f00-0000-7000-8000-000000000012" },
    amount: 12500,
    description: "Monthly fee",
  },
  answers: {
    201: {
      description: "The payer's transaction, completed.",
      schema: TransactionSchema,
      example: bookTransactionExample,
    },
  },
  refusals: [
    "INVALID_INPUT",
    "INVALID_AMOUNT",
    "INVALID_CURRENCY",
    "AMOUNT_OUT_OF_RANGE",
    "INSUFFICIENT_BALANCE",
    "SELF_PAYMENT",
    "USER_NOT_READY",
    "ACCOUNT_FROZEN",
    "CUSTOMER_FROZEN",
    "REFERENCE_NOT_FOUND",
  ],
  handle: async ({ principal, body, idempotency }, services: Services) =>
    submitOrder(services, principal, {
      order: bookTransferOrder,
      content: body,
      input: bookTransferInput(body),
      toAnswer: (transaction) => ({
        status: 201,
        body: transactionJson(transaction, principal.platformId),
      }),
      idempotency,
    }),
});
