/** An OpenID issuer of a workspace, by which its people sign in. Its client secret is sealed. */
import type { World } from "../../../engine/command.ts";
import {
  defineSelection,
  defineTable,
  fixed,
  mutable,
  type RowOf,
} from "../../../tables/tables.ts";
import type { Role } from "../role.ts";

/** People who join by a sign-in: those with a verified address of this domain. */
export type AutoJoin = {
  /** In lower case. */
  readonly domain: string;
  readonly role: JoinRole;
};

/** The roles that `autoJoin` may give, because they need no approval. */
export const joinRoles = ["VIEWER"] as const satisfies readonly Role[];
export type JoinRole = (typeof joinRoles)[number];

const columns = {
  id: fixed("uuid"),
  /** Shown on the button of the sign-in page. */
  name: mutable("text"),
  /** Exactly as in the `iss` claim of its tokens. */
  issuer: mutable("text"),
  clientId: mutable("text"),
  /** What the sealed secret is bound to; each secret has a new one. */
  sealId: mutable("text"),
  clientSecretSealed: mutable("text"),
  autoJoin: mutable<AutoJoin | null>("json"),
  /** When a sign-in with these values was tested last; null before that. */
  testedAt: mutable<number | null>("time"),
  /** The person who set its address or its client last; null for an issuer that was set before this was kept. */
  setBy: mutable<string | null>("uuid"),
  setAt: mutable<number | null>("time"),
  createdAt: fixed("time"),
  updatedAt: mutable("time"),
  deletedAt: mutable<number | null>("time"),
};

export interface SsoIssuer extends RowOf<typeof columns> {}

export const ssoIssuers = defineTable<SsoIssuer>("sso_issuers", columns);

export const liveIssuers = defineSelection(ssoIssuers, {
  name: "live",
  sql: "t.deleted_at is null",
  holds: ({ deletedAt }) => deletedAt === null,
});

export const MOST_ISSUERS = 10;

export function clientSecretIdentity(platformId: string, sealId: string): string {
  return `sso_issuers.client_secret ${platformId} ${sealId}`;
}

/** The issuer as it was when a sign-in was verified; undefined when it was changed or removed meanwhile. */
export function findUnchanged(
  world: World,
  { id, issuer, clientId, sealId }: Pick<SsoIssuer, "id" | "issuer" | "clientId" | "sealId">,
): SsoIssuer | undefined {
  const current = world.find(ssoIssuers.ref(id));
  if (current === undefined || current.deletedAt !== null) return undefined;
  const isSame =
    current.issuer === issuer && current.clientId === clientId && current.sealId === sealId;
  return isSame ? current : undefined;
}
