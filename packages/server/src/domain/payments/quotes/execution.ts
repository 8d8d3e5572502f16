/**
 * Execution of a pending quote. Its commit holds the sender's money or schedules its pull. Jobs do the rest: `pull-quote-funds`
 * pulls money from outside, `pay-quote` pays out or credits, `pay-in-house` pays a customer of the same platform at a UMA address. In production money from and to external accounts goes by orders
 * to connections.
 */

import type { Loaded, World } from "../../../engine/command.ts";
import { ledgerAccounts, systemAccount } from "../../../ledger/chart.ts";
import { present } from "../../../std/assert.ts";
import { textOrUndefined } from "../../../std/json.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import {
  type ExternalAccount,
  externalAccounts,
  railAddress,
} from "../../accounts/external/external-account.ts";
import { emitBalance, internalAccounts } from "../../accounts/internal/internal-account.ts";
import {
  firstWithoutRoom,
  refuseWithoutRoom,
  type SystemMove,
} from "../../accounts/internal/system-room.ts";
import { type RailPayload, scheduleJob } from "../../job-kinds.ts";
import { platforms } from "../../platform.ts";
import { commitExchange, currencyNeeds } from "../../prices/fx-positions/fx-position.ts";
import {
  type CarrierOrder,
  type Choice,
  carrierPort,
  UMA_ADDRESS,
  type Wanted,
} from "../carrier/carrier.port.ts";
import { clearingOf } from "../carrier/clearing.ts";
import { noRail, railPaused } from "../carrier/no-carrier.ts";
import { UMA_RAIL } from "../transactions/delivery.ts";
import {
  moveTo,
  type ReturnedMoney,
  transactionSubject,
  transactions,
} from "../transactions/transaction.ts";
import { railsOf } from "../transfers/transfer-rules.ts";
import { exchangeOf, payoutCurrency, payoutOf, type QuoteSettlement } from "./outside-terms.ts";
import { asserterOf } from "./parties/quote-maker.ts";
import { moveQuote, type Quote, quotes } from "./quote.ts";
import { holdPosting, settlementMoves } from "./quote-postings.ts";

/** The accounts on both sides of a quote. The wire ids tell internal accounts from external ones. */
export interface QuoteAccounts {
  readonly internalSourceId: string | undefined;
  readonly externalSourceId: string | undefined;
  readonly internalDestinationId: string | undefined;
  readonly externalDestinationId: string | undefined;
}

export function accountsOfQuote(quote: Quote): QuoteAccounts {
  const { source, destination } = quote;
  const sourceId = quote.sourceAccountId ?? undefined;
  const destinationId = quote.destinationAccountId ?? undefined;
  const isFromInternal = source.sourceType === "ACCOUNT" && isInternal(source.accountId);
  const isToInternal =
    destination.destinationType === "ACCOUNT" && isInternal(destination.accountId);
  return {
    internalSourceId: isFromInternal ? sourceId : undefined,
    externalSourceId: isFromInternal ? undefined : sourceId,
    internalDestinationId: isToInternal ? destinationId : undefined,
    externalDestinationId: isToInternal ? undefined : destinationId,
  };
}

const isInternal = (wireId: string) => wireId.startsWith("InternalAccount:");

/** The rows of both accounts, the source's balance, the holding account, and in production the position and the routes. */
export function executionNeeds(world: Loaded, quote: Quote): readonly AnyRef[] {
  const { internalSourceId, externalSourceId, internalDestinationId, externalDestinationId } =
    accountsOfQuote(quote);
  const refs: AnyRef[] = [...settlementNeeds(quote.sendingCurrency, payoutCurrency(quote))];
  if (internalSourceId !== undefined) {
    refs.push(
      internalAccounts.ref(internalSourceId),
      ledgerAccounts.ref(internalSourceId),
      systemAccount("in-flight", quote.sendingCurrency),
    );
  }
  if (externalSourceId !== undefined) refs.push(externalAccounts.ref(externalSourceId));
  if (internalDestinationId !== undefined) refs.push(internalAccounts.ref(internalDestinationId));
  if (externalDestinationId !== undefined) refs.push(externalAccounts.ref(externalDestinationId));
  refs.push(...currencyNeeds(world, quote.sendingCurrency, payoutCurrency(quote)));
  if (isRouted(world, quote)) {
    refs.push(...world.port(carrierPort).orderNeeds(world, payoutCurrency(quote)));
  }
  if (isCollected(world, quote)) {
    refs.push(...world.port(carrierPort).orderNeeds(world, quote.sendingCurrency));
  }
  return refs;
}

