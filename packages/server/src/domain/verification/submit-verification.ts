import type { Command, Loaded, World } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import type { AnyRef } from "../../tables/tables.ts";
import { ownersOfCustomer } from "../beneficial-owners/beneficial-owner.ts";
import { type Customer, customers, isDecided, standingOf } from "../customers/customer.ts";
import { scheduleJob } from "../job-kinds.ts";
import { platforms } from "../platforms/platform.ts";
import { conclude } from "./conclude.ts";
import { documentNeeds, documentsOf } from "./held-documents.ts";
import { type FirstVerdict, judgeSubmission } from "./judge.ts";
import { moveVerification, openVerificationOfCustomer, type Verification } from "./verification.ts";

/** How long a complete submission is under way before it is decided. */
const CHECK_MS = 1_000;

/**
 * Submits a customer to the checks, KYC of a person or KYB of a business. What is missing is no refusal: the verification
 * then says RESOLVE_ERRORS and lists it. One that is open is taken up again. Refuses, in this order: an unknown customer, a
 * deleted one, one that is decided.
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
    if (open !== undefined && isNothingNew(open, verdict)) return open;

    const verification =
      open === undefined
        ? newVerification(world, customer, verdict)
        : moveVerification(open, verdict, world.at);
    const written = conclude(world, verification, { platform, customer, owners });
    if (verdict.isDecidedLater) {
      const payload = { verificationId: written.id };
      scheduleJob(world, { kind: "decide-verification", payload, dueAt: world.at + CHECK_MS });
    }
    return written;
  },
};

/** What is being checked, or lies with a person, stays where it is until it is decided. */
function isNothingNew(open: Verification, { status }: FirstVerdict): boolean {
  return status === "IN_PROGRESS" || status === open.status;
}

function newVerification(world: World, customer: Customer, verdict: FirstVerdict): Verification {
  return {
    id: world.newId(),
    customerId: customer.id,
    status: verdict.status,
    errors: verdict.errors,
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
