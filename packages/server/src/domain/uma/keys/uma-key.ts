/**
 * A key pair by which institutions that speak UMA know a platform. The SIGNING key signs messages; with the ENCRYPTION key others encrypt
 * travel-rule data for the platform. The protocol publishes one key of each use, so a rotation overlaps in time (ADR 155).
 *
 * NEXT       made by a rotation; takes over at `takesOverAt`
 * CURRENT    published, one of each use
 * PREVIOUS   an ENCRYPTION key that was replaced: it opens messages until `destroyAt`
 * DESTROYED  the private part is gone
 *
 * `notBefore`, `notAfter`, `takesOverAt` and `destroyAt` are times of the host's clock, in sandboxes too, because other institutions judge
 * by theirs. A job (`tend-uma-key.ts`) stands for the next of them.
 */
import type { Loaded, World } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { toWireId } from "../../../std/ids.ts";
import {
  defineSelection,
  defineTable,
  fixed,
  mutable,
  type RowOf,
} from "../../../tables/tables.ts";
import { scheduleJob } from "../../job-kinds.ts";
import type { Platform } from "../../platform.ts";

export const umaKeyUses = ["SIGNING", "ENCRYPTION"] as const;
export type UmaKeyUse = (typeof umaKeyUses)[number];

export const umaKeyStatuses = ["NEXT", "CURRENT", "PREVIOUS", "DESTROYED"] as const;
export type UmaKeyStatus = (typeof umaKeyStatuses)[number];

export const umaKeySources = ["SELF_SIGNED", "AUTHORITY"] as const;
export type UmaKeySource = (typeof umaKeySources)[number];

const columns = {
  id: fixed("uuid"),
  use: fixed<UmaKeyUse>("text"),
  status: mutable<UmaKeyStatus>("text"),
  /** The uncompressed point: 130 lower-case hexadecimal digits. */
  publicKey: fixed("text"),
  /** The 32 bytes of the private part; null once it is destroyed. */
  privateSealed: mutable<string | null>("text"),
  source: mutable<UmaKeySource>("text"),
  /** Certificates in PEM, that of the key first. */
  chain: mutable<readonly string[]>("json"),
  /** The domains that the certificate names, the primary one first. */
  names: mutable<readonly string[]>("json"),
  /** When every certificate of the chain is valid. */
  notBefore: mutable("time"),
  notAfter: mutable("time"),
  /** Of a key that a rotation made. */
  takesOverAt: mutable<number | null>("time"),
  /** Of a PREVIOUS key. */
  destroyAt: mutable<number | null>("time"),
  /** The notice of expiry that was sent last, in days before `notAfter`; 0 once it has expired. */
  toldDays: mutable<number | null>("int4"),
  jobId: mutable<string | null>("uuid"),
  createdAt: fixed("time"),
  updatedAt: mutable("time"),
};

export interface UmaKey extends RowOf<typeof columns> {}

export const umaKeys = defineTable<UmaKey>("uma_keys", columns, {
  isFinal: ({ status }) => status === "DESTROYED",
});

/** At most `MOST_LIVE_KEYS` of each use. */
export const liveUmaKeys = defineSelection(umaKeys, {
  name: "live",
  sql: "t.status <> 'DESTROYED'",
  holds: ({ status }) => status !== "DESTROYED",
});

/** Bounds how many previous keys a platform makes by rotating again and again. */
export const MOST_LIVE_KEYS = 10;

/** The associated data of the sealed private part: it opens for this key of this platform alone. */
export function privateKeyIdentity(platformId: string, publicKey: string): string {
  return `uma_keys.private ${platformId} ${publicKey}`;
}

/** Certificates of a key, with what they say. */
export interface KeyCertificate
  extends Pick<UmaKey, "source" | "chain" | "names" | "notBefore" | "notAfter"> {}

/** A pair that was made, and whose private part was sealed, before the command. */
export interface NewUmaKey extends Pick<UmaKey, "use" | "publicKey"> {
  readonly privateSealed: string;
  readonly certificate: KeyCertificate;
}

