/**
 * Money from outside that names a production quote.
 *
 *   in time, and the exact amount     the quote is funded, and its payout begins
 *   in time, and another amount       the quote fails, and the money goes back. A connection that collects parts waits for more
 *   in time, and funded or failed     suspense: ALREADY_FUNDED
 *   late                              suspense, or back to the payer, as the connection says: LATE
 *
 * The bank's booking time, which may be reported later, decides whether money is in time. So a quote expires only after the grace of the
 * connections that it may be paid through.
 */
import type { Loaded, World } from "../../../engine/command.ts";
import { systemAccount } from "../../../ledger/chart.ts";
import { toIso } from "../../../std/clock.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { beginPayout } from "../../payments/quotes/begin-payout.ts";
import { executionNeeds, startProcessing } from "../../payments/quotes/execution.ts";
import { giveBackNeeds } from "../../payments/quotes/funded-outside.ts";
import { exchangeOf } from "../../payments/quotes/outside-terms.ts";
import { moveQuote, type Quote, quotes } from "../../payments/quotes/quote.ts";
import { fundPosting } from "../../payments/quotes/quote-postings.ts";
import { failTransaction } from "../../payments/quotes/record-quote-outcome.ts";
import { beginRefund } from "../../payments/quotes/refund.ts";
import { transactions } from "../../payments/transactions/transaction.ts";
import { releaseExchange } from "../../prices/fx-positions/fx-position.ts";
import type { RailConnection } from "../connections/rail-connection.ts";
import type { RailEntry, ToldEntry } from "../entries/rail-entry.ts";
import type { ItemReason } from "../entries/rail-item.ts";
import { fundingsOfQuote, MOST_FUNDING_PARTS, quoteFundings } from "./quote-funding.ts";

/** The rows that money for this quote can touch. */
export function takeFundingNeeds(world: Loaded, quoteId: string): readonly AnyRef[] {
  const quote = world.find(quotes.ref(quoteId));
  if (quote === undefined) return [quotes.ref(quoteId)];
  return [
    quotes.ref(quoteId),
    transactions.ref(quote.transactionId),
    systemAccount("paid-in", quote.sendingCurrency),
    ...executionNeeds(world, quote),
    ...giveBackNeeds(world, quote),
  ];
}

/** Why the quote does not take the money; undefined when it does. */
export function fundingObstacle(
  { status, sendingCurrency, expiresAt }: Quote,
  told: Pick<ToldEntry, "currency" | "bookedAt" | "bookedOn">,
): ItemReason | undefined {
  if (told.currency !== sendingCurrency) return "CURRENCY";
  if (status === "EXPIRED") return "LATE";
  if (status !== "PENDING") return "ALREADY_FUNDED";
  return isInTime(expiresAt, told) ? undefined : "LATE";
}

/** An entry without a time of day is in time until the end of the UTC day on which the quote expires. */
function isInTime(
  expiresAt: number,
  { bookedAt, bookedOn }: Pick<ToldEntry, "bookedAt" | "bookedOn">,
): boolean {
  return bookedAt === null ? bookedOn <= toIso(expiresAt).slice(0, 10) : bookedAt <= expiresAt;
}

/** Books an entry that the quote takes. */
export function takeFunding(
  world: World,
  quote: Quote,
  { entry, connection }: { readonly entry: RailEntry; readonly connection: RailConnection },
): void {
  const { currency, connectionId, amountMinor } = entry;
  world.post(fundPosting(quote, amountMinor, { system: "clearing", currency, connectionId }));
  addFunding(world, quote, entry);
  const parts = world.all(fundingsOfQuote.of(quote.id));
  const arrivedMinor = parts.reduce((total, part) => total + part.amountMinor, 0n);
  if (arrivedMinor === quote.sendingMinor) {
    fundExactly(world, quote);
    return;
  }
  const collects = connection.funding.collectParts === true && parts.length < MOST_FUNDING_PARTS;
  if (collects && arrivedMinor < quote.sendingMinor) {
    world.put(quotes, { ...quote, arrivedMinor, updatedAt: world.at });
    return;
  }
  if (quote.expiryJobId !== null) world.cancel(quote.expiryJobId);
  const failed = world.put(quotes, {
    ...moveQuote(quote, "FAILED", world.at),
    fundedAt: world.at,
    arrivedMinor,
  });
  releaseExchange(world, exchangeOf(quote));
  failTransaction(world, failed, { failureReason: "FUNDING_AMOUNT_MISMATCH", stage: "COLLECTION" });
  beginRefund(world, { quote: failed, reason: "TRANSACTION_FAILED" });
}

/** Begins the payout of a quote that has its whole amount. */
export function fundExactly(world: World, quote: Quote): Quote {
  const funded = { ...quote, fundedAt: world.at, arrivedMinor: null };
  return beginPayout(world, startProcessing(world, funded));
}

export function addFunding(
  world: World,
  { id: quoteId }: Quote,
  part: { readonly id: string; readonly connectionId: string; readonly amountMinor: bigint },
): void {
  world.put(quoteFundings, {
    id: world.newId(),
    quoteId,
    connectionId: part.connectionId,
    entryId: part.id,
    amountMinor: part.amountMinor,
    itemId: null,
    createdAt: world.at,
  });
}
