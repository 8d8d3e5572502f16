import Type from "typebox";
import { findQuote } from "../../../../domain/payments/quotes/quote.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { requireId } from "../../../../wire/ids.ts";
import { QuoteSchema, quoteExample, quoteJson } from "../../../../wire/payments/quote.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";

export const agentGetQuote = defineOperation({
  id: "agentGetQuote",
  method: "GET",
  path: "/agents/me/quotes/{quoteId}",
  access: "AGENT",
  tag: "For agents",
  summary: "Get a quote of yours",
  params: Type.Object({ quoteId: pathId("Quote") }),
  answers: { 200: { description: "The quote.", schema: QuoteSchema, example: quoteExample } },
  refusals: ["QUOTE_NOT_FOUND"],
  async handle({ principal: { platformId, agentId }, params }, { reads }: Services) {
    const id = requireId("Quote", params.quoteId, "QUOTE_NOT_FOUND");
    const quote = await findQuote(reads, platformId, id);
    if (quote?.agentId !== agentId) throw new Refusal("QUOTE_NOT_FOUND");
    return { status: 200, body: quoteJson(quote) };
  },
});
