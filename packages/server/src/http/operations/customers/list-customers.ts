import Type, { type Static } from "typebox";
import { listCustomers as list } from "../../../domain/customers/customer.sql.ts";
import { customerTypes, ofWhatCustomerType } from "../../../domain/customers/customer.ts";
import { NOT_DELETED } from "../../../tables/facets.ts";
import type { Condition } from "../../../tables/list-query.ts";
import { CustomerSchema, customerExample, customerJson } from "../../../wire/customers/customer.ts";
import { listOf } from "../../../wire/fields.ts";
import {
  currencyParameter,
  dateConditions,
  dateFilters,
  when,
  whenAddress,
  whenFacet,
} from "../../request/filters.ts";
import { answerList } from "../../request/list.ts";
import { defineOperation } from "../../request/operation.ts";
import { pageParameters } from "../../request/paging.ts";
import type { Services } from "../../request/services.ts";

export const customerFilters = {
  platformCustomerId: Type.Optional(Type.String({ maxLength: 255, examples: ["ana-1"] })),
  customerType: Type.Optional(Type.Enum([...customerTypes])),
  region: Type.Optional(Type.String({ pattern: "^[A-Z]{2}$", examples: ["US"] })),
  currency: currencyParameter,
  umaAddress: Type.Optional(Type.String({ maxLength: 320, examples: ["$ana@florin.test"] })),
  isIncludingDeleted: Type.Optional(Type.Boolean({ default: false })),
  ...dateFilters,
};

const Filters = Type.Object(customerFilters);

export const listCustomers = defineOperation({
  id: "listCustomers",
  method: "GET",
  path: "/customers",
  access: "VIEW",
  capability: "customers.read",
  tag: "Customers",
  summary: "List customers",
  query: Type.Object({ ...customerFilters, ...pageParameters }),
  answers: {
    200: {
      description: "Newest first.",
      schema: listOf(CustomerSchema),
      example: { data: [customerExample], hasMore: false, totalCount: 1 },
    },
  },
  refusals: ["INVALID_INPUT"],
  handle: ({ principal, query }, services: Services) =>
    answerList(services, {
      operationId: "listCustomers",
      principal,
      query,
      load: (page) => list(services.reads, { ...page, conditions: customerConditions(query) }),
      idOf: ({ customer }) => customer.id,
      toJson: customerJson,
    }),
});

export function customerConditions(
  query: Static<typeof Filters>,
): readonly (Condition | undefined)[] {
  return [
    when(query.platformCustomerId, query.isIncludingDeleted === true ? LIVE_OR_DELETED : NAMED),
    whenFacet(query.customerType, ofWhatCustomerType),
    when(query.region, "t.region = ?::text"),
    when(query.currency, "t.currencies::jsonb @> to_jsonb(?::text)"),
    whenAddress(query.umaAddress, "t.uma_address = ?::text"),
    query.isIncludingDeleted === true ? undefined : NOT_DELETED,
    ...dateConditions(query),
  ];
}

const NAMED = "t.platform_customer_id = ?::text";

/** Live and deleted customers have an index each. */
const LIVE_OR_DELETED = [
  `${NAMED} and t.deleted_at is null`,
  `${NAMED} and t.deleted_at is not null`,
];
