/**
 * The rotation of a key: the new one is made at once and takes over later, so that no institution still holds the old one. An answer that
 * publishes the old key expires at the takeover at the latest.
 */
import type { Command, World } from "../../../engine/command.ts";
import { Refusal, wrongState } from "../../../engine/refusal.ts";
import { toIso } from "../../../std/clock.ts";
import { toWireId } from "../../../std/ids.ts";
import {
  currentKey,
  destroyedKey,
  insertUmaKey,
  liveUmaKeys,
  MOST_LIVE_KEYS,
  type NewUmaKey,
  putUmaKey,
  requireUmaKey,
  type UmaKey,
  umaKeySubject,
  umaKeys,
} from "./uma-key.ts";

export interface RotateUmaKeyInput {
  readonly pair: NewUmaKey;
  readonly takesOverInMs: number;
  readonly isCompromised: boolean;
  /** Host time. */
  readonly now: number;
}

/**
 * Adds the key that takes over from the present one, at once with `takesOverInMs` 0. A compromised key is not kept by a rotation that is
 * under way: the key of that rotation is destroyed. Refuses, in this order: a rotation while another one is under way, unless the key is
 * compromised; one key more than `MOST_LIVE_KEYS`.
 */
export const rotateUmaKey: Command<RotateUmaKeyInput, UmaKey> = {
  name: "rotate-uma-key",
  needs: () => [liveUmaKeys],
  decide(world, { pair, takesOverInMs, isCompromised, now }) {
    const keys = world.all(liveUmaKeys).filter(({ use }) => use === pair.use);
    const next = keys.find(({ status }) => status === "NEXT");
    if (next !== undefined && !isCompromised) throw underWay(next);
    if (keys.length >= MOST_LIVE_KEYS) throw tooMany();

    if (next !== undefined) putUmaKey(world, destroyedKey(next), now);
    const takesOverAt = now + takesOverInMs;
    const added = insertUmaKey(world, pair, { status: "NEXT", takesOverAt, now });
    return takesOverInMs === 0 ? takeOver(world, added, now) : added;
  },
};

function underWay({ id, takesOverAt, use }: UmaKey): Refusal {
  const at = takesOverAt === null ? "" : ` at ${toIso(takesOverAt)}`;
  const message = `${toWireId("UmaKey", id)} takes over as the ${use} key${at}; destroy it first to rotate anew.`;
  return new Refusal("CONFLICT", { keyId: toWireId("UmaKey", id) }, message);
}

function tooMany(): Refusal {
  const message = `The platform has ${MOST_LIVE_KEYS} keys of this use that are not destroyed: destroy previous ones first.`;
  return new Refusal("CONFLICT", { limit: MOST_LIVE_KEYS }, message);
}

/** A replaced ENCRYPTION key opens messages for this long: they were encrypted before the takeover. */
const OPENS_FOR_MS = 24 * 60 * 60_000;

/** Makes a NEXT key the published one. The world must have `liveUmaKeys`. */
export function takeOver(world: World, next: UmaKey, now: number): UmaKey {
  const old = currentKey(world.all(liveUmaKeys), next.use);
  if (old !== undefined) {
    const replaced: UmaKey =
      old.use === "SIGNING"
        ? destroyedKey(old)
        : { ...old, status: "PREVIOUS", destroyAt: now + OPENS_FOR_MS };
    putUmaKey(world, replaced, now);
  }
  const taken = putUmaKey(world, { ...next, status: "CURRENT" }, now);
  world.emit("UMA_KEY.ROTATED", umaKeySubject(taken));
  return taken;
}

/** Destroys the private part of a key. Refuses, in this order: an unknown key; the CURRENT one; a destroyed one. */
export const destroyUmaKey: Command<{ readonly keyId: string; readonly now: number }, UmaKey> = {
  name: "destroy-uma-key",
  needs: (_world, { keyId }) => [umaKeys.ref(keyId)],
  decide(world, { keyId, now }) {
    const key = requireUmaKey(world, keyId);
    const { status, use } = key;
    if (status === "CURRENT") {
      const message = `The key is CURRENT: rotate the ${use} key first (POST /uma/keys/rotate).`;
      throw new Refusal("CONFLICT", { status }, message);
    }
    if (status === "DESTROYED")
      throw wrongState({
        object: "key",
        status,
        needed: "NEXT or PREVIOUS",
        action: "destroyed",
      });
    return putUmaKey(world, destroyedKey(key), now);
  },
};
