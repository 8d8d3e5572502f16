/**
 * A session: for a quarter of an hour, the holder of its private key may sign for the account. The private key is sealed to
 * the client and not stored; this row has the public one.
 */
import type { World } from "../../engine/command.ts";
import { defineLookup, defineTable, fixed, mutable, type RowOf } from "../../tables/tables.ts";
import type { Credential, CredentialType } from "./credentials/credential.ts";

const columns = {
  id: fixed("uuid"),
  accountId: fixed("uuid"),
  credentialId: fixed("uuid"),
  /** Type and nickname of the credential that issued it. */
  type: fixed<CredentialType>("text"),
  nickname: fixed("text"),
  /** Compressed, 66 lower-case hexadecimal digits. */
  publicKey: fixed("text"),
  createdAt: fixed("time"),
  updatedAt: mutable("time"),
  expiresAt: fixed("time"),
  endedAt: mutable<number | null>("time"),
};

/** Active until `expiresAt`, or until it is ended: by its revocation, by that of its credential, or to make room for a newer session. */
export interface Session extends RowOf<typeof columns> {}

export const sessions = defineTable<Session>("wallet_sessions", columns, {
  isFinal: ({ endedAt }) => endedAt !== null,
});

/** Sessions that were not ended; some may have expired. */
export const openSessionsOf = defineLookup(sessions, {
  by: "accountId",
  where: { sql: "t.ended_at is null", holds: ({ endedAt }) => endedAt === null },
});

const LIFETIME_MS = 15 * 60 * 1000;
/** The largest number of active sessions; opening another ends the oldest. */
const MAX_ACTIVE = 20;

export function isActive(session: Session, at: number): boolean {
  return session.endedAt === null && at < session.expiresAt;
}

/** The active sessions of an account, oldest first. */
export function activeSessions(world: World, accountId: string): readonly Session[] {
  return world
    .all(openSessionsOf.of(accountId))
    .filter((session) => isActive(session, world.at))
    .sort((left, right) => (left.id < right.id ? -1 : 1));
}

export type IssuedBy = Pick<Credential, "accountId" | "type" | "nickname"> & {
  readonly credentialId: string;
};

/** Opens a session of this credential. Expired sessions are closed first, to bound the open ones. */
export function issueSession(world: World, issuer: IssuedBy, publicKey: string): Session {
  const { accountId, credentialId, type, nickname } = issuer;
  const active = activeSessions(world, accountId);
  const surplus = active.slice(0, Math.max(0, active.length - MAX_ACTIVE + 1));
  const expired = world
    .all(openSessionsOf.of(accountId))
    .filter((session) => !isActive(session, world.at));
  for (const session of [...expired, ...surplus]) endSession(world, session);
  return world.put(sessions, {
    id: world.newId(),
    accountId,
    credentialId,
    type,
    nickname,
    publicKey,
    createdAt: world.at,
    updatedAt: world.at,
    expiresAt: world.at + LIFETIME_MS,
    endedAt: null,
  });
}

export function endSession(world: World, session: Session): Session {
  return world.put(sessions, { ...session, updatedAt: world.at, endedAt: world.at });
}
