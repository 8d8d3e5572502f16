import Type from "typebox";
import { freezeAccountOrder } from "../../../../domain/people/approvals/held-freezes.ts";
import {
  freezeBody,
  freezeOfBody,
  freezeRequestExample,
  frozenExample,
} from "../../../../wire/accounts/freeze.ts";
import {
  InternalAccountSchema,
  internalAccountExample,
  internalAccountJson,
} from "../../../../wire/accounts/internal-account.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { requireId } from "../../../../wire/ids.ts";
import { submitOrder } from "../../../approvals/submit-held.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { accountFreezeContent } from "./held-freezes.ts";

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
  async handle({ principal, params, body, idempotency }, services: Services) {
    const accountId = requireId("InternalAccount", params.internalAccountId, "REFERENCE_NOT_FOUND");
    return submitOrder(services, principal, {
      order: freezeAccountOrder,
      content: { ...body, ...(await accountFreezeContent(services, principal, accountId)) },
      input: { accountId, freeze: freezeOfBody(body) },
      toAnswer: ({ subject }) => ({ status: 200, body: internalAccountJson(subject) }),
      idempotency,
    });
  },
});
