/**
 * A book transfer: money moves between two internal accounts of one platform, in one currency and in one commit. It needs no
 * rail, so both transactions are COMPLETED when they are created, and no state in between exists that a crash could leave.
 */
import type { Command, Loaded, World } from "../../../engine/command.ts";
import { invalidField, outOfRange, Refusal } from "../../../engine/refusal.ts";
import { type LedgerAccount, ledgerAccounts } from "../../../ledger/chart.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { refuseFrozenCredit, refuseFrozenDebit } from "../../accounts/freezes/freeze.ts";
import {
  emitBalance,
  hasRoomFor,
  type InternalAccount,
  internalAccounts,
  toInternalAccountId,
} from "../../accounts/internal/internal-account.ts";
import { refuseLowBalance } from "../../accounts/internal/low-balance.ts";
import { type Customer, customers } from "../../customers/customer.ts";
import { refuseUnlessReady } from "../../customers/readiness.ts";
import { otherKindComplaint } from "../../id-kinds.ts";
import type { Metadata } from "../../metadata.ts";
import { type Platform, platforms, supportedCurrency } from "../../platform.ts";
import type { BatchMembers } from "../transactions/batch-members.ts";
import { BOOK_RAIL } from "../transactions/delivery.ts";
import type { RefundMembers } from "../transactions/incoming-refund.ts";
import {
  type Party,
  type Transaction,
  toTransactionId,
  transactionSubject,
  transactions,
} from "../transactions/transaction.ts";

export interface BookTransferInput {
  readonly sourceId: string;
  readonly destinationId: string;
  readonly amountMinor: bigint;
  readonly description: string | undefined;
  readonly metadata: Metadata | null;
  /** Set when the transfer captures a hold, whose money its command makes available: the wire id of the hold. */
  readonly holdId?: string;
  /** Set on both transactions when the transfer is an item of a batch. */
  readonly batch?: BatchMembers | undefined;
  /** Set on both transactions when the transfer is a leg of a group: the wire id of the group. */
  readonly groupId?: string;
}

/** One of the two accounts with everything that belongs to it. */
interface Side {
  readonly account: InternalAccount;
  readonly ledger: LedgerAccount;
  /** Null when the platform owns the account. */
  readonly customer: Customer | null;
}

/** A transfer between two sides that are loaded already. */
export interface BookOrder
  extends Pick<
    BookTransferInput,
    "amountMinor" | "description" | "metadata" | "holdId" | "batch" | "groupId"
  > {
  /** Set on both transactions when the transfer refunds an incoming payment. */
  readonly refund?: RefundMembers;
}

export interface Sides {
  readonly platform: Platform;
  readonly payer: Side;
  readonly payee: Side;
}

/**
 * Moves the amount and answers the payer's transaction. Refuses, in this order: an unknown source; an unknown destination;
 * one account on both sides; an embedded wallet as the source; an account that is not active, the source first; two
 * currencies; a currency that the platform does not support; an amount outside the platform's limits; a customer who is not
 * ready, the payer first; a freeze of the payer, one of the payee with the scope ALL; too low a balance; a destination without room.
 */
export const bookTransfer: Command<BookTransferInput, Transaction> = {
  name: "book-transfer",
  needs: bookTransferNeeds,
  decide: (world, input) => moveBetween(world, refuseBookTransfer(world, input), input),
};

export function bookTransferNeeds(
  world: Loaded,
  { sourceId, destinationId }: Pick<BookTransferInput, "sourceId" | "destinationId">,
): readonly AnyRef[] {
  return [
    platforms.ref(world.platformId),
    ...sideNeeds(world, sourceId),
    ...sideNeeds(world, destinationId),
  ];
}

/** All refusals of a book transfer, in the order above. */
export function refuseBookTransfer(world: World, input: BookTransferInput): Sides {
  const payer = sideOf(world, input.sourceId, "source");
  const payee = sideOf(world, input.destinationId, "destination");
  const sides = { platform: world.get(platforms.ref(world.platformId)), payer, payee };
  refuseSides(sides);
  refuseAmount(sides, input.amountMinor);
  refuseHolders(sides);
  refuseFrozenDebit(payer.account, "source.accountId");
  refuseFrozenCredit(payee.account, "destination.accountId");
  const { id: accountId, currency } = payer.account;
  if (input.holdId === undefined) {
    refuseLowBalance(world, { accountId, currency, minor: input.amountMinor });
  }
  refuseFullPayee(sides, input.amountMinor);
  return sides;
}

/** Moves the money and answers the payer's transaction. The two sides have passed every refusal. */
export function moveBetween(world: World, sides: Sides, order: BookOrder): Transaction {
  const { payer, payee } = sides;
  world.post({
    reason: order.refund === undefined ? "book.transfer" : "book.refund",
    legs: [
      { account: payer.account.id, minor: -order.amountMinor },
      { account: payee.account.id, minor: order.amountMinor },
    ],
  });
  const [paid, received] = newPair(world, sides, order);
  world.put(transactions, paid);
  world.put(transactions, received);
  world.emit("OUTGOING_PAYMENT.COMPLETED", transactionSubject(paid));
  world.emit("INCOMING_PAYMENT.COMPLETED", transactionSubject(received));
  emitBalance(world, payer.account.id);
  emitBalance(world, payee.account.id);
  return paid;
}

