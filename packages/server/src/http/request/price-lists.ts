/**
 * The answers of `GET /exchange-rates`, as ready bytes.
 *
 * An answer depends on the currencies that the platform sends and their limits, on the destinations and the amount that were
 * asked for, and on `updatedAt`. Those values are the cache key, so a changed setting or a new rate period is a miss and no
 * entry is ever stale. Equal settings of two platforms share an entry; it holds nothing of either.
 *
 * Bounds: `cacheBytes` of keys and answers, least recently used first out; `rate` rows that one platform may have computed
 * per second (a hit is free), beyond which a miss is RATE_LIMITED. So a caller that asks for another amount each time costs
 * a fixed share of the thread. Lost with the process, which then computes again.
 */

import type { Platform } from "../../domain/platforms/platform.ts";
import {
  countRows,
  type ExchangeRate,
  offersOf,
  priceOffer,
  type SentCurrency,
  sentCurrencies,
} from "../../domain/rates/exchange-rates.ts";
import { invalidFields } from "../../engine/refusal.ts";
import { toWireCurrency } from "../../money/currency.ts";
import { MAX_AMOUNT_MINOR, printAmount } from "../../money/money.ts";
import { type Clock, toIso } from "../../std/clock.ts";
import { rateLimited } from "../server/errors.ts";
import { createRateLimiter, type Rate } from "../server/rate-limit.ts";

export interface PriceLists {
  /** The body of the answer. Throws INVALID_AMOUNT or RATE_LIMITED. */
  bodyOf(platform: Pick<Platform, "id" | "supportedCurrencies">, wanted: PriceListWanted): Buffer;
}

export interface PriceListWanted {
  readonly sourceCurrency: string | undefined;
  /** Every one when empty. */
  readonly destinationCurrencies: readonly string[];
  readonly sendingMinor: bigint;
  readonly updatedAt: number;
}

export interface PriceListLimits {
  readonly cacheBytes: number;
  /** Of computed rows, per platform. */
  readonly rate: Rate;
  readonly rateKeys: number;
}

/** A row takes 1.5 microseconds: 45 ms of the thread per second. The longest list has 4,141 rows. */
export const defaultPriceListLimits: PriceListLimits = {
  cacheBytes: 16 * 1024 * 1024,
  rate: { perSecond: 30_000, burst: 60_000 },
  rateKeys: 10_000,
};

export function createPriceLists(options: {
  readonly clock: Clock;
  readonly limits?: Partial<PriceListLimits>;
}): PriceLists {
  const { cacheBytes, rate, rateKeys } = { ...defaultPriceListLimits, ...options.limits };
  const limiter = createRateLimiter({ clock: options.clock, rate, maxKeys: rateKeys });
  const cache = createByteCache(cacheBytes);
  return {
    bodyOf(platform, wanted) {
      const sources = sentCurrencies(platform, wanted.sourceCurrency);
      const key = keyOf(sources, wanted);
      const known = cache.get(key);
      if (known !== undefined) return known;
      const offers = offersOf(sources, wanted.destinationCurrencies);
      const seconds = limiter.take(platform.id, countRows(offers));
      if (seconds > 0) throw rateLimited(seconds);
      const rates = offers.map((offer) => priceOffer(offer, wanted.sendingMinor));
      refuseUnsettleableTransfer(rates);
      const body = toBody(rates, toIso(wanted.updatedAt));
      cache.put(key, body);
      return body;
    },
  };
}

/** Everything that the answer depends on, besides the price table. */
function keyOf(
  sources: readonly SentCurrency[],
  { destinationCurrencies, sendingMinor, updatedAt }: PriceListWanted,
): string {
  const limits = sources.map((source) => Object.values(source));
  const destinations = [...new Set(destinationCurrencies)].sort();
  return JSON.stringify([limits, destinations, String(sendingMinor), updatedAt]);
}

/** An amount so large that it buys more of a currency than any amount may be. */
function refuseUnsettleableTransfer(rates: readonly ExchangeRate[]): void {
  const beyond = rates.find(({ receivingMinor }) => receivingMinor > MAX_AMOUNT_MINOR);
  if (beyond === undefined) return;
  const message = `buys more ${beyond.destinationCurrency} than an amount can say`;
  throw invalidFields([{ field: "sendingAmount", message }], "INVALID_AMOUNT");
}

/**
 * The text is put together from one character per byte. Symbols such as € would make it a two-byte string, which takes
 * twice as long to join and to encode.
 */
function toBody(rates: readonly ExchangeRate[], updatedAt: string): Buffer {
  const rows = rates.flatMap((rate) => rowsOf(rate, updatedAt));
  const text = `{"data":[${rows.join(",")}]}`;
  // Memory of its own: a short buffer out of Node's pool would keep 8 kB alive for as long as it is cached.
  const bytes = Buffer.allocUnsafeSlow(text.length);
  bytes.write(text, "latin1");
  return bytes;
}

/** A row for each rail; written by hand, because a list has thousands and most of each row is constant. */
function rowsOf(rate: ExchangeRate, updatedAt: string): readonly string[] {
  const source = currencyBytes(rate.sourceCurrency);
  const destination = currencyBytes(rate.destinationCurrency);
  const head = `{"sourceCurrency":${source},"destinationCurrency":${destination}`;
  const amounts =
    `"sendingAmount":${printAmount(rate.sendingMinor)}` +
    `,"minSendingAmount":${rate.minSendingAmount},"maxSendingAmount":${rate.maxSendingAmount}` +
    `,"receivingAmount":${printAmount(rate.receivingMinor)},"exchangeRate":${rate.exchangeRate}` +
    `,"fees":{"fixed":${printAmount(rate.fixedFeeMinor)},"total":${printAmount(rate.totalFeeMinor)}}`;
  return rate.destinationPaymentRails.map(
    (rail) => `${head},"destinationPaymentRail":"${rail}",${amounts},"updatedAt":"${updatedAt}"}`,
  );
}

/** A currency as its JSON in UTF-8, one character per byte. At most one entry per currency. */
const currencyTexts = new Map<string, string>();

function currencyBytes(code: string): string {
  const known = currencyTexts.get(code);
  if (known !== undefined) return known;
  const text = Buffer.from(JSON.stringify(toWireCurrency(code))).toString("latin1");
  currencyTexts.set(code, text);
  return text;
}

/** Ready bytes by key, least recently used first out. */
function createByteCache(maxBytes: number) {
  const entries = new Map<string, Buffer>();
  let bytes = 0;

  function drop(key: string, value: Buffer): void {
    entries.delete(key);
    bytes -= sizeOf(key, value);
  }

  return {
    get(key: string): Buffer | undefined {
      const value = entries.get(key);
      if (value === undefined) return undefined;
      entries.delete(key);
      entries.set(key, value);
      return value;
    },
    put(key: string, value: Buffer): void {
      entries.set(key, value);
      bytes += sizeOf(key, value);
      for (const [oldest, stored] of entries) {
        if (bytes <= maxBytes) break;
        drop(oldest, stored);
      }
    },
  };
}

/** With what an entry takes beside its bytes, so that small entries are bounded too. */
function sizeOf(key: string, value: Buffer): number {
  return key.length + value.length + ENTRY_BYTES;
}

const ENTRY_BYTES = 256;
