import type { Command, Loaded, World } from "../../../engine/command.ts";
import { ledgerAccounts, systemAccount } from "../../../ledger/chart.ts";
import { getCurrency } from "../../../money/currency.ts";
import { present } from "../../../std/assert.ts";
import type { AnyRef, Children } from "../../../tables/tables.ts";
import {
  defaultAccountsIn,
  defaultAccountsOfPlatform,
  emitBalance,
  hasRoomFor,
  type InternalAccount,
  internalAccounts,
  internalAccountsOfCustomer,
} from "../../accounts/internal/internal-account.ts";
import { openAccount } from "../../accounts/internal/open-account.ts";
import { customers, holderExists } from "../../customers/customer.ts";
import { platforms } from "../../platform.ts";
import { completeRefund, failRefund } from "../transactions/refund.ts";
import {
  moveTo,
  type Transaction,
  transactionSubject,
  transactions,
} from "../transactions/transaction.ts";
import type { RailAnswer } from "../transfers/payment-rail.port.ts";
import { accountsOfQuote } from "./execution.ts";
import { moveQuote, type Quote, quotes } from "./quote.ts";
import { holdingAccountOf, refundPosting } from "./quote-postings.ts";

export interface QuoteRefundInput {
  readonly quoteId: string;
  readonly transactionId: string;
  readonly jobId: string;
  readonly minor: bigint;
  readonly answer: Extract<RailAnswer, { kind: "settled" | "declined" }>;
}

/**
 * Records how a refund ended. Money of an internal account goes back to it; money that came in from outside goes back where it came from,
 * except crypto: the sending wallet may be unable to receive, so crypto is credited to an account of the payment's customer or platform.
 * The account is opened when it does not exist, except for a deleted customer. A refund that fails leaves the money where it was set aside,
 * for an operator. A payment that was cancelled and did not fail completes once its money is back.
 */
export const recordQuoteRefund: Command<QuoteRefundInput, Transaction> = {
  name: "record-quote-refund",
  needs: refundNeeds,
  decide(world, { quoteId, jobId, minor, answer }) {
    const quote = world.get(quotes.ref(quoteId));
    const transaction = world.get(transactions.ref(quote.transactionId));
    const refund = present(transaction.refund, "a refund that was begun");
    world.cancel(jobId);
    if (refund.status !== "PENDING") return transaction;
    if (answer.kind === "declined") {
      return failRefund(world, { transaction, refund }, answer.cause);
    }
    const refundTo = refundTarget(world, quote, minor);
    if (refundTo === "no-account") return failRefund(world, { transaction, refund });
    const heldFor = accountsOfQuote(quote).internalSourceId;
    world.post(refundPosting(quote, { minor, heldFor, refundTo }));
    const refunded = completeRefund(world, { transaction, refund });
    if (refundTo !== undefined) emitBalance(world, refundTo);
    return transaction.status === "PROCESSING" ? complete(world, quote, refunded) : refunded;
  },
};

function refundNeeds(world: Loaded, input: QuoteRefundInput): readonly AnyRef[] {
  const refs: AnyRef[] = [quotes.ref(input.quoteId), transactions.ref(input.transactionId)];
  const quote = world.find(quotes.ref(input.quoteId));
  if (quote === undefined) return refs;
  const { internalSourceId } = accountsOfQuote(quote);
  refs.push(
    systemAccount(holdingAccountOf(internalSourceId), quote.sendingCurrency),
    systemAccount("rail-clearing", quote.sendingCurrency),
  );
  if (internalSourceId !== undefined) {
    refs.push(internalAccounts.ref(internalSourceId), ledgerAccounts.ref(internalSourceId));
  } else if (isRealtimeCrypto(quote)) {
    const accounts = accountsOfPayer(quote);
    refs.push(platforms.ref(world.platformId), accounts);
    if (quote.customerId !== null) refs.push(customers.ref(quote.customerId));
    refs.push(...world.all(accounts).map(({ id }) => ledgerAccounts.ref(id)));
  }
  return refs;
}

function isRealtimeCrypto({ source, sendingCurrency }: Quote): boolean {
  return source.sourceType === "REALTIME_FUNDING" && getCurrency(sendingCurrency).kind === "crypto";
}

function accountsOfPayer({ customerId }: Quote): Children<InternalAccount> {
  return customerId === null
    ? defaultAccountsOfPlatform
    : internalAccountsOfCustomer.of(customerId);
}

/**
 * The internal account that a refund is credited to; undefined when the refund goes back to its source. A self-custodial
 * wallet is never credited by default.
 */
function refundTarget(
  world: World,
  quote: Quote,
  minor: bigint,
): string | undefined | "no-account" {
  const { internalSourceId } = accountsOfQuote(quote);
  if (internalSourceId !== undefined) {
    const isClosed = world.get(internalAccounts.ref(internalSourceId)).status === "CLOSED";
    return isClosed ? "no-account" : internalSourceId;
  }
  if (!isRealtimeCrypto(quote)) return undefined;
  const { customerId, sendingCurrency: currency } = quote;
  if (!holderExists(world, customerId)) return "no-account";
  const accounts = defaultAccountsIn(world.all(accountsOfPayer(quote)), currency);
  if (accounts.length === 0) {
    const customerFreeze = customerId === null ? null : world.get(customers.ref(customerId)).frozen;
    return openAccount(world, { customerId, customerFreeze, currency }).id;
  }
  const account = accounts.find(({ id }) => hasRoomFor(world.get(ledgerAccounts.ref(id)), minor));
  return account?.id ?? "no-account";
}

function complete(world: World, quote: Quote, transaction: Transaction): Transaction {
  world.put(quotes, moveQuote(quote, "COMPLETED", world.at));
  const completed = moveTo(transaction, "COMPLETED", { at: world.at, settledAt: world.at });
  world.put(transactions, completed);
  world.emit("OUTGOING_PAYMENT.COMPLETED", transactionSubject(completed));
  return completed;
}
