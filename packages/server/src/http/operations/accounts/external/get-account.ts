/** Shared by the reading of a customer's and of the platform's own external account. */
import Type from "typebox";
import {
  type AccountOwner,
  findExternalAccount,
  isOwnedBy,
} from "../../../../domain/accounts/external/external-account.ts";
import type { Answer } from "../../../../engine/command.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import {
  ExternalAccountSchema,
  externalAccountExample,
  externalAccountJson,
} from "../../../../wire/accounts/external-account.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { requireId } from "../../../../wire/ids.ts";
import type { Caller } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";

export const getFacts = {
  method: "GET",
  access: "VIEW",
  capability: "accounts.read",
  tag: "External accounts",
  params: Type.Object({ externalAccountId: pathId("ExternalAccount") }),
  answers: {
    200: {
      description: "The account.",
      schema: ExternalAccountSchema,
      example: externalAccountExample,
    },
  },
  refusals: ["REFERENCE_NOT_FOUND"],
} as const;

/** An external account of this owner; an account of another owner is not found. */
export async function getAccount(
  { reads }: Services,
  wanted: {
    readonly principal: Pick<Caller, "platformId">;
    readonly rawId: string;
    readonly owner: AccountOwner;
  },
): Promise<Answer> {
  const id = requireId("ExternalAccount", wanted.rawId, "REFERENCE_NOT_FOUND");
  const account = await findExternalAccount(reads, wanted.principal.platformId, id);
  if (account === undefined || !isOwnedBy(account, wanted.owner)) {
    throw new Refusal("REFERENCE_NOT_FOUND");
  }
  return { status: 200, body: externalAccountJson(account) };
}
