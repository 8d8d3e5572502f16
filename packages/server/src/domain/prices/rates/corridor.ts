/** A corridor: the rate and the fees from one currency into another. */
import { getCurrency } from "../../../money/currency.ts";
import { invert, multiply, type Ratio, ratio } from "../../../money/ratio.ts";
import type { FeeRule } from "../price-rules/price-rules.ts";
import { findPrice, variableFeeMillionths } from "./sandbox-rates.ts";

export interface Corridor {
  readonly sendingCurrency: string;
  readonly receivingCurrency: string;
  /** Whole sending units for one whole receiving unit, before fees. */
  readonly rate: Ratio;
  /** The same rate between smallest units, which prices are computed with. */
  readonly smallestUnitRate: Ratio;
  readonly fixedFeeMinor: bigint;
  readonly variableFeeMillionths: bigint;
  /** Bounds of the variable fee; absent in a sandbox. */
  readonly leastVariableFeeMinor?: bigint;
  readonly mostVariableFeeMinor?: bigint;
  /** The fee on the payout side, in the receiving currency. */
  readonly counterpartyFeeMinor: bigint;
}

/**
 * Corridors by sending and receiving currency. The price table is constant, so each corridor is computed once per process.
 * Only pairs of priced currencies are kept: at most 42 × 42.
 */
const corridors = new Map<string, Corridor>();

/** Undefined when one of the currencies has no price. */
export function corridorBetween(
  sendingCurrency: string,
  receivingCurrency: string,
): Corridor | undefined {
  const pair = `${sendingCurrency} ${receivingCurrency}`;
  const known = corridors.get(pair);
  if (known !== undefined) return known;
  const corridor = computeCorridor(sendingCurrency, receivingCurrency);
  if (corridor !== undefined) corridors.set(pair, corridor);
  return corridor;
}

function computeCorridor(sendingCurrency: string, receivingCurrency: string): Corridor | undefined {
  const from = findPrice(sendingCurrency);
  const to = findPrice(receivingCurrency);
  if (from === undefined || to === undefined) return undefined;
  const rate = multiply(to.dollars, invert(from.dollars));
  return {
    sendingCurrency,
    receivingCurrency,
    rate,
    smallestUnitRate: inSmallestUnits(rate, { sendingCurrency, receivingCurrency }),
    fixedFeeMinor: from.fixedFeeMinor,
    variableFeeMillionths: variableFeeMillionths(sendingCurrency, receivingCurrency),
    counterpartyFeeMinor: to.payoutFeeMinor,
  };
}

/** The corridor at a market rate, before fees. There is no fee on the payout side: the receiver gets exactly the receiving amount. */
export function corridorAt(
  rate: Ratio,
  currencies: { readonly sendingCurrency: string; readonly receivingCurrency: string },
): Corridor {
  return {
    ...currencies,
    rate,
    smallestUnitRate: inSmallestUnits(rate, currencies),
    fixedFeeMinor: 0n,
    variableFeeMillionths: 0n,
    counterpartyFeeMinor: 0n,
  };
}

const MILLIONTHS_PER_BPS = 100n;

/** The same corridor with the fee of a rule; without a rule there is no fee. */
export function withFee(corridor: Corridor, rule: FeeRule | undefined): Corridor {
  if (rule === undefined) return corridor;
  const { fixed, bps, least, most } = rule;
  return {
    ...corridor,
    fixedFeeMinor: BigInt(fixed),
    variableFeeMillionths: BigInt(bps) * MILLIONTHS_PER_BPS,
    ...(least === null ? {} : { leastVariableFeeMinor: BigInt(least) }),
    ...(most === null ? {} : { mostVariableFeeMinor: BigInt(most) }),
  };
}

/** The corridor from a currency into itself, without fees. */
export function corridorWithin(currency: string): Corridor {
  return {
    sendingCurrency: currency,
    receivingCurrency: currency,
    rate: ratio(1n, 1n),
    smallestUnitRate: ratio(1n, 1n),
    fixedFeeMinor: 0n,
    variableFeeMillionths: 0n,
    counterpartyFeeMinor: 0n,
  };
}

/** The same corridor when the payout is internal and has no receiving fee. */
export function withoutCounterparty(corridor: Corridor): Corridor {
  return { ...corridor, counterpartyFeeMinor: 0n };
}

/** Whole sending units for one whole receiving unit; undefined without a price for both. */
export function rateBetween(sendingCurrency: string, receivingCurrency: string): Ratio | undefined {
  return corridorBetween(sendingCurrency, receivingCurrency)?.rate;
}

/** A rate between whole units as one between smallest units. */
export function inSmallestUnits(
  rate: Ratio,
  currencies: { readonly sendingCurrency: string; readonly receivingCurrency: string },
): Ratio {
  const sending = getCurrency(currencies.sendingCurrency).decimals;
  const receiving = getCurrency(currencies.receivingCurrency).decimals;
  return multiply(rate, ratio(10n ** BigInt(sending), 10n ** BigInt(receiving)));
}

/** A rate between smallest units as one between whole units. */
export function inWholeUnits(
  perUnit: Ratio,
  currencies: { readonly sendingCurrency: string; readonly receivingCurrency: string },
): Ratio {
  const sending = getCurrency(currencies.sendingCurrency).decimals;
  const receiving = getCurrency(currencies.receivingCurrency).decimals;
  return multiply(perUnit, ratio(10n ** BigInt(receiving), 10n ** BigInt(sending)));
}

/** Millisatoshis that stand for a dollar cent in rate details. */
const MILLISATOSHIS_PER_CENT = 10_000n;

export interface Multipliers {
  /** Millisatoshis for one smallest sending unit, less the variable fee. */
  readonly service: Ratio;
  /** Smallest receiving units for one millisatoshi. */
  readonly counterparty: Ratio;
}

/** A rate as two multipliers, shown as a hop through bitcoin. Their product is the inverse of the rate, less the variable fee. */
export function multipliersOf(
  corridor: Pick<
    Corridor,
    "sendingCurrency" | "receivingCurrency" | "rate" | "variableFeeMillionths"
  >,
): Multipliers {
  const cents = multiply(
    findPrice(corridor.sendingCurrency)?.dollars ?? ratio(1n, 1n),
    ratio(100n, 10n ** BigInt(getCurrency(corridor.sendingCurrency).decimals)),
  );
  const hop = multiply(cents, ratio(MILLISATOSHIS_PER_CENT, 1n));
  const kept = ratio(MILLION - corridor.variableFeeMillionths, MILLION);
  return {
    service: multiply(hop, kept),
    counterparty: invert(multiply(inSmallestUnits(corridor.rate, corridor), hop)),
  };
}

export const MILLION = 1_000_000n;
