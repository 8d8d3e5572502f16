/** The settings of a workspace for sign-in by OpenID issuers. One row for each workspace, with the workspace's id. */
import type { World } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { defineTable, fixed, mutable, type RowOf } from "../../../tables/tables.ts";
import { isOwner, type Person } from "../person.ts";

const columns = {
  id: fixed("uuid"),
  /** What people type on the sign-in page: a word, or the domain of their address. In lower case. */
  names: mutable<readonly string[]>("json"),
  /** Every name that the directory holds for this workspace. A name is never given to another workspace. */
  claimedNames: mutable<readonly string[]>("json"),
  /** Everyone but owners must sign in by an issuer. */
  isRequired: mutable("bool"),
  createdAt: fixed("time"),
  updatedAt: mutable("time"),
};

export interface SsoSettings extends RowOf<typeof columns> {}

export const ssoSettings = defineTable<SsoSettings>("sso_settings", columns);

export const MOST_NAMES = 10;
/** The limit over the life of a workspace. */
export const MOST_CLAIMED_NAMES = 50;

/** The key of a name in the deployment's directory, which leads to its workspace. */
export function ssoNameHandle(name: string): string {
  return `sso-name:${name}`;
}

/** Refuses a passkey where an issuer is required. The command's `needs` must list `ssoSettings` of the workspace. */
export function refusePasskeyWhereSsoIsRequired(world: World, person: Pick<Person, "roles">): void {
  if (isOwner(person) || world.find(ssoSettings.ref(world.platformId))?.isRequired !== true) return;
  throw new Refusal(
    "FORBIDDEN",
    { reason: "SSO_REQUIRED" },
    "People of this workspace sign in with its identity provider: give the name of the workspace on the sign-in page.",
  );
}
