/** The challenge of a passkey counts once: its digest is stored in the commit that uses it. */
import type { World } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import { type SingleUse, spentProofs, spentRef } from "../wallets/credentials/spent-proof.ts";

/** Refuses a challenge that was used before; `needs` names its `spentRef`. */
export function spendChallenge(world: World, challenge: SingleUse): void {
  if (world.find(spentRef(challenge)) !== undefined) throw unproven();
  world.put(spentProofs, { id: spentRef(challenge).id, rememberUntil: challenge.rememberUntil });
}

/** One answer for each cause, so that it does not tell which part was wrong. */
export function unproven(): Refusal {
  return new Refusal(
    "UNAUTHORIZED",
    undefined,
    "The passkey was not accepted. Ask for a new challenge and try again.",
  );
}
