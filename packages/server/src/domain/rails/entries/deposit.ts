/** Credits an internal account with money that came in at a connection: an INCOMING transaction that is complete at once. */
import type { Loaded, World } from "../../../engine/command.ts";
import { ledgerAccounts } from "../../../ledger/chart.ts";
import type { JsonObject } from "../../../std/json.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { takesCredits } from "../../accounts/freezes/freeze.ts";
import {
  emitBalance,
  hasRoomFor,
  internalAccounts,
  toInternalAccountId,
} from "../../accounts/internal/internal-account.ts";
import { customers, holderExists } from "../../customers/customer.ts";
import { UMA_RAIL } from "../../payments/transactions/delivery.ts";
import {
  type Party,
  referenceFrom,
  type Transaction,
  transactionSubject,
  transactions,
} from "../../payments/transactions/transaction.ts";
import { toUmaInvoiceId } from "../../uma/incoming/uma-invoice.ts";
import {
  endToEndIdOf,
  maskedIdentifier,
  type RailPayment,
  toRailPaymentId,
} from "../orders/rail-payment.ts";
import { type RailEntry, toRailEntryId } from "./rail-entry.ts";
import type { ItemReason } from "./rail-item.ts";

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

export interface DepositObstacle {
  readonly reason: ItemReason;
  /** The end of "the account …". */
  readonly words: string;
}

/** Why the account takes no deposit; undefined when it does. The account exists. */
export function depositObstacle(
  world: World,
  { accountId, minor }: Deposit,
): DepositObstacle | undefined {
  const account = world.get(internalAccounts.ref(accountId));
  const { status, type } = account;
  if (status !== "ACTIVE") return { reason: "ACCOUNT_CLOSED", words: `is ${status}` };
  if (type === "EMBEDDED_WALLET") {
    return { reason: "ACCOUNT_CLOSED", words: "is an embedded wallet, which is paid on its chain" };
  }
  if (!holderExists(world, account.customerId)) {
    return { reason: "CUSTOMER_DELETED", words: "belongs to a customer who was deleted" };
  }
  if (!takesCredits(account)) {
    return { reason: "ACCOUNT_FROZEN", words: "is frozen with the scope ALL" };
  }
  const hasRoom = hasRoomFor(world.get(ledgerAccounts.ref(accountId)), minor);
  return hasRoom ? undefined : { reason: "ACCOUNT_FULL", words: `has no room for ${minor}` };
}

/** Where the money of a deposit came from: an entry, or an order that came back. */
interface DepositOrigin {
  readonly details: JsonObject;
  readonly source: Party;
  /** Absent: the account. */
  readonly destination?: Party;
  readonly referencePrefix?: "RF" | "UMA";
}

/** Records the transaction of an entry's deposit. The caller has made the posting. */
export function recordDeposit(
  world: World,
  entry: RailEntry,
  deposit: Deposit & { readonly transactionId: string },
): Transaction {
  const details = { railEntryId: toRailEntryId(entry.id) };
  const source = { type: "REALTIME_FUNDING", currency: entry.currency, ...payerOf(entry) } as const;
  return recordDepositFrom(world, { details, source }, deposit);
}

/** Records the deposit of money for an invoice that its own payment does not have: the parties are those of that payment. */
export function recordInvoiceDeposit(
  world: World,
  { entry, payment }: { readonly entry: RailEntry; readonly payment: Transaction },
  deposit: Deposit & { readonly transactionId: string },
): Transaction {
  const details = {
    paymentRail: UMA_RAIL,
    railEntryId: toRailEntryId(entry.id),
    invoiceId: toUmaInvoiceId(payment.id),
  };
  const { source, destination } = payment;
  const origin = { details, source, destination, referencePrefix: "UMA" } as const;
  return recordDepositFrom(world, origin, deposit);
}

/** Records the deposit of an order that came back. */
export function recordReturnedDeposit(
  world: World,
  { id, currency, counterparty: { name, identifierMasked } }: RailPayment,
  deposit: Deposit & { readonly transactionId: string },
): Transaction {
  const source = {
    type: "REALTIME_FUNDING",
    currency,
    ...(name === null ? {} : { accountHolderName: name }),
    accountIdentifier: identifierMasked,
    endToEndId: endToEndIdOf(id),
  } as const;
  const details = { railPaymentId: toRailPaymentId(id) };
  return recordDepositFrom(world, { details, source }, deposit);
}

function recordDepositFrom(
  world: World,
  { details, source, destination, referencePrefix = "RF" }: DepositOrigin,
  { accountId, minor, transactionId: id }: Deposit & { readonly transactionId: string },
): Transaction {
  const { customerId, currency } = world.get(internalAccounts.ref(accountId));
  const customer = customerId === null ? undefined : world.get(customers.ref(customerId));
  const transaction = world.put(transactions, {
    id,
    type: "INCOMING",
    status: "COMPLETED",
    customerId,
    platformCustomerId: customer?.platformCustomerId ?? world.platformId,
    source,
    destination: destination ?? {
      type: "ACCOUNT",
      accountId: toInternalAccountId(accountId),
      currency,
    },
    sourceAccountId: null,
    destinationAccountId: accountId,
    sentMinor: null,
    sentCurrency: null,
    receivedMinor: minor,
    receivedCurrency: currency,
    quoteId: null,
    agentId: null,
    reference: referenceFrom(referencePrefix, id),
    description: null,
    failureReason: null,
    failure: null,
    refund: null,
    details,
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

/** The payer's data from the entry, with the account number masked. */
function payerOf({ payer, remittance, reference }: RailEntry) {
  const { name, account } = payer ?? {};
  return {
    ...(name === undefined ? {} : { accountHolderName: name }),
    ...(account === undefined ? {} : { accountIdentifier: maskedIdentifier(account) }),
    ...(remittance === null ? {} : { remittanceInformation: remittance }),
    ...(reference === null ? {} : { endToEndId: reference }),
  };
}
