/**
 * What the payment of a quote gives back. It begins in the commit that says so, as a refund that is pending and a job; how
 * the refund ended is recorded by another command. One for which there is no room fails in the same commit.
 */
import type { World } from "../../engine/command.ts";
import { failRefund, openRefund, type Refunding } from "../transactions/refund.ts";
import { type Refund, transactions } from "../transactions/transaction.ts";
import { scheduleRefund } from "./execution.ts";
import type { Quote } from "./quote.ts";

export interface RefundOrder {
  readonly quote: Quote;
  readonly reason: Refund["reason"];
}

export function beginRefund(world: World, order: RefundOrder): void {
  open(world, order);
  scheduleRefund(world, order.quote);
}

/** A refund that nothing can come of, told as any other. */
export function beginAndFailRefund(world: World, order: RefundOrder): void {
  failRefund(world, open(world, order));
}

function open(world: World, { quote, reason }: RefundOrder): Refunding {
  return openRefund(world, world.get(transactions.ref(quote.transactionId)), reason);
}
