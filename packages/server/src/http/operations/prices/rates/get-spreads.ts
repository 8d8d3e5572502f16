import { findPriceRules } from "../../../../domain/prices/price-rules/price-rules.ts";
import { SpreadsSchema, spreadsExample, spreadsJson } from "../../../../wire/prices/price-rules.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";

export const getSpreads = defineOperation({
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
