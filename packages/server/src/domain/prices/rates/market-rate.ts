/**
 * The rate of a pair of currencies from the sources of a platform, as an exact fraction. A source has a pair directly, in either direction,
 * or through the first pivot for which it has both rates; the age is then that of the older rate. Nothing is rounded here.
 */
import {
  compareRatios,
  invert,
  multiply,
  type Ratio,
  ratio,
  ratioFromDecimal,
} from "../../../money/ratio.ts";
import { mulDiv } from "../../../money/rounding.ts";
import { findSpread } from "../price-rules/find-rule.ts";
import type { SpreadRule } from "../price-rules/price-rules.ts";
import { byPriority, type RateSource, type SourceRate } from "../rate-sources/rate-source.ts";

export interface PairRate {
  /** Units of the quote currency for one unit of the base currency. */
  readonly rate: Ratio;
  readonly asOf: number;
}

interface Pair {
  readonly base: string;
  readonly quote: string;
}

/** A source with its rates by pair. */
export interface OpenSource {
  readonly source: RateSource;
  readonly rates: ReadonlyMap<string, SourceRate>;
}

/** The sources in the order in which they are asked. */
export function openSources(sources: readonly RateSource[]): readonly OpenSource[] {
  return byPriority(sources).map((source) => ({
    source,
    rates: new Map(source.rates.map((rate) => [pairKey(rate), rate])),
  }));
}

function pairKey({ base, quote }: Pair): string {
  return `${base} ${quote}`;
}

/** Undefined when the source does not have the pair. */
export function rateIn(
  { source: { pivots }, rates }: OpenSource,
  { base, quote }: Pair,
): PairRate | undefined {
  const own = ownRate(rates, { base, quote });
  if (own !== undefined) return own;
  for (const pivot of pivots) {
    const first = ownRate(rates, { base, quote: pivot });
    const second = ownRate(rates, { base: pivot, quote });
    if (first === undefined || second === undefined) continue;
    return {
      rate: multiply(first.rate, second.rate),
      asOf: Math.min(first.asOf, second.asOf),
    };
  }
  return undefined;
}

function ownRate(
  rates: ReadonlyMap<string, SourceRate>,
  { base, quote }: Pair,
): PairRate | undefined {
  const direct = rates.get(pairKey({ base, quote }));
  if (direct !== undefined) return pairRate(direct, ratioFromDecimal(direct.rate));
  const inverse = rates.get(pairKey({ base: quote, quote: base }));
  return inverse && pairRate(inverse, invert(ratioFromDecimal(inverse.rate)));
}

function pairRate({ asOf }: SourceRate, rate: Ratio): PairRate {
  return { rate, asOf: Date.parse(asOf) };
}

export interface MarketFacts {
  readonly sources: readonly OpenSource[];
  readonly spreads: readonly SpreadRule[];
  /** Platform time. */
  readonly at: number;
}

export type MarketRate =
  | {
      readonly kind: "found";
      readonly source: RateSource;
      /** Sending units for a receiving unit. */
      readonly mid: Ratio;
      readonly asOf: number;
      readonly spreadBps: number;
    }
  /** The source has the pair, but its rate is too old; or the source was never read. */
  | { readonly kind: "stale"; readonly source: RateSource; readonly asOf: number | null }
  /** The source's rates are for information only, and the platform has set no spread for this pair. */
  | { readonly kind: "no-spread"; readonly source: RateSource }
  | { readonly kind: "none" };

const MINUTE_MS = 60_000;

/**
 * The rate of the first source, by priority, that has the pair and is not too old; otherwise the reason of the first source that has the
 * pair.
 */
export function marketRate(
  { from, to }: { readonly from: string; readonly to: string },
  { sources, spreads, at }: MarketFacts,
): MarketRate {
  const spread = findSpread(spreads, { from, to });
  let why: MarketRate = { kind: "none" };
  for (const open of sources) {
    const { source } = open;
    const found = judge(source, rateIn(open, { base: to, quote: from }), at);
    if (found.kind === "found" && (spread !== undefined || source.kind !== "ECB")) {
      return { ...found, spreadBps: spread?.bps ?? 0 };
    }
    if (why.kind === "none") why = found.kind === "found" ? { kind: "no-spread", source } : found;
  }
  return why;
}

function judge(source: RateSource, found: PairRate | undefined, at: number): MarketRate {
  if (found === undefined) {
    const isUnread = source.kind !== "FIXED" && source.asOf === null;
    return isUnread ? { kind: "stale", source, asOf: null } : { kind: "none" };
  }
  const { rate: mid, asOf } = found;
  if (!isUsable(mid)) return { kind: "none" };
  if (at - asOf > source.maxAgeMinutes * MINUTE_MS) return { kind: "stale", source, asOf };
  return { kind: "found", source, mid, asOf, spreadBps: 0 };
}

/** No pair of currencies has a rate outside these bounds, and the columns of a quote hold none. */
const LARGEST: Ratio = { numerator: 10n ** 17n, denominator: 1n };
const SMALLEST = invert(LARGEST);

function isUsable(rate: Ratio): boolean {
  return compareRatios(rate, LARGEST) < 0 && compareRatios(rate, SMALLEST) > 0;
}

const TEN_THOUSAND = 10_000n;

/** What the customer pays: the source's rate, worse by the spread. */
export function customerRate(mid: Ratio, spreadBps: number): Ratio {
  return multiply(mid, ratio(TEN_THOUSAND + BigInt(spreadBps), TEN_THOUSAND));
}

const INT8_MAX = 2n ** 63n - 1n;
const SCALE = 10n ** 18n;

/**
 * A rate as the columns of a quote store it, for display: exact, or the nearest value with 17 or more digits when it has too many. Amounts
 * are never computed from it.
 */
export function shownRate(rate: Ratio): Ratio {
  const { numerator, denominator } = rate;
  if (numerator <= INT8_MAX && denominator <= INT8_MAX) return rate;
  if (numerator < denominator) return invert(shownRate(invert(rate)));
  let scale = SCALE;
  while (numerator * scale > SCALE * denominator) scale /= 10n;
  return ratio(mulDiv(numerator, scale, denominator, "half-up"), scale);
}
