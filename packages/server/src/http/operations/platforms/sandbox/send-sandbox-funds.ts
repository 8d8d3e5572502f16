import Type from "typebox";
import { fundQuote } from "../../../../domain/payments/quotes/fund-quote.ts";
import { requestAmount } from "../../../../validation/schema.ts";
import { currencyField } from "../../../../wire/fields.ts";
import { requireIdField } from "../../../../wire/ids.ts";
import {
  TransactionSchema,
  transactionExample,
  transactionJson,
} from "../../../../wire/payments/transaction.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { submitForCaller } from "../../../request/submit-for-caller.ts";

export const sendSandboxFunds = defineOperation({
  id: "sendSandboxFunds",
  method: "POST",
  path: "/sandbox/send",
  access: "TRANSACT",
  capability: "sandbox.use",
  sandboxOnly: true,
  tag: "Sandbox",
  summary: "Fund a quote",
  description:
    "Follows the payment instructions of a quote. " +
    "As if the payer had sent the money. Another amount than the quote's total fails the payment, and the money goes back.",
  body: Type.Object({
    quoteId: Type.String(),
    currencyCode: currencyField({ description: "The currency of the quote's funding." }),
    currencyAmount: Type.Optional(
      requestAmount({ description: "What is sent; the quote's total when absent." }),
    ),
  }),
  requestExample: { quoteId: "Quote:019a4f00-0000-7000-8000-000000000007", currencyCode: "USD" },
  answers: {
    200: {
      description: "The transaction of the quote.",
      schema: TransactionSchema,
      example: { ...transactionExample, status: "PROCESSING" },
    },
  },
  refusals: [
    "INVALID_INPUT",
    "INVALID_AMOUNT",
    "AMOUNT_OUT_OF_RANGE",
    "INVALID_CURRENCY",
    "FORBIDDEN",
    "QUOTE_NOT_FOUND",
    "CONFLICT",
    "QUOTE_EXPIRED",
  ],
  handle: async ({ principal, body, idempotency }, { engine }: Services) =>
    submitForCaller(engine, principal, {
      command: fundQuote,
      input: {
        quoteId: requireIdField(
          "Quote",
          { field: "quoteId", raw: body.quoteId },
          "QUOTE_NOT_FOUND",
        ),
        currency: body.currencyCode,
        minor: body.currencyAmount === undefined ? undefined : BigInt(body.currencyAmount),
      },
      toAnswer: (transaction) => ({
        status: 200,
        body: transactionJson(transaction, principal.platformId),
      }),
      idempotency,
    }),
});
