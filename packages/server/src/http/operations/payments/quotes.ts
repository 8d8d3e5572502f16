import Type, { type Static } from "typebox";
import { createQuote as createQuoteCommand } from "../../../domain/payments/quotes/create-quote.ts";
import {
  findQuote,
  listQuotes as loadQuotes,
  quoteStatuses,
} from "../../../domain/payments/quotes/quote.ts";
import { refusingWhereItWaits } from "../../../domain/people/approvals/hold-order.ts";
import { addressesOfQuote } from "../../../domain/rails/funding/funding.sql.ts";
import { toldInstructions } from "../../../domain/rails/funding/funding-plan.ts";
import { partiesOfQuote } from "../../../domain/reading/parties/payment-parties.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { statusFacet } from "../../../tables/facets.ts";
import type { Condition } from "../../../tables/list-query.ts";
import { dateTimeParameter } from "../../../wire/fields.ts";
import { accountIdField, ownerField, pathId } from "../../../wire/id-fields.ts";
import { requireId, soundAccountId } from "../../../wire/ids.ts";
import { quoteDryRun } from "../../../wire/payments/dry-run.ts";
import { QuoteSchema, quoteExample, quoteJson } from "../../../wire/payments/quote.ts";
import { submitOrder } from "../../approvals/submit-held.ts";
import { expandParameter, ofEach } from "../../request/expand.ts";
import {
  CUSTOMER_OF_ADDRESS,
  createdConditions,
  when,
  whenAddress,
  whenFacet,
  whenOwner,
} from "../../request/filters.ts";
import { answerList } from "../../request/list.ts";
import { listFacts, shown, shownOne } from "../../request/noun.ts";
import { defineOperation, isPerson, route } from "../../request/operation.ts";
import { pageParameters } from "../../request/paging.ts";
import type { Services } from "../../request/services.ts";
import { submitCompleted } from "../../request/submit-for-caller.ts";
import { executionEvents, quoteEvents } from "../event-lists.ts";
import { outsidePayRefusals } from "../uma/pay-outside.ts";
import { executeQuoteOrder, heldQuoteContent } from "./held-quote.ts";
import { ownerSignatureHeader, readQuoteStamp } from "./owner-signature.ts";
import { judgeQuote, QuoteBody, readQuoteInput } from "./quote-body.ts";

export const quotes = {
  path: "/quotes",
  tag: "Quotes",
  capability: "quotes.read",
  schema: QuoteSchema,
  example: quoteExample,
} as const;

/** Where the execution waits for other people, a person must request it separately from the quote. */
const atOnceByPerson = refusingWhereItWaits(createQuoteCommand, {
  kind: "PAYMENT",
  message:
    "Payments of people wait for others on this platform: create the quote without immediatelyExecute, and execute it then.",
});

export const createQuote = defineOperation({
  id: "createQuote",
  ...route("POST /quotes", "TRANSACT", "payments.create"),
  tag: "Quotes",
  summary: "Create a quote",
  description:
    "Asks for a price that holds for five minutes. " +
    "Nothing is held until the quote is executed, or its payer has followed the payment instructions. With " +
    "`immediatelyExecute` the payment begins at once. Within one currency quotes are for embedded wallets, UMA " +
    "addresses and money that is paid in; anything else there is a transfer. In production the price comes from the platform's rate " +
    "sources, spreads and fees; a connection pays an external account, " +
    "and a UMA address of a customer of the same platform is paid in its ledger, once the platform approves the incoming payment.",
  body: QuoteBody,
  requestExample: {
    source: quoteExample.source,
    destination: quoteExample.destination,
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: 100000,
  },
  answers: { 201: shown(quotes, "The quote.") },
  dryRun: quoteDryRun,
  events: [...quoteEvents, ...executionEvents],
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
    ...outsidePayRefusals,
  ],
  judge: judgeQuote,
  async handle({ principal, body, idempotency }, services: Services) {
    const isAtOnce = isPerson(principal) && body.immediatelyExecute === true;
    return submitCompleted(services.engine, principal, {
      command: isAtOnce ? atOnceByPerson : createQuoteCommand,
      find: () => readQuoteInput(services, principal, body),
      toAnswer: (quote) => ({ status: 201, body: quoteJson(quote) }),
      idempotency,
    });
  },
});

