import type { Command, Loaded, World } from "../../../engine/command.ts";
import { invalidFields } from "../../../engine/refusal.ts";
import { toWireId } from "../../../std/ids.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { type BeneficialOwner, ownersOfCustomer } from "../beneficial-owners/beneficial-owner.ts";
import { type Customer, toCustomerId } from "../customer.ts";
import { documentsOfHolder } from "../documents/document.ts";
import { applyVerification } from "./apply-verification.ts";
import { concernedBy } from "./decide-verification.ts";
import { refuseTaken, requireReviewable } from "./take-verification.ts";
import {
  moveVerification,
  type RejectionReason,
  type Verification,
  type VerificationError,
  verifications,
} from "./verification.ts";

export interface ReviewVerificationInput {
  readonly verificationId: string;
  readonly outcome: "APPROVED" | "REJECTED" | "RESOLVE_ERRORS";
  /** What the customer must correct; for RESOLVE_ERRORS only. */
  readonly errors: readonly ReviewError[];
  readonly reason: RejectionReason | null;
  /** Who decides: the name that the operator gave, or the wire id of a person or a token. */
  readonly by: string;
  readonly note: string | null;
  /** Set when the person acts as an operator of the deployment. */
  readonly asOperator?: boolean;
}

/** An error without a `resourceId` is about the customer. */
export interface ReviewError extends Omit<VerificationError, "resourceId"> {
  readonly resourceId?: string | undefined;
}

/**
 * Decides an open verification by a person's review. Refuses, in this order: an unknown verification; on a platform that leaves
 * verifications to operators, anyone but an operator; a deleted customer; a decided verification; one that another person has leased;
 * an error about an object outside the case.
 */
export const reviewVerification: Command<ReviewVerificationInput, Verification> = {
  name: "review-verification",
  needs: (world, { verificationId, errors }) => [
    ...concernedBy(world, verificationId),
    ...(errors.length === 0 ? [] : documentRefs(world, verificationId)),
  ],
  decide(world, { outcome, errors, reason, by, note, ...reviewer }) {
    const { verification, customer, platform } = requireReviewable(world, reviewer);
    refuseTaken(world, verification);
    const owners = world.all(ownersOfCustomer.of(customer.id));
    const wanted = errors.map(({ resourceId = toCustomerId(customer.id), ...error }) => ({
      resourceId,
      ...error,
    }));
    if (wanted.length > 0) refuseForeignObjects(world, wanted, { customer, owners });

    const ended = moveVerification(verification, { status: outcome, errors: wanted }, world.at);
    return applyVerification(
      world,
      { ...ended, decidedBy: by, decisionNote: note, decisionReason: reason },
      { platform, customer, owners },
    );
  },
};

function documentRefs(world: Loaded, verificationId: string): readonly AnyRef[] {
  const verification = world.find(verifications.ref(verificationId));
  if (verification === undefined) return [];
  const { customerId } = verification;
  const owners = world.all(ownersOfCustomer.of(customerId));
  return [customerId, ...owners.map(({ id }) => id)].map((id) => documentsOfHolder.of(id));
}

function refuseForeignObjects(
  world: World,
  errors: readonly VerificationError[],
  {
    customer,
    owners,
  }: { readonly customer: Customer; readonly owners: readonly BeneficialOwner[] },
): void {
  const holders = [customer.id, ...owners.map(({ id }) => id)];
  const known = new Set([
    toCustomerId(customer.id),
    ...owners.map(({ id }) => toWireId("BeneficialOwner", id)),
    ...holders.flatMap((id) =>
      world.all(documentsOfHolder.of(id)).map((document) => toWireId("Document", document.id)),
    ),
  ]);
  const faults = errors.flatMap(({ resourceId }, index) =>
    known.has(resourceId)
      ? []
      : [{ field: `errors.${index}.resourceId`, message: "must be of the customer's case" }],
  );
  if (faults.length > 0) throw invalidFields(faults);
}
