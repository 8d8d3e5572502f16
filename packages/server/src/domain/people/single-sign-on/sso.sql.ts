import type { Reads } from "../../../postgres/database.ts";
import { platformRowFinderOf } from "../../../tables/find-row.ts";
import { platformOfHandle } from "../../platform.sql.ts";
import { type Person, people } from "../person.ts";
import { MOST_ISSUERS, type SsoIssuer, ssoIssuers } from "./sso-issuer.ts";
import { ssoNameHandle, ssoSettings } from "./sso-settings.ts";

export const findSsoSettings = platformRowFinderOf(ssoSettings);

const issuersOf = {
  name: "sso_issuers/list",
  text:
    `select ${ssoIssuers.selectList("t")} from sso_issuers t ` +
    `where t.platform_id = $1::uuid and t.deleted_at is null order by t.id limit ${MOST_ISSUERS}`,
};

/** The issuers of a workspace, the oldest first. */
export function listSsoIssuers(reads: Reads, platformId: string): Promise<readonly SsoIssuer[]> {
  return reads.rows(ssoIssuers, issuersOf, [platformId]);
}

/** The workspace that has this name for its sign-in. */
export async function workspaceOfSsoName(reads: Reads, name: string): Promise<string | undefined> {
  const platformId = await platformOfHandle(reads, ssoNameHandle(name));
  if (platformId === undefined) return undefined;
  const settings = await findSsoSettings(reads, platformId);
  return settings?.names.includes(name) === true ? platformId : undefined;
}

const ofIdentity = {
  name: "people/of-identity",
  text:
    `select ${people.selectList("t")} from people t join person_identities i on i.platform_id = t.platform_id ` +
    "and i.person_id = t.id where t.platform_id = $1::uuid and i.platform_id = $1::uuid and i.digest = $2::text and i.ended_at is null",
};

const ofEmail = {
  name: "people/of-workspace-by-email",
  text:
    `select ${people.selectList("t")} from people t ` +
    "where t.platform_id = $1::uuid and t.email = $2::text and t.state <> 'REMOVED'",
};

/** The person who is bound to the subject, or else has the address. The command judges whether it may be this person. */
export async function findByIdentity(
  reads: Reads,
  platformId: string,
  { digest, email }: { readonly digest: string; readonly email: string | null },
): Promise<Person | undefined> {
  const [bound] = await reads.rows(people, ofIdentity, [platformId, digest]);
  if ((bound !== undefined && bound.state !== "REMOVED") || email === null) return bound;
  const [named] = await reads.rows(people, ofEmail, [platformId, email]);
  return named;
}
