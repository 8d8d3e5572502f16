import type { Command } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { ownersOfCustomer } from "../beneficial-owners/beneficial-owner.ts";
import { applyVerification } from "./apply-verification.ts";
import { concernedBy } from "./decide-verification.ts";
import { requireCase } from "./take-verification.ts";
import { approveRejected, type Verification } from "./verification.ts";

export interface OverrideRejectionInput {
  readonly verificationId: string;
  /** The wire id of the person who asked for it. */
  readonly by: string;
  readonly note: string | null;
}

/**
 * Approves a rejected verification and its customer. The customer is still REJECTED, because a decided customer cannot be submitted
 * again. Refuses, in this order: an unknown verification; anyone but the operator on a platform that leaves verifications to operators;
 * a deleted customer; a verification that is not REJECTED.
 */
export const overrideRejection: Command<OverrideRejectionInput, Verification> = {
  name: "override-rejection",
  needs: (world, { verificationId }) => concernedBy(world, verificationId),
  decide(world, { verificationId, by, note }) {
    const { verification, customer, platform } = requireCase(world, { verificationId });
    const { status } = verification;
    if (status !== "REJECTED") {
      const message = `The verification is ${status}; only the rejection of a REJECTED one is overridden.`;
      throw new Refusal("CONFLICT", { status }, message);
    }
    const owners = world.all(ownersOfCustomer.of(customer.id));

    const approved = approveRejected(verification, world.at);
    return applyVerification(
      world,
      { ...approved, decidedBy: by, decisionNote: note, decisionReason: null },
      { platform, customer, owners },
    );
  },
};
