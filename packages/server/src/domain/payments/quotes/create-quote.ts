import type { Command, Loaded, World } from "../../../engine/command.ts";
import { ledgerAccounts, systemAccount } from "../../../ledger/chart.ts";
import type { Ratio } from "../../../money/ratio.ts";
import type { JsonObject } from "../../../std/json.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { refuseLowBalance } from "../../accounts/internal/low-balance.ts";
import { toCustomerId } from "../../customers/customer.ts";
import { scheduleJob } from "../../job-kinds.ts";
import type { Metadata } from "../../metadata.ts";
import { type Platform, platforms, supportedCurrency } from "../../platform.ts";
import {
  commitExchange,
  currencyNeeds,
  refuseBeyondLimits,
} from "../../prices/fx-positions/fx-position.ts";
import type { Corridor } from "../../prices/rates/corridor.ts";
import { shownRate } from "../../prices/rates/market-rate.ts";
import type { Price } from "../../prices/rates/pricing.ts";
import { signingPayload } from "../../wallets/payload-to-sign.ts";
import { carrierPort, type PayIn } from "../carrier/carrier.port.ts";
import { transactionSubject, transactions } from "../transactions/transaction.ts";
import { beginExecution, refuseUnsettleable, settlementNeeds } from "./execution.ts";
import {
  lifetimeOf,
  type Market,
  marketNeeds,
  marketOf,
  offerOf,
  refuseUnrouted,
} from "./market/market-quote.ts";
import { quotePrices } from "./market/quote-price.ts";
import { exchangeOf, lifeOfTerms, ofOutside } from "./outside-terms.ts";
import { knownAbout } from "./parties/counterparty-information.ts";
import { asserterOf } from "./parties/quote-maker.ts";
import {
  accountIdOf,
  type DestinationName,
  findAccount,
  outsideTermsOf,
  type Parties,
  partiesOf,
  partyNeeds,
  railTaken,
  type SourceName,
  wireAccountOf,
} from "./parties/quote-parties.ts";
import { realtimeInstructions, walletInstructions } from "./payment-instructions.ts";
import { type Quote, type QuoteDestination, type QuoteSource, quotes } from "./quote.ts";
import { putQuoteInvoice, quoteInvoiceNeeds, refuseUsedInvoice } from "./quote-invoice.ts";
import {
  isEmbeddedWallet,
  priceWithinLimits,
  type QuoteTerms,
  refuseParties,
} from "./quote-rules.ts";
import { newQuoteTransaction } from "./quote-transaction.ts";

export interface CreateQuoteInput extends QuoteTerms {
  readonly source: SourceName;
  readonly destination: DestinationName;
  readonly description: string | undefined;
  readonly metadata?: Metadata | null;
  readonly remittanceInformation: string | undefined;
  /** The digest of the request, part of the payload that an embedded wallet's owner signs. */
  readonly bodySha256: string;
  /** Set when an agent calls. */
  readonly agentId?: string;
}

const QUOTE_LIFETIME_MS = 5 * 60_000;

/**
 * Creates a quote and its transaction. The price is valid for five minutes, or for the time that a payer has to pay. Holds no money unless
 * it is executed at once. Refuses, in this order: whatever `partiesOf` lists, whatever `refuseParties` lists, an amount outside the limits;
 * in production an amount that no route takes, and a position past its limit when a payer funds the quote; for immediate execution also a
 * balance that is too low, a position past its limit, and system accounts without room.
 */
export const createQuote: Command<CreateQuoteInput, Quote> = {
  name: "create-quote",
  needs: quoteNeeds,
  decide: decideQuote,
};

function quoteNeeds(world: Loaded, input: CreateQuoteInput): readonly AnyRef[] {
  const refs: AnyRef[] = [platforms.ref(world.platformId), ...partyNeeds(world, input)];
  if (isProduction(world)) refs.push(...marketNeeds(world));
  const outside = outsideTermsOf(input.destination);
  if (outside !== undefined) {
    const carrier = world.port(carrierPort);
    refs.push(...quoteInvoiceNeeds(outside.settlement), ...carrier.routeNeeds(world));
    if (input.immediatelyExecute) {
      refs.push(...carrier.orderNeeds(world, outside.settlement.currency));
    }
  }
  const { source } = input;
  if (source.kind === "realtime" && isProduction(world)) {
    const receiving = currencyOf(world, input.destination);
    return receiving === undefined
      ? refs
      : [...refs, ...currencyNeeds(world, source.currency, receiving)];
  }
  if (!input.immediatelyExecute || source.kind !== "internal") return refs;
  refs.push(ledgerAccounts.ref(source.id));
  const sending = findAccount(world, source)?.currency;
  const receiving = currencyOf(world, input.destination);
  if (sending === undefined || receiving === undefined) return refs;
  return [
    ...refs,
    systemAccount("in-flight", sending),
    ...settlementNeeds(sending, receiving),
    ...currencyNeeds(world, sending, receiving),
  ];
}

