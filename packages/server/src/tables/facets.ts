/** Facets that several lists share, and list conditions that are equivalent to a facet value. */
import type { Condition } from "./list-query.ts";
import type { Counted, Facet } from "./list-totals.ts";

/** Counts the rows of a list by day of creation and by these facets. */
export function countedBy<Row extends { readonly createdAt: number }>(
  ...by: readonly Facet<Row>[]
): Counted<Row> {
  return { at: ({ createdAt }) => createdAt, by };
}

export const ofWhom: Facet<{ readonly customerId: string | null }> = {
  name: "owner",
  sql: "case when t.customer_id is null then 'platform' else 'customer' end",
  of: ({ customerId }) => (customerId === null ? "platform" : "customer"),
};

export const OF_CUSTOMERS: Condition = {
  sql: "t.customer_id is not null",
  says: { facet: { name: ofWhom.name, value: "customer" } },
};

export const OF_THE_PLATFORM: Condition = {
  sql: "t.customer_id is null",
  says: { facet: { name: ofWhom.name, value: "platform" } },
};

export const ofWhatCurrency: Facet<{ readonly currency: string }> = {
  name: "currency",
  sql: "t.currency",
  of: ({ currency }) => currency,
};

export const ofWhatStatus: Facet<{ readonly status: string }> = {
  name: "status",
  sql: "t.status",
  of: ({ status }) => status,
};

export const ofWhatType: Facet<{ readonly type: string }> = {
  name: "type",
  sql: "t.type",
  of: ({ type }) => type,
};

export const liveOrDeleted: Facet<{ readonly deletedAt: number | null }> = {
  name: "state",
  sql: "case when t.deleted_at is null then 'live' else 'deleted' end",
  of: ({ deletedAt }) => (deletedAt === null ? "live" : "deleted"),
};

export const LIVE: Condition = {
  sql: "t.deleted_at is null",
  says: { facet: { name: liveOrDeleted.name, value: "live" } },
};
