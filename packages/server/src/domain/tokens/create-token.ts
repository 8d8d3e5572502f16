import type { Command } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import { putToken } from "../platforms/create-platform.ts";
import type { Permission, Token } from "./token.ts";

export interface CreateTokenInput {
  readonly name: string;
  readonly permissions: readonly Permission[];
  readonly clientId: string;
  readonly secretHash: Buffer;
}

/** Creates a token. The caller's right to grant its permissions is checked before: see `refuseGrant`. */
export const createToken: Command<CreateTokenInput, Token> = {
  name: "create-token",
  needs: () => [],
  decide: (world, token) => putToken(world, token),
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
