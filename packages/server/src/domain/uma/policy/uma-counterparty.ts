/**
 * Another institution, as one platform knows it: by its domain. A row is made by the first message whose signature held, or by a setting.
 *
 * DEFAULT  the policy decides
 * ALLOWED  taken where the policy takes listed ones only
 * BLOCKED  nothing is taken from it or sent to it
 *
 * OK       the key of its last message is accepted
 * CHANGED  its messages have another key than the accepted one, and keys are pinned: refused until a person accepts the key
 * EXPIRED  its certificates had expired when they were last fetched
 *
 * A platform has at most `MOST_COUNTERPARTIES`. Beyond them the one without a status that was seen the longest ago is forgotten: its row is
 * marked, and deleted after a day.
 */
import type { World } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { toWireId } from "../../../std/ids.ts";
import { listerOf } from "../../../tables/list-query.ts";
import { defineLookup, defineTable, fixed, mutable, type RowOf } from "../../../tables/tables.ts";
import type { UmaPolicy } from "./uma-policy.ts";

export const counterpartyStatuses = ["DEFAULT", "ALLOWED", "BLOCKED"] as const;
export type CounterpartyStatus = (typeof counterpartyStatuses)[number];

export const keyStates = ["OK", "CHANGED", "EXPIRED"] as const;
export type KeyState = (typeof keyStates)[number];

/** The settings of the policy that one counterparty may have otherwise. */
export type CounterpartyOverrides = {
  readonly [Key in "unregulated" | "certificates" | "pinKeys" | "callbackHosts"]?: UmaPolicy[Key];
};

export const MOST_COUNTERPARTIES = 10_000;
/** A counterparty uses one or two versions. What it claims beyond these is not kept. */
const MOST_VERSIONS = 8;

const columns = {
  id: fixed("uuid"),
  domain: fixed("text"),
  status: mutable<CounterpartyStatus>("text"),
  overrides: mutable<CounterpartyOverrides>("json"),
  /** Of its configuration document. */
  name: mutable<string | null>("text"),
  /** The versions of the protocol that its messages had, the last one first. */
  versions: mutable<readonly string[]>("json"),
  /** The SHA-256 of the signing key of its last message. */
  keyFingerprint: mutable<string | null>("text"),
  keySince: mutable<number | null>("time"),
  /** The key before that one; the accepted one while CHANGED. */
  previousFingerprint: mutable<string | null>("text"),
  keyState: mutable<KeyState>("text"),
  /** Null until a message whose signature held. */
  firstSeenAt: mutable<number | null>("time"),
  /** Kept to the hour. */
  lastSeenAt: mutable<number | null>("time"),
  createdAt: fixed("time"),
  updatedAt: mutable("time"),
  /** When it was forgotten. */
  deletedAt: mutable<number | null>("time"),
};

export interface UmaCounterparty extends RowOf<typeof columns> {}

export const umaCounterparties = defineTable<UmaCounterparty>("uma_counterparties", columns, {
  isFinal: ({ deletedAt }) => deletedAt !== null,
});

/** One row of a domain. */
export const counterpartyByDomain = defineLookup(umaCounterparties, {
  by: "domain",
  where: { sql: "t.deleted_at is null", holds: ({ deletedAt }) => deletedAt === null },
});

export const listUmaCounterparties = listerOf(umaCounterparties, { sql: "t.deleted_at is null" });

export interface UmaCounterpartySubject {
  readonly kind: "UmaCounterparty";
  readonly id: string;
  readonly umaCounterparty: UmaCounterparty;
}

export function umaCounterpartySubject(umaCounterparty: UmaCounterparty): UmaCounterpartySubject {
  const id = toWireId("UmaCounterparty", umaCounterparty.id);
  return { kind: "UmaCounterparty", id, umaCounterparty };
}

/** The key by which messages are taken while keys are pinned. */
export function acceptedFingerprint(counterparty: UmaCounterparty): string | null {
  const { keyState, keyFingerprint, previousFingerprint } = counterparty;
  return keyState === "CHANGED" ? previousFingerprint : keyFingerprint;
}

export function newCounterparty(world: World, domain: string): UmaCounterparty {
  return {
    id: world.newId(),
    domain,
    status: "DEFAULT",
    overrides: {},
    name: null,
    versions: [],
    keyFingerprint: null,
    keySince: null,
    previousFingerprint: null,
    keyState: "OK",
    firstSeenAt: null,
    lastSeenAt: null,
    createdAt: world.at,
    updatedAt: world.at,
    deletedAt: null,
  };
}

export function withVersion(
  versions: readonly string[],
  version: string | undefined,
): readonly string[] {
  if (version === undefined || versions[0] === version) return versions;
  return [version, ...versions.filter((one) => one !== version)].slice(0, MOST_VERSIONS);
}

/** The room for one more counterparty, as a read before the command found it. */
export type CounterpartyRoom =
  | { readonly kind: "free" }
  /** The counterparty that is forgotten for it. */
  | { readonly kind: "forget"; readonly id: string }
  /** All have a status. */
  | { readonly kind: "full" };

export function roomRefs(room: CounterpartyRoom) {
  return room.kind === "forget" ? [umaCounterparties.ref(room.id)] : [];
}

export function refuseFull({ kind }: CounterpartyRoom): void {
  if (kind !== "full") return;
  const message = `The platform has ${MOST_COUNTERPARTIES} counterparties with a status: set some of them to DEFAULT first.`;
  throw new Refusal("CONFLICT", { limit: MOST_COUNTERPARTIES }, message);
}

/** Forgets the counterparty that was found for it, unless it has got a status or was forgotten meanwhile. */
export function makeRoom(world: World, room: CounterpartyRoom): void {
  if (room.kind !== "forget") return;
  const found = world.find(umaCounterparties.ref(room.id));
  if (found === undefined || found.deletedAt !== null || found.status !== "DEFAULT") return;
  world.put(umaCounterparties, { ...found, deletedAt: world.at, updatedAt: world.at });
}
