import type { Command, Loaded } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { present } from "../../../std/assert.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { customers } from "../../customers/customer.ts";
import { type Quote, quotes } from "../../payments/quotes/quote.ts";
import { quoteOutcomeNeeds } from "../../payments/quotes/record-quote-outcome.ts";
import { umaReference } from "../../payments/transactions/delivery.ts";
import { platforms } from "../../platform.ts";
import { type ReceivePaymentInput, receivingNeeds, takeInPayment } from "../receive-payment.ts";
import { senderFacts } from "./sender-facts.ts";
import { failInHouse } from "./settle-in-house.ts";

export interface PayInHouseInput {
  readonly quoteId: string;
  readonly transactionId: string;
  readonly jobId: string;
  /** The customer at the quote's address; undefined when there is none. */
  readonly customerId: string | undefined;
}

/**
 * Announces the payment of a quote to its payee, a customer of the same platform. A payee who cannot be paid any more, for whatever reason
 * `announcePayment` lists, or whose platform cannot be asked, fails the quote, and its money goes back. A second run changes nothing.
 */
export const payInHouse: Command<PayInHouseInput, Quote> = {
  name: "pay-in-house",
  needs: payNeeds,
  decide(world, input) {
    const { quoteId, transactionId, jobId } = input;
    const quote = world.get(quotes.ref(quoteId));
    world.cancel(jobId);
    if (quote.status !== "PROCESSING") return quote;
    const taken = world.attempt(() =>
      takeInPayment(world, paymentOf(world, quote, input), {
        kind: "in-house",
        quoteId,
        transactionId,
      }),
    );
    if (taken instanceof Refusal || taken.status === "FAILED") failInHouse(world, quoteId);
    return world.get(quotes.ref(quoteId));
  },
};

function payNeeds(world: Loaded, input: PayInHouseInput): readonly AnyRef[] {
  const { quoteId, transactionId } = input;
  const platform = platforms.ref(world.platformId);
  const refs: AnyRef[] = [
    platform,
    ...quoteOutcomeNeeds(world, { quoteId, transactionId, mayReturn: false }),
  ];
  const quote = world.find(quotes.ref(quoteId));
  if (quote === undefined) return refs;
  if (quote.customerId !== null) refs.push(customers.ref(quote.customerId));
  if (world.find(platform) === undefined) return refs;
  return [...refs, ...receivingNeeds(world, paymentOf(world, quote, input))];
}

function paymentOf(
  world: Loaded,
  quote: Quote,
  { customerId }: Pick<PayInHouseInput, "customerId">,
): ReceivePaymentInput {
  const platform = present(world.find(platforms.ref(world.platformId)), "the platform");
  const payer = quote.customerId === null ? undefined : world.find(customers.ref(quote.customerId));
  return {
    reference: umaReference(quote.transactionId),
    sender: senderFacts(platform, { quote, customer: payer }),
    receiver: { umaAddress: quote.destinationUma ?? "", customerId },
    currency: quote.receivingCurrency,
    amountMinor: quote.receivingMinor,
  };
}
