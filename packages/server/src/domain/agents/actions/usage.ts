/**
 * The amounts that an agent has spent in the present UTC day and month of its platform's clock, and the amounts that its
 * pending actions reserve, in the currency of its policy. Amounts of a past day or month are reset when they are read.
 */
import { dayOf } from "../../../std/clock.ts";
import type { Agent } from "../agent.ts";
import { cappedFigure } from "../agent-policy.ts";

export type Usage = Pick<Agent, "usageDay" | "usageDayCount" | "usageDayMinor" | "usageMonthMinor">;

export type Reserved = Pick<Agent, "reservedCount" | "reservedMinor">;

export const NOTHING_RESERVED: Reserved = { reservedCount: 0, reservedMinor: 0n };

function monthOf(day: string): string {
  return day.slice(0, 7);
}

export function noUsage(at: number): Usage {
  return { usageDay: dayOf(at), usageDayCount: 0, usageDayMinor: 0n, usageMonthMinor: 0n };
}

/** The usage at this time: amounts of a past day or month are reset. */
export function usageAt(usage: Usage, at: number): Usage {
  const day = dayOf(at);
  if (usage.usageDay === day) return usage;
  const isSameMonth = monthOf(usage.usageDay) === monthOf(day);
  return { ...noUsage(at), usageMonthMinor: isSameMonth ? usage.usageMonthMinor : 0n };
}

/** Adds a transaction. An amount without a limit saturates at the largest that the API can show. */
export function spend(usage: Usage, minor: bigint, at: number): Usage {
  const { usageDay, usageDayCount, usageDayMinor, usageMonthMinor } = usageAt(usage, at);
  return {
    usageDay,
    usageDayCount: usageDayCount + 1,
    usageDayMinor: cappedFigure(usageDayMinor + minor),
    usageMonthMinor: cappedFigure(usageMonthMinor + minor),
  };
}

/**
 * Subtracts a transaction that was counted at `countedAt` and did not succeed. Nothing is subtracted from a past day or
 * month.
 */
export function unspend(
  usage: Usage,
  counted: { readonly minor: bigint; readonly countedAt: number },
  at: number,
): Usage {
  const now = usageAt(usage, at);
  const countedDay = dayOf(counted.countedAt);
  const isSameDay = countedDay === now.usageDay;
  const isSameMonth = monthOf(countedDay) === monthOf(now.usageDay);
  return {
    usageDay: now.usageDay,
    usageDayCount: isSameDay ? Math.max(0, now.usageDayCount - 1) : now.usageDayCount,
    usageDayMinor: isSameDay ? less(now.usageDayMinor, counted.minor) : now.usageDayMinor,
    usageMonthMinor: isSameMonth ? less(now.usageMonthMinor, counted.minor) : now.usageMonthMinor,
  };
}

export function reserve(reserved: Reserved, minor: bigint): Reserved {
  return {
    reservedCount: reserved.reservedCount + 1,
    reservedMinor: reserved.reservedMinor + minor,
  };
}

export function release(reserved: Reserved, minor: bigint): Reserved {
  return {
    reservedCount: reserved.reservedCount - 1,
    reservedMinor: reserved.reservedMinor - minor,
  };
}

/** When the daily and the monthly amounts are reset. */
export function nextResets(at: number): { readonly day: string; readonly month: string } {
  const today = new Date(at);
  const [year, month, day] = [today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate()];
  return {
    day: dayOf(Date.UTC(year, month, day + 1)),
    month: monthOf(dayOf(Date.UTC(year, month + 1, 1))),
  };
}

function less(from: bigint, minor: bigint): bigint {
  return from > minor ? from - minor : 0n;
}
