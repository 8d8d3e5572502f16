/**
 * Reads the session of a request: the person, the platforms of the workspace, and when the session ends.
 *
 * Bounds: a read is cached for a second at most, so an ended session is refused after one second on every server, and at once on the server
 * that ended it. The time of the last act is kept in memory and written outside the engine. A server that crashes loses unwritten acts, and
 * their sessions end that much earlier.
 */
import {
  type FoundSession,
  findSession,
  type SessionUse,
} from "../../domain/people/sessions/person-session.sql.ts";
import {
  type OwnPlatform,
  platformsOfWorkspace,
} from "../../domain/people/workspaces/workspace.sql.ts";
import type { Reads } from "../../postgres/database.ts";
import { assert } from "../../std/assert.ts";
import type { Clock } from "../../std/clock.ts";
import { hashOfSecret, type SessionKey } from "./session-cookie.ts";

export interface SessionLives {
  /** The idle limit of a session that has used a production platform. */
  readonly idleMs: number;
  /** The maximum age of a session, and the idle limit of a session that has used only sandboxes. */
  readonly wholeMs: number;
}

export interface LiveSession extends Pick<FoundSession, "session" | "person" | "switches"> {
  /** The workspace comes from the stored session, not from the cookie. */
  readonly key: SessionKey;
  readonly platforms: readonly OwnPlatform[];
  readonly idleEndsAt: number;
  readonly endsAt: number;
  readonly lastUse: LastUse;
}

/** When a session was last used, as far as this server knows. */
export interface LastUse {
  readonly actAt: number;
  readonly writtenAt: number;
  readonly usedProduction: boolean;
}

export interface SessionAct {
  /** False for a call that a page makes by itself. */
  readonly isAct: boolean;
  readonly isProduction: boolean;
}

export interface Sessions {
  /** The live session of a key; undefined when there is none. */
  find(key: SessionKey): Promise<LiveSession | undefined>;
  /** Notes a use of the session. False when the session has been idle too long for this use. */
  use(live: LiveSession, act: SessionAct): boolean;
  /** Drops cached sessions. Call it when sessions or people have changed. */
  forget(): void;
}

const READ_COUNTS_MS = 1_000;
/** The last act is written at most this often, so a crash loses at most this much. */
const WRITE_EVERY_MS = 15_000;
const MOST_KEPT = 10_000;

interface Kept {
  readonly found: FoundSession;
  readonly platforms: readonly OwnPlatform[];
  readonly readAt: number;
}

export function createSessions(options: {
  readonly reads: Reads;
  readonly clock: Clock;
  readonly lives: SessionLives;
  readonly noteUse: (use: SessionUse) => void;
}): Sessions {
  const { reads, clock, lives, noteUse } = options;
  const found = createSessionReads(reads, clock);
  const uses = new Map<string, LastUse>();

  function lastUseOf({ session, lastActAt, usedProduction }: FoundSession): LastUse {
    const known = uses.get(session.id);
    const actAt = Math.max(session.createdAt, lastActAt ?? 0, known?.actAt ?? 0);
    const hasUsed = usedProduction || known?.usedProduction === true;
    return { actAt, writtenAt: known?.writtenAt ?? lastActAt ?? 0, usedProduction: hasUsed };
  }

  const idleEndOf = ({ actAt, usedProduction }: LastUse, isProduction: boolean) =>
    actAt + (usedProduction || isProduction ? lives.idleMs : lives.wholeMs);

  return {
    async find(key) {
      const current = await found.of(key);
      if (current === undefined) return undefined;
      const { platforms } = current;
      const { workspaceId, session, person, switches } = current.found;
      const lastUse = lastUseOf(current.found);
      const idleEndsAt = Math.min(idleEndOf(lastUse, false), session.expiresAt);
      const now = clock.now();
      if (person.state !== "ACTIVE" || now >= idleEndsAt || now >= session.expiresAt)
        return undefined;
      const stored = { workspaceId, secret: key.secret };
      const endsAt = session.expiresAt;
      return { key: stored, session, person, switches, platforms, idleEndsAt, endsAt, lastUse };
    },

    use({ key, session, lastUse }, { isAct, isProduction }) {
      const now = clock.now();
      if (now >= idleEndOf(lastUse, isProduction)) return false;
      const turnsToProduction = isProduction && !lastUse.usedProduction;
      if (!isAct && !turnsToProduction) return true;
      const mustWrite = turnsToProduction || now - lastUse.writtenAt >= WRITE_EVERY_MS;
      const next: LastUse = {
        actAt: isAct ? now : lastUse.actAt,
        writtenAt: mustWrite ? now : lastUse.writtenAt,
        usedProduction: lastUse.usedProduction || isProduction,
      };
      keep(uses, session.id, next);
      if (mustWrite) {
        const { actAt: lastActAt, usedProduction } = next;
        const { workspaceId } = key;
        noteUse({ workspaceId, sessionId: session.id, lastActAt, usedProduction });
      }
      return true;
    },

    forget: found.forget,
  };
}

/**
 * Recent reads, by the workspace and the hash of the secret: a secret that is valid in one workspace proves nothing in another. A read that
 * began before `forget` is not cached.
 */
function createSessionReads(reads: Reads, clock: Clock) {
  const kept = new Map<string, Kept>();
  let generation = 0;
  return {
    async of({ workspaceId, secret }: SessionKey): Promise<Kept | undefined> {
      const hash = hashOfSecret(secret);
      const cacheKey = `${workspaceId} ${hash}`;
      const known = kept.get(cacheKey);
      const now = clock.now();
      if (known !== undefined && now >= known.readAt && now - known.readAt < READ_COUNTS_MS)
        return known;
      kept.delete(cacheKey);
      const began = generation;
      const [found, platforms] = await Promise.all([
        findSession(reads, workspaceId, hash),
        platformsOfWorkspace(reads, workspaceId),
      ]);
      if (found === undefined) return undefined;
      assert(found.workspaceId === workspaceId, "I-70: a session is read in its own workspace");
      const fresh = { found, platforms, readAt: now };
      if (began === generation) keep(kept, cacheKey, fresh);
      return fresh;
    },
    forget(): void {
      generation += 1;
      kept.clear();
    },
  };
}

/** The oldest entry is evicted first. */
function keep<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  if (map.size >= MOST_KEPT) map.delete(map.keys().next().value ?? "");
  map.set(key, value);
}
