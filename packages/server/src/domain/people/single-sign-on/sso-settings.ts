/** Sign-in of people by an OpenID issuer: what a workspace has set. One row a workspace, with its id. */
import type { World } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { defineTable, fixed, mutable, type RowOf } from "../../../tables/tables.ts";
import { isOwner, type Person } from "../person.ts";

const columns = {
  id: fixed("uuid"),
  /** What people type on the sign-in page: a word, or the domain of their address. In lower case. */
  names: mutable<readonly string[]>("json"),
  /** Names that the directory has for this workspace. A name is never given to another one. */
  claimedNames: mutable<readonly string[]>("json"),
  /** People other than owners sign in by an issuer alone. */
  isRequired: mutable("bool"),
  createdAt: fixed("time"),
  updatedAt: mutable("time"),
};

export interface SsoSettings extends RowOf<typeof columns> {}

export const ssoSettings = defineTable<SsoSettings>("sso_settings", columns);

export const MOST_NAMES = 10;
/** Over the life of a workspace. */
export const MOST_CLAIMED_NAMES = 50;

/** The key of a name in the deployment's directory, which leads to its workspace. */
export function ssoNameHandle(name: string): string {
  return `sso-name:${name}`;
}

/** Refuses a passkey where an issuer is required; `needs` names `ssoSettings` of the workspace. */
export function refusePasskeyWhereSsoIsRequired(world: World, person: Pick<Person, "roles">): void {
  if (isOwner(person) || world.find(ssoSettings.ref(world.platformId))?.isRequired !== true) return;
  throw new Refusal(
    "FORBIDDEN",
    { reason: "SSO_REQUIRED" },
    "People of this workspace sign in with its identity provider: give the name of the workspace on the sign-in page.",
  );
}
