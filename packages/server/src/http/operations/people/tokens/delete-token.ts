import Type from "typebox";
import { deleteToken as command } from "../../../../domain/people/tokens/delete-token.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { requireId } from "../../../../wire/ids.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { submitForCaller } from "../../../request/submit-for-caller.ts";

export const deleteToken = defineOperation({
  id: "deleteToken",
  method: "DELETE",
  path: "/tokens/{tokenId}",
  access: "MANAGE",
  capability: "tokens.write",
  tag: "Tokens",
  summary: "Delete an API token",
  description: "The token is refused from now on. The last token with MANAGE cannot be deleted.",
  params: Type.Object({ tokenId: pathId("Token") }),
  answers: { 204: { description: "Deleted." } },
  refusals: ["TOKEN_NOT_FOUND", "INVALID_INPUT"],
  async handle({ principal, params }, services: Services) {
    const answered = await submitForCaller(services.engine, principal, {
      command,
      input: { tokenId: requireId("Token", params.tokenId, "TOKEN_NOT_FOUND") },
      toAnswer: () => ({ status: 204, body: "" }),
    });
    services.forgetCredentials();
    return answered;
  },
});
