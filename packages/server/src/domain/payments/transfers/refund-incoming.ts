import type { Command, Loaded, World } from "../../../engine/command.ts";
import { Refusal, wrongState } from "../../../engine/refusal.ts";
import { present } from "../../../std/assert.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { externalAccounts } from "../../accounts/external/external-account.ts";
import {
  beginRefund,
  type IncomingRefundReason,
  refundAtOnce,
  refundableMinor,
} from "../transactions/incoming-refund.ts";
import { type Transaction, toTransactionId, transactions } from "../transactions/transaction.ts";
import { bookTransferNeeds, moveBetween, refuseBookTransfer } from "./book-transfer.ts";
import type { RailRulesOf } from "./payment-rail.port.ts";
import { payOut, refuseTransferOut } from "./transfer-out.ts";
import { transferNeeds } from "./transfer-rules.ts";

export interface RefundIncomingInput {
  readonly transactionId: string;
  /** When absent, the whole amount that has not been refunded yet. */
  readonly amountMinor: bigint | undefined;
  readonly reason: IncomingRefundReason;
  readonly note: string | undefined;
  readonly rails: RailRulesOf;
}

/**
 * Gives an incoming payment back to where it came from, whole or in part, by a new OUTGOING transaction, which it answers. Money of a
 * book transfer moves back in the same commit; money that was pulled from an external account is paid out to that account.
 *
 * Refuses, in this order: an unknown payment; one that is not INCOMING and COMPLETED; more than is left of it; a payment that came by a way
 * that supports no refund; an external account that was deleted; whatever a book transfer or a transfer out of this amount is refused for,
 * the balance last.
 */
export const refundIncoming: Command<RefundIncomingInput, Transaction> = {
  name: "refund-incoming",
  needs: (world, { transactionId }) => refundNeeds(world, transactionId),
  decide(world, input) {
    const original = world.find(transactions.ref(input.transactionId));
    if (original === undefined) throw new Refusal("TRANSACTION_NOT_FOUND");
    refuseUnrefundable(original);
    const minor = refuseAmount(original, input.amountMinor);
    switch (wayBack(original)) {
      case "book":
        return refundOnTheBooks(world, { original, minor, input });
      case "payout":
        return refundByPayout(world, { original, minor, input });
      case undefined:
        throw noWayBack(original);
    }
  },
};

function refundNeeds(world: Loaded, transactionId: string): readonly AnyRef[] {
  const ref = transactions.ref(transactionId);
  const original = world.find(ref);
  const way = original && wayBack(original);
  if (original === undefined || way === undefined) return [ref];
  const { payer, payee } = accountsOf(original);
  return way === "book"
    ? [ref, ...bookTransferNeeds(world, { sourceId: payee, destinationId: payer })]
    : [ref, ...transferNeeds(world, { internalId: payee, externalId: payer })];
}

/** The way that the money came and can go back: over the books, or by a rail. Undefined when there is no way back. */
function wayBack({ type, details, sourceAccountId }: Transaction): "book" | "payout" | undefined {
  if (type !== "INCOMING" || sourceAccountId === null) return undefined;
  return details?.counterpartTransactionId === undefined ? "payout" : "book";
}

function accountsOf({ sourceAccountId, destinationAccountId }: Transaction) {
  return {
    payer: present(sourceAccountId, "the account that a payment came from"),
    payee: present(destinationAccountId, "the account that a payment reached"),
  };
}

function refuseUnrefundable({ type, status }: Transaction): void {
  if (type === "OUTGOING") {
    const message = "The transaction is OUTGOING; only an INCOMING one can be refunded.";
    throw new Refusal("CONFLICT", { type, status }, message);
  }
  if (status === "COMPLETED") return;
  throw wrongState({ object: "transaction", status, needed: "COMPLETED", action: "refunded" });
}

function refuseAmount(original: Transaction, wanted: bigint | undefined): bigint {
  const left = refundableMinor(original);
  const minor = wanted ?? left;
  if (minor <= left && left > 0n) return minor;
  const currency = present(original.receivedCurrency, "the currency of a completed payment");
  throw new Refusal(
    "AMOUNT_OUT_OF_RANGE",
    { field: "amount", currency, refundable: Number(left) },
    `amount: ${left} of this payment can still be refunded, in the smallest unit of ${currency}.`,
  );
}

function noWayBack({ source, details }: Transaction): Refusal {
  const message =
    source.type === "UMA_ADDRESS"
      ? `Payments from UMA addresses carry no refund. Pay ${source.umaAddress} with a quote instead.`
      : "This money did not come from an account, so there is none to give it back to.";
  return new Refusal("NOT_IMPLEMENTED", { rail: details?.paymentRail ?? source.type }, message);
}

interface Refunding {
  readonly original: Transaction;
  readonly minor: bigint;
  readonly input: RefundIncomingInput;
}

function membersOf({ original, input }: Refunding) {
  return { refundOf: toTransactionId(original.id), refundReason: input.reason };
}

function refundOnTheBooks(world: World, refunding: Refunding): Transaction {
  const { original, minor, input } = refunding;
  const { payer, payee } = accountsOf(original);
  const order = {
    sourceId: payee,
    destinationId: payer,
    amountMinor: minor,
    description: input.note,
    metadata: null,
  };
  const sides = refuseBookTransfer(world, order);
  const paid = moveBetween(world, sides, { ...order, refund: membersOf(refunding) });
  refundAtOnce(world, original, minor);
  return paid;
}

function refundByPayout(world: World, refunding: Refunding): Transaction {
  const { original, minor, input } = refunding;
  const { payer, payee } = accountsOf(original);
  refuseDeletedPayer(world, payer);
  const order = {
    internalId: payee,
    externalId: payer,
    amountMinor: minor,
    paymentRail: undefined,
    remittanceInformation: undefined,
    description: input.note,
    rails: input.rails,
  };
  const carried = refuseTransferOut(world, order);
  const paying = payOut(world, { ...order, refund: membersOf(refunding) }, carried);
  if (paying.status !== "FAILED") beginRefund(world, original, minor);
  return paying;
}

function refuseDeletedPayer(world: World, externalId: string): void {
  const external = world.find(externalAccounts.ref(externalId));
  if (external?.deletedAt === null) return;
  throw new Refusal(
    "CONFLICT",
    { reason: "the external account was deleted" },
    "The external account that the money came from was deleted; pay another one with POST /transfer-out.",
  );
}
