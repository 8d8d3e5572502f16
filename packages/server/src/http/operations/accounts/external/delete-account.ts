/** Shared by the deletion of a customer's and of the platform's own external account. */
import Type from "typebox";
import { deleteExternalAccount } from "../../../../domain/accounts/external/delete-external-account.ts";
import type { Answered } from "../../../../engine/command.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { requireId } from "../../../../wire/ids.ts";
import type { Principal } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { submitForCaller } from "../../../request/submit-for-caller.ts";

export const deleteFacts = {
  method: "DELETE",
  access: "MANAGE",
  capability: "external-accounts.write",
  tag: "External accounts",
  description: "Payments that are already under way to it go on.",
  params: Type.Object({ externalAccountId: pathId("ExternalAccount") }),
  answers: { 204: { description: "Deleted." } },
  refusals: ["REFERENCE_NOT_FOUND"],
} as const;

/** Deletes an account of this kind of owner; an account of the other kind is not found. */
export async function deleteAccount(
  { engine }: Services,
  unwanted: {
    readonly principal: Principal;
    readonly rawId: string;
    readonly owner: "customer" | "platform";
  },
): Promise<Answered> {
  const { principal, rawId, owner } = unwanted;
  return submitForCaller(engine, principal, {
    command: deleteExternalAccount,
    input: { accountId: requireId("ExternalAccount", rawId, "REFERENCE_NOT_FOUND"), owner },
    toAnswer: () => ({ status: 204, body: "" }),
  });
}
