import Type from "typebox";
import { findCustomerSubject } from "../../../domain/customers/customer.sql.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { CustomerSchema, customerExample, customerJson } from "../../../wire/customers/customer.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { requireId } from "../../../wire/ids.ts";
import { defineOperation } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";

export const getCustomer = defineOperation({
  id: "getCustomer",
  method: "GET",
  path: "/customers/{customerId}",
  access: "VIEW",
  capability: "customers.read",
  tag: "Customers",
  summary: "Get a customer",
  description: "A deleted customer is answered with `isDeleted` true.",
  params: Type.Object({ customerId: pathId("Customer") }),
  answers: {
    200: { description: "The customer.", schema: CustomerSchema, example: customerExample },
  },
  refusals: ["USER_NOT_FOUND"],
  async handle({ principal, params }, { reads }: Services) {
    const id = requireId("Customer", params.customerId, "USER_NOT_FOUND");
    const customer = await findCustomerSubject(reads, principal.platformId, id);
    if (customer === undefined) throw new Refusal("USER_NOT_FOUND");
    return { status: 200, body: customerJson(customer) };
  },
});
