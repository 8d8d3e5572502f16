import type { Command } from "../../../engine/command.ts";
import { type FieldError, invalidField, invalidFields, Refusal } from "../../../engine/refusal.ts";
import { toIso } from "../../../std/clock.ts";
import { defineSelection } from "../../../tables/tables.ts";
import {
  creatorIn,
  type Permission,
  putToken,
  type Token,
  type TokenCreator,
  tokens,
} from "../../token.ts";

export interface CreateTokenInput
  extends Pick<
    Token,
    "name" | "permissions" | "clientId" | "secretHash" | "expiresAt" | "lineage"
  > {
  /** Who asked for the token, when other people approved it; when absent, the caller. */
  readonly creator?: Omit<TokenCreator, "lineage">;
}

export const EXPIRED_ALREADY: FieldError = {
  field: "expiresAt",
  message: "must be in the future",
};

/**
 * Creates a token. Refuses a time of expiry that has passed. The caller's right to grant its permissions is checked before: see
 * `refuseGrant`.
 */
export const createToken: Command<CreateTokenInput, Token> = {
  name: "create-token",
  needs: () => [],
  decide(world, { creator, lineage, ...token }) {
    const { expiresAt } = token;
    if (expiresAt !== null && expiresAt <= world.at) throw invalidFields([EXPIRED_ALREADY]);
    return putToken(world, token, { ...creatorIn(world.actor, lineage), ...creator });
  },
};

/**
 * Refuses to grant permissions that the caller lacks. This runs before the command, like every check of permissions, so that
 * its refusal is not stored, and a stored answer with a secret is not replayed to a token with fewer permissions.
 */
export function refuseGrant(
  wanted: readonly Permission[],
  granterPermissions: ReadonlySet<Permission>,
): void {
  const excess = wanted.filter((permission) => !granterPermissions.has(permission));
  if (excess.length === 0) return;
  throw new Refusal(
    "FORBIDDEN",
    { permissions: excess },
    "A token can grant only what it may do itself.",
  );
}

/** Refuses a token that would outlive the one that creates it. */
export function refuseLongerLife(
  wanted: number | null,
  { expiresAt }: Pick<Token, "expiresAt">,
): void {
  if (expiresAt === null || (wanted !== null && wanted <= expiresAt)) return;
  const limit = toIso(expiresAt);
  const message = `A token can create only tokens that expire no later than itself, at ${limit}.`;
  throw new Refusal("FORBIDDEN", { expiresAt: limit }, message);
}

/** Tokens with MANAGE that do not expire. One must remain, because a token that expires does not prevent a lockout. */
const managers = defineSelection(tokens, {
  name: "managers",
  sql: "t.deleted_at is null and t.expires_at is null and t.permissions::jsonb @> '[\"MANAGE\"]'",
  holds: isLastingManager,
});

function isLastingManager({ deletedAt, expiresAt, permissions }: Token): boolean {
  return deletedAt === null && expiresAt === null && permissions.includes("MANAGE");
}

interface DeleteTokenInput {
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
