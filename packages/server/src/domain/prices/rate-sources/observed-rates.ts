/**
 * Which values of a document become the rates of a source. All arithmetic is exact: a value is read from its digits and never goes
 * through a floating-point number.
 */
import { ratioFromDecimal } from "../../../money/ratio.ts";
import { dayOf } from "../../../std/clock.ts";
import type { RateDay, RefusedRate, RefusedReason, SourceRate } from "./rate-source.ts";

/** A value as the document has it; undefined when it is not there. */
export interface ObservedValue {
  readonly base: string;
  readonly quote: string;
  readonly value: string | undefined;
}

const NUMBER = /^([0-9]{1,64})(?:\.([0-9]{1,64}))?(?:[eE]([+-]?[0-9]{1,3}))?$/;
const MOST_DIGITS = 30;
/** The most decimal places of a rate; the digits of a large rate may be followed by up to `MOST_ZEROS` zeros. */
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

/** The number of significant digits: trailing zeros do not count. */
function significantOf(digits: string): number {
  let length = digits.length;
  while (digits[length - 1] === "0") length -= 1;
  return length;
}

export interface TakenRates {
  readonly rates: readonly SourceRate[];
  readonly refused: readonly RefusedRate[];
}

export interface MoveRule {
  readonly asOf: string;
  /** `YYYY-MM-DD` of the platform, in UTC. */
  readonly day: string;
  readonly maxMovePercent: number | null;
}

/**
 * The rates after a document: its valid values, and for each refused value the previous rate with its old time. A pair that `values` does
 * not name is dropped.
 */
export function takeRates(
  before: readonly SourceRate[],
  values: readonly ObservedValue[],
  rule: MoveRule,
): TakenRates {
  const rates: SourceRate[] = [];
  const refused: RefusedRate[] = [];
  for (const { base, quote, value } of values) {
    const last = before.find((rate) => rate.base === base && rate.quote === quote);
    const rate = value === undefined ? undefined : plainRate(value);
    const reason = refusedFor({ value, rate, last }, rule);
    if (rate !== undefined && reason === undefined) {
      rates.push({ base, quote, rate, asOf: rule.asOf, day: dayAfter(last, rate, rule) });
      continue;
    }
    if (last !== undefined) rates.push(last);
    const shown = value === undefined ? {} : { value: value.slice(0, MOST_SHOWN) };
    refused.push({ base, quote, ...shown, reason: reason ?? "NOT_A_RATE" });
  }
  return { rates, refused };
}

const MOST_SHOWN = 64;
const DAY_MS = 86_400_000;

function nextDay(day: string): string {
  return dayOf(Date.parse(day) + DAY_MS);
}

function refusedFor(
  found: {
    readonly value: string | undefined;
    readonly rate: string | undefined;
    readonly last: SourceRate | undefined;
  },
  { day, maxMovePercent }: MoveRule,
): RefusedReason | undefined {
  const { value, rate, last } = found;
  if (value === undefined) return "MISSING";
  if (rate === undefined) return "NOT_A_RATE";
  if (last === undefined || maxMovePercent === null) return undefined;
  const { open, openBefore } = opensOn(day, last);
  const bounds = [last.rate, open, openBefore];
  return bounds.some((from) => hasMoved(from, rate, maxMovePercent)) ? "MOVED" : undefined;
}

/** The rate at the start of a day and of the day before. On the first day of a rate, its first value counts as the start. */
function opensOn(day: string, { rate, day: known }: SourceRate): Omit<RateDay, "on"> {
  if (known === undefined) return { open: rate, openBefore: rate };
  const { on, open, openBefore } = known;
  if (on === day) return { open, openBefore };
  // A day without a new rate began and ended with the last one.
  return { open: rate, openBefore: nextDay(on) === day ? open : rate };
}

/** Without a bound on moves or a previous rate, the new value becomes the opening rate. */
function dayAfter(
  last: SourceRate | undefined,
  rate: string,
  { day, maxMovePercent }: MoveRule,
): RateDay {
  const isNew = last === undefined || maxMovePercent === null;
  return { on: day, ...(isNew ? { open: rate, openBefore: rate } : opensOn(day, last)) };
}

/** Whether the decimal `to` differs from `from` by more than `percent` percent of `from`. */
export function hasMoved(from: string, to: string, percent: number): boolean {
  const old = ratioFromDecimal(from);
  const now = ratioFromDecimal(to);
  const was = old.numerator * now.denominator;
  const moved = now.numerator * old.denominator - was;
  return (moved < 0n ? -moved : moved) * 100n > BigInt(percent) * was;
}
