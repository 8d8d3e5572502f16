import Type from "typebox";
import { defineOperation } from "../../operation.ts";
import type { Services } from "../../services.ts";
import { ExternalAccountSchema, externalAccountExample } from "../../wire/external-account.ts";
import { accountFields, createAccount, createRefusals } from "./create-account.ts";

export const createCustomerExternalAccount = defineOperation({
  id: "createCustomerExternalAccount",
  method: "POST",
  path: "/customers/external-accounts",
  access: "MANAGE",
  tag: "External accounts",
  summary: "Add a customer's external account",
  description:
    "`accountInfo` is told apart by `accountType`; every field that is missing or wrong is named at once. In a sandbox the " +
    "last three digits of the primary identifier steer the name check: 102 NOT_MATCHED, 103 PARTIAL_MATCH, 104 PENDING, " +
    "105 refused, 106 UNSUPPORTED, 107 CHECKED_BY_RECEIVING_FI, anything else MATCHED.",
  body: Type.Object({
    ...accountFields,
    customerId: Type.Optional(
      Type.String({ description: "Absent for an account of the platform itself." }),
    ),
    defaultUmaDepositAccount: Type.Optional(Type.Boolean({ default: false })),
  }),
  requestExample: {
    currency: "USD",
    customerId: "Customer:019a4f00-0000-7000-8000-000000000001",
    accountInfo: {
      accountType: "USD_ACCOUNT",
      accountNumber: "000123456789",
      routingNumber: "021000021",
      beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Ana Ruiz" },
    },
  },
  answers: {
    201: {
      description: "The account.",
      schema: ExternalAccountSchema,
      example: externalAccountExample,
    },
  },
  refusals: createRefusals,
  handle: async (request, services: Services) => createAccount(request, services),
});
