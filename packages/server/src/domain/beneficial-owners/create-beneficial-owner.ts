import type { Command } from "../../engine/command.ts";
import { invalidFields, Refusal } from "../../engine/refusal.ts";
import { customers } from "../customers/customer.ts";
import { platforms } from "../platforms/platform.ts";
import {
  type BeneficialOwner,
  beneficialOwners,
  MOST_OWNERS,
  ownerStanding,
  ownersOfCustomer,
} from "./beneficial-owner.ts";

export type NewBeneficialOwner = Pick<
  BeneficialOwner,
  "customerId" | "roles" | "ownershipPercentage" | "personalInfo"
>;

/**
 * Names an owner of a business. Refuses, in this order: an unknown customer, a deleted one, one that is no business, one
 * that has as many owners as it can have.
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
    if (customer.customerType !== "BUSINESS") throw wrongCustomer("must name a business");
    if (world.all(ownersOfCustomer.of(customer.id)).length >= MOST_OWNERS) {
      throw wrongCustomer(`has ${MOST_OWNERS} beneficial owners, which is as many as it can have`);
    }
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

function wrongCustomer(message: string): Refusal {
  return invalidFields([{ field: "customerId", message }]);
}
