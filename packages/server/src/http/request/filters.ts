/** Query filters that several lists share, as conditions of the list's SQL. */

import { inLowerCase } from "../../domain/customers/uma-address.ts";
import { toPlatformConfigId } from "../../domain/platforms/platform.ts";
import { invalidField } from "../../engine/refusal.ts";
import { LONGEST_LEAD_MS, lowestIdAt } from "../../std/ids.ts";
import type { Condition } from "../../tables/list-query.ts";
import type { Facet } from "../../tables/list-totals.ts";
import { parseId } from "../../wire/ids.ts";
import { currencyCodeParameter, dateTimeParameter } from "../../wire/shared.ts";

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

/** Ids rise with a platform's time, so a time is a stretch of them: the primary key leads to it. */
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
    { sql: "t.id >= ?::uuid", value: lowestIdAt(at), totalsFilter },
  ];
}

function createdUntil(moment: string | undefined): readonly Condition[] {
  if (moment === undefined) return [];
  const at = toMilliseconds(moment);
  const totalsFilter = { to: at };
  return [
    { ...until(moment, "t.created_at"), totalsFilter },
    { sql: "t.id < ?::uuid", value: lowestIdAt(at + LONGEST_LEAD_MS + 1), totalsFilter },
  ];
}

/** At this moment or later. */
function since(moment: string, column: string): Condition {
  const sql = `${column} ${isFiner(moment) ? ">" : ">="} ?::timestamptz`;
  return { sql, value: asMoment(moment) };
}

/** At this moment or earlier. */
function until(moment: string, column: string): Condition {
  return { sql: `${column} <= ?::timestamptz`, value: asMoment(moment) };
}

/** Our times are whole milliseconds; what is finer would be rounded by PostgreSQL, at times to one of them. */
export function asMoment(moment: string): string {
  return new Date(toMilliseconds(moment)).toISOString();
}

function toMilliseconds(moment: string): number {
  return Date.parse(moment.toUpperCase());
}

function isFiner(moment: string): boolean {
  return /\.\d{3}0*[1-9]/.test(moment);
}

/** The first of our times that is not before this moment. */
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

/** A condition when there is a value for it. */
export function when(value: string | undefined, sql: Condition["sql"]): Condition | undefined {
  return value === undefined ? undefined : { sql, value };
}

/**
 * Of a customer, or of the platform itself under its own id; `byOwner` where no other filter has an index that serves the
 * list better. Refuses the id of another platform.
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

/** The same of a value that the list's rows are counted by. */
export function whenFacet(
  value: string | undefined,
  { name, sql }: Pick<Facet<never>, "name" | "sql">,
): Condition | undefined {
  if (value === undefined) return undefined;
  return { sql: `${sql} = ?::text`, value, totalsFilter: { facet: { name, value } } };
}

/** A condition on a UMA address, in the one spelling that is kept. */
export function whenAddress(
  umaAddress: string | undefined,
  sql: Condition["sql"],
): Condition | undefined {
  return when(umaAddress && inLowerCase(umaAddress), sql);
}

/** The id of the customer that has the address of the condition's value. `$1` is the platform. */
export const CUSTOMER_OF_ADDRESS =
  "(select c.id from customers c where c.platform_id = $1::uuid and c.uma_address = ?::text limit 1)";

export const currencyParameter = currencyCodeParameter("Currency code, in capitals.");