function sideNeeds(world: Loaded, id: string): readonly AnyRef[] {
  const refs: AnyRef[] = [internalAccounts.ref(id), ledgerAccounts.ref(id)];
  const customerId = world.find(internalAccounts.ref(id))?.customerId ?? null;
  return customerId === null ? refs : [...refs, customers.ref(customerId)];
}

type SideName = "source" | "destination";

/** The refusal for an id that names no internal account of the platform. */
export function noBookAccount(side: SideName, rawId?: string): Refusal {
  const field = `${side}.accountId`;
  const reason = otherKindComplaint(rawId, ["InternalAccount"]) ?? "names no internal account";
  const isExternal = rawId?.startsWith("ExternalAccount:") === true;
  const hint = isExternal ? `; ${CALL_FOR_EXTERNAL[side]}` : "";
  return new Refusal("REFERENCE_NOT_FOUND", { field }, `${field}: ${reason}${hint}`);
}

const CALL_FOR_EXTERNAL: Readonly<Record<SideName, string>> = {
  source: "POST /transfer-in collects from an external account",
  destination: "POST /transfer-out pays an external account",
};

function sideOf(world: World, id: string, name: SideName): Side {
  const account = world.find(internalAccounts.ref(id));
  if (account === undefined) throw noBookAccount(name);
  const { customerId } = account;
  const customer = customerId === null ? null : world.get(customers.ref(customerId));
  return { account, ledger: world.get(ledgerAccounts.ref(id)), customer };
}

function refuseSides({ payer, payee }: Sides): void {
  const source = payer.account;
  const destination = payee.account;
  if (source.id === destination.id) throw new Refusal("SELF_PAYMENT");
  if (source.type === "EMBEDDED_WALLET") {
    const message = "is an embedded wallet, which pays through quotes, with its owner's signature";
    throw invalidField("source.accountId", message);
  }
  if (source.status !== "ACTIVE") throw invalidField("source.accountId", "is not active");
  if (destination.status !== "ACTIVE") throw invalidField("destination.accountId", "is not active");
  if (source.currency !== destination.currency) {
    throw new Refusal(
      "INVALID_CURRENCY",
      { source: source.currency, destination: destination.currency },
      "Both accounts must be in one currency; use a quote to convert.",
    );
  }
}

/** Applies the platform's amount limits. The enabled directions are not checked: they concern external payments only. */
function refuseAmount({ platform, payer }: Sides, amountMinor: bigint): void {
  const { currency } = payer.account;
  const supported = supportedCurrency(platform, currency);
  if (supported === undefined) {
    throw new Refusal(
      "INVALID_CURRENCY",
      { currency },
      `The platform does not support ${currency}.`,
    );
  }
  const { minAmount, maxAmount } = supported;
  if (amountMinor < BigInt(minAmount) || amountMinor > BigInt(maxAmount)) {
    throw outOfRange({ currency, amountMinor, minAmount, maxAmount });
  }
}

function refuseHolders({ payer, payee }: Sides): void {
  for (const { customer } of [payer, payee]) if (customer !== null) refuseUnlessReady(customer);
}

function refuseFullPayee({ payee }: Sides, amountMinor: bigint): void {
  if (hasRoomFor(payee.ledger, amountMinor)) return;
  const { currency } = payee.account;
  throw new Refusal(
    "AMOUNT_OUT_OF_RANGE",
    { field: "destination.accountId", currency },
    `destination.accountId: the account would exceed the maximum balance for ${currency}.`,
  );
}

/** The payer's OUTGOING and the payee's INCOMING transaction. Each names the other one. */
function newPair(
  world: World,
  { payer, payee }: Sides,
  { amountMinor, description, metadata, refund, holdId, batch, groupId }: BookOrder,
): readonly [paid: Transaction, received: Transaction] {
  const { currency } = payer.account;
  const outgoingId = world.newId();
  const incomingId = world.newId();
  const partyOf = ({ account }: Side): Party => {
    return { type: "ACCOUNT", accountId: toInternalAccountId(account.id), currency };
  };
  const one = (id: string, { type, owner, counterpartId }: Perspective): Transaction => ({
    id,
    type,
    status: "COMPLETED",
    customerId: owner.account.customerId,
    platformCustomerId: owner.customer?.platformCustomerId ?? world.platformId,
    source: partyOf(payer),
    destination: partyOf(payee),
    sourceAccountId: payer.account.id,
    destinationAccountId: payee.account.id,
    sentMinor: amountMinor,
    sentCurrency: currency,
    receivedMinor: amountMinor,
    receivedCurrency: currency,
    quoteId: null,
    agentId: null,
    reference: null,
    description: description ?? null,
    failureReason: null,
    failure: null,
    refund: null,
    details: {
      paymentRail: BOOK_RAIL,
      counterpartTransactionId: toTransactionId(counterpartId),
      ...(groupId === undefined ? undefined : { groupId }),
      ...(holdId === undefined ? refund : { holdId }),
      ...batch,
    },
    metadata,
    outcome: null,
    createdAt: world.at,
    updatedAt: world.at,
    settledAt: world.at,
  });
  return [
    one(outgoingId, { type: "OUTGOING", owner: payer, counterpartId: incomingId }),
    one(incomingId, { type: "INCOMING", owner: payee, counterpartId: outgoingId }),
  ];
}

/** The side to which one of the two transactions belongs. */
interface Perspective {
  readonly type: Transaction["type"];
  readonly owner: Side;
  readonly counterpartId: string;
}
