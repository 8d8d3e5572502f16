/**
 * The answers of `GET /exchange-rates`, cached as encoded bytes.
 *
 * An answer depends on the currencies that the platform sends and their limits, on the requested destinations and
 * amount, and on `updatedAt`. These values are the cache key, so a changed setting or a new rate period is a miss, and
 * no entry becomes stale. Platforms with equal settings share an entry, which holds no data of theirs.
 *
 * Bounds: `cacheBytes` of keys and answers, evicted by least recent use; `rate` computed rows per platform and second
 * (a hit is free). A miss beyond that is RATE_LIMITED. A caller that varies the amount therefore uses a fixed share of
 * the thread. The cache is lost with the process, which computes the answers again.
 */

import {
  type MarketListFacts,
  marketCurrencies,
  marketList,
} from "../../../domain/payments/quotes/market/market-list.ts";
import type { Platform } from "../../../domain/platform.ts";
import {
  countRows,
  type ExchangeRate,
  offersOf,
  priceOffer,
  type SentCurrency,
  sentCurrencies,
} from "../../../domain/prices/rates/exchange-rates.ts";
import { invalidFields } from "../../../engine/refusal.ts";
import { toWireCurrency } from "../../../money/currency.ts";
import { MAX_AMOUNT_MINOR, printAmount } from "../../../money/money.ts";
import { type Clock, toIso } from "../../../std/clock.ts";
import { rateLimited } from "../../server/errors.ts";
import { createRateLimiter, type Rate } from "../../server/rate-limit.ts";

export interface PriceLists {
  /** The encoded body. Throws INVALID_AMOUNT or RATE_LIMITED. */
  bodyOf(platform: Pick<Platform, "id" | "supportedCurrencies">, wanted: PriceListWanted): Buffer;
  /** The body for a production platform, from its own rates; not cached. */
  marketBodyOf(
    platform: Pick<Platform, "id" | "supportedCurrencies">,
    wanted: PriceListWanted,
    facts: MarketListFacts,
  ): Buffer;
}

export interface PriceListWanted {
  readonly sourceCurrency: string | undefined;
  /** All destinations when empty. */
  readonly destinationCurrencies: readonly string[];
  readonly sendingMinor: bigint;
  readonly updatedAt: number;
}

interface PriceListLimits {
  readonly cacheBytes: number;
  /** The rate of computed rows, per platform. */
  readonly rate: Rate;
  readonly rateKeys: number;
}

/** A row takes 1.5 microseconds, so the rate allows 45 ms of the thread per second. The longest list has 4,141 rows. */
export const defaultPriceListLimits: PriceListLimits = {
  cacheBytes: 16 * 1024 * 1024,
  rate: { perSecond: 30_000, burst: 60_000 },
  rateKeys: 10_000,
};

/** The cost, in rows of the sandbox's list, of a pair whose rate is looked up in all sources. The longest burst is 6,000 pairs. */
const ROWS_A_MARKET_PAIR = 10;

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
      refuseUncountable(rates);
      const body = toBody(rates, toIso(wanted.updatedAt));
      cache.put(key, body);
      return body;
    },
    marketBodyOf(platform, wanted, facts) {
      const sent = sentCurrencies(platform, wanted.sourceCurrency);
      const known = marketCurrencies(facts.sources);
      const named = new Set(wanted.destinationCurrencies);
      const destinations = known.filter((code) => named.size === 0 || named.has(code));
      const pairs = sent.length * destinations.length;
      const seconds = limiter.take(platform.id, pairs * ROWS_A_MARKET_PAIR);
      if (seconds > 0) throw rateLimited(seconds);
      const { sendingMinor } = wanted;
      const rates = marketList(sent, destinations, { facts, sendingMinor });
      refuseUncountable(rates);
      return toBody(rates, toIso(wanted.updatedAt));
    },
  };
}

/** Every input of the answer except the price table. */
function keyOf(
  sources: readonly SentCurrency[],
  { destinationCurrencies, sendingMinor, updatedAt }: PriceListWanted,
): string {
  const limits = sources.map((source) => Object.values(source));
  const destinations = [...new Set(destinationCurrencies)].sort();
  return JSON.stringify([limits, destinations, String(sendingMinor), updatedAt]);
}

/** Refuses an amount that converts to more than the largest amount of a currency. */
function refuseUncountable(rates: readonly ExchangeRate[]): void {
  const beyond = rates.find(({ receivingMinor }) => receivingMinor > MAX_AMOUNT_MINOR);
  if (beyond === undefined) return;
  const message = `buys more ${beyond.destinationCurrency} than an amount can say`;
  throw invalidFields([{ field: "sendingAmount", message }], "INVALID_AMOUNT");
}

/**
 * The text has one character per byte. A symbol such as € would make it a two-byte string, which takes twice as long to
 * join and to encode.
 */
function toBody(rates: readonly ExchangeRate[], updatedAt: string): Buffer {
  const rows = rates.flatMap((rate) => rowsOf(rate, updatedAt));
  const text = `{"data":[${rows.join(",")}]}`;
  // Allocated outside Node's pool: a short pooled buffer would keep 8 kB alive while it is cached.
  const bytes = Buffer.allocUnsafeSlow(text.length);
  bytes.write(text, "latin1");
  return bytes;
}

/** One row per rail. It is formatted by hand, because a list has thousands of rows and most of each row is constant. */
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

/** Currencies as UTF-8 JSON, one character per byte. At most one entry per currency. */
const currencyTexts = new Map<string, string>();

function currencyBytes(code: string): string {
  const known = currencyTexts.get(code);
  if (known !== undefined) return known;
  const text = Buffer.from(JSON.stringify(toWireCurrency(code))).toString("latin1");
  currencyTexts.set(code, text);
  return text;
}

/** Encoded answers by key, evicted by least recent use. */
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

/** Includes the overhead of an entry, so that many small entries are bounded too. */
function sizeOf(key: string, value: Buffer): number {
  return key.length + value.length + ENTRY_BYTES;
}

const ENTRY_BYTES = 256;
