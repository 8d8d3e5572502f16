import type { Command, World } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import { toIso } from "../../std/clock.ts";
import { type Customer, type CustomerType, customers } from "../customers/customer.ts";
import { toPersonId } from "../people/person.ts";
import { type Platform, platforms } from "../platforms/platform.ts";
import { concernedBy } from "./decide-verification.ts";
import { isOpen, type Verification, verifications } from "./verification.ts";

export interface TakeVerificationInput {
  readonly verificationId: string;
  readonly personId: string;
  readonly personName: string;
}

/** A verification with what its list shows of the customer. */
export interface VerificationCaseRow {
  readonly verification: Verification;
  /** Empty when it is not known. */
  readonly customerName: string;
  readonly customerType: CustomerType;
}

export interface TakenCase extends VerificationCaseRow {
  readonly at: number;
}

/** In platform time. A page that shows the case takes it again before that. */
export const LEASE_MS = 10 * 60_000;

/**
 * Takes an open verification for a person, or prolongs the person's lease. Refuses, in this order: an unknown verification; on a
 * platform that leaves it to the operator, anyone else; a deleted customer; a decided verification; one that another person has
 * taken.
 */
export const takeVerification: Command<TakeVerificationInput, TakenCase> = {
  name: "take-verification",
  needs: (world, { verificationId }) => concernedBy(world, verificationId),
  decide(world, { verificationId, personId, personName }) {
    const { verification, customer } = requireReviewable(world, verificationId);
    refuseTaken(world, verification);
    const taken = world.put(verifications, {
      ...verification,
      takenBy: personId,
      takenByName: personName,
      takenUntil: world.at + LEASE_MS,
    });
    const { customerType, fullName, businessInfo } = customer;
    const customerName = fullName ?? businessInfo?.legalName ?? "";
    return { verification: taken, customerName, customerType, at: world.at };
  },
};

interface ReviewedCase {
  readonly verification: Verification;
  readonly customer: Customer;
  readonly platform: Platform;
}

/** Refuses, in this order: an unknown verification; anyone but the operator on a platform that leaves it to the operator; a deleted customer. */
export function requireCase(world: World, verificationId: string): ReviewedCase {
  const verification = world.find(verifications.ref(verificationId));
  if (verification === undefined) {
    throw new Refusal("REFERENCE_NOT_FOUND", undefined, "The platform has no such verification.");
  }
  const platform = world.get(platforms.ref(world.platformId));
  refuseUnlessReviewer(world, platform);
  const customer = world.get(customers.ref(verification.customerId));
  if (customer.deletedAt !== null) throw new Refusal("CUSTOMER_DELETED");
  return { verification, customer, platform };
}

export function requireReviewable(world: World, verificationId: string): ReviewedCase {
  const found = requireCase(world, verificationId);
  const { status } = found.verification;
  if (isOpen(status)) return found;
  const message = `The verification is ${status}, which is final; only an open one can be decided.`;
  throw new Refusal("CONFLICT", { status }, message);
}

function refuseUnlessReviewer({ actor }: World, { reviewers }: Platform): void {
  if (reviewers === "WORKSPACE" || actor.kind === "operator") return;
  const message =
    "The operator of this server decides the verifications of this platform (florin verification decide).";
  throw new Refusal("FORBIDDEN", { reviewers }, message);
}

/** A lease of another person that has not run out. The operator of the deployment decides all the same. */
export function refuseTaken(
  { actor, at }: World,
  { takenBy, takenByName, takenUntil }: Verification,
): void {
  if (takenBy === null || takenUntil === null || takenUntil <= at) return;
  if (takenBy === actor.id || actor.kind === "operator") return;
  const until = toIso(takenUntil);
  throw new Refusal(
    "CONFLICT",
    { takenBy: toPersonId(takenBy), takenUntil: until },
    `${takenByName} has taken this verification until ${until}; it can be decided by another person after that.`,
  );
}
