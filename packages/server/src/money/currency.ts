import { present } from "../std/assert.ts";
import { currencyRows } from "./currency-rows.ts";

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

/** All currencies of amounts, including those without a rate or a rail. */
export const currencies: readonly Currency[] = currencyRows.map(
  ([code, decimals, symbol, name, kind]) =>
    Object.freeze<Currency>({ code, name, symbol, decimals, kind: kind ?? "fiat" }),
);

const byCode: ReadonlyMap<string, Currency> = new Map(currencies.map((each) => [each.code, each]));

const wireByCode: ReadonlyMap<string, WireCurrency> = new Map(
  currencies.map(({ code, name, symbol, decimals }) => [
    code,
    Object.freeze({ code, name, symbol, decimals }),
  ]),
);

/** Codes are upper case; `usd` is not a currency. */
export function isCurrencyCode(text: string): boolean {
  return byCode.has(text);
}

export function findCurrency(code: string): Currency | undefined {
  return byCode.get(code);
}

export function getCurrency(code: string): Currency {
  return present(byCode.get(code), `currency ${code}`);
}

export function toWireCurrency(code: string): WireCurrency {
  return present(wireByCode.get(code), `currency ${code}`);
}
