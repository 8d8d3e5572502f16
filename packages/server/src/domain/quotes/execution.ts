/**
 * Execution of a pending quote. Its commit holds the sender's money or schedules its pull. Jobs do the rest:
 * `pull-quote-funds` pulls money from outside, `pay-quote` pays out or credits.
 */

import type { Loaded, World } from "../../engine/command.ts";
import { ledgerAccounts, systemAccount } from "../../ledger/chart.ts";
import type { AnyRef } from "../../tables/tables.ts";
import { externalAccounts, railAddress } from "../external-accounts/external-account.ts";
import { emitBalance, internalAccounts } from "../internal-accounts/internal-account.ts";
import { refuseWithoutRoom, type SystemMove } from "../internal-accounts/system-room.ts";
import { type RailPayload, scheduleJob } from "../job-kinds.ts";
import { moveTo, transactionSubject, transactions } from "../transactions/transaction.ts";
import { moveQuote, type Quote, quotes } from "./quote.ts";
import { holdPosting, settlementMoves } from "./quote-postings.ts";

/** The accounts on both sides of a quote, as their ids say. */
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

/** Both accounts, the source's balance, and where its money is held. */
export function executionNeeds(quote: Quote): readonly AnyRef[] {
  const { internalSourceId, externalSourceId, internalDestinationId, externalDestinationId } =
    accountsOfQuote(quote);
  const refs: AnyRef[] = [...settlementNeeds(quote.sendingCurrency, quote.receivingCurrency)];
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
  return refs;
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
  if (internalSourceId !== undefined) world.post(holdPosting(pending, internalSourceId));
  const fundedAt = internalSourceId === undefined ? null : world.at;
  const quote = startProcessing(world, { ...pending, fundedAt });
  if (internalSourceId !== undefined) emitBalance(world, internalSourceId);
  if (externalSourceId === undefined) schedulePayout(world, quote);
  else schedulePull(world, quote, externalSourceId);
  return quote;
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

export function schedulePayout(world: World, quote: Quote): void {
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
 * Schedules the refund to the sender. The rail gets the destination of the payment that it was asked to make. When the
 * destination is an internal account, no rail was asked, and the rail gets the external source of the money.
 */
export function scheduleRefund(world: World, quote: Quote): void {
  const { internalSourceId, internalDestinationId } = accountsOfQuote(quote);
  const isOnlyPayerOutside = internalSourceId === undefined && internalDestinationId !== undefined;
  scheduleJob(world, {
    kind: "refund-quote",
    dueAt: world.at,
    payload: {
      ...jobPayload(quote, { at: world.at, currency: quote.sendingCurrency }),
      minor: (quote.arrivedMinor ?? quote.sendingMinor).toString(),
      ...(isOnlyPayerOutside ? payerAddress(quote) : payoutAddress(world, quote)),
    },
  });
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
  if (externalDestinationId === undefined) {
    const primaryIdentifier = quote.destinationAccountId ?? "";
    return { accountType: "INTERNAL_ACCOUNT", primaryIdentifier };
  }
  return railAddress(world.get(externalAccounts.ref(externalDestinationId)));
}
