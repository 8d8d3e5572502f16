import Type from "typebox";
import {
  deleteCustomer as command,
  paymentInFlight,
} from "../../../domain/customers/delete-customer.ts";
import { hasMoreInFlight } from "../../../domain/payments/transactions/open-payments.sql.ts";
import { MOST_IN_FLIGHT_LOADED } from "../../../domain/payments/transactions/open-payments.ts";
import { CustomerSchema, customerExample, customerJson } from "../../../wire/customers/customer.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { requireId } from "../../../wire/ids.ts";
import { defineOperation } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";

export const deleteCustomer = defineOperation({
  id: "deleteCustomer",
  method: "DELETE",
  path: "/customers/{customerId}",
  access: "MANAGE",
  capability: "customers.write",
  tag: "Customers",
  summary: "Delete a customer",
  description:
    "Refused while an account of the customer holds money or a payment is in flight. The customer's pending invitations " +
    "are cancelled by it.",
  params: Type.Object({ customerId: pathId("Customer") }),
  answers: {
    200: {
      description: "The customer, with `isDeleted` true.",
      schema: CustomerSchema,
      example: { ...customerExample, isDeleted: true },
    },
  },
  refusals: ["USER_NOT_FOUND", "CONFLICT", "CUSTOMER_DELETED"],
  async handle({ principal, params }, { engine, reads }: Services) {
    const customerId = requireId("Customer", params.customerId, "USER_NOT_FOUND");
    const bound = { customerId, than: MOST_IN_FLIGHT_LOADED };
    if (await hasMoreInFlight(reads, principal.platformId, bound)) throw paymentInFlight();
    return submitForCaller(engine, principal, {
      command,
      input: { customerId },
      toAnswer: (customer) => ({ status: 200, body: customerJson(customer) }),
    });
  },
});
