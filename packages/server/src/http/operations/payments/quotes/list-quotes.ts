import Type, { type Static } from "typebox";
import { listQuotes as list, quoteStatuses } from "../../../../domain/payments/quotes/quote.ts";
import { statusFacet } from "../../../../tables/facets.ts";
import type { Condition } from "../../../../tables/list-query.ts";
import { dateTimeParameter, listOf } from "../../../../wire/fields.ts";
import { accountIdField, ownerField } from "../../../../wire/id-fields.ts";
import { soundAccountId } from "../../../../wire/ids.ts";
import { QuoteSchema, quoteExample, quoteJson } from "../../../../wire/payments/quote.ts";
import {
  CUSTOMER_OF_ADDRESS,
  createdConditions,
  when,
  whenAddress,
  whenFacet,
  whenOwner,
} from "../../../request/filters.ts";
import { answerList } from "../../../request/list.ts";
import { defineOperation } from "../../../request/operation.ts";
import { pageParameters } from "../../../request/paging.ts";
import type { Services } from "../../../request/services.ts";

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
  ...pageParameters,
});

export const listQuotes = defineOperation({
  id: "listQuotes",
  method: "GET",
  path: "/quotes",
  access: "VIEW",
  capability: "quotes.read",
  tag: "Quotes",
  summary: "List quotes",
  query: Query,
  answers: {
    200: {
      description: "Newest first.",
      schema: listOf(QuoteSchema),
      example: { data: [quoteExample], hasMore: false, totalCount: 1 },
    },
  },
  refusals: ["INVALID_INPUT"],
  handle: async ({ principal, query }, services: Services) =>
    answerList(services, {
      operationId: "listQuotes",
      principal,
      query,
      load: (page) =>
        list(services.reads, { ...page, conditions: conditionsOf(query, principal.platformId) }),
      idOf: ({ id }) => id,
      toJson: (quote) => quoteJson(quote),
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
