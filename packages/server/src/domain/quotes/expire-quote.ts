import type { Command } from "../../engine/command.ts";
import { failedAt } from "../transactions/failure.ts";
import { moveTo, transactionSubject, transactions } from "../transactions/transaction.ts";
import { moveQuote, type Quote, quotes } from "./quote.ts";

export interface ExpireQuoteInput {
  readonly quoteId: string;
  readonly jobId: string;
}

/**
 * Ends a quote whose time is over and its transaction with it. One that was executed in time stays as it is; one that still
 * has time keeps its job, because hosts do not agree on the time to the millisecond.
 */
export const expireQuote: Command<ExpireQuoteInput, Quote> = {
  name: "expire-quote",
  needs(world, { quoteId }) {
    const ref = quotes.ref(quoteId);
    const quote = world.find(ref);
    return quote === undefined ? [ref] : [ref, transactions.ref(quote.transactionId)];
  },
  decide(world, { quoteId, jobId }) {
    const quote = world.get(quotes.ref(quoteId));
    const isOpen = quote.status === "PENDING";
    if (isOpen && world.at < quote.expiresAt) return quote;
    world.cancel(jobId);
    if (!isOpen) return quote;
    const expired = world.put(quotes, moveQuote(quote, "EXPIRED", world.at));
    const transaction = world.get(transactions.ref(quote.transactionId));
    const ended = world.put(
      transactions,
      moveTo(transaction, "EXPIRED", {
        at: world.at,
        ...failedAt("ACCEPTANCE", { failureReason: "QUOTE_EXPIRED" }, world.at),
      }),
    );
    world.emit("OUTGOING_PAYMENT.EXPIRED", transactionSubject(ended));
    return expired;
  },
};
