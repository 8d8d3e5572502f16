import Type from "typebox";
import { findPlatform } from "../../../domain/platforms/platform.sql.ts";
import { type ExchangeRate, exchangeRates } from "../../../domain/rates/exchange-rates.ts";
import { invalidFields, Refusal } from "../../../engine/refusal.ts";
import { findCurrency, toWireCurrency } from "../../../money/currency.ts";
import { MAX_AMOUNT, MAX_AMOUNT_MINOR, printAmount } from "../../../money/money.ts";
import { toIso } from "../../../std/clock.ts";
import { defineOperation } from "../../operation.ts";
import { platformTime } from "../../platform-time.ts";
import { refusalKeyword } from "../../schema.ts";
import type { Services } from "../../services.ts";
import { quoteExample } from "../../wire/quote.ts";
import { CurrencySchema, currencyField, DateTimeSchema } from "../../wire/shared.ts";
import { listedText } from "../../wire/value-lists.ts";

/** Rates are told anew this often. */
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

const code = currencyField();

export const listExchangeRates = defineOperation({
  id: "listExchangeRates",
  method: "GET",
  path: "/exchange-rates",
  access: "VIEW",
  tag: "Quotes",
  summary: "List exchange rates and fees",
  description:
    "What an amount would buy now, in a row for each rail that pays it out. For information: only a quote holds.",
  query: Type.Object({
    sourceCurrency: Type.Optional(code),
    destinationCurrency: Type.Optional(
      Type.Array(code, { maxItems: 100, description: "May be given several times." }),
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
    // Outside a sandbox there is no market to ask yet: no pair has a rate.
    if (environment !== "SANDBOX") return { status: 200, body: JSON.stringify({ data: [] }) };
    const [platform, now] = await Promise.all([
      findPlatform(services.reads, platformId),
      platformTime(services, platformId),
    ]);
    if (platform === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    const rates = exchangeRates(platform, {
      sourceCurrency,
      destinationCurrencies: destinationCurrency,
      sendingMinor: BigInt(sendingAmount),
    });
    refuseUncountable(rates);
    const updatedAt = toIso(now - (now % STEP_MS));
    return {
      status: 200,
      body: JSON.stringify({ data: rates.map((rate) => ({ ...wireRate(rate), updatedAt })) }),
    };
  },
});

/** Every code that is none, under the parameter that has it. */
function refuseUnknown(codes: Readonly<Record<string, string | readonly string[] | undefined>>) {
  const errors = Object.entries(codes).flatMap(([field, named = []]) =>
    [named].flat().flatMap((currency) => {
      const message = `${currency} is not a currency that is known here`;
      return findCurrency(currency) === undefined ? [{ field, message }] : [];
    }),
  );
  if (errors.length > 0) throw invalidFields(errors, "INVALID_CURRENCY");
}

/** An amount so large that it buys more of a currency than any amount may be. */
function refuseUncountable(rates: readonly ExchangeRate[]): void {
  const beyond = rates.find(({ receivingMinor }) => receivingMinor > MAX_AMOUNT_MINOR);
  if (beyond === undefined) return;
  const message = `buys more ${beyond.destinationCurrency} than an amount can say`;
  throw invalidFields([{ field: "sendingAmount", message }], "INVALID_AMOUNT");
}

function wireRate(rate: ExchangeRate) {
  return {
    sourceCurrency: toWireCurrency(rate.sourceCurrency),
    destinationCurrency: toWireCurrency(rate.destinationCurrency),
    destinationPaymentRail: rate.destinationPaymentRail,
    sendingAmount: printAmount(rate.sendingMinor),
    minSendingAmount: rate.minSendingAmount,
    maxSendingAmount: rate.maxSendingAmount,
    receivingAmount: printAmount(rate.receivingMinor),
    exchangeRate: rate.exchangeRate,
    fees: { fixed: printAmount(rate.fixedFeeMinor), total: printAmount(rate.totalFeeMinor) },
  };
}
