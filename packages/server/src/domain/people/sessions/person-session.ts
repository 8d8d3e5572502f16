/**
 * A person's session in a browser. Its secret of 256 random bits is in a cookie and kept as a hash. A session is not renewed: a
 * sign-in and a step-up open a new one, and a step-up ends the old one. A session that an issuer opened ends with the issuer.
 */
import type { World } from "../../../engine/command.ts";
import { defineLookup, defineTable, fixed, mutable, type RowOf } from "../../../tables/tables.ts";

const columns = {
  id: fixed("uuid"),
  personId: fixed("uuid"),
  /** The passkey that was shown last; null when the person signed in at an issuer. */
  passkeyId: fixed<string | null>("uuid"),
  /** The issuer by which the person signed in; null for a passkey. */
  issuerId: fixed<string | null>("uuid"),
  /** Hexadecimal. */
  secretHash: fixed("text"),
  address: fixed("text"),
  userAgent: fixed("text"),
  createdAt: fixed("time"),
  /** When the person last showed a passkey, or their credentials to the issuer; 0 when the issuer does not say. */
  provenAt: fixed("time"),
  expiresAt: fixed("time"),
  endedAt: mutable<number | null>("time"),
};

export interface PersonSession extends RowOf<typeof columns> {}

export const personSessions = defineTable<PersonSession>("person_sessions", columns);

export const openSessionsOf = defineLookup(personSessions, {
  by: "personId",
  name: "open-of-person",
  where: { sql: "t.ended_at is null", holds: ({ endedAt }) => endedAt === null },
});

/** The limit for one person: opening another session ends the oldest one. */
export const MOST_SESSIONS = 20;

/** What the caller of a sign-in knows about the new session. */
export interface NewSession {
  readonly secretHash: string;
  readonly address: string;
  readonly userAgent: string;
  /** How long it lives at most. */
  readonly lifeMs: number;
}

/** How and when the person proved who they are. */
export type ShownProof = Pick<PersonSession, "personId" | "passkeyId" | "issuerId" | "provenAt">;

/** Opens a session. The command's `needs` must list `openSessionsOf` the person. */
export function openSession(
  world: World,
  { personId, passkeyId, issuerId, provenAt }: ShownProof,
  { secretHash, address, userAgent, lifeMs }: NewSession,
): PersonSession {
  const open = world.all(openSessionsOf.of(personId)).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  endSessions(world, open.slice(0, Math.max(0, open.length + 1 - MOST_SESSIONS)));
  return world.put(personSessions, {
    id: world.newId(),
    personId,
    passkeyId,
    issuerId,
    secretHash,
    address,
    userAgent,
    createdAt: world.at,
    provenAt,
    expiresAt: world.at + lifeMs,
    endedAt: null,
  });
}

/** The proof of a passkey that was shown just now. */
export function shownPasskey(
  { at }: World,
  { personId, passkeyId }: { readonly personId: string; readonly passkeyId: string },
): ShownProof {
  return { personId, passkeyId, issuerId: null, provenAt: at };
}

export function endSessions(world: World, sessions: readonly PersonSession[]): void {
  for (const session of sessions) {
    world.put(personSessions, { ...session, endedAt: world.at });
  }
}

/** Ends every session of a person. The command's `needs` must list `openSessionsOf` the person. */
export function endAllSessions(world: World, personId: string): void {
  endSessions(world, world.all(openSessionsOf.of(personId)));
}
