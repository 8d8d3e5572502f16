import Type from "typebox";
import { findQuote } from "../../../../domain/payments/quotes/quote.ts";
import { addressesOfQuote } from "../../../../domain/rails/funding/funding.sql.ts";
import { toldInstructions } from "../../../../domain/rails/funding/funding-plan.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { requireId } from "../../../../wire/ids.ts";
import { QuoteSchema, quoteExample, quoteJson } from "../../../../wire/payments/quote.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";

export const getQuote = defineOperation({
  id: "getQuote",
  method: "GET",
  path: "/quotes/{quoteId}",
  access: "VIEW",
  capability: "quotes.read",
  tag: "Quotes",
  summary: "Get a quote",
  description:
    "In production the instructions of a connector are shown here once it has told them; those with a reference are in every answer.",
  params: Type.Object({ quoteId: pathId("Quote") }),
  answers: { 200: { description: "The quote.", schema: QuoteSchema, example: quoteExample } },
  refusals: ["QUOTE_NOT_FOUND"],
  async handle({ principal: { platformId, environment }, params }, { reads }: Services) {
    const id = requireId("Quote", params.quoteId, "QUOTE_NOT_FOUND");
    const quote = await findQuote(reads, platformId, id);
    if (quote === undefined) throw new Refusal("QUOTE_NOT_FOUND");
    const isPaidOutside = quote.source.sourceType === "REALTIME_FUNDING";
    const isAsked = isPaidOutside && environment === "PRODUCTION";
    const addresses = isAsked ? await addressesOfQuote(reads, platformId, id) : [];
    const told = addresses.flatMap((address) => toldInstructions(address));
    return { status: 200, body: quoteJson(quote, told) };
  },
});
