/** Outcomes of a sandbox's checks, by the last three characters of a name or number. */
import type { KycStatus } from "./customer.ts";

export const personOutcomes: ReadonlyMap<string, KycStatus> = new Map([
  ["001", "PENDING"],
  ["002", "REJECTED"],
  ["003", "UNVERIFIED"],
]);

type Judged = Exclude<KycStatus, "UNVERIFIED">;

export const businessOutcomes: ReadonlyMap<string, Judged> = new Map([
  ["001", "PENDING"],
  ["002", "REJECTED"],
]);

function suffixOf(text: string | null): string {
  return text?.slice(-3) ?? "";
}

/** How a person is judged when created, by the full name; all others are approved. */
export function kycOutcomeOf(fullName: string | null): KycStatus {
  return personOutcomes.get(suffixOf(fullName)) ?? "APPROVED";
}

/** How a business is judged when it is submitted, by its registration number; all others are approved. */
export function kybOutcomeOf(registrationNumber: string): Judged {
  return businessOutcomes.get(suffixOf(registrationNumber)) ?? "APPROVED";
}

/** How an owner is judged when the business is decided, by the last name; all others are approved. */
export function ownerOutcomeOf(lastName: string): Judged {
  return businessOutcomes.get(suffixOf(lastName)) ?? "APPROVED";
}
