/** External accounts in words: the bank, the last characters of the number, and the type. */
import type { JsonObject } from "../../../std/json.ts";
import { isAccountType, ruleOf } from "../../accounts/external/account-types.ts";

interface Account {
  readonly accountType: string;
  readonly accountInfo: JsonObject;
  readonly primaryIdentifier: string;
}

/** Null for a mailbox or an address, whose last characters tell nothing. */
export function lastFourOf({
  primaryIdentifier,
}: Pick<Account, "primaryIdentifier">): string | null {
  return primaryIdentifier.includes("@")
    ? null
    : primaryIdentifier.replaceAll(/[^\p{L}\p{N}]/gu, "").slice(-4);
}

export function shownDigits(lastFour: string | null | undefined): string {
  return lastFour == null || lastFour === "" ? "" : `••${lastFour}`;
}

/** The bank, the mobile-money provider or the custodian. */
export function institutionIn({ bankName, provider, vaspName }: JsonObject): string | null {
  return textOf(bankName) ?? textOf(provider) ?? textOf(vaspName);
}

const countryNames = new Intl.DisplayNames(["en"], { type: "region", style: "short" });

/** `US account`, `Germany account`, `XOF account` where the country is not known, `Polygon wallet`. */
export function accountTypeWords({
  accountType,
  accountInfo,
}: Pick<Account, "accountType" | "accountInfo">): string {
  const [own = "", ending = ""] = accountType.split("_");
  const isWallet = ending === "WALLET" || ending === "";
  const name = `${own.slice(0, 1)}${own.slice(1).toLowerCase()}`;
  if (isWallet) return `${name} wallet`;
  const country = countryOf(accountType, accountInfo);
  return `${country === null ? own : countryNames.of(country)} account`;
}

/** An IBAN begins with the country in which the account is held. */
function countryOf(accountType: string, { country, region, iban }: JsonObject): string | null {
  const countries = isAccountType(accountType) ? ruleOf(accountType).countries : [];
  const [only] = countries.length === 1 ? countries : [];
  const told = textOf(country) ?? textOf(region) ?? only ?? textOf(iban)?.slice(0, 2) ?? null;
  return told !== null && /^[A-Z]{2}$/.test(told) ? told : null;
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
