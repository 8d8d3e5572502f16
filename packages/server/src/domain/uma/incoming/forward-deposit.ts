/**
 * The money of an invoice goes on to the customer's default deposit account outside. It is credited to the internal account first, in the
 * commit that books the entry; a job then makes a payout of the same amount from there. A payout that fails is refunded to the internal
 * account like any other.
 *
 * The money stays where no payout can be made: no route takes it, the account outside is gone, the customer is frozen, the money was
 * spent or given back in between. The job is not repeated then, because a payout at a
 * later time would surprise the customer.
 */
import type { Command, Loaded, World } from "../../../engine/command.ts";
import { Refusal, wrongState } from "../../../engine/refusal.ts";
import { present } from "../../../std/assert.ts";
import { fromWireId } from "../../../std/ids.ts";
import { scheduleJob } from "../../job-kinds.ts";
import {
  type Transaction,
  toTransactionId,
  transactions,
} from "../../payments/transactions/transaction.ts";
import type { RailRulesOf } from "../../payments/transfers/payment-rail.port.ts";
import { transferOut } from "../../payments/transfers/transfer-out.ts";
import { type TransferIds, transferNeeds } from "../../payments/transfers/transfer-rules.ts";

/** The account outside that the money of a payment was to go on to when the payment was announced. */
export function depositAccountOf({ details }: Pick<Transaction, "details">): string | undefined {
  const id = details?.depositAccountId;
  return typeof id === "string" ? fromWireId("ExternalAccount", id) : undefined;
}

export function scheduleForwarding(world: World, { id }: Transaction): void {
  scheduleJob(world, {
    kind: "forward-uma-deposit",
    payload: { transactionId: id },
    dueAt: world.at,
  });
}

export interface ForwardDepositInput {
  readonly transactionId: string;
  readonly jobId: string;
  readonly rails: RailRulesOf;
}

/** Makes the payout, or notes that the money stays. A second run changes nothing. */
export const forwardDeposit: Command<ForwardDepositInput, Transaction> = {
  name: "forward-uma-deposit",
  needs: (world, { transactionId }) => {
    const ids = transferIdsOf(world, transactionId);
    const ref = transactions.ref(transactionId);
    return ids === undefined ? [ref] : [ref, ...transferNeeds(world, ids)];
  },
  decide(world, { transactionId, jobId, rails }) {
    const paid = world.get(transactions.ref(transactionId));
    world.cancel(jobId);
    if (isDecided(paid)) return paid;
    const payout = world.attempt(() => payOn(world, paid, rails));
    const told =
      payout instanceof Refusal
        ? ({ depositFallback: true } as const)
        : { depositTransactionId: toTransactionId(payout.id) };
    const outcome = { ...paid.outcome, ...told };
    return world.put(transactions, { ...paid, outcome, updatedAt: world.at });
  },
};

function isDecided({ outcome }: Transaction): boolean {
  return outcome?.depositTransactionId !== undefined || outcome?.depositFallback === true;
}

function payOn(world: World, paid: Transaction, rails: RailRulesOf): Transaction {
  const { status } = paid;
  if (status !== "COMPLETED") {
    throw wrongState({ object: "payment", status, needed: "COMPLETED", action: "paid on" });
  }
  return transferOut.decide(world, {
    ...present(transferIdsOf(world, paid.id), "the accounts of a deposit that goes on"),
    amountMinor: present(paid.receivedMinor, "the amount of a UMA payment"),
    paymentRail: undefined,
    remittanceInformation: undefined,
    depositOf: toTransactionId(paid.id),
    rails,
  });
}

function transferIdsOf(world: Loaded, transactionId: string): TransferIds | undefined {
  const paid = world.find(transactions.ref(transactionId));
  if (paid === undefined || paid.destinationAccountId === null) return undefined;
  const externalId = depositAccountOf(paid);
  if (externalId === undefined) return undefined;
  return { internalId: paid.destinationAccountId, externalId };
}
