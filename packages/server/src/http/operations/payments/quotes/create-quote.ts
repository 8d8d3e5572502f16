import { createQuote as command } from "../../../../domain/payments/quotes/create-quote.ts";
import { refusingWhereItWaits } from "../../../../domain/people/approvals/hold-order.ts";
import { QuoteSchema, quoteExample, quoteJson } from "../../../../wire/payments/quote.ts";
import { defineOperation, isPerson } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { submitFound } from "../../../request/submit-found.ts";
import { judgeQuote, QuoteBody, readQuoteInput } from "./quote-body.ts";

/** The execution may wait for other people, so it is asked for by itself. */
const atOnceByPerson = refusingWhereItWaits(command, {
  kind: "PAYMENT",
  message:
    "Payments of people wait for others on this platform: create the quote without immediatelyExecute, and execute it then.",
});

export const createQuote = defineOperation({
  id: "createQuote",
  method: "POST",
  path: "/quotes",
  access: "TRANSACT",
  capability: "payments.create",
  tag: "Quotes",
  summary: "Create a quote",
  description:
    "Asks for a price that holds for five minutes. " +
    "Nothing is held until the quote is executed, or its payer has followed the payment instructions. With " +
    "`immediatelyExecute` the payment begins at once. Within one currency quotes are for embedded wallets, UMA " +
    "addresses and money that is paid in; anything else there is a transfer. In production the price comes from the platform's rate " +
    "sources, spreads and fees; a quote is paid from an internal account, and a connection pays an external one.",
  body: QuoteBody,
  requestExample: {
    source: quoteExample.source,
    destination: quoteExample.destination,
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: 100000,
  },
  answers: { 201: { description: "The quote.", schema: QuoteSchema, example: quoteExample } },
  refusals: [
    "INVALID_INPUT",
    "CONFLICT",
    "INVALID_AMOUNT",
    "INVALID_CURRENCY",
    "INVALID_UMA_ADDRESS",
    "LOOKUP_REQUEST_NOT_FOUND",
    "UMA_NOT_FOUND",
    "AMOUNT_OUT_OF_RANGE",
    "SELF_PAYMENT",
    "INVALID_RECEIVER",
    "MISSING_MANDATORY_USER_INFO",
    "INSUFFICIENT_BALANCE",
    "USER_NOT_READY",
    "ACCOUNT_FROZEN",
    "CUSTOMER_FROZEN",
    "RAIL_PAUSED",
    "RATE_STALE",
    "FX_LIMIT",
    "NOT_IMPLEMENTED",
  ],
  judge: judgeQuote,
  async handle({ principal, body, idempotency }, services: Services) {
    const isAtOnce = isPerson(principal) && body.immediatelyExecute === true;
    return submitFound(services.engine, principal, {
      command: isAtOnce ? atOnceByPerson : command,
      find: readQuoteInput(services, principal.platformId, body),
      toAnswer: (quote) => ({ status: 201, body: quoteJson(quote) }),
      idempotency,
    });
  },
});
