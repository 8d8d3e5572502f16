/** Facets that several lists share, and list conditions that select one value of a facet. */
import type { Condition } from "./list-query.ts";
import type { Counted, Facet } from "./list-totals.ts";

export function countedBy<Row extends { readonly createdAt: number }>(
  ...by: readonly Facet<Row>[]
): Counted<Row> {
  return { at: ({ createdAt }) => createdAt, by };
}

export const ownerFacet: Facet<{ readonly customerId: string | null }> = {
  name: "owner",
  sql: "case when t.customer_id is null then 'platform' else 'customer' end",
  of: ({ customerId }) => (customerId === null ? "platform" : "customer"),
};

export const OWNED_BY_CUSTOMERS: Condition = {
  sql: "t.customer_id is not null",
  totalsFilter: { facet: { name: ownerFacet.name, value: "customer" } },
};

export const OWNED_BY_PLATFORM: Condition = {
  sql: "t.customer_id is null",
  totalsFilter: { facet: { name: ownerFacet.name, value: "platform" } },
};

/** Whether an account is the default one of its holder and currency. */
export const standingFacet: Facet<{ readonly additional: object | null }> = {
  name: "standing",
  sql: "case when t.additional is null then 'default' else 'additional' end",
  of: ({ additional }) => (additional === null ? "default" : "additional"),
};

export const currencyFacet: Facet<{ readonly currency: string }> = {
  name: "currency",
  sql: "t.currency",
  of: ({ currency }) => currency,
};

export const stateFacet: Facet<{ readonly state: string }> = {
  name: "state",
  sql: "t.state",
  of: ({ state }) => state,
};

export const statusFacet: Facet<{ readonly status: string }> = {
  name: "status",
  sql: "t.status",
  of: ({ status }) => status,
};

export const typeFacet: Facet<{ readonly type: string }> = {
  name: "type",
  sql: "t.type",
  of: ({ type }) => type,
};

export const deletionFacet: Facet<{ readonly deletedAt: number | null }> = {
  name: "state",
  sql: "case when t.deleted_at is null then 'live' else 'deleted' end",
  of: ({ deletedAt }) => (deletedAt === null ? "live" : "deleted"),
};

export const NOT_DELETED: Condition = {
  sql: "t.deleted_at is null",
  totalsFilter: { facet: { name: deletionFacet.name, value: "live" } },
};
