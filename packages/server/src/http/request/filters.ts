/** Query filters that several lists share, as SQL conditions. */

import { inLowerCase } from "../../domain/customers/uma-address.ts";
import { toPlatformConfigId } from "../../domain/platform.ts";
import { invalidField } from "../../engine/refusal.ts";
import { LONGEST_LEAD_MS, lowestIdAt } from "../../std/ids.ts";
import type { Condition } from "../../tables/list-query.ts";
import type { Facet } from "../../tables/list-totals.ts";
import { currencyCodeParameter, dateTimeParameter } from "../../wire/fields.ts";
import { parseId } from "../../wire/ids.ts";

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
    query.updatedAfter === undefined ? undefined : since(query.updatedAfter, "t.updated_at"),
    query.updatedBefore === undefined ? undefined : until(query.updatedBefore, "t.updated_at"),
  ];
}

/** Ids increase with the platform's time, so a time range is also a range of ids, which the primary key serves. */
export function createdConditions(
  after: string | undefined,
  before: string | undefined,
): readonly (Condition | undefined)[] {
  return [...createdSince(after), ...createdUntil(before)];
}

function createdSince(moment: string | undefined): readonly Condition[] {
  if (moment === undefined) return [];
  const at = toMilliseconds(moment);
  const totalsFilter = { from: isFiner(moment) ? at + 1 : at };
  return [
    { ...since(moment, "t.created_at"), totalsFilter },
    { sql: "t.id >= ?::uuid", value: lowestIdAt(at), totalsFilter, isOnId: true },
  ];
}

function createdUntil(moment: string | undefined): readonly Condition[] {
  if (moment === undefined) return [];
  const at = toMilliseconds(moment);
  const totalsFilter = { to: at };
  return [
    { ...until(moment, "t.created_at"), totalsFilter },
    {
      sql: "t.id < ?::uuid",
      value: lowestIdAt(at + LONGEST_LEAD_MS + 1),
      totalsFilter,
      isOnId: true,
    },
  ];
}

function since(moment: string, column: string): Condition {
  const sql = `${column} ${isFiner(moment) ? ">" : ">="} ?::timestamptz`;
  return { sql, value: asMoment(moment) };
}

function until(moment: string, column: string): Condition {
  return { sql: `${column} <= ?::timestamptz`, value: asMoment(moment) };
}

/** Our times are whole milliseconds. PostgreSQL would round a finer time, which could make it equal to one of them. */
export function asMoment(moment: string): string {
  return new Date(toMilliseconds(moment)).toISOString();
}

function toMilliseconds(moment: string): number {
  return Date.parse(moment.toUpperCase());
}

function isFiner(moment: string): boolean {
  return /\.\d{3}0*[1-9]/.test(moment);
}

/** The first whole millisecond that is not before this moment. */
export function asMomentFrom(moment: string): string {
  return new Date(toMilliseconds(moment) + (isFiner(moment) ? 1 : 0)).toISOString();
}

interface Moments {
  readonly since?: string;
  readonly until?: string;
}

/** The inclusive bounds of a list that is ordered by time. */
export function momentsOf({ since: from, until: to }: Moments) {
  return {
    since: from === undefined ? undefined : asMomentFrom(from),
    until: to === undefined ? undefined : asMoment(to),
  };
}

/** A condition, or undefined without a value. */
export function when(value: string | undefined, sql: Condition["sql"]): Condition | undefined {
  return value === undefined ? undefined : { sql, value };
}

/**
 * Filters by a customer, or by the platform itself under its own id. `byOwner` is true when no other filter has a
 * better index. Refuses the id of another platform.
 */
export function whenOwner(
  customerId: string | undefined,
  { platformId, byOwner }: { readonly platformId: string; readonly byOwner: boolean },
): Condition | undefined {
  if (customerId === undefined) return undefined;
  if (customerId === toPlatformConfigId(platformId)) {
    const own = { sql: "t.customer_id is null" };
    return byOwner ? { ...own, nullColumn: "t.customer_id" } : own;
  }
  const id = parseId("Customer", customerId);
  if (id === undefined) throw invalidField("customerId", "must be a Customer id");
  return { sql: "t.customer_id = ?::uuid", value: id };
}

/** A condition on a column by which the totals of the list are stored. */
export function whenFacet(
  value: string | undefined,
  { name, sql }: Pick<Facet<never>, "name" | "sql">,
): Condition | undefined {
  if (value === undefined) return undefined;
  const totalsFilter = { facet: { name, value } };
  return { sql: `${sql} = ?::text`, value, totalsFilter, isUnordered: true };
}

/** A condition on a UMA address in its canonical form. */
export function whenAddress(
  umaAddress: string | undefined,
  sql: Condition["sql"],
): Condition | undefined {
  return when(umaAddress && inLowerCase(umaAddress), sql);
}

/** The id of the customer whose UMA address is the value of the condition. `$1` is the platform. */
export const CUSTOMER_OF_ADDRESS =
  "(select c.id from customers c where c.platform_id = $1::uuid and c.uma_address = ?::text limit 1)";

export const currencyParameter = currencyCodeParameter("Currency code, in capitals.");
