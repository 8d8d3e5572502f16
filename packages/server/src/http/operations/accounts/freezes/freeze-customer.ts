import Type from "typebox";
import { freezeCustomerOrder } from "../../../../domain/people/approvals/held-freezes.ts";
import {
  freezeBody,
  freezeOfBody,
  freezeRequestExample,
  frozenExample,
} from "../../../../wire/accounts/freeze.ts";
import {
  CustomerSchema,
  customerExample,
  customerJson,
} from "../../../../wire/customers/customer.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { requireId } from "../../../../wire/ids.ts";
import { submitOrder } from "../../../approvals/submit-held.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { customerFreezeContent } from "./held-freezes.ts";

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
  async handle({ principal, params, body, idempotency }, services: Services) {
    const customerId = requireId("Customer", params.customerId, "USER_NOT_FOUND");
    return submitOrder(services, principal, {
      order: freezeCustomerOrder,
      content: { ...body, ...(await customerFreezeContent(services, principal, customerId)) },
      input: { customerId, freeze: freezeOfBody(body) },
      toAnswer: ({ subject }) => ({ status: 200, body: customerJson(subject) }),
      idempotency,
    });
  },
});
