import Type from "typebox";
import { platformPayeeOrder as order } from "../../../../domain/people/approvals/held-payees.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { accountFields, createAccount, createExample, createFacts } from "./create-account.ts";

export const createPlatformExternalAccount = defineOperation({
  ...createFacts,
  access: "MANAGE",
  capability: "external-accounts.write",
  id: "createPlatformExternalAccount",
  path: "/platform/external-accounts",
  summary: "Create a platform external account",
  body: Type.Object(accountFields),
  requestExample: createExample,
  async handle({ body, ...request }, services: Services) {
    // Fields that only a customer's account has are unknown here and ignored.
    const { currency, accountInfo, platformAccountId, metadata } = body;
    const known = { currency, accountInfo, platformAccountId, metadata };
    return createAccount({ ...request, body: known }, { services, order });
  },
});
