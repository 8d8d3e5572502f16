import Type from "typebox";
import { pathId } from "../../../../wire/id-fields.ts";
import { requireId } from "../../../../wire/ids.ts";
import { QuoteSchema, quoteExample, quoteJson } from "../../../../wire/payments/quote.ts";
import { submitOrder } from "../../../approvals/submit-held.ts";
import { defineOperation, isPerson } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { executeQuoteOrder, heldQuoteContent } from "./held-quote.ts";
import { ownerSignatureHeader, readQuoteStamp } from "./owner-signature.ts";

export const executeQuote = defineOperation({
  id: "executeQuote",
  method: "POST",
  path: "/quotes/{quoteId}/execute",
  access: "TRANSACT",
  capability: "payments.create",
  tag: "Quotes",
  summary: "Execute a quote",
  description:
    "Takes the money from the quote's account and sends the payment on its way. A quote that waits for its payer executes " +
    "by itself. With an embedded wallet as source, the stamp over the quote's `payloadToSign` goes into the header; an " +
    "active session of that wallet has to have made it.",
  params: Type.Object({ quoteId: pathId("Quote") }),
  headers: [ownerSignatureHeader],
  answers: {
    200: {
      description: "The quote, on its way.",
      schema: QuoteSchema,
      example: { ...quoteExample, status: "PROCESSING" },
    },
  },
  refusals: [
    "QUOTE_NOT_FOUND",
    "CONFLICT",
    "QUOTE_EXPIRED",
    "UNAUTHORIZED",
    "USER_NOT_READY",
    "ACCOUNT_FROZEN",
    "CUSTOMER_FROZEN",
    "RAIL_PAUSED",
    "FX_LIMIT",
    "AMOUNT_OUT_OF_RANGE",
    "INSUFFICIENT_BALANCE",
    "NOT_IMPLEMENTED",
  ],
  async handle({ principal, params, ...asked }, services: Services) {
    const quoteId = requireId("Quote", params.quoteId, "QUOTE_NOT_FOUND");
    const { owner, idempotency } = await readQuoteStamp(services, principal, { quoteId, ...asked });
    return submitOrder(services, principal, {
      order: executeQuoteOrder,
      content: isPerson(principal)
        ? await heldQuoteContent(services, principal.platformId, quoteId)
        : {},
      input: { quoteId, owner },
      toAnswer: (quote) => ({ status: 200, body: quoteJson(quote) }),
      idempotency,
    });
  },
});
