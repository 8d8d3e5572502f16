import type { Command, World } from "../../../engine/command.ts";
import { currencyNeeds, releaseExchange } from "../../prices/fx-positions/fx-position.ts";
import { failedAt } from "../transactions/failure.ts";
import { moveTo, transactionSubject, transactions } from "../transactions/transaction.ts";
import { giveBackNeeds, isFundedByRails } from "./funded-outside.ts";
import { exchangeOf, payoutCurrency } from "./outside-terms.ts";
import { moveQuote, type Quote, quotes } from "./quote.ts";
import { beginRefund } from "./refund.ts";

export interface ExpireQuoteInput {
  readonly quoteId: string;
  readonly jobId: string;
  /** How long after the quote's time an entry may still report money that was paid in time. */
  readonly graceMs: number;
}

/**
 * Expires a quote and its transaction; parts of its money that have come go back. A quote that was executed is left unchanged.
 * A quote whose time has not passed keeps its job, because the clocks of hosts differ by milliseconds.
 */
export const expireQuote: Command<ExpireQuoteInput, Quote> = {
  name: "expire-quote",
  needs(world, { quoteId }) {
    const ref = quotes.ref(quoteId);
    const quote = world.find(ref);
    if (quote === undefined) return [ref];
    const { transactionId, sendingCurrency } = quote;
    return [
      ref,
      transactions.ref(transactionId),
      ...currencyNeeds(world, sendingCurrency, payoutCurrency(quote)),
      ...giveBackNeeds(world, quote),
    ];
  },
  decide(world, { quoteId, jobId, graceMs }) {
    const quote = world.get(quotes.ref(quoteId));
    const isOpen = quote.status === "PENDING";
    if (isOpen && world.at < quote.expiresAt + graceMs) return quote;
    world.cancel(jobId);
    if (!isOpen) return quote;
    return expireNow(world, quote);
  },
};

/** Expires a quote that is PENDING, with its transaction; parts of its money that have come go back. */
export function expireNow(world: World, quote: Quote): Quote {
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
  if (isFundedByRails(world, quote)) {
    // The creation of the quote committed its exchange.
    releaseExchange(world, exchangeOf(quote));
    if (quote.arrivedMinor !== null) {
      beginRefund(world, { quote: expired, reason: "TRANSACTION_FAILED" });
    }
  }
  return expired;
}
