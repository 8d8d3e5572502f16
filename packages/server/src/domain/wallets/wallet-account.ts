/** Finds the account of a wallet's credentials and sessions. */
import type { Loaded } from "../../engine/command.ts";
import { type FieldError, invalidFields, Refusal } from "../../engine/refusal.ts";
import type { AnyRef } from "../../tables/tables.ts";
import { type InternalAccount, internalAccounts } from "../accounts/internal/internal-account.ts";
import { customers } from "../customers/customer.ts";
import { platforms } from "../platform.ts";

/** The rows that `findOwnedAccount` and `requireWallet` look at. */
export function walletNeeds(world: Loaded, accountId: string): readonly AnyRef[] {
  const account = world.find(internalAccounts.ref(accountId));
  const owner = account?.customerId ?? undefined;
  return [
    platforms.ref(world.platformId),
    internalAccounts.ref(accountId),
    ...(owner === undefined ? [] : [customers.ref(owner)]),
  ];
}

/** The account, unless there is none or its customer was deleted: such an account has no owner who could sign. */
export function findOwnedAccount(world: Loaded, accountId: string): InternalAccount | undefined {
  const account = world.find(internalAccounts.ref(accountId));
  if (account === undefined) return undefined;
  if (account.customerId === null) return account;
  const customer = world.find(customers.ref(account.customerId));
  return customer === undefined || customer.deletedAt !== null ? undefined : account;
}

/** The embedded wallet of this id. Refuses, in this order: an unknown account, one of another type. */
export function requireWallet(world: Loaded, accountId: string, field: string): InternalAccount {
  const account = findOwnedAccount(world, accountId);
  if (account === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
  if (account.type !== "EMBEDDED_WALLET") {
    throw invalidFields([notEmbedded(field)]);
  }
  return account;
}

export function notEmbedded(field: string): FieldError {
  return { field, message: "must be an embedded wallet" };
}
