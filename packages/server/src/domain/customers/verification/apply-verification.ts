import type { World } from "../../../engine/command.ts";
import type { Platform } from "../../platform.ts";
import {
  type BeneficialOwner,
  beneficialOwners,
  ownerStanding,
} from "../beneficial-owners/beneficial-owner.ts";
import { type Customer, customers, type KycStatus, standingOf, withStanding } from "../customer.ts";
import { customerSubject, standingEvent } from "../customer-subject.ts";
import {
  type Verification,
  type VerificationStatus,
  verificationEvents,
  verificationSubject,
  verifications,
} from "./verification.ts";

interface Concerned {
  readonly platform: Platform;
  readonly customer: Customer;
  readonly owners: readonly BeneficialOwner[];
}

/** Stores a verification with its new status, and updates the customer and the owners with their events. */
export function applyVerification(
  world: World,
  verification: Verification,
  { platform, customer, owners }: Concerned,
): Verification {
  const written = world.put(verifications, verification);
  world.emit(verificationEvents[written.status], verificationSubject(written));
  const standing = standingAfter(written.status, standingOf(customer));
  if (standing === standingOf(customer)) return written;
  const changed = world.put(customers, withStanding(customer, standing, world.at));
  const judged = owners.map((owner) => {
    const kycStatus = ownerStanding(platform, changed, owner.personalInfo);
    if (kycStatus === owner.kycStatus) return owner;
    return world.put(beneficialOwners, { ...owner, kycStatus, updatedAt: world.at });
  });
  const event = standingEvent(changed);
  if (event !== undefined) world.emit(event, customerSubject(changed, judged));
  return written;
}

/** The customer's status after the verification. RESOLVE_ERRORS does not change it. */
function standingAfter(status: VerificationStatus, before: KycStatus): KycStatus {
  switch (status) {
    case "RESOLVE_ERRORS":
      return before;
    case "IN_PROGRESS":
    case "PENDING_MANUAL_REVIEW":
      return "PENDING";
    case "APPROVED":
    case "REJECTED":
      return status;
  }
}