function isProduction(world: Loaded): boolean {
  return world.find(platforms.ref(world.platformId))?.environment === "PRODUCTION";
}

/** The currency of what leaves the books. */
function currencyOf(world: Loaded, name: DestinationName): string | undefined {
  const outside = outsideTermsOf(name);
  if (outside !== undefined) return outside.settlement.currency;
  return name.kind === "uma" ? name.receiver.currency : findAccount(world, name)?.currency;
}

function decideQuote(world: World, input: CreateQuoteInput): Quote {
  const platform = world.get(platforms.ref(world.platformId));
  const parties = partiesOf(world, input);
  const market = platform.environment === "PRODUCTION" ? marketOf(world) : undefined;
  const found = refuseParties(platform, parties, { ...input, market });
  const outside = outsideTermsOf(parties.destination);
  const offer =
    market === undefined
      ? { corridor: found.corridor, paymentRail: railTaken(parties), price: outside?.price ?? null }
      : offerOf(parties, found, { market, locked: input, bookRail: railTaken(parties) });
  const { corridor, paymentRail } = offer;
  const price = priceWithinLimits(platform, parties, { corridor, terms: input });
  if (market !== undefined) refuseUnrouted(parties, { ...price, paymentRail }, market);
  const { source } = parties;
  if (outside !== undefined) refuseUsedInvoice(world, outside.settlement);
  if (input.immediatelyExecute && source.kind === "internal") {
    const { id: accountId, currency } = source.account;
    refuseLowBalance(world, { accountId, currency, minor: price.sendingMinor });
  }

  const payIn = market === undefined ? undefined : payInOf(source, { market, price });
  const usualMs = payIn?.windowMs ?? QUOTE_LIFETIME_MS;
  const lifetimeMs =
    outside === undefined ? lifetimeOf(found, usualMs) : Math.min(usualMs, lifeOfTerms(outside));
  const made = { input, platform, parties, corridor, price, paymentRail, lifetimeMs };
  const unfunded = newQuote(world, made);
  const opened = payIn?.open(world, unfunded);
  const quote =
    opened === undefined
      ? unfunded
      : { ...unfunded, paymentInstructions: opened.instructions, maker: asserterOf(world) };
  if (opened !== undefined) refuseBeyondLimits(world, exchangeOf(quote));
  if (input.immediatelyExecute) {
    refuseBeyondLimits(world, exchangeOf(quote));
    refuseUnsettleable(world, quote);
  }
  const transaction = newQuoteTransaction(world, { quote, parties, input });
  const expiryJobId = input.immediatelyExecute
    ? null
    : scheduleJob(world, {
        kind: "expire-quote",
        payload: {
          quoteId: quote.id,
          ...(payIn === undefined ? {} : { graceMs: payIn.graceMs }),
        },
        dueAt: quote.expiresAt + (payIn?.graceMs ?? 0),
      });
  const pending = world.put(quotes, { ...quote, expiryJobId });
  if (offer.price !== null) {
    world.put(quotePrices, { id: quote.id, ...offer.price, createdAt: world.at });
  }
  if (outside !== undefined) putQuoteInvoice(world, outside.settlement, quote.id);
  opened?.put();
  if (opened !== undefined) commitExchange(world, exchangeOf(pending));
  world.put(transactions, transaction);
  world.emit("OUTGOING_PAYMENT.PENDING", transactionSubject(transaction));
  return input.immediatelyExecute ? beginExecution(world, pending) : pending;
}

/** The connections that accept the payer's money; undefined when no payer funds the quote. */
function payInOf(
  source: Parties["source"],
  { market, price }: { readonly market: Market; readonly price: Price },
): PayIn | undefined {
  if (source.kind !== "realtime") return undefined;
  const { currency } = source;
  return market.routes.payIn({ currency, amountMinor: price.sendingMinor });
}

interface Ingredients {
  readonly input: CreateQuoteInput;
  readonly platform: Platform;
  readonly parties: Parties;
  readonly corridor: Corridor;
  readonly price: Price;
  readonly paymentRail: string;
  readonly lifetimeMs: number;
}

