import Type from "typebox";
import { findInternalAccount } from "../../../../domain/accounts/internal/internal-account.sql.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import {
  InternalAccountSchema,
  internalAccountExample,
  internalAccountJson,
} from "../../../../wire/accounts/internal-account.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { requireId } from "../../../../wire/ids.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { fundingOf } from "./account-funding.ts";

export const getInternalAccount = defineOperation({
  id: "getInternalAccount",
  method: "GET",
  path: "/internal-accounts/{id}",
  access: "VIEW",
  capability: "accounts.read",
  tag: "Internal accounts",
  summary: "Get an internal account",
  description: "The account may belong to a customer or to the platform.",
  params: Type.Object({ id: pathId("InternalAccount") }),
  answers: {
    200: {
      description: "The account with its balance.",
      schema: InternalAccountSchema,
      example: internalAccountExample,
    },
  },
  refusals: ["REFERENCE_NOT_FOUND"],
  async handle({ principal, params }, services: Services) {
    const id = requireId("InternalAccount", params.id, "REFERENCE_NOT_FOUND");
    const account = await findInternalAccount(services.reads, principal.platformId, id);
    if (account === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    const funding = await fundingOf(services, principal, [account.account]);
    return { status: 200, body: internalAccountJson(account, funding.get(id)) };
  },
});
