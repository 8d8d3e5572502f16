import type { Command } from "../../engine/command.ts";
import { failedAt } from "../transactions/failure.ts";
import { moveTo, transactionSubject, transactions } from "../transactions/transaction.ts";
import { moveQuote, type Quote, quotes } from "./quote.ts";

export interface ExpireQuoteInput {
  readonly quoteId: string;
  readonly jobId: string;
}

/**
 * Expires a quote and its transaction. A quote that was executed is left unchanged. A quote whose time has not passed keeps
 * its job, because the clocks of hosts differ by milliseconds.
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
