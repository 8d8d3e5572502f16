/** Shared schemas, and conversions from values to JSON. */
import Type, { type TSchema } from "typebox";
import { toWireCurrency } from "../money/currency.ts";
import { printAmount } from "../money/money.ts";
import { listedText } from "./value-lists.ts";

export const CurrencySchema = Type.Object(
  {
    code: listedText("CurrencyCode", { description: "ISO 4217 code or ticker, upper case." }),
    name: Type.String(),
    symbol: Type.String(),
    decimals: Type.Integer({ minimum: 0, description: "Digits of the smallest unit." }),
  },
  { $id: "Currency" },
);

export const CurrencyAmountSchema = Type.Object(
  {
    amount: Type.Integer({ description: "Whole number of the currency's smallest unit." }),
    currency: CurrencySchema,
  },
  { $id: "CurrencyAmount" },
);

export const LedgerAmountSchema = Type.Object(
  {
    amount: Type.String({
      pattern: "^-?[0-9]+$",
      description:
        "Whole number of the currency's smallest unit, as text: sums of the books may be beyond what a JSON number holds.",
    }),
    currency: Type.String({ description: "Currency code." }),
  },
  { $id: "LedgerAmount" },
);

export const CountrySchema = Type.String({ pattern: "^[A-Z]{2}$", format: "iso3166-1-alpha-2" });

/** Text that is not blank. */
export function filledText(
  maxLength: number,
  more: { readonly description?: string; readonly examples?: readonly string[] } = {},
) {
  return Type.String({ minLength: 1, maxLength, pattern: "\\S", ...more });
}

export const AddressSchema = Type.Object(
  {
    line1: filledText(255),
    line2: Type.Optional(Type.String({ maxLength: 255 })),
    city: Type.Optional(Type.String({ maxLength: 255 })),
    state: Type.Optional(Type.String({ maxLength: 255 })),
    postalCode: filledText(32),
    country: CountrySchema,
  },
  { $id: "Address" },
);

export const DateTimeSchema = Type.String({ format: "date-time" });

/** A query parameter that is a date-time; a wrong one is INVALID_INPUT. */
export const dateTimeParameter = (description: string) =>
  Type.Optional(Type.String({ format: "date-time", description }));

/** A query parameter that is a country; a code that is not in ISO 3166-1 is INVALID_INPUT. */
export const countryParameter = (description: string) =>
  Type.Optional(
    Type.String({
      pattern: "^[A-Z]{2}$",
      format: "iso3166-1-alpha-2",
      description,
      examples: ["US"],
    }),
  );

/** A query parameter that is a currency's code, in capitals. */
export const currencyCodeParameter = (description: string) =>
  Type.Optional(
    listedText("CurrencyCode", { pattern: "^[A-Z0-9]{3,10}$", description, examples: ["USD"] }),
  );

/** A currency's code in a body. One that does not exist is refused by the operation, with INVALID_CURRENCY. */
export const currencyField = (
  options: { readonly description?: string; readonly examples?: readonly string[] } = {},
) => listedText("CurrencyCode", { minLength: 1, maxLength: 16, ...options });

/** The envelope of a list. */
export function listOf(item: TSchema) {
  return Type.Object({
    data: Type.Array(item),
    hasMore: Type.Boolean(),
    nextCursor: Type.Optional(Type.String({ description: "Present when there is more." })),
    totalCount: Type.Optional(Type.Integer({ minimum: 0 })),
  });
}

export function wireAmount(minor: bigint, currency: string) {
  return { amount: printAmount(minor), currency: toWireCurrency(currency) };
}

const currencyTexts = new Map<string, string>();

/** The JSON of a `CurrencyAmount`. */
export function amountJson(minor: bigint, currency: string): string {
  let text = currencyTexts.get(currency);
  if (text === undefined) {
    text = JSON.stringify(toWireCurrency(currency));
    currencyTexts.set(currency, text);
  }
  return `{"amount":${printAmount(minor)},"currency":${text}}`;
}

/** A `LedgerAmount`. */
export const ledgerAmount = (minor: bigint, currency: string) => ({
  amount: String(minor),
  currency,
});

/** The smallest units of an amount in a body; null for none. */
export function optionalMinor(amount: number | null | undefined): bigint | null {
  return amount === null || amount === undefined ? null : BigInt(amount);
}

/** Leaves a member out when it is null. */
export function optional<Key extends string, Value>(
  key: Key,
  value: Value | null,
): { [K in Key]?: Value } {
  return value === null ? {} : ({ [key]: value } as { [K in Key]?: Value });
}

/** A display name, which is not blank. */
export const nameField = filledText(255);

/** A phone number in a request; `plainPhoneNumber` makes the stored one of it. */
export const phoneField = Type.String({
  pattern: "^[ -]*\\+[ -]*[1-9](?:[ -]*\\d){1,14}[ -]*$",
  format: "e.164",
  description: "With its country code. Spaces and hyphens are taken, and stored without.",
});
