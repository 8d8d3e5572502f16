/** What rows of several lists are counted by. */
import type { Counted, Facet } from "../storage/list-totals.ts";

/** The rows of a list, counted by the day of their creation and by these. */
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
