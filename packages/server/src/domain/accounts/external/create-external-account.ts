import type { Command, World } from "../../../engine/command.ts";
import { invalidFields, Refusal } from "../../../engine/refusal.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { scheduleJob } from "../../job-kinds.ts";
import type { Metadata } from "../../metadata.ts";
import { type Platform, platforms } from "../../platform.ts";
import { holdersPort } from "../holders.port.ts";
import type { SoundAccountInfo } from "./account-info.ts";
import { checkDigitFaults } from "./check-digits.ts";
import {
  beneficiaryNameIn,
  defaultDepositAccountOf,
  type ExternalAccount,
  externalAccounts,
  fingerprintOf,
  liveByFingerprint,
} from "./external-account.ts";
import { type BeneficiaryVerificationStatus, checkBeneficiary } from "./sandbox-suffix.ts";

export interface CreateExternalAccountInput {
  /** Undefined for an account of the platform itself. */
  readonly customerId: string | undefined;
  readonly currency: string;
  readonly info: SoundAccountInfo;
  readonly platformAccountId: string | undefined;
  readonly defaultUmaDepositAccount: boolean;
  readonly metadata: Metadata | null;
}

/** Whether incoming UMA payments to the customer would go to this account. Never true for the platform's own accounts. */
export function takesIncomingMoney({
  customerId,
  defaultUmaDepositAccount,
}: Pick<CreateExternalAccountInput, "customerId" | "defaultUmaDepositAccount">): boolean {
  return customerId !== undefined && defaultUmaDepositAccount;
}

/** The duration of a pending name check in a sandbox. */
const NAME_CHECK_MS = 60_000;

/**
 * Adds an external account. Refuses, in this order: an unknown customer, a deleted one, wrong check digits (in production), an account that
 * its bank does not know (in a sandbox), the same account a second time.
 */
export const createExternalAccount: Command<CreateExternalAccountInput, ExternalAccount> = {
  name: "create-external-account",
  needs: (world, input) => {
    const { customerId, defaultUmaDepositAccount } = input;
    const refs: AnyRef[] = [
      platforms.ref(world.platformId),
      liveByFingerprint.of(fingerprintOfInput(input)),
    ];
    if (customerId === undefined) return refs;
    refs.push(...world.port(holdersPort).needs(customerId));
    if (defaultUmaDepositAccount) refs.push(defaultDepositAccountOf.of(customerId));
    return refs;
  },
  decide(world, input) {
    const { customerId, info } = input;
    const platform = world.get(platforms.ref(world.platformId));
    if (customerId !== undefined) world.port(holdersPort).refuseUnknown(world, customerId);
    refuseCheckDigits(platform, info);
    const status = beneficiaryStatus(platform, info);
    const fingerprint = fingerprintOfInput(input);
    if (world.all(liveByFingerprint.of(fingerprint)).length > 0) {
      throw new Refusal(
        "CONFLICT",
        { field: "accountInfo" },
        "The holder has an external account with this accountInfo already; use that one, or delete it first.",
      );
    }

    const isDefault = takesIncomingMoney(input);
    if (customerId !== undefined && isDefault) unsetDefault(world, customerId);
    const account = world.put(externalAccounts, {
      id: world.newId(),
      customerId: customerId ?? null,
      status: "ACTIVE",
      currency: input.currency,
      accountType: info.accountType,
      accountInfo: info.accountInfo,
      primaryIdentifier: info.primaryIdentifier,
      fingerprint,
      platformAccountId: input.platformAccountId ?? info.platformAccountId ?? null,
      defaultUmaDepositAccount: isDefault,
      beneficiaryVerificationStatus: status,
      beneficiaryVerifiedFullName:
        status === "MATCHED" ? beneficiaryNameIn(info.accountInfo) : null,
      metadata: input.metadata,
      createdAt: world.at,
      updatedAt: world.at,
      deletedAt: null,
    });
    if (status === "PENDING") {
      const payload = { accountId: account.id };
      scheduleJob(world, { kind: "conclude-name-check", payload, dueAt: world.at + NAME_CHECK_MS });
    }
    return account;
  },
};

function fingerprintOfInput({ customerId, info }: CreateExternalAccountInput): string {
  const { accountType, primaryIdentifier } = info;
  return fingerprintOf({ customerId: customerId ?? null, accountType, primaryIdentifier });
}

function refuseCheckDigits({ environment }: Platform, { accountInfo }: SoundAccountInfo): void {
  const faults = environment === "PRODUCTION" ? checkDigitFaults(accountInfo) : [];
  if (faults.length > 0) throw invalidFields(faults, "INVALID_BANK_ACCOUNT");
}

/** The result of the name check; null when there is none. Only the sandbox has name checks so far. */
function beneficiaryStatus(
  platform: Platform,
  info: SoundAccountInfo,
): BeneficiaryVerificationStatus | null {
  if (platform.environment !== "SANDBOX") return null;
  const checked = checkBeneficiary(info.accountType, info.accountInfo);
  if (checked === "NOT_CHECKED") return null;
  if (checked !== "NO_SUCH_ACCOUNT") return checked;
  throw invalidFields(
    [{ field: "accountInfo", message: "the bank does not know this account" }],
    "INVALID_BANK_ACCOUNT",
  );
}

/** A customer has one default deposit account: the previous one loses the flag. */
function unsetDefault(world: World, customerId: string): void {
  for (const account of world.all(defaultDepositAccountOf.of(customerId))) {
    world.put(externalAccounts, {
      ...account,
      defaultUmaDepositAccount: false,
      updatedAt: world.at,
    });
  }
}
