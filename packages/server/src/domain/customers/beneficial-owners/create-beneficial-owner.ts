import type { Command } from "../../../engine/command.ts";
import { type CodedFault, invalid, Refusal, refuseFaults } from "../../../engine/refusal.ts";
import { platforms } from "../../platform.ts";
import { type Customer, customers } from "../customer.ts";
import {
  type BeneficialOwner,
  beneficialOwners,
  birthDateFaults,
  MOST_OWNERS,
  ownerStanding,
  ownersOfCustomer,
} from "./beneficial-owner.ts";

export type NewBeneficialOwner = Pick<
  BeneficialOwner,
  "customerId" | "roles" | "ownershipPercentage" | "personalInfo"
>;

/**
 * Adds an owner of a business. Refuses, in this order: an unknown customer, a deleted one, and, all in one answer: a
 * customer that is not a business or has the largest number of owners, a birth date in the future.
 */
export const createBeneficialOwner: Command<NewBeneficialOwner, BeneficialOwner> = {
  name: "create-beneficial-owner",
  needs: (world, { customerId }) => [
    platforms.ref(world.platformId),
    customers.ref(customerId),
    ownersOfCustomer.of(customerId),
  ],
  decide(world, input) {
    const customer = world.find(customers.ref(input.customerId));
    if (customer === undefined) throw new Refusal("USER_NOT_FOUND");
    if (customer.deletedAt !== null) throw new Refusal("CUSTOMER_DELETED");
    refuseFaults([
      ...customerFaults(customer, world.all(ownersOfCustomer.of(customer.id)).length),
      ...birthDateFaults(input.personalInfo, world.at),
    ]);
    const platform = world.get(platforms.ref(world.platformId));
    return world.put(beneficialOwners, {
      id: world.newId(),
      ...input,
      kycStatus: ownerStanding(platform, customer, input.personalInfo),
      createdAt: world.at,
      updatedAt: world.at,
    });
  },
};

function customerFaults({ customerType }: Customer, ownerCount: number): readonly CodedFault[] {
  if (customerType !== "BUSINESS") return [invalid("customerId", "must name a business")];
  if (ownerCount < MOST_OWNERS) return [];
  const message = `has ${MOST_OWNERS} beneficial owners, which is as many as it can have`;
  return [{ ...invalid("customerId", message), details: { most: MOST_OWNERS } }];
}
