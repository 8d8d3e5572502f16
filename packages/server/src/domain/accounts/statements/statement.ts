/**
 * A statement of an internal account: what it held before a period, what came and went, what it held after. The period is
 * over when the statement is ordered, so its entries are final and the same order always gives the same file.
 *
 * PENDING   its figures are being added up
 * READY     final
 */
import { endsMonth, timeZoneOf } from "../../../std/calendar/time-zone.ts";
import { defineTable, fixed, mutable, type RowOf } from "../../../tables/tables.ts";

export const statementFormats = ["JSON", "CSV"] as const;

export type StatementFormat = (typeof statementFormats)[number];

const columns = {
  id: fixed("uuid"),
  accountId: fixed("uuid"),
  currency: fixed("text"),
  format: fixed<StatementFormat>("text"),
  /** The first and the last day, both inclusive, in `zone`. */
  fromDate: fixed("text"),
  toDate: fixed("text"),
  zone: fixed("text"),
  /** For a whole month: its number, counted from the month of the account's creation. Null for any other period. */
  number: fixed<number | null>("int4"),
  state: mutable<"PENDING" | "READY">("text"),
  /** Versions of the period's first and last entry; without entries the first is one above the last. */
  firstVersion: mutable<bigint | null>("int8"),
  lastVersion: mutable<bigint | null>("int8"),
  openingMinor: mutable<bigint | null>("int8"),
  closingMinor: mutable<bigint | null>("int8"),
  inMinor: mutable<bigint | null>("int8"),
  outMinor: mutable<bigint | null>("int8"),
  sha256: mutable<string | null>("text"),
  createdAt: fixed("time"),
};

export interface Statement extends RowOf<typeof columns> {}

export const statements = defineTable<Statement>("statements", columns);

export type Period = Pick<Statement, "fromDate" | "toDate" | "zone">;

/** The start of a period, inclusive, and its end, exclusive. */
export function momentsOfPeriod({ fromDate, toDate, zone }: Period) {
  const { startOfDay, endOfDay } = timeZoneOf(zone);
  return { from: startOfDay(fromDate), to: endOfDay(toDate) };
}

/** The number of a monthly statement; null for any other period, and for months before the account was opened. */
export function monthlyNumber(
  { fromDate, toDate, zone }: Period,
  accountCreatedAt: number,
): number | null {
  const isMonth =
    fromDate.endsWith("-01") && toDate.slice(0, 7) === fromDate.slice(0, 7) && endsMonth(toDate);
  if (!isMonth) return null;
  const number = monthsOf(fromDate) - monthsOf(timeZoneOf(zone).dayOf(accountCreatedAt)) + 1;
  return number < 1 ? null : number;
}

function monthsOf(date: string): number {
  return Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7));
}
