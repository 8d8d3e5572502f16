import type { JsonObject } from "../../std/json.ts";
import { type AccountType, primaryIdentifierOf, ruleOf } from "./account-types.ts";

export function suffixOf(accountType: AccountType, accountInfo: JsonObject): string | undefined {
  return suffixIn(primaryIdentifierOf(accountType, accountInfo));
}

/**
 * The three digits that steer what the sandbox does with an account: the last ones of its primary identifier, or of
 * the user part where the identifier ends in a domain. Spaces, dots, hyphens and slashes between digits do not count.
 * Undefined when it ends otherwise.
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
 * What a name check says. `NO_SUCH_ACCOUNT` is a refusal, INVALID_BANK_ACCOUNT; with `NOT_CHECKED` the account carries
 * no status at all, because no institution can check the name of a wallet.
 */
export type BeneficiaryCheck = BeneficiaryVerificationStatus | "NO_SUCH_ACCOUNT" | "NOT_CHECKED";

const OUTCOMES: ReadonlyMap<string | undefined, BeneficiaryCheck> = new Map([
  ["102", "NOT_MATCHED"],
  ["103", "PARTIAL_MATCH"],
  ["104", "PENDING"],
  ["105", "NO_SUCH_ACCOUNT"],
  ["106", "UNSUPPORTED"],
  ["107", "CHECKED_BY_RECEIVING_FI"],
]);

/** How the sandbox's banks answer when they are asked whose account this is. */
export function checkBeneficiary(
  accountType: AccountType,
  accountInfo: JsonObject,
): BeneficiaryCheck {
  if (ruleOf(accountType).family === "wallet") return "NOT_CHECKED";
  return OUTCOMES.get(suffixOf(accountType, accountInfo)) ?? "MATCHED";
}
