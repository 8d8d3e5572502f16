import Type from "typebox";
import { unfreezeAccountOrder } from "../../../../domain/people/approvals/held-freezes.ts";
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

export const unfreezeInternalAccount = defineOperation({
  id: "unfreezeInternalAccount",
  method: "POST",
  path: "/internal-accounts/{internalAccountId}/unfreeze",
  access: "MANAGE",
  capability: "customers.unfreeze",
  tag: "Internal accounts",
  summary: "Unfreeze an internal account",
  description: "Lifts the account's own freeze. A freeze of its customer stays.",
  params: Type.Object({ internalAccountId: pathId("InternalAccount") }),
  answers: {
    200: {
      description: "The account.",
      schema: InternalAccountSchema,
      example: internalAccountExample,
    },
  },
  refusals: ["REFERENCE_NOT_FOUND", "CONFLICT"],
  async handle({ principal, params, idempotency }, services: Services) {
    const accountId = requireId("InternalAccount", params.internalAccountId, "REFERENCE_NOT_FOUND");
    return submitOrder(services, principal, {
      order: unfreezeAccountOrder,
      content: await accountFreezeContent(services, principal, accountId),
      input: { accountId },
      toAnswer: (account) => ({ status: 200, body: internalAccountJson(account) }),
      idempotency,
    });
  },
});
