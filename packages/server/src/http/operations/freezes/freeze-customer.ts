import Type from "typebox";
import { freezeCustomer as command } from "../../../domain/freezes/freeze-customer.ts";
import {
  freezeBody,
  freezeOfBody,
  freezeRequestExample,
  frozenExample,
} from "../../../wire/accounts/freeze.ts";
import { CustomerSchema, customerExample, customerJson } from "../../../wire/customers/customer.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { requireId } from "../../../wire/ids.ts";
import { defineOperation } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";

export const freezeCustomer = defineOperation({
  id: "freezeCustomer",
  method: "POST",
  path: "/customers/{customerId}/freeze",
  access: "MANAGE",
  capability: "customers.freeze",
  tag: "Customers",
  summary: "Freeze a customer",
  description:
    "All accounts of the customer act frozen: payments from them are refused with CUSTOMER_FROZEN, with the scope `ALL` " +
    "payments to them as well. What was accepted before goes on. A freeze of a frozen customer replaces reason, scope and note.",
  params: Type.Object({ customerId: pathId("Customer") }),
  body: freezeBody,
  requestExample: freezeRequestExample,
  answers: {
    200: {
      description: "The customer, with `frozen`.",
      schema: CustomerSchema,
      example: { ...customerExample, frozen: frozenExample },
    },
  },
  refusals: ["INVALID_INPUT", "USER_NOT_FOUND", "CUSTOMER_DELETED"],
  handle: async ({ principal, params, body, idempotency }, { engine }: Services) =>
    submitForCaller(engine, principal, {
      command,
      input: {
        customerId: requireId("Customer", params.customerId, "USER_NOT_FOUND"),
        freeze: freezeOfBody(body),
      },
      toAnswer: (customer) => ({ status: 200, body: customerJson(customer) }),
      idempotency,
    }),
});
