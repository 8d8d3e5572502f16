import { findPriceRules } from "../../../../domain/prices/price-rules/price-rules.ts";
import { FeesSchema, feesExample, feesJson } from "../../../../wire/prices/price-rules.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";

export const getFees = defineOperation({
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
