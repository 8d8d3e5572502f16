import type { Command, Loaded, World } from "../../../engine/command.ts";
import { Refusal, wrongState } from "../../../engine/refusal.ts";
import { ledgerAccounts, systemAccount } from "../../../ledger/chart.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { refuseFrozenCredit } from "../../accounts/freezes/freeze.ts";
import {
  emitBalance,
  hasRoomFor,
  type InternalAccount,
  type InternalAccountSubject,
  internalAccountSubject,
  internalAccounts,
  toInternalAccountId,
} from "../../accounts/internal/internal-account.ts";
import { customers, holderExists } from "../../customers/customer.ts";
import { BOOK_RAIL } from "../../payments/transactions/delivery.ts";
import {
  referenceFrom,
  type Transaction,
  transactionSubject,
  transactions,
} from "../../payments/transactions/transaction.ts";

export interface FundInput {
  readonly accountId: string;
  readonly amountMinor: bigint;
}

/**
 * Puts sandbox money into an internal account, as an incoming transaction that is complete at once. Refuses, in this order: an unknown
 * account, an account that is not active, an account of a deleted customer, an account that is frozen with the scope ALL, a balance
 * above the limit of an account.
 */
export const fundInternalAccount: Command<FundInput, InternalAccountSubject> = {
  name: "fund-internal-account",
  needs: (world, { accountId }) => fundNeeds(world, accountId),
  decide(world, { accountId, amountMinor }) {
    const account = world.find(internalAccounts.ref(accountId));
    if (account === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    const { status } = account;
    if (status !== "ACTIVE") {
      throw wrongState({ object: "account", status, needed: "ACTIVE", action: "funded" });
    }
    refuseDeletedOwner(world, account);
    refuseFrozenCredit(account, "accountId");
    if (!hasRoomFor(world.get(ledgerAccounts.ref(accountId)), amountMinor)) {
      const message = `The balance would exceed the largest amount that an account can hold in ${account.currency}.`;
      throw new Refusal("AMOUNT_OUT_OF_RANGE", { currency: account.currency }, message);
    }

    world.post({
      reason: "sandbox.fund",
      legs: [
        { system: "sandbox-funding", currency: account.currency, minor: -amountMinor },
        { account: accountId, minor: amountMinor },
      ],
    });
    const transaction = world.put(transactions, newTransaction(world, { account, amountMinor }));
    world.emit("INCOMING_PAYMENT.COMPLETED", transactionSubject(transaction));
    const funded = internalAccountSubject(account, world.get(ledgerAccounts.ref(accountId)));
    emitBalance(world, account.id);
    return funded;
  },
};

function refuseDeletedOwner(world: World, { customerId }: InternalAccount): void {
  if (holderExists(world, customerId)) return;
  throw new Refusal(
    "CONFLICT",
    { reason: "the customer was deleted" },
    "The customer of this account was deleted; only the account of a live customer can be funded.",
  );
}

function fundNeeds(world: Loaded, accountId: string): readonly AnyRef[] {
  const refs: AnyRef[] = [internalAccounts.ref(accountId), ledgerAccounts.ref(accountId)];
  const account = world.find(internalAccounts.ref(accountId));
  if (account === undefined) return refs;
  refs.push(systemAccount("sandbox-funding", account.currency));
  if (account.customerId !== null) refs.push(customers.ref(account.customerId));
  return refs;
}

function newTransaction(
  world: World,
  { account, amountMinor }: { readonly account: InternalAccount; readonly amountMinor: bigint },
): Transaction {
  const { currency, customerId } = account;
  const customer = customerId === null ? undefined : world.get(customers.ref(customerId));
  const id = world.newId();
  return {
    id,
    type: "INCOMING",
    status: "COMPLETED",
    customerId,
    platformCustomerId: customer?.platformCustomerId ?? world.platformId,
    source: { type: "REALTIME_FUNDING", currency },
    destination: { type: "ACCOUNT", accountId: toInternalAccountId(account.id), currency },
    sourceAccountId: null,
    destinationAccountId: account.id,
    sentMinor: null,
    sentCurrency: null,
    receivedMinor: amountMinor,
    receivedCurrency: currency,
    quoteId: null,
    agentId: null,
    reference: referenceFrom("SF", id),
    description: "Internal account funding",
    failureReason: null,
    failure: null,
    refund: null,
    details: { paymentRail: BOOK_RAIL },
    metadata: null,
    outcome: null,
    createdAt: world.at,
    updatedAt: world.at,
    settledAt: world.at,
  };
}
