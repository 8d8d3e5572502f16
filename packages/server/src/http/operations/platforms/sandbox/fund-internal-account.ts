import Type from "typebox";
import { fundInternalAccount as command } from "../../../../domain/platforms/sandbox/fund-internal-account.ts";
import { requestAmount } from "../../../../validation/schema.ts";
import {
  InternalAccountSchema,
  internalAccountExample,
  internalAccountJson,
} from "../../../../wire/accounts/internal-account.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { requireId } from "../../../../wire/ids.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { submitForCaller } from "../../../request/submit-for-caller.ts";

export const fundInternalAccount = defineOperation({
  id: "fundInternalAccount",
  method: "POST",
  path: "/sandbox/internal-accounts/{accountId}/fund",
  access: "TRANSACT",
  capability: "sandbox.use",
  sandboxOnly: true,
  tag: "Sandbox",
  summary: "Fund an internal account",
  description: "Puts sandbox money into an internal account.",
  params: Type.Object({ accountId: pathId("InternalAccount") }),
  body: Type.Object({ amount: requestAmount({ maximum: 100_000_000_000 }) }),
  requestExample: { amount: 100_000 },
  answers: {
    200: {
      description: "The account with its new balance.",
      schema: InternalAccountSchema,
      example: internalAccountExample,
    },
  },
  refusals: [
    "INVALID_INPUT",
    "INVALID_AMOUNT",
    "AMOUNT_OUT_OF_RANGE",
    "FORBIDDEN",
    "REFERENCE_NOT_FOUND",
    "CONFLICT",
    "ACCOUNT_FROZEN",
    "CUSTOMER_FROZEN",
  ],
  handle: async ({ principal, params, body, idempotency }, { engine }: Services) =>
    submitForCaller(engine, principal, {
      command,
      input: {
        accountId: requireId("InternalAccount", params.accountId, "REFERENCE_NOT_FOUND"),
        amountMinor: BigInt(body.amount),
      },
      toAnswer: (funded) => ({ status: 200, body: internalAccountJson(funded) }),
      idempotency,
    }),
});
