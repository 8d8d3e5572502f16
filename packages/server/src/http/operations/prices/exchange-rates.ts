import Type from "typebox";
import { findPlatform } from "../../../domain/platform.sql.ts";
import type { Platform } from "../../../domain/platform.ts";
import { findPriceRules, NO_RULES } from "../../../domain/prices/price-rules/price-rules.ts";
import { listLiveSources } from "../../../domain/prices/rate-sources/rate-source.sql.ts";
import { routesOf } from "../../../domain/rails/rail-carrier.ts";
import { findRouting } from "../../../domain/rails/routes/routing.ts";
import { invalidFields, Refusal } from "../../../engine/refusal.ts";
import { isCurrencyCode } from "../../../money/currency.ts";
import { MAX_AMOUNT } from "../../../money/money.ts";
import { refusalKeyword } from "../../../validation/schema.ts";
import { CurrencySchema, currencyField, DateTimeSchema } from "../../../wire/fields.ts";
import { quoteExample } from "../../../wire/payments/quote.ts";
import { listedText } from "../../../wire/value-lists.ts";
import { defineOperation, type ReadyAnswer, route } from "../../request/operation.ts";
import { platformTime } from "../../request/platform-time.ts";
import type { Services } from "../../request/services.ts";
import type { PriceListWanted } from "./price-lists.ts";

/** How often rates change. */
const STEP_MS = 5 * 60_000;

const RateSchema = Type.Object(
  {
    sourceCurrency: CurrencySchema,
    destinationCurrency: CurrencySchema,
    destinationPaymentRail: listedText("PaymentRail", {
      description: "A rail, or the network of a token.",
    }),
    sendingAmount: Type.Integer({ minimum: 0 }),
    minSendingAmount: Type.Integer({ minimum: 0 }),
    maxSendingAmount: Type.Integer({ minimum: 0 }),
    receivingAmount: Type.Integer({ minimum: 0 }),
    exchangeRate: Type.Number({
      description: "Whole sending units for one whole receiving unit, without fees.",
    }),
    fees: Type.Object({
      fixed: Type.Integer({ minimum: 0, description: "In the sending currency." }),
      total: Type.Integer({ minimum: 0, description: "All fees, in the sending currency." }),
    }),
    updatedAt: DateTimeSchema,
  },
  { $id: "ExchangeRate" },
);

const destination = currencyField({ examples: ["EUR"] });

export const listExchangeRates = defineOperation({
  id: "listExchangeRates",
  ...route("GET /exchange-rates", "VIEW", "rates.read"),
  tag: "Quotes",
  summary: "List exchange rates and fees",
  description:
    "What an amount would buy now, in a row for each rail that pays it out. For information: only a quote holds. An answer is computed once and repeated until the rates or the platform's currencies change; the number of rows that a platform may have computed per second is limited (429). Name a `sourceCurrency` to get a short list.",
  query: Type.Object({
    sourceCurrency: Type.Optional(currencyField({ examples: ["USD"] })),
    destinationCurrency: Type.Optional(
      Type.Array(destination, { maxItems: 100, description: "May be given several times." }),
    ),
    sendingAmount: Type.Integer({
      minimum: 0,
      maximum: MAX_AMOUNT,
      default: 10_000,
      [refusalKeyword]: "INVALID_AMOUNT",
    }),
  }),
  answers: {
    200: {
      description: "By source, destination and rail.",
      schema: Type.Object({ data: Type.Array(RateSchema) }),
      example: {
        data: [
          {
            sourceCurrency: quoteExample.sendingCurrency,
            destinationCurrency: quoteExample.receivingCurrency,
            destinationPaymentRail: "SEPA",
            sendingAmount: 100000,
            minSendingAmount: 1,
            maxSendingAmount: 100000000000,
            receivingAmount: 91704,
            exchangeRate: 1.08695652,
            fees: { fixed: 10, total: 321 },
            updatedAt: "2026-11-21T10:00:00.000Z",
          },
        ],
      },
    },
  },
  refusals: ["INVALID_INPUT", "INVALID_AMOUNT", "INVALID_CURRENCY"],
  async handle({ principal: { platformId, environment }, query }, services: Services) {
    const { sourceCurrency, destinationCurrency = [], sendingAmount } = query;
    refuseUnknown({ sourceCurrency, destinationCurrency });
    const [platform, now] = await Promise.all([
      findPlatform(services.reads, platformId),
      platformTime(services, platformId),
    ]);
    if (platform === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    const wanted = {
      sourceCurrency,
      destinationCurrencies: destinationCurrency,
      sendingMinor: BigInt(sendingAmount),
    };
    if (environment !== "SANDBOX")
      return marketPrices(services, platform, { ...wanted, updatedAt: now });
    const updatedAt = now - (now % STEP_MS);
    return { status: 200, body: services.priceLists.bodyOf(platform, { ...wanted, updatedAt }) };
  },
});

/** The list of a production platform, at the rates of its sources. Pairs whose rate is too old are left out. */
async function marketPrices(
  { reads, priceLists }: Services,
  platform: Platform,
  wanted: PriceListWanted,
): Promise<ReadyAnswer> {
  const [sources, rules, routing] = await Promise.all([
    listLiveSources(reads, platform.id),
    findPriceRules(reads, platform.id),
    findRouting(reads, platform.id),
  ]);
  const { spreads, fees } = rules ?? NO_RULES;
  const facts = { sources, spreads, fees, routes: routesOf(routing), at: wanted.updatedAt };
  return { status: 200, body: priceLists.marketBodyOf(platform, wanted, facts) };
}

/** Reports every unknown currency code under its parameter. */
function refuseUnknown(codes: Readonly<Record<string, string | readonly string[] | undefined>>) {
  const errors = Object.entries(codes).flatMap(([field, named = []]) =>
    [named].flat().flatMap((currency) => {
      const message = `${currency} is not a currency that is known here`;
      return isCurrencyCode(currency) ? [] : [{ field, message }];
    }),
  );
  if (errors.length > 0) throw invalidFields(errors, "INVALID_CURRENCY");
}
