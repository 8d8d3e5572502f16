import type { Command, Loaded, World } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import { ruleOf } from "../external-accounts/account-types.ts";
import { toExternalAccountId } from "../external-accounts/external-account.ts";
import { suffixOf } from "../external-accounts/sandbox-suffix.ts";
import { toInternalAccountId } from "../internal-accounts/internal-account.ts";
import {
  moveTo,
  type Transaction,
  transactionSubject,
  transactions,
} from "../transactions/transaction.ts";
import {
  accountsOf,
  ownerOf,
  refuseTransfer,
  refuseWithoutRail,
  sandboxOutcomeOf,
  type TransferAccounts,
  type TransferIds,
  transferNeeds,
} from "./transfer-rules.ts";

export interface TransferInInput extends TransferIds {
  readonly amountMinor: bigint;
  /** The agent that pulls, if one does. */
  readonly agentId?: string;
}

/**
 * Pulls money from an external account into an internal account of the same currency. Nothing is credited before the rail
 * says that the money is here. Refuses whatever `refuseTransferIn` lists.
 */
export const transferIn: Command<TransferInInput, Transaction> = {
  name: "transfer-in",
  needs: transferNeeds,
  decide(world, input) {
    const accounts = refuseTransferIn(world, input);

    const pending = world.put(transactions, newTransaction(world, { input, accounts }));
    world.emit("INCOMING_PAYMENT.PENDING", transactionSubject(pending));
    const outcome = sandboxOutcomeOf(accounts.external);
    if (outcome?.kind === "fails-at-once") {
      const { failureReason } = outcome;
      const failed = world.put(
        transactions,
        moveTo(pending, "FAILED", { at: world.at, failureReason }),
      );
      world.emit("INCOMING_PAYMENT.FAILED", transactionSubject(failed));
      return failed;
    }
    schedulePull(world, { accounts, pending, minor: input.amountMinor });
    return pending;
  },
};

/**
 * Refuses, in this order: an unknown destination, an unknown source, whatever `refuseTransfer` lists, a source that cannot
 * be pulled from, a missing rail.
 */
export function refuseTransferIn(world: Loaded, input: TransferInInput): TransferAccounts {
  const accounts = accountsOf(world, input);
  refuseTransfer(accounts, {
    amountMinor: input.amountMinor,
    type: "INCOMING",
    internalField: "destination.accountId",
    externalField: "source.accountId",
  });
  if (!ruleOf(accounts.external.accountType).pullable) {
    throw new Refusal("INVALID_INPUT", {
      field: "source.accountId",
      reason:
        "money cannot be pulled from this account; use the funding instructions of the destination",
    });
  }
  refuseWithoutRail(accounts);
  return accounts;
}

function newTransaction(
  world: World,
  { input, accounts }: { readonly input: TransferInInput; readonly accounts: TransferAccounts },
): Transaction {
  const { internal, external } = accounts;
  const { currency } = internal;
  const id = world.newId();
  return {
    id,
    type: "INCOMING",
    status: "PENDING",
    ...ownerOf(accounts),
    source: { type: "ACCOUNT", accountId: toExternalAccountId(external.id), currency },
    destination: { type: "ACCOUNT", accountId: toInternalAccountId(internal.id), currency },
    sourceAccountId: external.id,
    destinationAccountId: internal.id,
    sentMinor: input.amountMinor,
    sentCurrency: currency,
    receivedMinor: input.amountMinor,
    receivedCurrency: currency,
    quoteId: null,
    agentId: input.agentId ?? null,
    reference: `TI-${id.replaceAll("-", "").slice(-16).toUpperCase()}`,
    description: null,
    failureReason: null,
    refund: null,
    details: null,
    createdAt: world.at,
    updatedAt: world.at,
    settledAt: null,
  };
}

function schedulePull(
  world: World,
  context: {
    readonly accounts: TransferAccounts;
    readonly pending: Transaction;
    readonly minor: bigint;
  },
): void {
  const { external, internal } = context.accounts;
  world.schedule({
    kind: "pull-funds",
    dueAt: world.at,
    payload: {
      transactionId: context.pending.id,
      minor: context.minor.toString(),
      currency: internal.currency,
      accountType: external.accountType,
      primaryIdentifier: external.primaryIdentifier,
      suffix: suffixOf(external.accountType, external.accountInfo) ?? null,
      acceptedAt: world.at,
    },
  });
}
