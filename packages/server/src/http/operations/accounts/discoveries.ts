import Type from "typebox";
import { listInstitutions } from "../../../domain/accounts/discoveries/directory.ts";
import { wireDiscovery } from "../../../wire/accounts/discovery.ts";
import { countryParameter, currencyCodeParameter } from "../../../wire/fields.ts";
import { defineOperation, route } from "../../request/operation.ts";

export const listDiscoveries = defineOperation({
  id: "listDiscoveries",
  ...route("GET /discoveries", "VIEW", "rates.read"),
  tag: "Discoveries",
  summary: "List banks and mobile-money operators",
  description:
    "The names to use for `bankName` (or `provider`) of an external account. Accounts in Nigeria, the Philippines and " +
    "South Africa take a `bankName` of this list and no other; elsewhere it says how an institution is commonly spelled. " +
    "All of the list at once, by country and name.",
  query: Type.Object({
    country: countryParameter("Institutions of this country."),
    currency: currencyCodeParameter("Institutions that hold this currency."),
  }),
  answers: {
    200: {
      description: "The institutions.",
      schema: Type.Object({ data: Type.Array(wireDiscovery.schema) }),
      example: { data: [wireDiscovery.example] },
    },
  },
  refusals: ["INVALID_INPUT"],
  async handle({ query }) {
    const items = listInstitutions(query).map(wireDiscovery.json);
    return { status: 200, body: `{"data":[${items.join(",")}]}` };
  },
});