/** Other institutions refuse a certificate of more than 8 kB. */
const MOST_NAMES_CHARS = 4_096;

/** The domains that a certificate of the platform names, the present one first. Those that would make it too long are left out. */
export function certifiedDomains({ umaDomain, umaDomains }: Platform): readonly string[] {
  let chars = 0;
  return [umaDomain, ...umaDomains.filter((domain) => domain !== umaDomain)].filter((domain) => {
    chars += domain.length;
    return chars <= MOST_NAMES_CHARS;
  });
}

/** Whether the key is published, now or later. */
export function isUsed({ status }: UmaKey): boolean {
  return status === "CURRENT" || status === "NEXT";
}

/** Whether a self-signed certificate names other domains than the platform has. */
export function namesOthers({ source, names }: UmaKey, platform: Platform): boolean {
  return source === "SELF_SIGNED" && names.join() !== certifiedDomains(platform).join();
}

export function currentKey(keys: readonly UmaKey[], use: UmaKeyUse): UmaKey | undefined {
  return keys.find((key) => key.use === use && key.status === "CURRENT");
}

export interface UmaKeySubject {
  readonly kind: "UmaKey";
  readonly id: string;
  readonly key: UmaKey;
}

export function umaKeySubject(key: UmaKey): UmaKeySubject {
  return { kind: "UmaKey", id: toWireId("UmaKey", key.id), key };
}

export function requireUmaKey(world: Loaded, id: string): UmaKey {
  const key = world.find(umaKeys.ref(id));
  if (key === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
  return key;
}

/** Stores the key, with a job for its next time. `now` is host time. */
export function putUmaKey(world: World, key: UmaKey, now: number): UmaKey {
  if (key.jobId !== null) world.cancel(key.jobId);
  const nextAt = nextActAt(key);
  const jobId =
    nextAt === undefined
      ? null
      : scheduleJob(world, {
          kind: "tend-uma-key",
          payload: { keyId: key.id },
          dueAt: world.at + Math.max(nextAt - now, 0),
        });
  return world.put(umaKeys, { ...key, jobId, updatedAt: world.at });
}

export function insertUmaKey(
  world: World,
  { certificate, ...pair }: NewUmaKey,
  state: Pick<UmaKey, "status" | "takesOverAt"> & { readonly now: number },
): UmaKey {
  const { now, ...rest } = state;
  const key: UmaKey = {
    id: world.newId(),
    ...pair,
    ...certificate,
    ...rest,
    destroyAt: null,
    toldDays: null,
    jobId: null,
    createdAt: world.at,
    updatedAt: world.at,
  };
  return putUmaKey(world, key, now);
}

/** The key without its private part. */
export function destroyedKey(key: UmaKey): UmaKey {
  return { ...key, status: "DESTROYED", privateSealed: null, destroyAt: null };
}

const DAY_MS = 24 * 60 * 60_000;

/** A self-signed certificate is replaced this long before it expires. */
export const RENEWED_BEFORE_MS = 30 * DAY_MS;

/** The notices of expiry, in days before it. */
const NOTICE_DAYS = [30, 7, 1, 0] as const;

/** The last notice that is due at this time; undefined before the first one. */
export function dueNotice({ notAfter }: UmaKey, now: number): number | undefined {
  return NOTICE_DAYS.filter((days) => now >= notAfter - days * DAY_MS).at(-1);
}

/** The host time at which something is next to be done with the key; undefined when nothing is. */
export function nextActAt(key: UmaKey): number | undefined {
  switch (key.status) {
    case "NEXT":
      return key.takesOverAt ?? undefined;
    case "PREVIOUS":
      return key.destroyAt ?? undefined;
    case "DESTROYED":
      return undefined;
    case "CURRENT": {
      if (key.source === "SELF_SIGNED") return key.notAfter - RENEWED_BEFORE_MS;
      const next = NOTICE_DAYS.find((days) => key.toldDays === null || days < key.toldDays);
      return next === undefined ? undefined : key.notAfter - next * DAY_MS;
    }
  }
}
