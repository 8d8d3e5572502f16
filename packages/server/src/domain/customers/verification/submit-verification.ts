import type { Command, Loaded, World } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { scheduleJob } from "../../job-kinds.ts";
import { platforms } from "../../platform.ts";
import { ownersOfCustomer } from "../beneficial-owners/beneficial-owner.ts";
import { type Customer, customers, isDecided, standingOf } from "../customer.ts";
import { applyVerification } from "./apply-verification.ts";
import { documentNeeds, documentsOf } from "./held-documents.ts";
import { type FirstVerdict, judgeSubmission } from "./judge.ts";
import { submittedData, verificationSubmissions } from "./submission.ts";
import { moveVerification, openVerificationOfCustomer, type Verification } from "./verification.ts";

/** The duration of a check of a complete submission. */
const CHECK_MS = 1_000;

/**
 * Submits a customer for its checks, KYC of a person or KYB of a business. Missing data is not refused: the verification has
 * the status RESOLVE_ERRORS and lists it. An open verification is reused. Refuses, in this order: an unknown customer, a
 * deleted one, a decided one.
 */
export const submitVerification: Command<{ readonly customerId: string }, Verification> = {
  name: "submit-verification",
  needs: (world, { customerId }) => submissionNeeds(world, customerId),
  decide(world, { customerId }) {
    const customer = world.find(customers.ref(customerId));
    if (customer === undefined) throw new Refusal("USER_NOT_FOUND");
    if (customer.deletedAt !== null) throw new Refusal("CUSTOMER_DELETED");
    const standing = standingOf(customer);
    if (isDecided(standing)) {
      const message = `The customer is ${standing}, which is final; only one that is not decided can be verified.`;
      throw new Refusal("CONFLICT", { field: "customerId", status: standing }, message);
    }
    const platform = world.get(platforms.ref(world.platformId));
    const owners = world.all(ownersOfCustomer.of(customerId));
    const documents = documentsOf(world, holdersOf(world, customerId));
    const verdict = judgeSubmission(platform, { customer, owners, documents, at: world.at });
    const [open] = world.all(openVerificationOfCustomer.of(customerId));
    if (open !== undefined && isAlreadyUnderReview(open, verdict)) return open;

    const verification =
      open === undefined
        ? newVerification(world, customer, verdict)
        : moveVerification(open, verdict, world.at);
    const written = applyVerification(world, verification, { platform, customer, owners });
    world.put(verificationSubmissions, {
      id: world.newId(),
      verificationId: written.id,
      customerId,
      said: submittedData(customer, owners),
      createdAt: world.at,
    });
    if (verdict.isDecidedLater) {
      const payload = { verificationId: written.id };
      scheduleJob(world, { kind: "decide-verification", payload, dueAt: world.at + CHECK_MS });
    }
    return written;
  },
};

/**
 * Whether the open verification keeps its status: a check in progress, or one in manual review, stays until it is decided.
 */
function isAlreadyUnderReview(open: Verification, { status }: FirstVerdict): boolean {
  return status === "IN_PROGRESS" || status === open.status;
}

function newVerification(world: World, customer: Customer, verdict: FirstVerdict): Verification {
  return {
    id: world.newId(),
    customerId: customer.id,
    status: verdict.status,
    errors: verdict.errors,
    decidedBy: null,
    decisionReason: null,
    decisionNote: null,
    takenBy: null,
    takenByName: null,
    takenUntil: null,
    createdAt: world.at,
    updatedAt: world.at,
  };
}

function holdersOf(world: Loaded, customerId: string): readonly string[] {
  return [customerId, ...world.all(ownersOfCustomer.of(customerId)).map(({ id }) => id)];
}

function submissionNeeds(world: Loaded, customerId: string): readonly AnyRef[] {
  return [
    platforms.ref(world.platformId),
    customers.ref(customerId),
    ownersOfCustomer.of(customerId),
    openVerificationOfCustomer.of(customerId),
    ...documentNeeds(holdersOf(world, customerId)),
  ];
}
