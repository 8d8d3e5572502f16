/**
 * Notes the institutions whose messages held. No message waits for its note: sightings gather in memory and are noted one after the other, each
 * by a command of its own.
 *
 * A sighting is noted when it is the first one of its domain at a platform, when it has another key or version than the last one, and an hour
 * after the last note. What a server does not remember, it compares with the row first, so a restart writes nothing anew. Who asks for many unknown
 * users is noted each time, behind the sighting that makes its row.
 *
 * Bounds: `MOST_REMEMBERED` domains, the oldest goes first; `MOST_WAITING` sightings, beyond which they are dropped. A sighting that is dropped,
 * fails or is lost with the process is made up for by the next message of its domain.
 */
import {
  noteCounterparty,
  noteExpiredKeys,
  noteProbing,
} from "../../domain/uma/policy/note-counterparty.ts";
import { findCounterpartyOf, findRoom } from "../../domain/uma/policy/uma-counterparty.sql.ts";
import type { UmaCounterparty } from "../../domain/uma/policy/uma-counterparty.ts";
import type { CounterpartySightings } from "../../domain/uma/policy/uma-policies.port.ts";
import type { Command } from "../../engine/command.ts";
import type { Engine } from "../../engine/engine.ts";
import { fingerprintOf } from "../../outside/uma/uma-policies.ts";
import type { Reads } from "../../postgres/database.ts";
import type { Clock } from "../../std/clock.ts";
import { messageOf } from "../../std/errors.ts";
import type { Log } from "../../std/log.ts";

export interface CounterpartySightingQueue extends CounterpartySightings {
  /** Resolves when the sightings so far are noted. Never rejects. */
  settled(): Promise<void>;
}

const HOUR_MS = 60 * 60_000;
const MOST_REMEMBERED = 10_000;
const MOST_WAITING = 1_000;

interface Seen {
  readonly platformId: string;
  readonly domain: string;
  /** Undefined when the certificates have expired. */
  readonly fingerprint: string | undefined;
  readonly version: string | undefined;
  /** Host time. */
  readonly at: number;
}

/** A note that waits for its turn. */
interface Note {
  write(): Promise<void>;
  /** Called when it could not be written. */
  failed?(): void;
}

interface Tools {
  readonly engine: Pick<Engine, "submit">;
  readonly reads: Reads;
  readonly clock: Clock;
  readonly log: Log;
  /** What an institution calls itself; undefined when it does not say, or cannot be asked. */
  readonly nameOf: (platformId: string, domain: string) => Promise<string | undefined>;
}

export function createCounterpartySightings(tools: Tools): CounterpartySightingQueue {
  const { clock, log } = tools;
  const remembered = new Map<string, Seen>();
  const waiting: Note[] = [];
  let underway: Promise<void> | undefined;

  async function work(): Promise<void> {
    for (let note = waiting.shift(); note !== undefined; note = waiting.shift()) {
      try {
        await note.write();
      } catch (error) {
        note.failed?.();
        log.warn({ err: messageOf(error) }, "a UMA counterparty was not noted");
      }
    }
  }

  function add(note: Note): void {
    if (waiting.length >= MOST_WAITING) return;
    waiting.push(note);
    underway ??= work().finally(() => {
      underway = undefined;
    });
  }

  function see(seen: Seen): void {
    const key = keyOf(seen);
    const last = remembered.get(key);
    if (last !== undefined && isSame(last, seen)) return;
    if (waiting.length >= MOST_WAITING) return;
    remembered.delete(key);
    const [oldest] = remembered.keys();
    if (oldest !== undefined && remembered.size >= MOST_REMEMBERED) remembered.delete(oldest);
    remembered.set(key, seen);
    add({ write: () => noteSeen(tools, seen), failed: () => void remembered.delete(key) });
  }

  return {
    note: ({ platformId, domain, version, keys }) =>
      see({
        platformId,
        domain,
        version,
        fingerprint: fingerprintOf(keys.signingKey),
        at: clock.now(),
      }),
    noteExpired: (platformId, domain) =>
      see({ platformId, domain, version: undefined, fingerprint: undefined, at: clock.now() }),
    noteProbing(platformId, domain) {
      const act = { command: noteProbing, input: { domain } };
      add({ write: () => submit(tools, { platformId }, act) });
    },
    async settled() {
      while (underway !== undefined) await underway;
    },
  };
}

function keyOf({ platformId, domain }: Seen): string {
  return platformId + domain;
}

function isSame(last: Seen, seen: Seen): boolean {
  return (
    last.fingerprint === seen.fingerprint &&
    last.version === seen.version &&
    Math.abs(seen.at - last.at) < HOUR_MS
  );
}

async function noteSeen(tools: Tools, seen: Seen): Promise<void> {
  const { reads, nameOf } = tools;
  const { platformId, domain, fingerprint, version } = seen;
  const found = await findCounterpartyOf(reads, platformId, domain);
  if (fingerprint === undefined) {
    if (found?.keyState === "OK")
      await submit(tools, seen, { command: noteExpiredKeys, input: { domain } });
    return;
  }
  if (found !== undefined && isNoted(found, seen)) return;
  // The name is asked for once an hour at most, like everything here.
  const name = await nameOf(platformId, domain);
  const room = found === undefined ? await findRoom(reads, platformId) : FREE;
  const input = { domain, fingerprint, version, name, room };
  await submit(tools, seen, { command: noteCounterparty, input });
}

const FREE = { kind: "free" } as const;

/** `lastSeenAt` is platform time; what is compared is how long ago the row was written on the host's clock, which only sandboxes move ahead of. */
function isNoted(
  { keyFingerprint, keyState, versions, lastSeenAt }: UmaCounterparty,
  { fingerprint, version, at }: Seen,
): boolean {
  return (
    keyFingerprint === fingerprint &&
    keyState !== "EXPIRED" &&
    (version === undefined || versions[0] === version) &&
    lastSeenAt !== null &&
    at - lastSeenAt < HOUR_MS
  );
}

async function submit<Input>(
  { engine }: Tools,
  { platformId }: Pick<Seen, "platformId">,
  act: { readonly command: Command<Input, undefined>; readonly input: Input },
): Promise<void> {
  await engine.submit({
    platformId,
    actor: { kind: "worker", id: "uma-counterparties" },
    ...act,
    toAnswer: () => ({ status: 200, body: "" }),
    isBackground: true,
  });
}
