/**
 * Proofs that are good for one thing: an ID token registers a credential or opens a session, whichever comes first, and the
 * challenge of a registration makes one passkey. What was used is remembered by its digest, in the commit that uses it.
 *
 * A token is remembered for longer than it would be taken; a challenge, which carries no expiry, for good.
 */
import type { World } from "../../../engine/command.ts";
import { END_OF_TIME } from "../../../std/clock.ts";
import { sha256Hex } from "../../../std/digest.ts";
import { uuidOfDigest } from "../../../std/ids.ts";
import { defineTable, fixed, type Ref } from "../../../tables/tables.ts";
import { platforms } from "../../platforms/platform.ts";
import type { Registration } from "./registration.ts";

interface SpentProof {
  readonly id: string;
  readonly rememberUntil: number;
}

const spentProofs = defineTable<SpentProof>(
  "spent_tokens",
  {
    id: fixed("uuid"),
    rememberUntil: fixed("time"),
  },
  { isFinal: () => true },
);

export interface SingleUse {
  /** SHA-256, hexadecimal. */
  readonly digest: string;
  readonly rememberUntil: number;
}

/** What of a registration can be used once; nothing, where the proof was not checked. */
export function singleUseOf(registration: Registration): SingleUse | undefined {
  switch (registration.type) {
    case "EMAIL_OTP":
      return undefined;
    case "OAUTH":
      return registration.token ?? undefined;
    case "PASSKEY":
      return {
        digest: sha256Hex(`registration challenge ${registration.challenge}`),
        rememberUntil: END_OF_TIME,
      };
  }
}

export function spentRef({ digest }: SingleUse): Ref<SpentProof> {
  return spentProofs.ref(uuidOfDigest(digest));
}

/** In a sandbox proofs are made up and all alike, so there nothing is spent. */
export function isSpent(world: World, proof: SingleUse | undefined): boolean {
  if (proof === undefined || isSandbox(world)) return false;
  return world.find(spentRef(proof)) !== undefined;
}

export function spendProof(world: World, proof: SingleUse | undefined): void {
  if (proof === undefined || isSandbox(world)) return;
  const { rememberUntil } = proof;
  world.put(spentProofs, { id: spentRef(proof).id, rememberUntil });
}

function isSandbox(world: World): boolean {
  return world.get(platforms.ref(world.platformId)).environment === "SANDBOX";
}
