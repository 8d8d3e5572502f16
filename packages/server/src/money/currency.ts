import { present } from "../std/assert.ts";
import { type CurrencyRow, connectionCurrencyRows, currencyRows } from "./currency-rows.ts";

export type CurrencyKind = "fiat" | "crypto";

export interface Currency {
  readonly code: string;
  readonly name: string;
  readonly symbol: string;
  /** Digits of the smallest unit: 100 with 2 decimals is one whole unit. */
  readonly decimals: number;
  readonly kind: CurrencyKind;
}

/** A currency in responses and events. A type, not an interface, so that it is assignable to `Json`. */
export type WireCurrency = {
  readonly code: string;
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
};

/** All currencies that platforms, customers, accounts and quotes can have, including those without a rate or a rail. */
export const currencies: readonly Currency[] = currencyRows.map(toCurrency);

/** The same, and those that rail connections alone can have, with their routes, orders, entries and books. */
export const connectionCurrencies: readonly Currency[] = [
  ...currencies,
  ...connectionCurrencyRows.map(toCurrency),
];

function toCurrency([code, decimals, symbol, name, kind]: CurrencyRow): Currency {
  return Object.freeze<Currency>({ code, name, symbol, decimals, kind: kind ?? "fiat" });
}

const platformByCode: ReadonlyMap<string, Currency> = new Map(
  currencies.map((each) => [each.code, each]),
);

const byCode: ReadonlyMap<string, Currency> = new Map(
  connectionCurrencies.map((each) => [each.code, each]),
);

const wireByCode: ReadonlyMap<string, WireCurrency> = new Map(
  connectionCurrencies.map(({ code, name, symbol, decimals }) => [
    code,
    Object.freeze({ code, name, symbol, decimals }),
  ]),
);

/** Codes are upper case; `usd` is not a currency. A currency of connections alone is none here. */
export function isCurrencyCode(text: string): boolean {
  return platformByCode.has(text);
}

/** Whether a rail connection can have the currency. */
export function isConnectionCurrency(text: string): boolean {
  return byCode.has(text);
}

export function findCurrency(code: string): Currency | undefined {
  return platformByCode.get(code);
}

export function findConnectionCurrency(code: string): Currency | undefined {
  return byCode.get(code);
}

/** A currency that was judged before, or is stored; of connections too. */
export function getCurrency(code: string): Currency {
  return present(byCode.get(code), `currency ${code}`);
}

export function toWireCurrency(code: string): WireCurrency {
  return present(wireByCode.get(code), `currency ${code}`);
}
