import type { BeneficialOwner } from "../../../domain/customers/beneficial-owners/beneficial-owner.ts";
import { plainName } from "../plain-name.ts";

export function nameOf({ personalInfo }: BeneficialOwner): string {
  return plainName(`${personalInfo.firstName} ${personalInfo.lastName}`);
}
