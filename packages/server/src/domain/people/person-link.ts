/** A link with a code of 256 random bits that leads to a person's first passkey. The code is kept as a hash, and used once. */
import type { World } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import { sha256Hex } from "../../std/digest.ts";
import { defineLookup, defineTable, fixed, mutable, type RowOf } from "../../tables/tables.ts";

export type LinkKind = "START" | "INVITE" | "RE_ENROL";

const columns = {
  id: fixed("uuid"),
  kind: fixed<LinkKind>("text"),
  /** Null for a START link, whose person does not exist yet. */
  personId: fixed<string | null>("uuid"),
  /** Hexadecimal. */
  codeHash: fixed("text"),
  /** Whether the person of a START link becomes an operator of the deployment. */
  makesOperator: fixed("bool"),
  createdAt: fixed("time"),
  expiresAt: fixed("time"),
  /** When it was used, or when another link took its place. */
  endedAt: mutable<number | null>("time"),
  /** The sealed link until its mail is sent; null for a link that is not mailed. */
  urlSealed: mutable<string | null>("text"),
};

export interface PersonLink extends RowOf<typeof columns> {}

export const personLinks = defineTable<PersonLink>("person_links", columns);

export const linksByHash = defineLookup(personLinks, { by: "codeHash" });

export const openLinksOf = defineLookup(personLinks, {
  by: "personId",
  where: { sql: "t.ended_at is null", holds: ({ endedAt }) => endedAt === null },
});

const HOUR_MS = 60 * 60 * 1000;
const LIVES_MS: Readonly<Record<LinkKind, number>> = {
  START: 24 * HOUR_MS,
  INVITE: 7 * 24 * HOUR_MS,
  RE_ENROL: 24 * HOUR_MS,
};

export function hashLinkCode(code: string): string {
  return sha256Hex(code);
}

/** The associated data of the sealed link. */
export function linkUrlIdentity(platformId: string, codeHash: string): string {
  return `person_links.url ${platformId} ${codeHash}`;
}

/** The key of a link in the deployment's directory, which leads to its workspace. */
export function linkHandle(codeHash: string): string {
  return `person-link:${codeHash}`;
}

/** Stores a new link, which replaces the open links of the person. */
export function putLink(
  world: World,
  link: Pick<PersonLink, "kind" | "personId" | "codeHash" | "makesOperator"> &
    Partial<Pick<PersonLink, "urlSealed">>,
): PersonLink {
  if (link.personId !== null) endLinks(world, link.personId);
  world.claimHandle(linkHandle(link.codeHash));
  return world.put(personLinks, {
    id: world.newId(),
    kind: link.kind,
    personId: link.personId,
    codeHash: link.codeHash,
    makesOperator: link.makesOperator,
    createdAt: world.at,
    expiresAt: world.at + LIVES_MS[link.kind],
    endedAt: null,
    urlSealed: link.urlSealed ?? null,
  });
}

/** Ends the open links of a person. The command's `needs` must list `openLinksOf` the person. */
export function endLinks(world: World, personId: string): void {
  for (const link of world.all(openLinksOf.of(personId))) {
    world.put(personLinks, { ...link, endedAt: world.at, urlSealed: null });
  }
}

export function isOpen(link: PersonLink | undefined, at: number): link is PersonLink {
  return link !== undefined && link.endedAt === null && at < link.expiresAt;
}

/** The open link of this code and kind. Every cause of failure gets the same 404. */
export function requireLink(world: World, codeHash: string, kind: LinkKind): PersonLink {
  const [link] = world.all(linksByHash.of(codeHash));
  if (isOpen(link, world.at) && link.kind === kind) return link;
  throw unknownLink();
}

/** The answer for a code that is unknown, used or expired. */
export function unknownLink(): Refusal {
  return new Refusal(
    "NOT_FOUND",
    undefined,
    "This link does not lead anywhere: it was used, has expired or is incomplete. Ask for a new one.",
  );
}
