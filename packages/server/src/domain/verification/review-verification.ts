import type { Command } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import { ownersOfCustomer } from "../beneficial-owners/beneficial-owner.ts";
import { customers } from "../customers/customer.ts";
import { platforms } from "../platforms/platform.ts";
import { conclude } from "./conclude.ts";
import { concernedBy } from "./decide-verification.ts";
import { isOpen, moveVerification, type Verification, verifications } from "./verification.ts";

export interface ReviewVerificationInput {
  readonly verificationId: string;
  readonly outcome: "APPROVED" | "REJECTED";
}

/**
 * Ends an open verification as a person has decided. Refuses, in this order: an unknown verification, a deleted customer,
 * one that has ended.
 */
export const reviewVerification: Command<ReviewVerificationInput, Verification> = {
  name: "review-verification",
  needs: (world, { verificationId }) => concernedBy(world, verificationId),
  decide(world, { verificationId, outcome }) {
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
    return conclude(world, ended, {
      platform: world.get(platforms.ref(world.platformId)),
      customer,
      owners: world.all(ownersOfCustomer.of(customer.id)),
    });
  },
};
