import type { Command, World } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { toIso } from "../../../std/clock.ts";
import { toWireId } from "../../../std/ids.ts";
import { type Platform, platforms } from "../../platform.ts";
import { type Customer, type CustomerType, customers } from "../customer.ts";
import { concernedBy } from "./decide-verification.ts";
import { isOpen, type Verification, verifications } from "./verification.ts";

export interface TakeVerificationInput {
  readonly verificationId: string;
  readonly personId: string;
  readonly personName: string;
  /** See `Reviewer`. */
  readonly asOperator?: boolean;
}

/** With `asOperator`, only the cases of platforms that leave verifications to operators are found. */
interface Reviewer {
  readonly verificationId: string;
  readonly asOperator?: boolean;
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

/** The duration of a lease, in platform time. A page that shows the case renews the lease before it ends. */
export const LEASE_MS = 10 * 60_000;

/**
 * Leases an open verification to a person, or renews the person's lease. Refuses, in this order: an unknown verification; on a platform
 * that leaves verifications to operators, anyone but an operator; a deleted customer; a decided verification; one that another person
 * has leased.
 */
export const takeVerification: Command<TakeVerificationInput, TakenCase> = {
  name: "take-verification",
  needs: (world, { verificationId }) => concernedBy(world, verificationId),
  decide(world, { personId, personName, ...reviewer }) {
    const { verification, customer } = requireReviewable(world, reviewer);
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

/** Refuses, in this order: an unknown verification; anyone but operators on a platform that leaves it to operators; a deleted customer. */
export function requireCase(
  world: World,
  { verificationId, asOperator = false }: Reviewer,
): ReviewedCase {
  const verification = world.find(verifications.ref(verificationId));
  const platform = world.get(platforms.ref(world.platformId));
  if (verification === undefined || (asOperator && platform.reviewers !== "OPERATOR")) {
    throw new Refusal("REFERENCE_NOT_FOUND", undefined, "The platform has no such verification.");
  }
  if (!asOperator) refuseUnlessReviewer(world, platform);
  const customer = world.get(customers.ref(verification.customerId));
  if (customer.deletedAt !== null) throw new Refusal("CUSTOMER_DELETED");
  return { verification, customer, platform };
}

export function requireReviewable(world: World, reviewer: Reviewer): ReviewedCase {
  const found = requireCase(world, reviewer);
  refuseDecided(found.verification);
  return found;
}

export function refuseDecided({ status }: Pick<Verification, "status">): void {
  if (isOpen(status)) return;
  const message = `The verification is ${status}, which is final; only an open one can be decided.`;
  throw new Refusal("CONFLICT", { status }, message);
}

function refuseUnlessReviewer({ actor }: World, { reviewers }: Platform): void {
  if (reviewers === "WORKSPACE" || actor.kind === "operator") return;
  const message =
    "Operators of this server decide the verifications of this platform: in the console, or by florin verification decide.";
  throw new Refusal("FORBIDDEN", { reviewers }, message);
}

/** Refuses while another person's lease is valid. The operator's command line is exempt. */
export function refuseTaken(
  { actor, at }: Pick<World, "actor" | "at">,
  { takenBy, takenByName, takenUntil }: Verification,
): void {
  if (takenBy === null || takenUntil === null || takenUntil <= at) return;
  if (takenBy === actor.id || actor.kind === "operator") return;
  const until = toIso(takenUntil);
  throw new Refusal(
    "CONFLICT",
    { takenBy: toWireId("Person", takenBy), takenUntil: until },
    `${takenByName} has taken this verification until ${until}; it can be decided by another person after that.`,
  );
}
