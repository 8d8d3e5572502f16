import Type from "typebox";
import { unfreezeCustomerOrder } from "../../../../domain/people/approvals/held-freezes.ts";
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
  async handle({ principal, params, idempotency }, services: Services) {
    const customerId = requireId("Customer", params.customerId, "USER_NOT_FOUND");
    return submitOrder(services, principal, {
      order: unfreezeCustomerOrder,
      content: await customerFreezeContent(services, principal, customerId),
      input: { customerId },
      toAnswer: (customer) => ({ status: 200, body: customerJson(customer) }),
      idempotency,
    });
  },
});
