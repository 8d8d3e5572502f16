import type { Command, Loaded, World } from "../../../engine/command.ts";
import { type SystemAccountName, systemAccount } from "../../../ledger/chart.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { externalAccounts } from "../../accounts/external/external-account.ts";
import { internalAccounts } from "../../accounts/internal/internal-account.ts";
import { currencyNeeds, releaseExchange } from "../../prices/fx-positions/fx-position.ts";
import { simulatedClearing } from "../carrier/clearing.ts";
import type { FailureFacts } from "../transactions/failure.ts";
import { transactions } from "../transactions/transaction.ts";
import type { RailAnswer } from "../transfers/payment-rail.port.ts";
import { beginPayout } from "./begin-payout.ts";
import { accountsOfQuote } from "./execution.ts";
import { exchangeOf, payoutCurrency } from "./outside-terms.ts";
import { moveQuote, type Quote, quotes } from "./quote.ts";
import { fundPosting } from "./quote-postings.ts";
import { failTransaction } from "./record-quote-outcome.ts";

export interface QuotePullInput {
  readonly quoteId: string;
  readonly transactionId: string;
  readonly jobId: string;
  readonly answer: Extract<RailAnswer, { kind: "settled" | "declined" }>;
}

/**
 * Records the outcome of pulling a quote's money from an external account. Settled: the payout starts. Declined: the payment
 * fails without a refund, because no money arrived.
 */
export const recordQuotePull: Command<QuotePullInput, Quote> = {
  name: "record-quote-pull",
  needs: pullNeeds,
  decide(world, { quoteId, jobId, answer }) {
    const quote = world.get(quotes.ref(quoteId));
    world.cancel(jobId);
    if (quote.status !== "PROCESSING" || quote.fundedAt !== null) return quote;
    if (answer.kind === "declined") return failCollection(world, quote, answer);
    return collectOnce(world, quote, simulatedClearing(quote.sendingCurrency));
  },
};

/** Books collected money against the clearing account that it came through, and begins the payout. A second call changes nothing. */
export function collectOnce(world: World, quote: Quote, clearing: SystemAccountName): Quote {
  if (quote.status !== "PROCESSING" || quote.fundedAt !== null) return quote;
  world.post(fundPosting(quote, quote.sendingMinor, clearing));
  return payWithCollected(world, quote);
}

/** Begins the payout with money that was collected and is in `paid-in`. */
export function payWithCollected(world: World, quote: Quote): Quote {
  const funded = world.put(quotes, { ...quote, fundedAt: world.at, updatedAt: world.at });
  return beginPayout(world, funded);
}

function pullNeeds(world: Loaded, { quoteId, transactionId }: QuotePullInput): readonly AnyRef[] {
  const refs: AnyRef[] = [quotes.ref(quoteId), transactions.ref(transactionId)];
  const quote = world.find(quotes.ref(quoteId));
  if (quote === undefined) return refs;
  const { internalDestinationId, externalDestinationId } = accountsOfQuote(quote);
  if (internalDestinationId !== undefined) refs.push(internalAccounts.ref(internalDestinationId));
  if (externalDestinationId !== undefined) refs.push(externalAccounts.ref(externalDestinationId));
  refs.push(
    systemAccount("paid-in", quote.sendingCurrency),
    systemAccount("rail-clearing", quote.sendingCurrency),
    ...currencyNeeds(world, quote.sendingCurrency, payoutCurrency(quote)),
  );
  return refs;
}

/** Fails the payment without a refund, because no money arrived. A quote that is funded or has ended is left unchanged. */
export function failCollection(
  world: World,
  quote: Quote,
  { failureReason, cause }: FailureFacts,
): Quote {
  if (quote.status !== "PROCESSING" || quote.fundedAt !== null) return quote;
  const failed = world.put(quotes, moveQuote(quote, "FAILED", world.at));
  releaseExchange(world, exchangeOf(quote));
  failTransaction(world, failed, { failureReason, cause, stage: "COLLECTION" });
  return failed;
}
