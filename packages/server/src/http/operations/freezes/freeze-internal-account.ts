import Type from "typebox";
import { freezeAccount as command } from "../../../domain/freezes/freeze-account.ts";
import {
  freezeBody,
  freezeOfBody,
  freezeRequestExample,
  frozenExample,
} from "../../../wire/accounts/freeze.ts";
import {
  InternalAccountSchema,
  internalAccountExample,
  internalAccountJson,
} from "../../../wire/accounts/internal-account.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { requireId } from "../../../wire/ids.ts";
import { defineOperation } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";

export const freezeInternalAccount = defineOperation({
  id: "freezeInternalAccount",
  method: "POST",
  path: "/internal-accounts/{internalAccountId}/freeze",
  access: "MANAGE",
  capability: "customers.freeze",
  tag: "Internal accounts",
  summary: "Freeze an internal account",
  description:
    "Payments from the account are refused with ACCOUNT_FROZEN, with the scope `ALL` payments to it as well. What was " +
    "accepted before goes on. A freeze of a frozen account replaces reason, scope and note.",
  params: Type.Object({ internalAccountId: pathId("InternalAccount") }),
  body: freezeBody,
  requestExample: freezeRequestExample,
  answers: {
    200: {
      description: "The account, `FROZEN`.",
      schema: InternalAccountSchema,
      example: { ...internalAccountExample, status: "FROZEN", frozen: frozenExample },
    },
  },
  refusals: ["INVALID_INPUT", "REFERENCE_NOT_FOUND"],
  handle: async ({ principal, params, body, idempotency }, { engine }: Services) =>
    submitForCaller(engine, principal, {
      command,
      input: {
        accountId: requireId("InternalAccount", params.internalAccountId, "REFERENCE_NOT_FOUND"),
        freeze: freezeOfBody(body),
      },
      toAnswer: (account) => ({ status: 200, body: internalAccountJson(account) }),
      idempotency,
    }),
});
