import Type from "typebox";
import { customerPayeeOrder as order } from "../../../../domain/people/approvals/held-payees.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { accountFields, createAccount, createExample, createFacts } from "./create-account.ts";

export const createCustomerExternalAccount = defineOperation({
  ...createFacts,
  access: "MANAGE",
  capability: "external-accounts.write",
  id: "createCustomerExternalAccount",
  path: "/customers/external-accounts",
  summary: "Create a customer external account",
  body: Type.Object({
    ...accountFields,
    customerId: Type.Optional(
      Type.String({ description: "Absent for an account of the platform itself." }),
    ),
    defaultUmaDepositAccount: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          "Incoming UMA payments in its currency go on to this account, which takes the place of the one before. In the console it needs " +
          "`payments.create`, and waits where payments of people do.",
      }),
    ),
  }),
  requestExample: { ...createExample, customerId: "Customer:019a4f00-0000-7000-8000-000000000001" },
  handle: async (request, services: Services) => createAccount(request, { services, order }),
});
