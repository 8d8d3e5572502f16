import Type from "typebox";
import { expect, it } from "vitest";
import { currencyFacet } from "../../tables/facets.ts";
import { createdConditions } from "./filters.ts";
import {
  byCurrency,
  byId,
  byText,
  conditionsIn,
  createdFrom,
  createdTo,
  type Filters,
  fieldsOf,
} from "./read-filters.ts";

const filters: Filters = {
  name: byText(Type.Optional(Type.String()), "t.name = ?::text"),
  customerId: byId("Customer", "t.customer_id"),
  currency: byCurrency,
  from: createdFrom("From."),
  to: createdTo("To."),
};
const uuid = "019a4f00-0000-7000-8000-000000000001";

it("puts the conditions of the values in the order of the filters", () => {
  const query = { currency: "USD", customerId: `Customer:${uuid}`, name: "payouts", limit: 20 };
  expect(conditionsIn(filters, query).filter((condition) => condition !== undefined)).toEqual([
    { sql: "t.name = ?::text", value: "payouts" },
    { sql: "t.customer_id = ?::uuid", value: uuid },
    {
      sql: `${currencyFacet.sql} = ?::text`,
      value: "USD",
      totalsFilter: { facet: { name: currencyFacet.name, value: "USD" } },
      isUnordered: true,
    },
  ]);
});

it("puts no condition for a parameter that is absent", () => {
  const absent = conditionsIn(filters, {});
  expect(absent.filter((condition) => condition !== undefined)).toEqual([]);
});

it("filters by two times as one range does", () => {
  const [from, to] = ["2026-01-05T00:00:00Z", "2026-01-06T00:00:00Z"];
  expect(conditionsIn({ from: createdFrom("From."), to: createdTo("To.") }, { from, to })).toEqual(
    createdConditions(from, to),
  );
});

it("names the parameters after the filters", () => {
  expect(Object.keys(fieldsOf(filters))).toEqual(Object.keys(filters));
  expect(fieldsOf(filters).currency).toBe(byCurrency.field);
});
