import type { Reads } from "../../postgres/database.ts";
import { finderOf } from "../../tables/find-row.ts";
import { listerOf } from "../../tables/list-query.ts";
import { platformOfHandle } from "../platform.sql.ts";
import { type PersonPasskey, passkeyHandle, personPasskeys } from "./passkey.ts";
import { type Person, people } from "./person.ts";
import { linkHandle, type PersonLink, personLinks } from "./person-link.ts";

export const findPerson = finderOf(people);

export const listPeople = listerOf(people);

/** At most this many active people of a workspace are read; the others are not asked to approve. */
const MOST_ACTIVE_READ = 1_000;

const active = {
  name: "people/active",
  text:
    `select ${people.selectList("t")} from people t where t.platform_id = $1::uuid and t.state = 'ACTIVE' ` +
    `order by t.id limit ${MOST_ACTIVE_READ}`,
};

/** The people who can sign in. */
export function activePeople(reads: Reads, platformId: string): Promise<readonly Person[]> {
  return reads.rows(people, active, [platformId]);
}

const ofPeople = {
  name: "person_passkeys/of-people",
  text:
    `select ${personPasskeys.selectList("t")} from person_passkeys t ` +
    "where t.platform_id = $1::uuid and t.person_id = any($2::uuid[]) and t.deleted_at is null order by t.id",
};

/** The passkeys of these people, the oldest first. */
export function findPasskeysOf(
  reads: Reads,
  platformId: string,
  ids: readonly string[],
): Promise<readonly PersonPasskey[]> {
  return reads.rows(personPasskeys, ofPeople, [platformId, ids]);
}

const byCredential = {
  name: "person_passkeys/by-credential",
  text:
    `select ${personPasskeys.selectList("t")} from person_passkeys t ` +
    "where t.platform_id = $1::uuid and t.credential_id = $2::text and t.deleted_at is null",
};

export interface FoundPasskey {
  readonly workspaceId: string;
  readonly passkey: PersonPasskey;
}

/** The passkey of a credential, wherever its workspace is. */
export async function findPasskey(
  reads: Reads,
  credentialId: string,
): Promise<FoundPasskey | undefined> {
  const platformId = await platformOfHandle(reads, passkeyHandle(credentialId));
  if (platformId === undefined) return undefined;
  const [passkey] = await reads.rows(personPasskeys, byCredential, [platformId, credentialId]);
  return passkey && { workspaceId: platformId, passkey };
}

const byHash = {
  name: "person_links/by-code",
  text:
    `select ${personLinks.selectList("t")} from person_links t ` +
    "where t.platform_id = $1::uuid and t.code_hash = $2::text",
};

export interface FoundLink {
  readonly workspaceId: string;
  readonly link: PersonLink;
}

/** The link of a code, wherever its workspace is. */
export async function findLink(reads: Reads, codeHash: string): Promise<FoundLink | undefined> {
  const platformId = await platformOfHandle(reads, linkHandle(codeHash));
  if (platformId === undefined) return undefined;
  const [link] = await reads.rows(personLinks, byHash, [platformId, codeHash]);
  return link && { workspaceId: platformId, link };
}

export const findLinkById = finderOf(personLinks);

const anyOwner = {
  name: "people/any-owner",
  text: "select 1 from people where state = 'ACTIVE' and roles::jsonb @> '[{\"roles\": [\"OWNER\"]}]' limit 1",
};

/** Whether any workspace of the deployment has an owner who can sign in. */
export async function hasAnyOwner(reads: Reads): Promise<boolean> {
  return (await reads.cells(anyOwner, [])).length > 0;
}

const ownerOf = {
  name: "people/owner-of-workspace",
  text:
    "select 1 from people where platform_id = $1::uuid and state = 'ACTIVE' and " +
    'roles::jsonb @> \'[{"roles": ["OWNER"]}]\' limit 1',
};

export async function hasOwner(reads: Reads, platformId: string): Promise<boolean> {
  return (await reads.cells(ownerOf, [platformId])).length > 0;
}

const anyOperator = {
  name: "people/any-operator",
  text: "select 1 from people where state <> 'REMOVED' and is_operator limit 1",
};

export async function hasAnyOperator(reads: Reads): Promise<boolean> {
  return (await reads.cells(anyOperator, [])).length > 0;
}

export const MOST_PEOPLE_FOUND = 100;

const byEmail = {
  name: "people/by-email",
  text:
    `select t.platform_id, ${people.selectList("t")} from people t where t.email = $1::text and t.state <> 'REMOVED' ` +
    `order by t.platform_id limit ${MOST_PEOPLE_FOUND}`,
};

export interface FoundPerson {
  readonly workspaceId: string;
  readonly person: Person;
}

/** The people with an address, in all workspaces. For the operator's commands: no index helps. */
export async function findPeopleByEmail(
  reads: Reads,
  handle: string,
): Promise<readonly FoundPerson[]> {
  const found = await reads.cells(byEmail, [handle]);
  return found.map((cells) => ({
    workspaceId: cells[0] ?? "",
    person: people.decode(cells, 1),
  }));
}
