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

/** Makes a token. Whether the one who asks may grant this is judged before: see `refuseGrant`. */
export const createToken: Command<CreateTokenInput, Token> = {
  name: "create-token",
  needs: () => [],
  decide: (world, token) => putToken(world, token),
};

/**
 * Refuses to grant what the granter does not hold. This stands before the command, as every question of permission does:
 * no answer is stored for it, and a stored answer with a secret in it is not given to a token that may do less.
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
