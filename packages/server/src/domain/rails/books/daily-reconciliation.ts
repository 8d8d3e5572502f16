/**
 * The statements of a book day by day, each compared with the entries that are known now. A difference of a statement that the one before
 * did not have began on its day, and is a break; the days after it carry it until a line explains it.
 */
import { dayBeside } from "../../../std/calendar/banking-days.ts";

/** NONE: no statement of the day. CARRIED: it differs by what earlier days left. */
export const dayStates = ["GREEN", "RED", "CARRIED", "NONE"] as const;
export type DayState = (typeof dayStates)[number];

/** The last statement of a day, with the part of the book's sum that it covers. */
export interface DayStatement {
  readonly day: string;
  readonly closingMinor: bigint;
  readonly unexplainedMinor: bigint;
}

/** Money of the day that still waits for a person or for its line. */
export interface DayWaiting {
  readonly day: string;
  readonly items: number;
  readonly untold: number;
}

export interface ReconciledDay {
  readonly day: string;
  readonly state: DayState;
  readonly closingMinor: bigint | null;
  /** What no entry explains at the end of the day. */
  readonly unexplainedMinor: bigint | null;
  /** What of it began on this day; null without a statement. */
  readonly begunMinor: bigint | null;
  readonly items: number;
  readonly untold: number;
}

interface Book {
  /** The last statement before the first day, if there is one. */
  readonly before: DayStatement | undefined;
  /** In the order of their days. */
  readonly statements: readonly DayStatement[];
  readonly waiting: readonly DayWaiting[];
}

/** The days from the first to the last one. */
export function daysOf(first: string, last: string): readonly string[] {
  const days: string[] = [];
  for (let day = first; day <= last; day = dayBeside(day, 1)) days.push(day);
  return days;
}

export function reconciledDays(
  days: readonly string[],
  { before, statements, waiting }: Book,
): readonly ReconciledDay[] {
  const byDay = new Map(statements.map((statement) => [statement.day, statement]));
  const waitingOf = new Map(waiting.map((one) => [one.day, one]));
  let carriedMinor = before?.unexplainedMinor ?? 0n;
  return days.map((day): ReconciledDay => {
    const { items = 0, untold = 0 } = waitingOf.get(day) ?? {};
    const statement = byDay.get(day);
    if (statement === undefined) {
      const absent = { closingMinor: null, unexplainedMinor: null, begunMinor: null };
      return { day, state: "NONE", ...absent, items, untold };
    }
    const { closingMinor, unexplainedMinor } = statement;
    const begunMinor = unexplainedMinor - carriedMinor;
    carriedMinor = unexplainedMinor;
    const state = stateOf(unexplainedMinor, begunMinor);
    return { day, state, closingMinor, unexplainedMinor, begunMinor, items, untold };
  });
}

function stateOf(unexplainedMinor: bigint, begunMinor: bigint): DayState {
  if (unexplainedMinor === 0n) return "GREEN";
  return begunMinor === 0n ? "CARRIED" : "RED";
}

export const explanationKinds = [
  // A line of this amount was booked twice around the day: one of them may be typed twice.
  "BOOKED_TWICE",
  // A line of this amount was booked: taking it away explains the difference.
  "LINE",
  // An order of this amount has no line: the line may be missing.
  "ORDER",
  // A line has the digits of the difference changed: two digits that changed places make a difference that nine divides.
  "DIGITS_SWAPPED",
] as const;
export type ExplanationKind = (typeof explanationKinds)[number];

export interface BreakLine {
  readonly id: string;
  readonly minor: bigint;
}

export interface Explanation {
  readonly kind: ExplanationKind;
  readonly id: string;
}

const MOST_EXPLANATIONS = 5;

/**
 * What may explain a difference that began on a day: `lines` are the signed entries around the day, `orders` the signed amounts of orders
 * that moved money and have no line. A negative difference: the bank has less than the entries say.
 */
export function explanationsOf(
  differenceMinor: bigint,
  {
    lines,
    orders,
  }: { readonly lines: readonly BreakLine[]; readonly orders: readonly BreakLine[] },
): readonly Explanation[] {
  if (differenceMinor === 0n) return [];
  const same = lines.filter(({ minor }) => minor === -differenceMinor);
  const isTwice = same.length > 1;
  const found: readonly Explanation[] = [
    ...same.map(({ id }): Explanation => ({ kind: isTwice ? "BOOKED_TWICE" : "LINE", id })),
    ...orders
      .filter(({ minor }) => minor === differenceMinor)
      .map(({ id }): Explanation => ({ kind: "ORDER", id })),
    ...lines
      .filter(({ minor }) => isSwapped(minor, minor + differenceMinor))
      .map(({ id }): Explanation => ({ kind: "DIGITS_SWAPPED", id })),
  ];
  return found.slice(0, MOST_EXPLANATIONS);
}

/** Whether one number is the other with two neighbouring digits in each other's place. */
function isSwapped(one: bigint, other: bigint): boolean {
  const [left, right] = [String(one), String(other)];
  if (left.length !== right.length || left === right) return false;
  const at = [...left].findIndex((digit, place) => digit !== right[place]);
  const swapped = left.slice(0, at) + (left[at + 1] ?? "") + (left[at] ?? "") + left.slice(at + 2);
  return swapped === right;
}
