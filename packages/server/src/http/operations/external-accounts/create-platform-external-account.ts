import Type from "typebox";
import { defineOperation } from "../../operation.ts";
import type { Services } from "../../services.ts";
import { ExternalAccountSchema, externalAccountExample } from "../../wire/external-account.ts";
import { accountFields, createAccount, createRefusals } from "./create-account.ts";

export const createPlatformExternalAccount = defineOperation({
  id: "createPlatformExternalAccount",
  method: "POST",
  path: "/platform/external-accounts",
  access: "MANAGE",
  tag: "External accounts",
  summary: "Add the platform's own external account",
  description:
    "`accountInfo` is told apart by `accountType`; every field that is missing or wrong is named at once. In a sandbox the " +
    "last three digits of the primary identifier steer the name check: 102 NOT_MATCHED, 103 PARTIAL_MATCH, 104 PENDING, " +
    "105 refused, 106 UNSUPPORTED, 107 CHECKED_BY_RECEIVING_FI, anything else MATCHED.",
  body: Type.Object({
    ...accountFields,
  }),
  requestExample: {
    currency: "USD",
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
  async handle({ principal, body, idempotency }, services: Services) {
    // A field of the customers' form is unknown here and means nothing.
    const { currency, accountInfo, platformAccountId } = body;
    const own = { currency, accountInfo, platformAccountId };
    return createAccount({ principal, body: own, idempotency }, services);
  },
});