const uma = (which: string, example: string) =>
  Type.Optional(
    Type.String({
      maxLength: 320,
      description: `The UMA address of the ${which}.`,
      examples: [example],
    }),
  );

const Query = Type.Object({
  customerId: Type.Optional(
    ownerField("The sender: a customer, or the platform's own id for its own quotes."),
  ),
  sendingAccountId: Type.Optional(accountIdField({ description: "The account that pays." })),
  receivingAccountId: Type.Optional(accountIdField({ description: "The account that is paid." })),
  sendingUmaAddress: uma("sender", "$ana@florin.test"),
  receivingUmaAddress: uma("receiver", "$bea@wallet.example"),
  status: Type.Optional(Type.Enum([...quoteStatuses])),
  createdAfter: dateTimeParameter("Created at this time or later."),
  createdBefore: dateTimeParameter("Created at this time or earlier."),
  ...expandParameter,
  ...pageParameters,
});

const listQuotes = defineOperation({
  ...listFacts(quotes),
  id: "listQuotes",
  summary: "List quotes",
  query: Query,
  handle: async ({ principal, query }, services: Services) =>
    answerList(services, {
      operationId: "listQuotes",
      principal,
      query,
      load: (page) =>
        loadQuotes(services.reads, {
          ...page,
          conditions: conditionsOf(query, principal.platformId),
        }),
      idOf: ({ id }) => id,
      toJson: (quote) => quoteJson(quote),
      partiesOf: ofEach(partiesOfQuote),
    }),
});

function conditionsOf(
  query: Static<typeof Query>,
  platformId: string,
): readonly (Condition | undefined)[] {
  const { sendingAccountId, receivingAccountId, receivingUmaAddress } = query;
  const parties = [sendingAccountId, receivingAccountId, receivingUmaAddress];
  const byOwner = parties.every((each) => each === undefined);
  return [
    whenOwner(query.customerId, { platformId, byOwner }),
    when(accountIn(query.sendingAccountId), "t.source_account_id = ?::uuid"),
    when(accountIn(query.receivingAccountId), "t.destination_account_id = ?::uuid"),
    whenAddress(query.sendingUmaAddress, `t.customer_id = ${CUSTOMER_OF_ADDRESS}`),
    whenAddress(query.receivingUmaAddress, "t.destination_uma = ?::text"),
    whenFacet(query.status, statusFacet),
    ...createdConditions(query.createdAfter, query.createdBefore),
  ];
}

function accountIn(raw: string | undefined): string | undefined {
  return raw === undefined ? undefined : soundAccountId(raw);
}

const getQuote = defineOperation({
  id: "getQuote",
  ...route("GET /quotes/{quoteId}", "VIEW", "quotes.read"),
  tag: "Quotes",
  summary: "Get a quote",
  description:
    "In production the instructions of a connector are shown here once it has told them; those with a reference are in every answer.",
  params: Type.Object({ quoteId: pathId("Quote") }),
  query: Type.Object(expandParameter),
  answers: { 200: shown(quotes, "The quote.") },
  refusals: ["QUOTE_NOT_FOUND"],
  async handle({ principal, params, query }, { reads }: Services) {
    const { platformId, environment } = principal;
    const id = requireId("Quote", params.quoteId, "QUOTE_NOT_FOUND");
    const quote = await findQuote(reads, platformId, id);
    if (quote === undefined) throw new Refusal("QUOTE_NOT_FOUND");
    const isPaidOutside = quote.source.sourceType === "REALTIME_FUNDING";
    const isAsked = isPaidOutside && environment === "PRODUCTION";
    const addresses = isAsked ? await addressesOfQuote(reads, platformId, id) : [];
    const told = addresses.flatMap((address) => toldInstructions(address));
    const body = await shownOne(reads, quote, {
      platformId,
      json: (one) => quoteJson(one, told),
      partiesOf: ofEach(partiesOfQuote),
      expand: query.expand,
    });
    return { status: 200, body };
  },
});

const executeQuote = defineOperation({
  id: "executeQuote",
  ...route("POST /quotes/{quoteId}/execute", "TRANSACT", "payments.create"),
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
  dryRun: quoteDryRun,
  events: executionEvents,
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

export const quoteOperations = [createQuote, listQuotes, getQuote, executeQuote];
