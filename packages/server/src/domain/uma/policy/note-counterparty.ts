/** What messages of another institution tell about it. Only messages whose signature held are noted. */
import type { Command, World } from "../../../engine/command.ts";
import {
  type CounterpartyRoom,
  counterpartyByDomain,
  makeRoom,
  newCounterparty,
  roomRefs,
  type UmaCounterparty,
  umaCounterparties,
  umaCounterpartySubject,
  withVersion,
} from "./uma-counterparty.ts";
import { umaPolicies, umaPolicyOf } from "./uma-policy.ts";

export interface NoteCounterpartyInput {
  readonly domain: string;
  /** The key under which the signature held. */
  readonly fingerprint: string;
  readonly version: string | undefined;
  /** Of its configuration document, when that was read. */
  readonly name: string | undefined;
  readonly room: CounterpartyRoom;
}

/** Notes a message. An unknown counterparty of a full platform stays unknown: its messages are judged by the policy alone. Refuses nothing. */
export const noteCounterparty: Command<NoteCounterpartyInput, undefined> = {
  name: "note-uma-counterparty",
  needs: (world, { domain, room }) => [
    umaPolicies.ref(world.platformId),
    counterpartyByDomain.of(domain),
    ...roomRefs(room),
  ],
  decide(world, { domain, fingerprint, version, name, room }) {
    const [found] = world.all(counterpartyByDomain.of(domain));
    if (found === undefined && room.kind === "full") return undefined;

    if (found === undefined) makeRoom(world, room);
    const before = found ?? newCounterparty(world, domain);
    const after = world.put(umaCounterparties, {
      ...withKey(world, before, fingerprint),
      name: name ?? before.name,
      versions: withVersion(before.versions, version),
      firstSeenAt: before.firstSeenAt ?? world.at,
      lastSeenAt: world.at,
      updatedAt: world.at,
    });
    if (before.firstSeenAt === null)
      world.emit("UMA_COUNTERPARTY.SEEN", umaCounterpartySubject(after));
    if (before.keyFingerprint !== null && before.keyFingerprint !== fingerprint)
      world.emit("UMA_COUNTERPARTY.KEY_CHANGED", umaCounterpartySubject(after));
    return undefined;
  },
};

function withKey(world: World, before: UmaCounterparty, fingerprint: string): UmaCounterparty {
  const { keyFingerprint, previousFingerprint, keyState, overrides } = before;
  const isPinned = overrides.pinKeys ?? umaPolicyOf(world).pinKeys;
  const isWaiting = keyState === "CHANGED" && isPinned;
  if (fingerprint === keyFingerprint) return { ...before, keyState: isWaiting ? "CHANGED" : "OK" };
  const next = { ...before, keyFingerprint: fingerprint, keySince: world.at };
  if (keyFingerprint === null) return { ...next, keyState: "OK" };
  // The accepted key is back: no person needs to accept it again.
  if (isWaiting && fingerprint === previousFingerprint)
    return { ...next, previousFingerprint: keyFingerprint, keyState: "OK" };
  return {
    ...next,
    previousFingerprint: isWaiting ? previousFingerprint : keyFingerprint,
    keyState: isPinned ? "CHANGED" : "OK",
  };
}

/** Notes that the certificates of a known counterparty have expired. An unknown one leaves no row. Refuses nothing. */
export const noteExpiredKeys: Command<{ readonly domain: string }, undefined> = {
  name: "note-expired-uma-counterparty-keys",
  needs: (_world, { domain }) => [counterpartyByDomain.of(domain)],
  decide(world, { domain }) {
    const [found] = world.all(counterpartyByDomain.of(domain));
    // A changed key that waits for a person stays so: it is refused in any case.
    if (found?.keyState !== "OK") return undefined;
    world.put(umaCounterparties, { ...found, keyState: "EXPIRED", updatedAt: world.at });
    return undefined;
  },
};

/** Tells the platform that a known counterparty asks for unknown users. It changes nothing. Refuses nothing. */
export const noteProbing: Command<{ readonly domain: string }, undefined> = {
  name: "note-probing-uma-counterparty",
  needs: (_world, { domain }) => [counterpartyByDomain.of(domain)],
  decide(world, { domain }) {
    const [found] = world.all(counterpartyByDomain.of(domain));
    if (found !== undefined) world.emit("UMA_COUNTERPARTY.PROBING", umaCounterpartySubject(found));
    return undefined;
  },
};
