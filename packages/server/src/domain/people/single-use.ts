/** A passkey challenge can be used once: its digest is stored in the commit that uses it. */
import type { World } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import { type SingleUse, spentProofs, spentRef } from "../wallets/credentials/spent-proof.ts";

/** Refuses a used challenge and marks this one as used. The command's `needs` must list its `spentRef`. */
export function spendChallenge(world: World, challenge: SingleUse): void {
  if (world.find(spentRef(challenge)) !== undefined) throw unproven();
  world.put(spentProofs, { id: spentRef(challenge).id, rememberUntil: challenge.rememberUntil });
}

/** One answer for every cause, so that it does not reveal which part was wrong. */
export function unproven(): Refusal {
  return new Refusal(
    "UNAUTHORIZED",
    undefined,
    "The passkey was not accepted. Ask for a new challenge and try again.",
  );
}
