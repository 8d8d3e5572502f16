import type { JsonObject } from "../../../std/json.ts";
import { type AccountType, primaryIdentifierOf, ruleOf } from "./account-types.ts";

export function suffixOf(accountType: AccountType, accountInfo: JsonObject): string | undefined {
  return suffixIn(primaryIdentifierOf(accountType, accountInfo));
}

/**
 * The last three digits of the primary identifier, or of its user part where it ends in a domain; they select the sandbox's
 * outcome. Spaces, dots, hyphens and slashes between digits are skipped. Undefined when the identifier ends otherwise.
 */
export function suffixIn(identifier: string): string | undefined {
  const domainAt = identifier.lastIndexOf("@");
  const steering = domainAt === -1 ? identifier : identifier.slice(0, domainAt);
  return /[0-9]{3}$/.exec(steering.replaceAll(/[ ./-]/g, ""))?.[0];
}

export const beneficiaryVerificationStatuses = [
  "MATCHED",
  "PARTIAL_MATCH",
  "NOT_MATCHED",
  "UNSUPPORTED",
  "CHECKED_BY_RECEIVING_FI",
  "PENDING",
] as const;

export type BeneficiaryVerificationStatus = (typeof beneficiaryVerificationStatuses)[number];

/**
 * The result of a name check. `NO_SUCH_ACCOUNT` is refused with INVALID_BANK_ACCOUNT. With `NOT_CHECKED` the account has no
 * result, because no institution can check the name of a wallet.
 */
export type BeneficiaryCheck = BeneficiaryVerificationStatus | "NO_SUCH_ACCOUNT" | "NOT_CHECKED";

export const nameCheckOutcomes: ReadonlyMap<string | undefined, BeneficiaryCheck> = new Map([
  ["102", "NOT_MATCHED"],
  ["103", "PARTIAL_MATCH"],
  ["104", "PENDING"],
  ["105", "NO_SUCH_ACCOUNT"],
  ["106", "UNSUPPORTED"],
  ["107", "CHECKED_BY_RECEIVING_FI"],
]);

/** The result of the sandbox's name check. */
export function checkBeneficiary(
  accountType: AccountType,
  accountInfo: JsonObject,
): BeneficiaryCheck {
  if (ruleOf(accountType).family === "wallet") return "NOT_CHECKED";
  return nameCheckOutcomes.get(suffixOf(accountType, accountInfo)) ?? "MATCHED";
}
