import Type from "typebox";
import { findQuotePrice } from "../../../../domain/payments/quotes/market/quote-price.ts";
import { findQuote } from "../../../../domain/payments/quotes/quote.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { requireId } from "../../../../wire/ids.ts";
import {
  QuotePriceSchema,
  quotePriceExample,
  quotePriceJson,
} from "../../../../wire/prices/quote-price.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";

export const getQuotePrice = defineOperation({
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
