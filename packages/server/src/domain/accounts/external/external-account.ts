/**
 * An external account: the destination of payouts and the source of pulls. Its fields are immutable, except its default
 * flag, the result of its name check, and its deletion.
 */
import { sha256Hex } from "../../../std/digest.ts";
import { fromWireId, toWireId } from "../../../std/ids.ts";
import { isJsonObject, type JsonObject } from "../../../std/json.ts";
import {
  countedBy,
  currencyFacet,
  deletionFacet,
  NOT_DELETED,
  ownerFacet,
} from "../../../tables/facets.ts";
import { liveFinderOf } from "../../../tables/find-row.ts";
import { listerOf, rowListerOf } from "../../../tables/list-query.ts";
import { defineLookup, defineTable, fixed, mutable, type RowOf } from "../../../tables/tables.ts";
import type { Metadata } from "../../metadata.ts";
import type { AccountType } from "./account-types.ts";
import type { BeneficiaryVerificationStatus } from "./sandbox-suffix.ts";

/** Only an ACTIVE account takes part in payments. */
export const externalAccountStatuses = ["PENDING", "ACTIVE", "UNDER_REVIEW", "INACTIVE"] as const;

export type ExternalAccountStatus = (typeof externalAccountStatuses)[number];

const columns = {
  id: fixed("uuid"),
  /** Null for the platform's own accounts. */
  customerId: fixed<string | null>("uuid"),
  status: mutable<ExternalAccountStatus>("text"),
  currency: fixed("text"),
  accountType: fixed<AccountType>("text"),
  accountInfo: fixed<JsonObject>("json"),
  primaryIdentifier: fixed("text"),
  /** Two live accounts with one fingerprint are the same account. */
  fingerprint: fixed("text"),
  platformAccountId: fixed<string | null>("text"),
  defaultUmaDepositAccount: mutable("bool"),
  beneficiaryVerificationStatus: mutable<BeneficiaryVerificationStatus | null>("text"),
  beneficiaryVerifiedFullName: mutable<string | null>("text"),
  metadata: fixed<Metadata | null>("json"),
  createdAt: fixed("time"),
  updatedAt: mutable("time"),
  deletedAt: mutable<number | null>("time"),
};

export interface ExternalAccount extends RowOf<typeof columns> {}

export const externalAccounts = defineTable<ExternalAccount>("external_accounts", columns, {
  isFollowed: true,
  metadataOf: ({ metadata }) => metadata,
  counted: countedBy<ExternalAccount>(ownerFacet, currencyFacet, deletionFacet),
});

export const findExternalAccount = liveFinderOf(externalAccounts);
export const listExternalAccounts = listerOf(externalAccounts, NOT_DELETED);
/** Deleted ones as well, and without the count of all. */
export const externalAccountRows = rowListerOf(externalAccounts);

/** The one account, if any, to which incoming UMA payments of a customer go. */
export const defaultDepositAccountOf = defineLookup(externalAccounts, {
  by: "customerId",
  where: {
    sql: "t.default_uma_deposit_account and t.deleted_at is null",
    holds: (account) => account.defaultUmaDepositAccount && account.deletedAt === null,
  },
});

/** Live accounts with a fingerprint; a new account with the same one is a duplicate. */
export const liveByFingerprint = defineLookup(externalAccounts, {
  by: "fingerprint",
  where: { sql: "t.deleted_at is null", holds: (account) => account.deletedAt === null },
});

/** Owner, type and primary identifier: two accounts are the same when all three are equal. */
export function fingerprintOf(account: {
  readonly customerId: string | null;
  readonly accountType: AccountType;
  readonly primaryIdentifier: string;
}): string {
  const { customerId, accountType, primaryIdentifier } = account;
  const digest = sha256Hex(primaryIdentifier);
  return `${customerId ?? "platform"} ${accountType} ${digest}`;
}

/** The name of the stated owner of the account. */
export function beneficiaryNameIn(accountInfo: JsonObject): string | null {
  const { beneficiary } = accountInfo;
  if (!isJsonObject(beneficiary)) return null;
  const name = beneficiary.fullName ?? beneficiary.legalName;
  return typeof name === "string" ? name : null;
}

/** Any customer, the platform itself, or one customer. */
export type AccountOwner = "customer" | "platform" | { readonly customerId: string };

export function isOwnedBy({ customerId }: ExternalAccount, owner: AccountOwner): boolean {
  if (owner === "platform") return customerId === null;
  return owner === "customer" ? customerId !== null : customerId === owner.customerId;
}

export function toExternalAccountId(id: string): string {
  return toWireId("ExternalAccount", id);
}

/** The uuid in the wire id of an external account; undefined for any other text. */
export function fromExternalAccountId(wireId: string): string | undefined {
  return fromWireId("ExternalAccount", wireId);
}

/** The part of an account that the rail's job carries. */
export function railAddress(
  account: ExternalAccount,
): Pick<ExternalAccount, "accountType" | "primaryIdentifier"> {
  const { accountType, primaryIdentifier } = account;
  return { accountType, primaryIdentifier };
}
