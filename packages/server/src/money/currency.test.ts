import { describe, expect, it } from "vitest";
import { Bug } from "../std/assert.ts";
import {
  connectionCurrencies,
  currencies,
  findConnectionCurrency,
  findCurrency,
  getCurrency,
  isConnectionCurrency,
  isCurrencyCode,
  toWireCurrency,
} from "./currency.ts";

const withDecimals = (decimals: number) =>
  currencies
    .filter((each) => each.kind === "fiat" && each.decimals === decimals)
    .map((each) => each.code)
    .sort()
    .join(" ");

describe("the currency catalogue", () => {
  it("has each code once, in upper case, with a name and a symbol", () => {
    expect(new Set(currencies.map((each) => each.code)).size).toBe(currencies.length);
    for (const { code, name, symbol } of currencies) {
      expect(code).toMatch(/^[A-Z]{3,4}$/);
      expect(name).not.toBe("");
      expect(symbol).not.toBe("");
    }
  });

  it("has the decimals of ISO 4217", () => {
    expect(withDecimals(0)).toBe("BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF");
    expect(withDecimals(3)).toBe("BHD IQD JOD KWD LYD OMR TND");
    expect(currencies.filter((each) => ![0, 2, 3].includes(each.decimals))).toEqual(
      currencies.filter((each) => each.kind === "crypto"),
    );
  });

  it("gives bitcoin eight decimals and the dollar tokens six", () => {
    expect(
      currencies.filter((each) => each.kind === "crypto").map((each) => [each.code, each.decimals]),
    ).toEqual([
      ["BTC", 8],
      ["USDB", 6],
      ["USDC", 6],
      ["USDT", 6],
    ]);
  });

  it("finds by the exact code only", () => {
    expect(findCurrency("EUR")?.name).toBe("Euro");
    for (const text of ["eur", "EU", "EURO", "", "__proto__", "constructor", "XXX"]) {
      expect(isCurrencyCode(text)).toBe(false);
      expect(isConnectionCurrency(text)).toBe(false);
      expect(findCurrency(text)).toBeUndefined();
      expect(findConnectionCurrency(text)).toBeUndefined();
      expect(() => getCurrency(text)).toThrow(Bug);
      expect(() => toWireCurrency(text)).toThrow(Bug);
    }
  });

  it("gives connections each of them, and millisatoshis, which nobody else can have", () => {
    for (const { code } of currencies) expect(isConnectionCurrency(code)).toBe(true);
    const alone = connectionCurrencies.filter(({ code }) => !isCurrencyCode(code));
    expect(alone.map(({ code, decimals, kind }) => [code, decimals, kind])).toEqual([
      ["MSAT", 0, "crypto"],
    ]);
    expect(isConnectionCurrency("MSAT")).toBe(true);
    expect(findCurrency("MSAT")).toBeUndefined();
    expect(findConnectionCurrency("MSAT")).toBe(getCurrency("MSAT"));
    expect(toWireCurrency("MSAT")).toEqual({
      code: "MSAT",
      name: "Millisatoshi",
      symbol: "msat",
      decimals: 0,
    });
  });

  it("has one frozen wire form per currency, without internal members", () => {
    expect(toWireCurrency("BTC")).toEqual({
      code: "BTC",
      name: "Bitcoin",
      symbol: "₿",
      decimals: 8,
    });
    expect(toWireCurrency("BTC")).toBe(toWireCurrency("BTC"));
    expect(Object.isFrozen(toWireCurrency("BTC"))).toBe(true);
  });
});
