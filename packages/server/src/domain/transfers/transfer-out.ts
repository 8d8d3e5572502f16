import type { Command, Loaded, World } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import { ledgerAccounts } from "../../ledger/chart.ts";
import { toExternalAccountId } from "../external-accounts/external-account.ts";
import { suffixOf } from "../external-accounts/sandbox-suffix.ts";
import {
  internalAccountSubject,
  toInternalAccountId,
} from "../internal-accounts/internal-account.ts";
import {
  moveTo,
  type Transaction,
  transactionSubject,
  transactions,
} from "../transactions/transaction.ts";
import {
  accountsOf,
  ownerOf,
  railsOf,
  refuseTransfer,
  refuseWithoutRail,
  sandboxOutcomeOf,
  type TransferAccounts,
  type TransferIds,
  transferNeeds,
} from "./transfer-rules.ts";

export interface TransferOutInput extends TransferIds {
  readonly amountMinor: bigint;
  readonly paymentRail: string | undefined;
  readonly remittanceInformation: string | undefined;
  /** The agent that pays, if one does. */
  readonly agentId?: string;
}

/**
 * Takes the money of a transfer out of an internal account and sends it on its way to an external account of the same
 * currency. Refuses whatever `refuseTransferOut` lists, and then too low a balance.
 */
export const transferOut: Command<TransferOutInput, Transaction> = {
  name: "transfer-out",
  needs: transferNeeds,
  decide(world, input) {
    const accounts = refuseTransferOut(world, input);
    const ledger = world.get(ledgerAccounts.ref(accounts.internal.id));
    if (ledger.balanceMinor < input.amountMinor) throw new Refusal("INSUFFICIENT_BALANCE");

    const pending = world.put(transactions, newTransaction(world, { input, accounts }));
    const outcome = sandboxOutcomeOf(accounts.external);
    if (outcome?.kind === "fails-at-once") {
      world.emit("OUTGOING_PAYMENT.PENDING", transactionSubject(pending));
      const { failureReason } = outcome;
      const failed = world.put(
        transactions,
        moveTo(pending, "FAILED", { at: world.at, failureReason }),
      );
      world.emit("OUTGOING_PAYMENT.FAILED", transactionSubject(failed));
      return failed;
    }
    hold(world, { accounts, pending, minor: input.amountMinor });
    return pending;
  },
};

/**
 * Everything but the balance. Refuses, in this order: an unknown source, an unknown destination, whatever `refuseTransfer`
 * lists, a payment rail that the destination does not have, a missing rail.
 */
export function refuseTransferOut(world: Loaded, input: TransferOutInput): TransferAccounts {
  const accounts = accountsOf(world, input);
  refuseTransfer(accounts, {
    amountMinor: input.amountMinor,
    type: "OUTGOING",
    internalField: "source.accountId",
    externalField: "destination.accountId",
  });
  refuseUnknownRail(accounts, input.paymentRail);
  refuseWithoutRail(accounts);
  return accounts;
}

function refuseUnknownRail({ external }: TransferAccounts, paymentRail: string | undefined): void {
  if (paymentRail === undefined || railsOf(external).includes(paymentRail)) return;
  throw new Refusal("INVALID_INPUT", {
    field: "destination.paymentRail",
    reason: "the destination does not have this rail",
    supported: railsOf(external),
  });
}

function newTransaction(
  world: World,
  { input, accounts }: { readonly input: TransferOutInput; readonly accounts: TransferAccounts },
): Transaction {
  const { internal, external } = accounts;
  const { currency } = internal;
  const { paymentRail, remittanceInformation } = input;
  const details = {
    ...(paymentRail === undefined ? {} : { paymentRail }),
    ...(remittanceInformation === undefined ? {} : { remittanceInformation }),
  };
  return {
    id: world.newId(),
    type: "OUTGOING",
    status: "PENDING",
    ...ownerOf(accounts),
    source: { type: "ACCOUNT", accountId: toInternalAccountId(internal.id), currency },
    destination: { type: "ACCOUNT", accountId: toExternalAccountId(external.id), currency },
    sourceAccountId: internal.id,
    destinationAccountId: external.id,
    sentMinor: input.amountMinor,
    sentCurrency: currency,
    receivedMinor: input.amountMinor,
    receivedCurrency: currency,
    quoteId: null,
    agentId: input.agentId ?? null,
    reference: null,
    description: null,
    failureReason: null,
    refund: null,
    details: Object.keys(details).length === 0 ? null : details,
    createdAt: world.at,
    updatedAt: world.at,
    settledAt: null,
  };
}

function hold(
  world: World,
  context: {
    readonly accounts: TransferAccounts;
    readonly pending: Transaction;
    readonly minor: bigint;
  },
): void {
  const { accounts, pending, minor } = context;
  const { internal, external } = accounts;
  world.post({
    reason: "payout.hold",
    legs: [
      { account: internal.id, minor: -minor },
      { system: "in-flight", currency: internal.currency, minor, heldFor: internal.id },
    ],
  });
  world.schedule({
    kind: "send-payout",
    dueAt: world.at,
    payload: {
      transactionId: pending.id,
      minor: minor.toString(),
      currency: internal.currency,
      accountType: external.accountType,
      primaryIdentifier: external.primaryIdentifier,
      suffix: suffixOf(external.accountType, external.accountInfo) ?? null,
      acceptedAt: world.at,
    },
  });
  world.emit("OUTGOING_PAYMENT.PENDING", transactionSubject(pending));
  const ledger = world.get(ledgerAccounts.ref(internal.id));
  world.emit("INTERNAL_ACCOUNT.BALANCE_UPDATED", internalAccountSubject(internal, ledger));
}
