/** How much of a payment can be given back, by the rules of the server. */
import type { Transaction } from "@florin/client";
import type { MessageKey } from "../../text/messages.ts";

export type Refundable = NonNullable<Transaction["receivedAmount"]>;

/**
 * What is left of an incoming payment; undefined where nothing can be given back. Money that came from no account, such as a card or a UMA
 * address, has no way back.
 */
export function refundableOf(payment: Transaction): Refundable | undefined {
  const { type, status, source, receivedAmount } = payment;
  if (type !== "INCOMING" || status !== "COMPLETED" || receivedAmount === undefined) {
    return undefined;
  }
  if (source === undefined || !("accountId" in source) || source.accountId === undefined) {
    return undefined;
  }
  const given = amountOf(payment.refundedAmount) + amountOf(payment.refundPendingAmount);
  const left = receivedAmount.amount - given;
  return left > 0 ? { ...receivedAmount, amount: left } : undefined;
}

const amountOf = (amount: Refundable | undefined): number => amount?.amount ?? 0;

type Line = readonly [MessageKey, Refundable];

/** What arrived, what went back before, what goes back now and what stays; undefined for an amount that cannot be given back. */
export function summaryOf(
  { receivedAmount, refundedAmount, refundPendingAmount }: Transaction,
  left: Refundable,
  minor: bigint | undefined,
): readonly Line[] | undefined {
  if (receivedAmount === undefined || minor === undefined) return undefined;
  if (minor === 0n || minor > BigInt(left.amount)) return undefined;
  const of = (amount: number): Refundable => ({ ...left, amount });
  const before = amountOf(refundedAmount) + amountOf(refundPendingAmount);
  return [
    ["payments.refund.arrived", receivedAmount],
    ...(before > 0 ? [["payments.refund.before", of(before)] as const] : []),
    ["payments.refund.now", of(Number(minor))],
    ["payments.refund.stays", of(left.amount - Number(minor))],
  ];
}
