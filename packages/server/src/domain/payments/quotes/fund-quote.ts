import type { Command, Loaded, World } from "../../../engine/command.ts";
import { invalidField, Refusal } from "../../../engine/refusal.ts";
import { systemAccount } from "../../../ledger/chart.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { type Transaction, transactions } from "../transactions/transaction.ts";
import { beginPayout } from "./begin-payout.ts";
import { refuseClosed } from "./execute-quote.ts";
import { executionNeeds, refuseUnsettleable, startProcessing } from "./execution.ts";
import { moveQuote, type Quote, quotes } from "./quote.ts";
import { fundPosting } from "./quote-postings.ts";
import { failTransaction } from "./record-quote-outcome.ts";
import { beginRefund } from "./refund.ts";

export interface FundQuoteInput {
  readonly quoteId: string;
  readonly currency: string;
  /** The amount that arrived; undefined for the exact sending amount. */
  readonly minor: bigint | undefined;
}

/**
 * Records the payer's money for a quote. The exact amount starts the payout if the destination still exists; any other
 * amount fails the quote and is refunded. Refuses, in this order: an unknown quote, a quote without payment instructions,
 * one that is not pending or has expired, another currency, system accounts without room.
 */
export const fundQuote: Command<FundQuoteInput, Transaction> = {
  name: "fund-quote",
  needs: fundingNeeds,
  decide(world, { quoteId, currency, minor }) {
    const quote = world.find(quotes.ref(quoteId));
    if (quote === undefined) throw new Refusal("QUOTE_NOT_FOUND");
    if (quote.source.sourceType !== "REALTIME_FUNDING") {
      throw invalidField(
        "quoteId",
        "names a quote that takes its money from an account: execute it",
      );
    }
    refuseClosed(quote, { at: world.at, action: "funded" });
    if (currency !== quote.sendingCurrency) {
      const expected = quote.sendingCurrency;
      throw new Refusal(
        "INVALID_CURRENCY",
        { field: "currencyCode", expected },
        `The quote is funded in ${expected}.`,
      );
    }

    refuseUnsettleable(world, quote);
    const arrivedMinor = minor ?? quote.sendingMinor;
    world.post(fundPosting(quote, arrivedMinor));
    const funded = { ...quote, fundedAt: world.at };
    if (arrivedMinor === quote.sendingMinor) beginPayout(world, startProcessing(world, funded));
    else mismatch(world, funded, arrivedMinor);
    return world.get(transactions.ref(quote.transactionId));
  },
};

function mismatch(world: World, quote: Quote, arrivedMinor: bigint): void {
  if (quote.expiryJobId !== null) world.cancel(quote.expiryJobId);
  const failed = world.put(quotes, { ...moveQuote(quote, "FAILED", world.at), arrivedMinor });
  failTransaction(world, failed, { failureReason: "FUNDING_AMOUNT_MISMATCH", stage: "COLLECTION" });
  beginRefund(world, { quote: failed, reason: "TRANSACTION_FAILED" });
}

function fundingNeeds(world: Loaded, { quoteId }: FundQuoteInput): readonly AnyRef[] {
  const ref = quotes.ref(quoteId);
  const quote = world.find(ref);
  if (quote === undefined) return [ref];
  return [
    ref,
    transactions.ref(quote.transactionId),
    systemAccount("paid-in", quote.sendingCurrency),
    ...executionNeeds(world, quote),
  ];
}
