/** Query filters that several lists share, as conditions of the list's SQL. */
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
    when(query.createdAfter, "t.created_at >= ?::timestamptz"),
    when(query.createdBefore, "t.created_at <= ?::timestamptz"),
    when(query.updatedAfter, "t.updated_at >= ?::timestamptz"),
    when(query.updatedBefore, "t.updated_at <= ?::timestamptz"),
  ];
}

/** A condition when there is a value for it. */
export function when(value: string | undefined, sql: string): Condition | undefined {
  return value === undefined ? undefined : { sql, value };
}

export const currencyParameter = currencyCodeParameter("Currency code, in capitals.");
