/** Credits an internal account with money that came in at a connection: an INCOMING transaction that is complete at once. */
import type { Loaded, World } from "../../engine/command.ts";
import { ledgerAccounts } from "../../ledger/chart.ts";
import type { AnyRef } from "../../tables/tables.ts";
import { customers, holderExists } from "../customers/customer.ts";
import { takesCredits } from "../freezes/freeze.ts";
import {
  emitBalance,
  hasRoomFor,
  internalAccounts,
  toInternalAccountId,
} from "../internal-accounts/internal-account.ts";
import { maskedIdentifier } from "../rail-payments/rail-payment.ts";
import {
  referenceFrom,
  type Transaction,
  transactionSubject,
  transactions,
} from "../transactions/transaction.ts";
import { type RailEntry, toRailEntryId } from "./rail-entry.ts";

export function depositNeeds(world: Loaded, accountId: string): readonly AnyRef[] {
  const refs: AnyRef[] = [internalAccounts.ref(accountId), ledgerAccounts.ref(accountId)];
  const customerId = world.find(internalAccounts.ref(accountId))?.customerId;
  if (typeof customerId === "string") refs.push(customers.ref(customerId));
  return refs;
}

export interface Deposit {
  readonly accountId: string;
  readonly minor: bigint;
}

/** Why the account takes no deposit, as the end of "the account …"; undefined when it does. The account exists. */
export function depositObstacle(world: World, { accountId, minor }: Deposit): string | undefined {
  const account = world.get(internalAccounts.ref(accountId));
  if (account.status !== "ACTIVE") return `is ${account.status}`;
  if (account.type === "EMBEDDED_WALLET")
    return "is an embedded wallet, which is paid on its chain";
  if (!holderExists(world, account.customerId)) return "belongs to a customer who was deleted";
  if (!takesCredits(account)) return "is frozen with the scope ALL";
  const hasRoom = hasRoomFor(world.get(ledgerAccounts.ref(accountId)), minor);
  return hasRoom ? undefined : `has no room for ${minor}`;
}

/** The transaction of a deposit, whose posting the caller has made. */
export function recordDeposit(
  world: World,
  entry: RailEntry,
  { accountId, minor }: Deposit,
): Transaction {
  const { customerId, currency } = world.get(internalAccounts.ref(accountId));
  const customer = customerId === null ? undefined : world.get(customers.ref(customerId));
  const id = world.newId();
  const transaction = world.put(transactions, {
    id,
    type: "INCOMING",
    status: "COMPLETED",
    customerId,
    platformCustomerId: customer?.platformCustomerId ?? world.platformId,
    source: { type: "REALTIME_FUNDING", currency, ...payerOf(entry) },
    destination: { type: "ACCOUNT", accountId: toInternalAccountId(accountId), currency },
    sourceAccountId: null,
    destinationAccountId: accountId,
    sentMinor: null,
    sentCurrency: null,
    receivedMinor: minor,
    receivedCurrency: currency,
    quoteId: null,
    agentId: null,
    reference: referenceFrom("RF", id),
    description: null,
    failureReason: null,
    failure: null,
    refund: null,
    details: { railEntryId: toRailEntryId(entry.id) },
    metadata: null,
    outcome: null,
    createdAt: world.at,
    updatedAt: world.at,
    settledAt: world.at,
  });
  world.emit("INCOMING_PAYMENT.COMPLETED", transactionSubject(transaction));
  emitBalance(world, accountId);
  return transaction;
}

/** What the entry tells of the payer; the account number is masked. */
function payerOf({ payer, remittance, reference }: RailEntry) {
  const { name, account } = payer ?? {};
  return {
    ...(name === undefined ? {} : { accountHolderName: name }),
    ...(account === undefined ? {} : { accountIdentifier: maskedIdentifier(account) }),
    ...(remittance === null ? {} : { remittanceInformation: remittance }),
    ...(reference === null ? {} : { endToEndId: reference }),
  };
}
