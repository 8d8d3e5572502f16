import Type, { type Static } from "typebox";
import { accountTypes, railsOfType } from "../../../domain/accounts/external/account-types.ts";
import { findQuotePrice } from "../../../domain/payments/quotes/market/quote-price.ts";
import { findQuote } from "../../../domain/payments/quotes/quote.ts";
import { setFeesOrder, setSpreadsOrder } from "../../../domain/people/approvals/held-control.ts";
import {
  ANY,
  findPriceRules,
  listRuleVersions,
} from "../../../domain/prices/price-rules/price-rules.ts";
import type {
  SetFeesInput,
  SetSpreadsInput,
} from "../../../domain/prices/price-rules/set-price-rules.ts";
import { type FieldError, Refusal } from "../../../engine/refusal.ts";
import { isCurrencyCode } from "../../../money/currency.ts";
import { isJsonObject, type Json } from "../../../std/json.ts";
import type { Judgement } from "../../../validation/validation.ts";
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
  toFeeRule,
} from "../../../wire/prices/price-rules.ts";
import {
  QuotePriceSchema,
  quotePriceExample,
  quotePriceJson,
} from "../../../wire/prices/quote-price.ts";
import { submitHeld } from "../../approvals/submit-held.ts";
import { listAll } from "../../request/noun.ts";
import { defineOperation, route } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { approvalEvents } from "../event-lists.ts";

export function feesInput({ rules }: Static<typeof feesBody>): SetFeesInput {
  return { rules: rules.map(toFeeRule) };
}

export function spreadsInput({ spreads }: Static<typeof spreadsBody>): SetSpreadsInput {
  return { spreads: spreads.map(({ from, to, bps }) => ({ from, to, bps })) };
}

const rails: ReadonlySet<string> = new Set(accountTypes.flatMap(railsOfType));

/** The currencies and rails of a table of rules exist. Fields of the wrong type are left to the schema. */
function judgeRules(field: string, rules: Json | undefined): Judgement<undefined> {
  const errors = (Array.isArray(rules) ? rules : []).flatMap((rule: Json, index) =>
    isJsonObject(rule) ? faultsOf(`${field}.${index}`, rule) : [],
  );
  return errors.length === 0 ? { ok: true, value: undefined } : { ok: false, errors };
}

function faultsOf(
  field: string,
  { from, to, paymentRail }: { readonly [name: string]: Json },
): readonly FieldError[] {
  const currencies = Object.entries({ from, to }).flatMap(([member, code]) =>
    typeof code !== "string" || code === ANY || isCurrencyCode(code)
      ? []
      : [{ field: `${field}.${member}`, message: `is no currency: ${code}` }],
  );
  const isRail = typeof paymentRail !== "string" || rails.has(paymentRail);
  return isRail
    ? currencies
    : [...currencies, { field: `${field}.paymentRail`, message: `is no rail: ${paymentRail}` }];
}

const getSpreads = defineOperation({
  id: "getSpreads",
  ...route("GET /rates/spreads", "VIEW", "rates.read"),
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
  ...route("PUT /rates/spreads", "MANAGE", "settings.write"),
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
  ...route("GET /fees", "VIEW", "rates.read"),
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
  ...route("PUT /fees", "MANAGE", "settings.write"),
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
  ...route("GET /rates/quotes/{quoteId}", "VIEW", "rates.read"),
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
