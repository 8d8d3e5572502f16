/** What should make a person look twice. */

import type { ShownWarning } from "./shown.ts";
import type { PaidBefore, Side } from "./sides.ts";
import { amountOf, dayOf } from "./words.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const NEW_FOR_MS = 7 * DAY_MS;
/** Fewer payments than this say nothing about usual amounts. */
export const LEAST_AMOUNTS = 20;
/** Fewer orders than this say nothing about usual hours. */
export const LEAST_HOURS = 10;
/** An hour is usual when an earlier order was asked for within this many hours of it. */
const NEAR_HOURS = 2;

/** Earlier payments of the customer in the same currency. */
export interface UsualAmounts {
  readonly count: number;
  /** 95 of 100 payments were not above this amount. */
  readonly p95Minor: bigint;
}

/** What was known about the one who asked. */
export interface AskerHistory {
  /** The hours of the day, in UTC, of earlier orders. */
  readonly hours: readonly number[];
  /** Whether the roles of the person, or the way to sign in, changed in the last 30 days. */
  readonly isChanged: boolean;
}

export interface WarnedOf {
  readonly now: number;
  readonly askedAt: number;
  readonly asker: AskerHistory;
  readonly to?: Side | undefined;
  readonly sends?: { readonly minor: bigint; readonly currency: string } | undefined;
  readonly usual?: UsualAmounts | undefined;
}

export function warningsOf({
  now,
  askedAt,
  asker,
  to,
  sends,
  usual,
}: WarnedOf): readonly ShownWarning[] {
  const warnings: ShownWarning[] = [];
  const warn = (key: ShownWarning["key"], text: string) => warnings.push({ key, text });
  if (isFirst(paidOf(to))) warn("FIRST_PAYMENT", "This is the first payment to this payee.");
  if (to?.kind === "EXTERNAL") {
    const { created, nameCheck } = to;
    if (created !== null && now - created.at < NEW_FOR_MS)
      warn("NEW_ACCOUNT", `The account was added in the last 7 days, on ${dayOf(created.at)}.`);
    if (nameCheck === "NOT_MATCHED")
      warn("NAME_DIFFERS", "The name of the account at the bank is another one.");
  }
  if (sends !== undefined && usual !== undefined && isLarge(sends.minor, usual)) {
    const p95 = amountOf(usual.p95Minor, sends.currency);
    warn("LARGE_AMOUNT", `The amount is above what is usual: 95 % of payments were up to ${p95}.`);
  }
  if (isUnusualHour(askedAt, asker.hours))
    warn(
      "UNUSUAL_HOUR",
      "It was asked for at an hour at which the same one asked for nothing before.",
    );
  if (asker.isChanged)
    warn(
      "ASKER_CHANGED",
      "The roles or the sign-in of the one who asked changed in the last 30 days.",
    );
  return warnings;
}

function paidOf(side: Side | undefined): PaidBefore | null {
  return side === undefined || side.kind === "OUTSIDE" ? null : side.paid;
}

function isFirst(paid: PaidBefore | null): boolean {
  return paid !== null && paid.count === 0;
}

function isLarge(minor: bigint, { count, p95Minor }: UsualAmounts): boolean {
  return count >= LEAST_AMOUNTS && minor > p95Minor;
}

function isUnusualHour(askedAt: number, hours: readonly number[]): boolean {
  if (hours.length < LEAST_HOURS) return false;
  const asked = Math.floor(askedAt / 3_600_000) % 24;
  return hours.every((hour) => {
    const apart = Math.abs(hour - asked);
    return Math.min(apart, 24 - apart) > NEAR_HOURS;
  });
}
