import { present } from "../../../std/assert.ts";
import type { JsonObject } from "../../../std/json.ts";
import type { AccountTypeRule } from "./account-type-rule.ts";
import { bankAccountTypes } from "./bank-account-types.ts";
import { mobileMoneyAccountTypes } from "./mobile-money-account-types.ts";
import { walletAccountTypes } from "./wallet-account-types.ts";

/** Every type of external account and its rules. Whatever differs by type is read from here. */
const TABLE = { ...bankAccountTypes, ...mobileMoneyAccountTypes, ...walletAccountTypes };

export type AccountType = keyof typeof TABLE;

export const accountTypes = Object.keys(TABLE).sort() as readonly AccountType[];

export function isAccountType(text: string): text is AccountType {
  return Object.hasOwn(TABLE, text);
}

export function ruleOf(accountType: AccountType): AccountTypeRule {
  return TABLE[accountType];
}

/** The rails that pay out to accounts of this type. A token has no rail: its network takes the rail's place. */
export function railsOfType(accountType: AccountType): readonly string[] {
  const { family, paymentRails } = ruleOf(accountType);
  return family === "wallet" ? [accountType.replace("_WALLET", "")] : paymentRails;
}

/** Whether money can be pulled from such an account into an internal one. */
export function isPullable(accountType: AccountType): boolean {
  return ruleOf(accountType).pullable;
}

/** The number, key or address that identifies the account, unmasked and as it was given. */
export function primaryIdentifierOf(accountType: AccountType, accountInfo: JsonObject): string {
  const { identifiedBy } = ruleOf(accountType);
  const values = identifiedBy.map((name) => accountInfo[name]);
  const found = values.find((value) => typeof value === "string");
  return present(found, `the identifier of a ${accountType}`);
}