function newQuote(world: World, ingredients: Ingredients): Quote {
  const { input, platform, parties, corridor, price, paymentRail, lifetimeMs } = ingredients;
  const { source, destination, customer } = parties;
  const outside = outsideTermsOf(destination);
  const ofPayee =
    outside === undefined
      ? ofRate(corridor, price)
      : ofOutside(price, outside, destination.currency);
  const rate = shownRate(ofPayee.rate);
  const unsigned: Quote = {
    id: world.newId(),
    status: "PENDING",
    customerId: customer?.id ?? null,
    source: sourceOf(input, parties),
    destination: destinationOf(parties),
    sourceAccountId: accountIdOf(source),
    destinationAccountId: accountIdOf(destination),
    destinationUma: destination.kind === "uma" ? destination.receiver.umaAddress : null,
    sendingCurrency: source.currency,
    receivingCurrency: destination.currency,
    sendingMinor: price.sendingMinor,
    receivingMinor: ofPayee.receivingMinor,
    feesMinor: ofPayee.feesMinor,
    fixedFeeMinor: price.fixedFeeMinor,
    variableFeeMinor: price.variableFeeMinor,
    variableFeeMillionths: corridor.variableFeeMillionths,
    counterpartyFeeMinor: ofPayee.counterpartyFeeMinor,
    convertedMinor: price.convertedMinor,
    rateNumerator: rate.numerator,
    rateDenominator: rate.denominator,
    paymentInstructions: null,
    counterpartyInformation: informationFor(platform, parties),
    payerInformation:
      Object.keys(input.senderCustomerInfo).length === 0 ? null : input.senderCustomerInfo,
    description: input.description ?? null,
    paymentRail,
    metadata: input.metadata ?? null,
    settlement:
      outside === undefined ? null : { ...outside.settlement, lapsesAt: world.at + outside.leftMs },
    transactionId: world.newId(),
    agentId: input.agentId ?? null,
    maker: null,
    lockedSide: input.lockedSide,
    expiryJobId: null,
    fundedAt: null,
    arrivedMinor: null,
    createdAt: world.at,
    expiresAt: world.at + lifetimeMs,
    updatedAt: world.at,
  };
  return {
    ...unsigned,
    paymentInstructions: instructionsFor(unsigned, { platform, parties, input }),
  };
}

/** What the payee's side of a quote shows. */
interface PayeeSide extends Pick<Quote, "receivingMinor" | "feesMinor" | "counterpartyFeeMinor"> {
  /** Whole sending units for a whole receiving unit. */
  readonly rate: Ratio;
}

function ofRate({ rate, counterpartyFeeMinor }: Corridor, price: Price): PayeeSide {
  const { receivingMinor, feesMinor } = price;
  return { receivingMinor, feesMinor, counterpartyFeeMinor, rate };
}

function sourceOf({ source: { customerId } }: CreateQuoteInput, { source }: Parties): QuoteSource {
  const actingFor = customerId === undefined ? {} : { customerId: toCustomerId(customerId) };
  if (source.kind === "realtime") {
    const { currency, cryptoNetwork } = source;
    return {
      sourceType: "REALTIME_FUNDING",
      currency,
      ...actingFor,
      ...(cryptoNetwork === undefined ? {} : { cryptoNetwork }),
    };
  }
  return { sourceType: "ACCOUNT", accountId: wireAccountOf(source), ...actingFor };
}

function destinationOf({ destination }: Parties): QuoteDestination {
  if (destination.kind === "uma") {
    const { receiver, currency } = destination;
    return { destinationType: "UMA_ADDRESS", umaAddress: receiver.umaAddress, currency };
  }
  const { paymentRail } = destination;
  return {
    destinationType: "ACCOUNT",
    accountId: wireAccountOf(destination),
    ...(paymentRail === undefined ? {} : { paymentRail }),
  };
}

/** The known values of the counterparty fields that the platform requires in this currency. */
function informationFor(platform: Platform, { source, destination }: Parties): JsonObject | null {
  const wanted = supportedCurrency(platform, source.currency)?.requiredCounterpartyFields ?? [];
  const known = knownAbout(
    destination,
    wanted.map(({ name }) => name),
  );
  return Object.keys(known).length === 0 ? null : known;
}

function instructionsFor(
  quote: Quote,
  { platform, parties: { source }, input }: Pick<Ingredients, "platform" | "parties" | "input">,
): readonly JsonObject[] | null {
  if (source.kind === "realtime") {
    const { currency, cryptoNetwork: network } = source;
    return realtimeInstructions(quote.id, { currency, network });
  }
  if (!isEmbeddedWallet(source)) return null;
  const accountId = source.account.id;
  const { payloadToSign } = signingPayload({
    environment: platform.environment,
    platformId: platform.id,
    accountId,
    operation: "EXECUTE_QUOTE",
    target: quote.id,
    bodySha256: input.bodySha256,
    requestId: quote.id,
    at: quote.createdAt,
    expiresAt: quote.expiresAt,
    activity: {
      type: "ACTIVITY_TYPE_SIGN_TRANSACTION_V2",
      parameters: {
        signWith: accountId,
        quoteId: quote.id,
        sendingCurrency: quote.sendingCurrency,
        totalSendingAmount: quote.sendingMinor.toString(),
        receivingCurrency: quote.receivingCurrency,
        totalReceivingAmount: quote.receivingMinor.toString(),
        destination: quote.destination,
      },
    },
  });
  return walletInstructions(payloadToSign);
}
