import type { Command, Loaded } from "../../../engine/command.ts";
import { Refusal, refuseFaults } from "../../../engine/refusal.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { customers } from "../customer.ts";
import {
  type BeneficialOwner,
  beneficialOwners,
  birthDateFaults,
  type OwnerPersonalInfo,
} from "./beneficial-owner.ts";

export interface UpdateBeneficialOwnerInput {
  readonly ownerId: string;
  readonly roles?: BeneficialOwner["roles"] | undefined;
  readonly ownershipPercentage?: number | undefined;
  /** Only the members that were sent; an undefined member is removed. */
  readonly personalInfo: Partial<OwnerPersonalInfo>;
}

/**
 * Changes the members that were sent. The status of the checks does not change. Refuses, in this order: an unknown owner, an
 * owner of a deleted customer, a birth date in the future.
 */
export const updateBeneficialOwner: Command<UpdateBeneficialOwnerInput, BeneficialOwner> = {
  name: "update-beneficial-owner",
  needs: updateNeeds,
  decide(world, { ownerId, roles, ownershipPercentage, personalInfo }) {
    const owner = world.find(beneficialOwners.ref(ownerId));
    if (owner === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    if (world.get(customers.ref(owner.customerId)).deletedAt !== null) {
      throw new Refusal("CUSTOMER_DELETED");
    }
    refuseFaults(birthDateFaults(personalInfo, world.at));
    return world.put(beneficialOwners, {
      ...owner,
      roles: roles ?? owner.roles,
      ownershipPercentage: ownershipPercentage ?? owner.ownershipPercentage,
      personalInfo: withChanges(owner.personalInfo, personalInfo),
      updatedAt: world.at,
    });
  },
};

function withChanges(
  stored: OwnerPersonalInfo,
  sent: Partial<OwnerPersonalInfo>,
): OwnerPersonalInfo {
  const members = Object.entries({ ...stored, ...sent }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(members) as unknown as OwnerPersonalInfo;
}

function updateNeeds(world: Loaded, { ownerId }: UpdateBeneficialOwnerInput): readonly AnyRef[] {
  const owner = world.find(beneficialOwners.ref(ownerId));
  const refs: AnyRef[] = [beneficialOwners.ref(ownerId)];
  return owner === undefined ? refs : [...refs, customers.ref(owner.customerId)];
}
