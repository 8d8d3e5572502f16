/**
 * A statement of an internal account: what it held before a period, what came and went, what it held after. The period is
 * over when the statement is ordered, so its entries are final and the same order always gives the same file.
 *
 * PENDING   its figures are being added up
 * READY     final
 */
import { endsMonth, timeZoneOf } from "../../../std/calendar/time-zone.ts";
import { defineTable, fixed, mutable } from "../../../tables/tables.ts";

export const statementFormats = ["JSON", "CSV"] as const;

export type StatementFormat = (typeof statementFormats)[number];

export interface Statement {
  readonly id: string;
  readonly accountId: string;
  readonly currency: string;
  readonly format: StatementFormat;
  /** Days, both inclusive, in the zone. */
  readonly fromDate: string;
  readonly toDate: string;
  readonly zone: string;
  /** Of a whole month: how many months the account has had, this one included. */
  readonly number: number | null;
  readonly state: "PENDING" | "READY";
  /** Of the period's entries; the first is one above the last when it has none. */
  readonly firstVersion: bigint | null;
  readonly lastVersion: bigint | null;
  readonly openingMinor: bigint | null;
  readonly closingMinor: bigint | null;
  readonly inMinor: bigint | null;
  readonly outMinor: bigint | null;
  readonly sha256: string | null;
  readonly createdAt: number;
}

export const statements = defineTable<Statement>("statements", {
  id: fixed("uuid"),
  accountId: fixed("uuid"),
  currency: fixed("text"),
  format: fixed("text"),
  fromDate: fixed("text"),
  toDate: fixed("text"),
  zone: fixed("text"),
  number: fixed("int4"),
  state: mutable("text"),
  firstVersion: mutable("int8"),
  lastVersion: mutable("int8"),
  openingMinor: mutable("int8"),
  closingMinor: mutable("int8"),
  inMinor: mutable("int8"),
  outMinor: mutable("int8"),
  sha256: mutable("text"),
  createdAt: fixed("time"),
});

export type Period = Pick<Statement, "fromDate" | "toDate" | "zone">;

/** The first moment of a period, and the first one after it. */
export function momentsOfPeriod({ fromDate, toDate, zone }: Period) {
  const { startOfDay, endOfDay } = timeZoneOf(zone);
  return { from: startOfDay(fromDate), to: endOfDay(toDate) };
}

/** The number of a month's statement; null of any other period. Months before the account came to be have none. */
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