/** Whether a connection collects the quote's money: in production, from an external account. */
function isCollected(world: Loaded, quote: Quote): boolean {
  const platform = world.find(platforms.ref(world.platformId));
  return (
    platform?.environment === "PRODUCTION" && accountsOfQuote(quote).externalSourceId !== undefined
  );
}

/** Whether a connection pays the quote out: an invoice, and in production to an external account. */
function isRouted(world: Loaded, quote: Quote): boolean {
  if (quote.settlement !== null) return true;
  const platform = world.find(platforms.ref(world.platformId));
  const isOutside = accountsOfQuote(quote).externalDestinationId !== undefined;
  return platform?.environment === "PRODUCTION" && isOutside;
}

/** The route of a quote that a connection pays out, chosen anew at its execution: RAIL_PAUSED or NOT_IMPLEMENTED without one. */
export function requireRoute(world: Loaded, quote: Quote): Choice | undefined {
  return isRouted(world, quote) ? required(world, payoutWanted(world, quote)) : undefined;
}

/** The route by which a connection collects the money of a quote: RAIL_PAUSED or NOT_IMPLEMENTED without one. */
export function requireCollection(world: Loaded, quote: Quote): Choice | undefined {
  if (!isCollected(world, quote)) return undefined;
  const account = sourceAccount(world, quote);
  return required(world, collectionWanted(account, quote.sendingMinor));
}

function required(world: Loaded, wanted: Wanted): Choice {
  const found = world.port(carrierPort).routes(world).choose(wanted);
  if (found.kind === "paused") throw railPaused(wanted);
  if (found.kind === "none") {
    throw noRail({ ...wanted, rail: wanted.paymentRails[0] ?? wanted.accountType }, found.missing);
  }
  return found.choice;
}

function payoutWanted(world: Loaded, quote: Quote): Wanted {
  const { settlement } = quote;
  if (settlement !== null) return invoiceWanted(settlement, payoutOf(quote).minor);
  return {
    direction: "OUT",
    currency: quote.receivingCurrency,
    accountType: destinationAccount(world, quote).accountType,
    paymentRails: [present(quote.paymentRail, "the rail of a quote")],
    amountMinor: quote.receivingMinor,
  };
}

/** What a route must support to pay an invoice: its layer and asset, by the connection that was chosen with the quote. */
export function invoiceWanted(
  { layer, identifier, currency, connectionId }: Omit<QuoteSettlement, "lapsesAt">,
  amountMinor: bigint,
): Wanted {
  return {
    direction: "OUT",
    currency,
    accountType: UMA_ADDRESS,
    paymentRails: [UMA_RAIL],
    amountMinor,
    asset: { layer, identifier },
    connectionId,
  };
}

/** What a route must support to collect money from the account. */
export function collectionWanted(account: ExternalAccount, amountMinor: bigint): Wanted {
  const { currency, accountType } = account;
  return { direction: "PULL", currency, accountType, paymentRails: railsOf(account), amountMinor };
}

function sourceAccount(world: Loaded, quote: Quote): ExternalAccount {
  const { externalSourceId = "" } = accountsOfQuote(quote);
  return present(world.find(externalAccounts.ref(externalSourceId)), "the account that pays");
}

function destinationAccount(world: Loaded, quote: Quote): ExternalAccount {
  const { externalDestinationId = "" } = accountsOfQuote(quote);
  return present(
    world.find(externalAccounts.ref(externalDestinationId)),
    "the account that is paid",
  );
}

function movesOf(quote: Quote): readonly SystemMove[] {
  const { internalSourceId, internalDestinationId } = accountsOfQuote(quote);
  return settlementMoves(quote, { heldFor: internalSourceId, creditTo: internalDestinationId });
}

/** The system accounts that a payment between two currencies moves when it settles. */
export function settlementNeeds(sending: string, receiving: string): readonly AnyRef[] {
  return [
    systemAccount("rail-clearing", sending),
    systemAccount("fees", sending),
    systemAccount("rounding", sending),
    systemAccount("fx", sending),
    systemAccount("fx", receiving),
    systemAccount("rail-clearing", receiving),
  ];
}

