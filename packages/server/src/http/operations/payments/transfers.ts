import Type from "typebox";
import { descriptionField, MetadataSchema } from "../../../wire/metadata.ts";
import { transactionDryRun, transferDryRun } from "../../../wire/payments/dry-run.ts";
import {
  bookTransactionExample,
  TransactionSchema,
  TransferSchema,
  transactionExample,
  transactionJson,
  transferOfLegsJson,
} from "../../../wire/payments/transaction.ts";
import { submitOrder } from "../../approvals/submit-held.ts";
import { defineOperation, route } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { collectionEvents, payoutEvents } from "../event-lists.ts";
import {
  bookLegsInput,
  bookLegsOrder,
  bookTransferInput,
  bookTransferOrder,
  transferInInput,
  transferInOrder,
  transferOutInput,
  transferOutOrder,
} from "./held-transfers.ts";
import {
  bookTransferBody,
  judgeBookTransfer,
  shownBookTransfer,
  transferInExample,
  transferInFields,
  transferOutExample,
  transferOutFields,
} from "./transfer-body.ts";

const bookTransfer = defineOperation({
  id: "createTransfer",
  ...route("POST /transfers", "TRANSACT", "payments.create"),
  tag: "Transfers",
  summary: "Create a book transfer",
  description:
    "Moves money between two internal accounts of one currency. " +
    "A book transfer: both accounts are internal accounts of the platform in one currency, of any holders. The debit, the " +
    "credit and both transactions are committed together and are COMPLETED at once; no rail and no fee has a part in it. " +
    "The answer is the payer's OUTGOING transaction; `counterpartTransactionId` names the payee's INCOMING one. An embedded " +
    "wallet can receive; it pays through quotes. With `legs` it makes 2 to 100 transfers in one commit, of any currencies: all of them, or none, and " +
    "the refusal names the leg in `details.leg`, counted from 0. All of its transactions have one `groupId`.",
  body: bookTransferBody,
  shownBody: shownBookTransfer,
  judge: judgeBookTransfer,
  requestExample: {
    source: { accountId: "InternalAccount:019a4f00-0000-7000-8000-000000000002" },
    destination: { accountId: "InternalAccount:019a4f00-0000-7000-8000-000000000012" },
    amount: 12500,
    description: "Monthly fee",
  },
  answers: {
    201: {
      description:
        "The payer's transaction, completed. Of several legs: that of the first one, and in `legs` those of all, in their order.",
      schema: TransferSchema,
      example: bookTransactionExample,
    },
  },
  dryRun: transferDryRun,
  events: [
    "OUTGOING_PAYMENT.COMPLETED",
    "INCOMING_PAYMENT.COMPLETED",
    "INTERNAL_ACCOUNT.BALANCE_UPDATED",
  ],
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
  handle: async ({ principal, body, idempotency }, services: Services) => {
    const { platformId } = principal;
    if (body.legs !== undefined) {
      const input = bookLegsInput(body);
      return submitOrder(services, principal, {
        order: bookLegsOrder(input),
        content: body,
        input,
        toAnswer: (legs) => ({ status: 201, body: transferOfLegsJson(legs, platformId) }),
        idempotency,
      });
    }
    return submitOrder(services, principal, {
      order: bookTransferOrder,
      content: body,
      input: bookTransferInput(body),
      toAnswer: (transaction) => ({ status: 201, body: transactionJson(transaction, platformId) }),
      idempotency,
    });
  },
});

const transferOut = defineOperation({
  id: "transferOut",
  ...route("POST /transfer-out", "TRANSACT", "payments.create"),
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
  dryRun: transactionDryRun,
  events: [...payoutEvents, "RAIL_PAYMENT.UNKNOWN"],
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

const transferIn = defineOperation({
  id: "transferIn",
  ...route("POST /transfer-in", "TRANSACT", "payments.create"),
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
  dryRun: transactionDryRun,
  events: [...collectionEvents, "RAIL_PAYMENT.UNKNOWN"],
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

export const transferOperations = [bookTransfer, transferOut, transferIn];
