import type { Command } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import { ownersOfCustomer } from "../beneficial-owners/beneficial-owner.ts";
import { customers } from "../customers/customer.ts";
import { platforms } from "../platforms/platform.ts";
import { applyVerification } from "./apply-verification.ts";
import { concernedBy } from "./decide-verification.ts";
import { isOpen, moveVerification, type Verification, verifications } from "./verification.ts";

export interface ReviewVerificationInput {
  readonly verificationId: string;
  readonly outcome: "APPROVED" | "REJECTED";
  /** The name of the person who decides. */
  readonly by: string;
  readonly note: string | null;
}

/**
 * Decides an open verification by an operator's review. Refuses, in this order: an unknown verification, a deleted customer,
 * a decided verification.
 */
export const reviewVerification: Command<ReviewVerificationInput, Verification> = {
  name: "review-verification",
  needs: (world, { verificationId }) => concernedBy(world, verificationId),
  decide(world, { verificationId, outcome, by, note }) {
    const verification = world.find(verifications.ref(verificationId));
    if (verification === undefined) {
      throw new Refusal("REFERENCE_NOT_FOUND", undefined, "The platform has no such verification.");
    }
    const customer = world.get(customers.ref(verification.customerId));
    if (customer.deletedAt !== null) throw new Refusal("CUSTOMER_DELETED");
    const { status } = verification;
    if (!isOpen(status)) {
      const message = `The verification is ${status}, which is final; only an open one can be decided.`;
      throw new Refusal("CONFLICT", { status }, message);
    }
    const ended = moveVerification(verification, { status: outcome, errors: [] }, world.at);
    return applyVerification(
      world,
      { ...ended, decidedBy: by, decisionNote: note },
      {
        platform: world.get(platforms.ref(world.platformId)),
        customer,
        owners: world.all(ownersOfCustomer.of(customer.id)),
      },
    );
  },
};