/** Refuses a payment that the books could not settle: see `refuseWithoutRoom`. */
export function refuseUnsettleable(world: Loaded, quote: Quote): void {
  refuseWithoutRoom(world, movesOf(quote));
}

/** Holds the sender's money or schedules its pull, and moves quote and transaction to PROCESSING. */
export function beginExecution(world: World, pending: Quote): Quote {
  const { internalSourceId, externalSourceId } = accountsOfQuote(pending);
  const route = requireRoute(world, pending);
  const collection = requireCollection(world, pending);
  if (route !== undefined) refuseFullClearing(world, pending, route);
  if (internalSourceId !== undefined) world.post(holdPosting(pending, internalSourceId));
  const fundedAt = internalSourceId === undefined ? null : world.at;
  const maker = collection === undefined ? pending.maker : asserterOf(world);
  const quote = startProcessing(world, { ...pending, fundedAt, maker });
  commitExchange(world, exchangeOf(quote));
  if (internalSourceId !== undefined) emitBalance(world, internalSourceId);
  if (collection !== undefined) orderCollection(world, quote, collection);
  else if (externalSourceId !== undefined) schedulePull(world, quote, externalSourceId);
  else if (route !== undefined) orderPayout(world, quote, route);
  else schedulePayout(world, quote);
  return quote;
}

function refuseFullClearing(world: Loaded, quote: Quote, { connectionId }: Choice): void {
  const { currency, minor } = payoutOf(quote);
  refuseWithoutRoom(world, [{ ...clearingOf({ currency, connectionId }), minor }]);
}

/** Orders the payout from the route's connection. The route is fixed from here on. */
function orderPayout(world: World, quote: Quote, choice: Choice): void {
  const { details } = world.get(transactions.ref(quote.transactionId));
  world.port(carrierPort).order(world, {
    transactionId: quote.transactionId,
    direction: "OUT",
    choice,
    ...payeeOf(world, quote),
    amountMinor: payoutOf(quote).minor,
    remittance: textOrUndefined(details?.remittanceInformation),
  });
}

/** The account that is paid, or the address with its invoice. */
function payeeOf(world: World, quote: Quote): Pick<CarrierOrder, "external" | "invoice"> {
  const { settlement, destinationUma } = quote;
  if (settlement === null) return { external: destinationAccount(world, quote) };
  const { layer, identifier, currency, invoice, payBy, lapsesAt, vaspDomain } = settlement;
  const umaAddress = present(destinationUma, "the address that is paid");
  return {
    external: {
      currency,
      accountType: UMA_ADDRESS,
      accountInfo: { umaAddress, vaspDomain },
      primaryIdentifier: umaAddress,
    },
    invoice: { layer, assetIdentifier: identifier, invoice, payBy, lapsesAt },
  };
}

function orderCollection(world: World, quote: Quote, choice: Choice): void {
  world.port(carrierPort).order(world, {
    transactionId: quote.transactionId,
    direction: "PULL",
    choice,
    external: sourceAccount(world, quote),
    amountMinor: quote.sendingMinor,
    remittance: undefined,
  });
}

/**
 * Begins the payout of a quote whose money has come from outside: gives it to the connection of a route, or schedules it where no
 * connection pays it. False when no route takes it any more, or the books have no room for it.
 */
export function startPayout(world: World, quote: Quote): boolean {
  if (!isRouted(world, quote)) {
    schedulePayout(world, quote);
    return true;
  }
  const found = world.port(carrierPort).routes(world).choose(payoutWanted(world, quote));
  if (found.kind !== "taken") return false;
  const { currency, minor } = payoutOf(quote);
  const clearing = clearingOf({ currency, connectionId: found.choice.connectionId });
  const hasRoom =
    firstWithoutRoom(world, [...movesOf(quote), { ...clearing, minor }]) === undefined;
  if (hasRoom) orderPayout(world, quote, found.choice);
  return hasRoom;
}

