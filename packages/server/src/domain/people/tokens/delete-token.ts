import type { Command } from "../../../engine/command.ts";
import { invalidField, Refusal } from "../../../engine/refusal.ts";
import { defineSelection } from "../../../tables/tables.ts";
import { type Token, tokens } from "../../token.ts";

/** A token that expires is no guard against being locked out. */
const managers = defineSelection(tokens, {
  name: "managers",
  sql: "t.deleted_at is null and t.expires_at is null and t.permissions::jsonb @> '[\"MANAGE\"]'",
  holds: isLastingManager,
});

function isLastingManager({ deletedAt, expiresAt, permissions }: Token): boolean {
  return deletedAt === null && expiresAt === null && permissions.includes("MANAGE");
}

export interface DeleteTokenInput {
  readonly tokenId: string;
}

/** Deletes a token with immediate effect. Refuses, in this order: an unknown token, the last lasting token with MANAGE. */
export const deleteToken: Command<DeleteTokenInput, Token> = {
  name: "delete-token",
  needs: (_world, { tokenId }) => [managers, tokens.ref(tokenId)],
  decide(world, { tokenId }) {
    const token = world.find(tokens.ref(tokenId));
    if (token === undefined || token.deletedAt !== null) throw new Refusal("TOKEN_NOT_FOUND");
    const others = world.all(managers).filter((manager) => manager.id !== token.id);
    if (isLastingManager(token) && others.length === 0) {
      const message =
        "names the last token with MANAGE that does not expire, which cannot be deleted";
      throw invalidField("tokenId", message);
    }
    return world.put(tokens, { ...token, updatedAt: world.at, deletedAt: world.at });
  },
};
