import Type from "typebox";
import { descriptionField, MetadataSchema } from "../../../../wire/metadata.ts";
import {
  TransactionSchema,
  transactionExample,
  transactionJson,
} from "../../../../wire/payments/transaction.ts";
import { submitOrder } from "../../../approvals/submit-held.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { transferInInput, transferInOrder } from "./held-transfers.ts";
import { transferInExample, transferInFields } from "./transfer-body.ts";

export const transferIn = defineOperation({
  id: "transferIn",
  method: "POST",
  path: "/transfer-in",
  access: "TRANSACT",
  capability: "payments.create",
  tag: "Transfers",
  summary: "Create a transfer in",
  description:
    "Pulls money from an external into an internal account. " +
    "Both accounts are in one currency, and the source must be one that money can be pulled from (`USD_ACCOUNT`). The " +
    "internal account is credited when the money is here. In a sandbox the source's last three digits decide, as for " +
    "transfers out.",
  body: Type.Object({
    ...transferInFields,
    description: descriptionField,
    metadata: Type.Optional(MetadataSchema),
  }),
  requestExample: transferInExample,
  answers: {
    201: {
      description: "The transaction as created.",
      schema: TransactionSchema,
      example: {
        ...transactionExample,
        type: "INCOMING",
        direction: "CREDIT",
        reference: undefined,
        source: {
          sourceType: "ACCOUNT",
          accountId: transactionExample.destination.accountId,
          currency: "USD",
        },
        destination: {
          destinationType: "ACCOUNT",
          accountId: transactionExample.source.accountId,
          currency: "USD",
        },
        reconciliationInstructions: { reference: "TI-8000000000000004" },
      },
    },
  },
  refusals: [
    "INVALID_INPUT",
    "INVALID_AMOUNT",
    "INVALID_CURRENCY",
    "AMOUNT_OUT_OF_RANGE",
    "USER_NOT_READY",
    "ACCOUNT_FROZEN",
    "CUSTOMER_FROZEN",
    "RAIL_PAUSED",
    "REFERENCE_NOT_FOUND",
    "NOT_IMPLEMENTED",
  ],
  handle: async ({ principal, body, idempotency }, services: Services) =>
    submitOrder(services, principal, {
      order: transferInOrder,
      content: body,
      input: transferInInput(body, services),
      toAnswer: (transaction) => ({
        status: 201,
        body: transactionJson(transaction, principal.platformId),
      }),
      idempotency,
    }),
});
