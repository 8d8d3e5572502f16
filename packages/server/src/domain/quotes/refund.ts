/**
 * What a payment that does not stand gives back. It begins in the commit that says so, as a refund that is pending and a
 * job; how the refund ended is recorded by another command.
 */
import type { World } from "../../engine/command.ts";
import { toIso } from "../../std/clock.ts";
import {
  type Refund,
  referenceFrom,
  transactionSubject,
  transactions,
} from "../transactions/transaction.ts";
import { scheduleRefund } from "./execution.ts";
import type { Quote } from "./quote.ts";

export interface RefundOrder {
  readonly quote: Quote;
  readonly reason: Refund["reason"];
  /** What came in, when that was not what was asked for. */
  readonly minor?: bigint;
}

export function beginRefund(world: World, { quote, reason, minor }: RefundOrder): void {
  const transaction = world.get(transactions.ref(quote.transactionId));
  const refund: Refund = {
    reference: referenceFrom("RF", world.newId()),
    initiatedAt: toIso(world.at),
    status: "PENDING",
    reason,
  };
  const refunding = world.put(transactions, { ...transaction, refund, updatedAt: world.at });
  world.emit("OUTGOING_PAYMENT.REFUND_PENDING", transactionSubject(refunding));
  scheduleRefund(world, quote, minor ?? quote.sendingMinor);
}
