import type { ExternalAccount } from "./external-account.ts";

/** Where a payment goes to or comes from, as the job that hands it to the rail carries it. */
export function railAddress(
  account: ExternalAccount,
): Pick<ExternalAccount, "accountType" | "primaryIdentifier"> {
  const { accountType, primaryIdentifier } = account;
  return { accountType, primaryIdentifier };
}
