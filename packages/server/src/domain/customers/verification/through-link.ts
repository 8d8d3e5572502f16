import type { Command, Loaded, World } from "../../../engine/command.ts";
import { Refusal, wrongState } from "../../../engine/refusal.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { customers, isDecided, standingOf } from "../customer.ts";
import { submitVerification } from "./submit-verification.ts";
import { openVerificationOfCustomer, type Verification } from "./verification.ts";
import { linkStatusAt, type VerificationLink, verificationLinks } from "./verification-link.ts";

export interface ThroughLink<Input> {
  readonly linkId: string;
  /** The input of the wrapped command. */
  readonly input: Input;
}

/**
 * Wraps a command for the holder of a link. Refuses, before the command and in this order: an unknown link, one that was used or has
 * expired, a deleted customer, a customer that is being checked or is decided.
 */
export function throughLink<Input, Output>(
  command: Command<Input, Output>,
): Command<ThroughLink<Input>, Output> {
  return {
    name: command.name,
    needs: (world, { linkId, input }) => [
      ...linkNeeds(world, linkId),
      ...command.needs(world, input),
    ],
    decide(world, { linkId, input }) {
      requireOpenLink(world, linkId);
      return command.decide(world, input);
    },
  };
}

/**
 * Submits the customer of a link. An accepted submission uses up the link; one that ends in RESOLVE_ERRORS leaves it open. Refuses what
 * `throughLink` and then `submitVerification` refuse.
 */
export const submitThroughLink: Command<
  ThroughLink<{ readonly customerId: string }>,
  Verification
> = {
  name: submitVerification.name,
  needs: throughLink(submitVerification).needs,
  decide(world, { linkId, input }) {
    const link = requireOpenLink(world, linkId);
    const verification = submitVerification.decide(world, input);
    if (verification.status === "RESOLVE_ERRORS") return verification;
    world.put(verificationLinks, { ...link, usedAt: world.at });
    return verification;
  },
};

function requireOpenLink(world: World, linkId: string): VerificationLink {
  const link = world.find(verificationLinks.ref(linkId));
  if (link === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
  const status = linkStatusAt(link, world.at);
  if (status !== "OPEN") {
    const action = "used; ask for a new link";
    throw wrongState({ object: "verification link", status, needed: "OPEN", action });
  }
  const customer = world.get(customers.ref(link.customerId));
  if (customer.deletedAt !== null) throw new Refusal("CUSTOMER_DELETED");
  const isUnderWay = world.all(openVerificationOfCustomer.of(customer.id)).length > 0;
  const standing = standingOf(customer);
  if (isUnderWay || isDecided(standing)) {
    const message = `The customer is ${standing}${isUnderWay ? " and a check is under way" : ""}; no other can begin.`;
    throw new Refusal("CONFLICT", { status: standing }, message);
  }
  return link;
}

function linkNeeds(world: Loaded, linkId: string): readonly AnyRef[] {
  const link = world.find(verificationLinks.ref(linkId));
  if (link === undefined) return [verificationLinks.ref(linkId)];
  const { customerId } = link;
  return [
    verificationLinks.ref(linkId),
    customers.ref(customerId),
    openVerificationOfCustomer.of(customerId),
  ];
}
