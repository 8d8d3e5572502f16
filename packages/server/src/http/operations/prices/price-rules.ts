import Type from "typebox";
import { findQuotePrice } from "../../../domain/payments/quotes/market/quote-price.ts";
import { findQuote } from "../../../domain/payments/quotes/quote.ts";
import { setFeesOrder, setSpreadsOrder } from "../../../domain/people/approvals/held-control.ts";
import {
  findPriceRules,
  listRuleVersions,
} from "../../../domain/prices/price-rules/price-rules.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { requireId } from "../../../wire/ids.ts";
import { waitingForPeople } from "../../../wire/people/approval.ts";
import {
  FeesSchema,
  FeeVersionSchema,
  feesBody,
  feesExample,
  feesJson,
  feeVersionJson,
  SpreadsSchema,
  spreadsBody,
  spreadsExample,
  spreadsJson,
} from "../../../wire/prices/price-rules.ts";
import {
  QuotePriceSchema,
  quotePriceExample,
  quotePriceJson,
} from "../../../wire/prices/quote-price.ts";
import { submitHeld } from "../../approvals/submit-held.ts";
import { listAll } from "../../request/noun.ts";
import { defineOperation } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { approvalEvents } from "../event-lists.ts";
import { feesInput, spreadsInput } from "./held-rules.ts";
import { judgeRules } from "./rule-bodies.ts";

const getSpreads = defineOperation({
  id: "getSpreads",
  method: "GET",
  path: "/rates/spreads",
  access: "VIEW",
  capability: "rates.read",
  tag: "Rates",
  summary: "Get the spreads",
  answers: {
    200: { description: "Those in use.", schema: SpreadsSchema, example: spreadsExample },
  },
  refusals: [],
  async handle({ principal }, { reads }: Services) {
    const rules = await findPriceRules(reads, principal.platformId);
    return { status: 200, body: spreadsJson(rules) };
  },
});

const setSpreads = defineOperation({
  id: "setSpreads",
  method: "PUT",
  path: "/rates/spreads",
  access: "MANAGE",
  capability: "settings.write",
  tag: "Rates",
  summary: "Set the spreads",
  description:
    "Replaces the table. The customer's rate is the source's times 1 + bps / 10,000, in sending units for a receiving unit. The most specific rule " +
    "applies: one for the receiving currency, then one for the sending currency, then `*`. Without a rule the spread is 0; of an `ECB` source a rule must be there. " +
    "In production a lower spread waits for another owner where the workspace has two.",
  body: spreadsBody,
  requestExample: { spreads: spreadsExample.spreads },
  answers: {
    200: { description: "The spreads.", schema: SpreadsSchema, example: spreadsExample },
    202: waitingForPeople,
  },
  events: approvalEvents,
  refusals: ["INVALID_INPUT"],
  judge: ({ spreads }) => judgeRules("spreads", spreads),
  handle: async ({ principal, body }, services: Services) =>
    submitHeld(services, principal, {
      order: setSpreadsOrder,
      content: body,
      input: spreadsInput(body),
      toAnswer: ({ after }) => ({ status: 200, body: spreadsJson(after) }),
      idempotency: undefined,
    }),
});

const getFees = defineOperation({
  id: "getFees",
  method: "GET",
  path: "/fees",
  access: "VIEW",
  capability: "rates.read",
  tag: "Rates",
  summary: "Get the fees",
  answers: { 200: { description: "Those in use.", schema: FeesSchema, example: feesExample } },
  refusals: [],
  async handle({ principal }, { reads }: Services) {
    const rules = await findPriceRules(reads, principal.platformId);
    return { status: 200, body: feesJson(rules) };
  },
});

const setFees = defineOperation({
  id: "setFees",
  method: "PUT",
  path: "/fees",
  access: "MANAGE",
  capability: "settings.write",
  tag: "Rates",
  summary: "Set the fees",
  description:
    "Replaces the table of fees on quotes of a production platform. The fee is `fixedMinor` and `bps` of the rest, not below `minMinor` and not above " +
    "`maxMinor`, in the sending currency. The most specific rule applies: one for the receiving currency, then for the sending currency, then for " +
    "the rail, then for the account type. Without a rule there is no fee. A quote keeps the version that it was priced with. " +
    "In production a lower fee waits for another owner where the workspace has two.",
  body: feesBody,
  requestExample: { rules: feesExample.rules },
  answers: {
    200: { description: "The fees.", schema: FeesSchema, example: feesExample },
    202: waitingForPeople,
  },
  events: approvalEvents,
  refusals: ["INVALID_INPUT"],
  judge: ({ rules }) => judgeRules("rules", rules),
  handle: async ({ principal, body }, services: Services) =>
    submitHeld(services, principal, {
      order: setFeesOrder,
      content: body,
      input: feesInput(body),
      toAnswer: ({ after }) => ({ status: 200, body: feesJson(after) }),
      idempotency: undefined,
    }),
});

const { updatedAt: createdAt, ...example } = feesExample;

const listFeeVersions = listAll({
  path: "/fees/versions",
  tag: "Rates",
  capability: "rates.read",
  schema: FeeVersionSchema,
  example: { ...example, createdAt },
  json: feeVersionJson,
  id: "listFeeVersions",
  summary: "List the versions of the fees",
  where: [{ sql: "t.kind = 'FEES'" }],
  list: listRuleVersions,
});

const getQuotePrice = defineOperation({
  id: "getQuotePrice",
  method: "GET",
  path: "/rates/quotes/{quoteId}",
  access: "VIEW",
  capability: "rates.read",
  tag: "Rates",
  summary: "Get how a quote was priced",
  description:
    "Of a quote of a production platform with an exchange: the source, the rate before and after the spread, and the rule of the fee. Of any other quote there is only its id.",
  params: Type.Object({ quoteId: pathId("Quote") }),
  answers: {
    200: { description: "The price.", schema: QuotePriceSchema, example: quotePriceExample },
  },
  refusals: ["QUOTE_NOT_FOUND"],
  async handle({ principal, params }, { reads }: Services) {
    const id = requireId("Quote", params.quoteId, "QUOTE_NOT_FOUND");
    const { platformId } = principal;
    const [quote, price] = await Promise.all([
      findQuote(reads, platformId, id),
      findQuotePrice(reads, platformId, id),
    ]);
    if (quote === undefined) throw new Refusal("QUOTE_NOT_FOUND");
    return { status: 200, body: quotePriceJson(id, price) };
  },
});

export const priceRuleOperations = [
  getSpreads,
  setSpreads,
  getFees,
  setFees,
  listFeeVersions,
  getQuotePrice,
];
