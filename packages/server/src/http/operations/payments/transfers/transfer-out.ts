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
import { transferOutInput, transferOutOrder } from "./held-transfers.ts";
import { transferOutExample, transferOutFields } from "./transfer-body.ts";

export const transferOut = defineOperation({
  id: "transferOut",
  method: "POST",
  path: "/transfer-out",
  access: "TRANSACT",
  capability: "payments.create",
  tag: "Transfers",
  summary: "Create a transfer out",
  description:
    "Sends money from an internal to an external account. " +
    "Both accounts are in one currency. The amount leaves the internal account at once and is held until the rail has " +
    "answered; when it fails it comes back as a refund. In a sandbox the destination's last three digits decide: 002 and " +
    "003 fail at once, 004 is rejected, 005 stays pending for 30 seconds and fails, anything else completes.",
  body: Type.Object({
    ...transferOutFields,
    description: descriptionField,
    metadata: Type.Optional(MetadataSchema),
    remittanceInformation: Type.Optional(Type.String({ maxLength: 80 })),
  }),
  requestExample: transferOutExample,
  answers: {
    201: {
      description: "The transaction as created.",
      schema: TransactionSchema,
      example: transactionExample,
    },
  },
  refusals: [
    "INVALID_INPUT",
    "INVALID_AMOUNT",
    "INVALID_CURRENCY",
    "AMOUNT_OUT_OF_RANGE",
    "INSUFFICIENT_BALANCE",
    "USER_NOT_READY",
    "ACCOUNT_FROZEN",
    "CUSTOMER_FROZEN",
    "RAIL_PAUSED",
    "REFERENCE_NOT_FOUND",
    "NOT_IMPLEMENTED",
  ],
  handle: async ({ principal, body, idempotency }, services: Services) =>
    submitOrder(services, principal, {
      order: transferOutOrder,
      content: body,
      input: transferOutInput(body, services),
      toAnswer: (transaction) => ({
        status: 201,
        body: transactionJson(transaction, principal.platformId),
      }),
      idempotency,
    }),
});
