import Type from "typebox";
import { findToken } from "../../../../domain/people/tokens/token.sql.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { requireId } from "../../../../wire/ids.ts";
import { TokenSchema, tokenExample, tokenJson } from "../../../../wire/people/token.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";

export const getToken = defineOperation({
  id: "getToken",
  method: "GET",
  path: "/tokens/{tokenId}",
  access: "VIEW",
  capability: "tokens.read",
  tag: "Tokens",
  summary: "Get an API token",
  params: Type.Object({ tokenId: pathId("Token") }),
  answers: {
    200: {
      description: "The token, without its secret.",
      schema: TokenSchema,
      example: tokenExample,
    },
  },
  refusals: ["TOKEN_NOT_FOUND"],
  async handle({ principal, params }, { reads }: Services) {
    const found = await findToken(
      reads,
      principal.platformId,
      requireId("Token", params.tokenId, "TOKEN_NOT_FOUND"),
    );
    if (found === undefined) throw new Refusal("TOKEN_NOT_FOUND");
    return { status: 200, body: tokenJson(found.token, { lastUsedAt: found.lastUsedAt }) };
  },
});
