import type { Command } from "../../engine/command.ts";
import { invalidField, Refusal } from "../../engine/refusal.ts";
import { defineSelection } from "../../tables/tables.ts";
import { type Token, tokens } from "./token.ts";

const managers = defineSelection(tokens, {
  name: "managers",
  sql: "t.deleted_at is null and t.permissions::jsonb @> '[\"MANAGE\"]'",
  holds: (token) => token.deletedAt === null && token.permissions.includes("MANAGE"),
});

export interface DeleteTokenInput {
  readonly tokenId: string;
}

/** Deletes a token with immediate effect. Refuses, in this order: an unknown token, the last token with MANAGE. */
export const deleteToken: Command<DeleteTokenInput, Token> = {
  name: "delete-token",
  needs: (_world, { tokenId }) => [managers, tokens.ref(tokenId)],
  decide(world, { tokenId }) {
    const token = world.find(tokens.ref(tokenId));
    if (token === undefined || token.deletedAt !== null) throw new Refusal("TOKEN_NOT_FOUND");
    const others = world.all(managers).filter((manager) => manager.id !== token.id);
    if (token.permissions.includes("MANAGE") && others.length === 0) {
      throw invalidField("tokenId", "names the last token with MANAGE, which cannot be deleted");
    }
    return world.put(tokens, { ...token, updatedAt: world.at, deletedAt: world.at });
  },
};
