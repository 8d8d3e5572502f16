import type { Command, Loaded } from "../../../engine/command.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { platforms } from "../../platform.ts";
import { ownersOfCustomer } from "../beneficial-owners/beneficial-owner.ts";
import { customers } from "../customer.ts";
import { applyVerification } from "./apply-verification.ts";
import { judgeLater } from "./judge.ts";
import { moveVerification, verifications } from "./verification.ts";

export interface DecideVerificationInput {
  readonly verificationId: string;
  readonly jobId: string;
}

/**
 * Decides a verification in progress. A verification that was decided meanwhile, or whose customer was deleted, is left
 * unchanged.
 */
export const decideVerification: Command<DecideVerificationInput, void> = {
  name: "decide-verification",
  needs: (world, { verificationId }) => concernedBy(world, verificationId),
  decide(world, { verificationId, jobId }) {
    world.cancel(jobId);
    const verification = world.get(verifications.ref(verificationId));
    if (verification.status !== "IN_PROGRESS") return;
    const customer = world.get(customers.ref(verification.customerId));
    if (customer.deletedAt !== null) return;
    const platform = world.get(platforms.ref(world.platformId));
    const status = judgeLater(platform, customer);
    if (status === verification.status) return;
    applyVerification(world, moveVerification(verification, { status, errors: [] }, world.at), {
      platform,
      customer,
      owners: world.all(ownersOfCustomer.of(customer.id)),
    });
  },
};

/** Rows to load: the platform, the verification, its customer and the customer's owners. */
export function concernedBy(world: Loaded, verificationId: string): readonly AnyRef[] {
  const refs: AnyRef[] = [platforms.ref(world.platformId), verifications.ref(verificationId)];
  const verification = world.find(verifications.ref(verificationId));
  if (verification === undefined) return refs;
  const { customerId } = verification;
  return [...refs, customers.ref(customerId), ownersOfCustomer.of(customerId)];
}
