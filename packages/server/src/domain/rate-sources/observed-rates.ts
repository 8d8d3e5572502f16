/**
 * Which values of a document become the rates of a source. All arithmetic is exact: a value is read from its digits and never goes
 * through a floating-point number.
 */
import { ratioFromDecimal } from "../../money/ratio.ts";
import type { RefusedRate, RefusedReason, SourceRate } from "./rate-source.ts";

/** A value as the document has it; undefined when it is not there. */
export interface ObservedValue {
  readonly base: string;
  readonly quote: string;
  readonly value: string | undefined;
}

const NUMBER = /^([0-9]{1,64})(?:\.([0-9]{1,64}))?(?:[eE]([+-]?[0-9]{1,3}))?$/;
const MOST_DIGITS = 30;
/** Of a number below one; of a number above one as many zeros may follow its digits. */
const MOST_DECIMALS = 60;
const MOST_ZEROS = 30;

/**
 * A number above zero as a plain decimal without an exponent; undefined for any other text, for more than 30 significant digits, and for
 * numbers so large or so small that no currency has such a rate.
 */
export function plainRate(text: string): string | undefined {
  const [, whole, fraction = "", exponent = "0"] = NUMBER.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const digits = `${whole}${fraction}`.replace(/^0+/, "");
  const decimals = fraction.length - Number(exponent);
  if (digits === "" || significantOf(digits) > MOST_DIGITS) return undefined;
  if (decimals > MOST_DECIMALS || decimals < -MOST_ZEROS) return undefined;
  if (decimals <= 0) return `${digits}${"0".repeat(-decimals)}`;
  const padded = digits.padStart(decimals + 1, "0");
  return `${padded.slice(0, -decimals)}.${padded.slice(-decimals)}`;
}

/** Zeros at the end say nothing new. */
function significantOf(digits: string): number {
  let length = digits.length;
  while (digits[length - 1] === "0") length -= 1;
  return length;
}

export interface TakenRates {
  readonly rates: readonly SourceRate[];
  readonly refused: readonly RefusedRate[];
}

/**
 * The rates after a document: its sound values, and for each value that is not taken the rate before it, which keeps its time. A pair
 * that the document is not about is not in use any more.
 */
export function takeRates(
  before: readonly SourceRate[],
  values: readonly ObservedValue[],
  rule: { readonly asOf: string; readonly maxMovePercent: number | null },
): TakenRates {
  const rates: SourceRate[] = [];
  const refused: RefusedRate[] = [];
  for (const { base, quote, value } of values) {
    const last = before.find((rate) => rate.base === base && rate.quote === quote);
    const rate = value === undefined ? undefined : plainRate(value);
    const reason = refusedFor({ value, rate, last: last?.rate }, rule.maxMovePercent);
    if (rate !== undefined && reason === undefined) {
      rates.push({ base, quote, rate, asOf: rule.asOf });
      continue;
    }
    if (last !== undefined) rates.push(last);
    const shown = value === undefined ? {} : { value: value.slice(0, MOST_SHOWN) };
    refused.push({ base, quote, ...shown, reason: reason ?? "NOT_A_RATE" });
  }
  return { rates, refused };
}

const MOST_SHOWN = 64;

function refusedFor(
  found: {
    readonly value: string | undefined;
    readonly rate: string | undefined;
    readonly last: string | undefined;
  },
  maxMovePercent: number | null,
): RefusedReason | undefined {
  if (found.value === undefined) return "MISSING";
  if (found.rate === undefined) return "NOT_A_RATE";
  if (found.last === undefined || maxMovePercent === null) return undefined;
  return hasMoved(found.last, found.rate, maxMovePercent) ? "MOVED" : undefined;
}

/** Whether the second of two plain decimals is more than so many hundredths of the first away from it. */
export function hasMoved(from: string, to: string, percent: number): boolean {
  const old = ratioFromDecimal(from);
  const now = ratioFromDecimal(to);
  const was = old.numerator * now.denominator;
  const moved = now.numerator * old.denominator - was;
  return (moved < 0n ? -moved : moved) * 100n > BigInt(percent) * was;
}
