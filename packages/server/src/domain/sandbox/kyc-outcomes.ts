import type { KycStatus } from "../customers/customer.ts";

const OUTCOMES: ReadonlyMap<string, KycStatus> = new Map([
  ["001", "PENDING"],
  ["002", "REJECTED"],
  ["003", "UNVERIFIED"],
]);

/** How a sandbox person is judged when created: by the last three characters of the full name; all others are approved. */
export function kycOutcomeOf(fullName: string | null): KycStatus {
  return OUTCOMES.get(fullName?.slice(-3) ?? "") ?? "APPROVED";
}
