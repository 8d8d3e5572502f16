/** Query filters that several lists share, as conditions of the list's SQL. */

import { LONGEST_LEAD_MS, lowestIdAt } from "../std/ids.ts";
import type { Condition } from "../storage/list-query.ts";
import { currencyCodeParameter, dateTimeParameter } from "./wire/shared.ts";

export const dateFilters = {
  createdAfter: dateTimeParameter("Created at this time or later."),
  createdBefore: dateTimeParameter("Created at this time or earlier."),
  updatedAfter: dateTimeParameter("Updated at this time or later."),
  updatedBefore: dateTimeParameter("Updated at this time or earlier."),
};

interface DateFilters {
  readonly createdAfter?: string;
  readonly createdBefore?: string;
  readonly updatedAfter?: string;
  readonly updatedBefore?: string;
}

export function dateConditions(query: DateFilters): readonly (Condition | undefined)[] {
  return [
    ...createdConditions(query.createdAfter, query.createdBefore),
    when(query.updatedAfter, "t.updated_at >= ?::timestamptz"),
    when(query.updatedBefore, "t.updated_at <= ?::timestamptz"),
  ];
}

/** Ids rise with a platform's time, so a time is a stretch of them: the primary key leads to it. */
export function createdConditions(
  from: string | undefined,
  until: string | undefined,
): readonly (Condition | undefined)[] {
  return [
    when(from, "t.created_at >= ?::timestamptz"),
    when(idAt(from, 0), "t.id >= ?::uuid"),
    when(until, "t.created_at <= ?::timestamptz"),
    when(idAt(until, LONGEST_LEAD_MS), "t.id <= ?::uuid"),
  ];
}

function idAt(time: string | undefined, leadMs: number): string | undefined {
  return time === undefined ? undefined : lowestIdAt(Date.parse(time.toUpperCase()) + leadMs);
}

/** A condition when there is a value for it. */
export function when(value: string | undefined, sql: Condition["sql"]): Condition | undefined {
  return value === undefined ? undefined : { sql, value };
}

export const currencyParameter = currencyCodeParameter("Currency code, in capitals.");
