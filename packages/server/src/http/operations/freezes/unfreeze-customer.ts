import Type from "typebox";
import { unfreezeCustomer as command } from "../../../domain/freezes/freeze-customer.ts";
import { CustomerSchema, customerExample, customerJson } from "../../../wire/customers/customer.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { requireId } from "../../../wire/ids.ts";
import { defineOperation } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";

export const unfreezeCustomer = defineOperation({
  id: "unfreezeCustomer",
  method: "POST",
  path: "/customers/{customerId}/unfreeze",
  access: "MANAGE",
  capability: "customers.unfreeze",
  tag: "Customers",
  summary: "Unfreeze a customer",
  description: "Lifts the customer's freeze. Freezes of single accounts stay.",
  params: Type.Object({ customerId: pathId("Customer") }),
  answers: {
    200: {
      description: "The customer.",
      schema: CustomerSchema,
      example: customerExample,
    },
  },
  refusals: ["USER_NOT_FOUND", "CUSTOMER_DELETED", "CONFLICT"],
  handle: async ({ principal, params, idempotency }, { engine }: Services) =>
    submitForCaller(engine, principal, {
      command,
      input: {
        customerId: requireId("Customer", params.customerId, "USER_NOT_FOUND"),
      },
      toAnswer: (customer) => ({ status: 200, body: customerJson(customer) }),
      idempotency,
    }),
});
