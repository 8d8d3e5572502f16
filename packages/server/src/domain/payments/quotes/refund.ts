/**
 * The refund of a quote's payment. The commit that decides it opens it as pending and schedules a job, or orders the return from the
 * connections that the money came through; another command records how it ended. A refund that the books cannot take fails in the same
 * commit.
 */
import type { World } from "../../../engine/command.ts";
import { carrierPort } from "../carrier/carrier.port.ts";
import { failRefund, openRefund, type Refunding } from "../transactions/refund.ts";
import { type Refund, type ReturnedMoney, transactions } from "../transactions/transaction.ts";
import { scheduleRefund } from "./execution.ts";
import { cameByRails } from "./funded-outside.ts";
import { onBehalfOfMaker } from "./parties/quote-maker.ts";
import type { Quote } from "./quote.ts";

export interface RefundOrder {
  readonly quote: Quote;
  readonly reason: Refund["reason"];
  /** A connection carried the payment, and the refund goes to an internal account. */
  readonly isInHouse?: boolean;
  readonly returned?: ReturnedMoney | undefined;
}

export function beginRefund(world: World, order: RefundOrder): void {
  open(world, order);
  if (cameByRails(world, order.quote)) {
    const { quote } = order;
    onBehalfOfMaker(world, quote, () => world.port(carrierPort).giveBack(world, quote));
    return;
  }
  scheduleRefund(world, order.quote, order);
}

/** Opens a refund and fails it at once, with the same event as any failed refund. */
export function beginAndFailRefund(world: World, order: RefundOrder): void {
  failRefund(world, open(world, order));
}

function open(world: World, { quote, reason, returned }: RefundOrder): Refunding {
  const transaction = world.get(transactions.ref(quote.transactionId));
  return openRefund(world, transaction, { reason, ...(returned && { returned }) });
}
