/**
 * Single-use proofs. An ID token registers one credential or opens one session, not both; the challenge of a registration creates one
 * passkey. The digest of a used proof is stored in the commit that uses it. A token's digest is kept for longer than the
 * token is valid; a challenge has no expiry, so its digest is kept for good.
 */
import type { World } from "../../../engine/command.ts";
import { END_OF_TIME } from "../../../std/clock.ts";
import { sha256Hex } from "../../../std/digest.ts";
import { uuidOfDigest } from "../../../std/ids.ts";
import { defineTable, fixed, type Ref, type RowOf } from "../../../tables/tables.ts";
import { platforms } from "../../platform.ts";
import type { Registration } from "./registration.ts";

const columns = {
  id: fixed("uuid"),
  rememberUntil: fixed("time"),
};

export interface SpentProof extends RowOf<typeof columns> {}

export const spentProofs = defineTable<SpentProof>("spent_tokens", columns, {
  isFinal: () => true,
});

export interface SingleUse {
  /** SHA-256, hexadecimal. */
  readonly digest: string;
  readonly rememberUntil: number;
}

/** The single-use proof of a registration; undefined when the proof was not verified. */
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

/** Whether the proof was used. Sandbox proofs are simulated and all alike, so they are never used up. */
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