/** Moves quote and transaction to PROCESSING. */
export function startProcessing(world: World, pending: Quote): Quote {
  if (pending.expiryJobId !== null) world.cancel(pending.expiryJobId);
  const quote = world.put(quotes, moveQuote(pending, "PROCESSING", world.at));
  const transaction = world.get(transactions.ref(quote.transactionId));
  const processing = world.put(transactions, moveTo(transaction, "PROCESSING", { at: world.at }));
  world.emit("OUTGOING_PAYMENT.PROCESSING", transactionSubject(processing));
  return quote;
}

type RailAddress = Pick<RailPayload, "accountType" | "primaryIdentifier">;

function schedulePull(world: World, quote: Quote, accountId: string): void {
  const account = world.get(externalAccounts.ref(accountId));
  scheduleJob(world, {
    kind: "pull-quote-funds",
    dueAt: world.at,
    payload: {
      ...jobPayload(quote, { at: world.at, currency: quote.sendingCurrency }),
      minor: quote.sendingMinor.toString(),
      ...railAddress(account),
    },
  });
}

/** Whether the payee is a customer of the same platform, at a UMA address. In production every other payee at one is paid by an invoice. */
function isToOwnCustomer(world: Loaded, { destinationUma, settlement }: Quote): boolean {
  const platform = world.find(platforms.ref(world.platformId));
  return destinationUma !== null && settlement === null && platform?.environment === "PRODUCTION";
}

function schedulePayout(world: World, quote: Quote): void {
  if (isToOwnCustomer(world, quote)) {
    const { id: quoteId, transactionId } = quote;
    scheduleJob(world, {
      kind: "pay-in-house",
      dueAt: world.at,
      payload: { quoteId, transactionId },
    });
    return;
  }
  scheduleJob(world, {
    kind: "pay-quote",
    dueAt: world.at,
    payload: {
      ...jobPayload(quote, { at: world.at, currency: quote.receivingCurrency }),
      minor: quote.receivingMinor.toString(),
      ...payoutAddress(world, quote),
    },
  });
}

/**
 * Schedules the refund to the sender. The rail gets the destination of the payment that it carried. For an internal destination no rail
 * carried it, so the rail gets the external source of the money. `isInHouse`: a connection carried the payment, so its money goes back to
 * the internal account without a rail.
 */
export function scheduleRefund(
  world: World,
  quote: Quote,
  {
    isInHouse = false,
    returned,
  }: { readonly isInHouse?: boolean; readonly returned?: ReturnedMoney | undefined },
): void {
  scheduleJob(world, {
    kind: "refund-quote",
    dueAt: world.at,
    payload: {
      ...jobPayload(quote, { at: world.at, currency: quote.sendingCurrency }),
      minor: returned?.refundMinor ?? (quote.arrivedMinor ?? quote.sendingMinor).toString(),
      ...refundAddress(world, quote, isInHouse || isToOwnCustomer(world, quote)),
    },
  });
}

function refundAddress(world: World, quote: Quote, isInHouse: boolean): RailAddress {
  if (isInHouse) return inHouse(quote.sourceAccountId);
  const { internalSourceId, internalDestinationId } = accountsOfQuote(quote);
  const isOnlyPayerOutside = internalSourceId === undefined && internalDestinationId !== undefined;
  return isOnlyPayerOutside ? payerAddress(quote) : payoutAddress(world, quote);
}

function inHouse(accountId: string | null): RailAddress {
  return { accountType: "INTERNAL_ACCOUNT", primaryIdentifier: accountId ?? "" };
}

/** Identifies the incoming payment, so that a rail can return it without the payer's account. */
function payerAddress({ source, sourceAccountId, id }: Quote): RailAddress {
  return {
    accountType: source.sourceType,
    primaryIdentifier: sourceAccountId ?? id,
  };
}

function jobPayload(
  quote: Quote,
  { at, currency }: { readonly at: number; readonly currency: string },
) {
  return { transactionId: quote.transactionId, quoteId: quote.id, currency, acceptedAt: at };
}

function payoutAddress(world: World, quote: Quote): RailAddress {
  if (quote.destinationUma !== null) {
    return { accountType: "UMA_ADDRESS", primaryIdentifier: quote.destinationUma };
  }
  const { externalDestinationId } = accountsOfQuote(quote);
  if (externalDestinationId === undefined) return inHouse(quote.destinationAccountId);
  return railAddress(world.get(externalAccounts.ref(externalDestinationId)));
}
