import type { Command, Loaded, World } from "../../../engine/command.ts";
import { Refusal, wrongState } from "../../../engine/refusal.ts";
import { present } from "../../../std/assert.ts";
import { toIso } from "../../../std/clock.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { externalAccounts } from "../../accounts/external/external-account.ts";
import {
  refuseFrozenCredit,
  refuseFrozenCustomer,
  refuseFrozenDebit,
} from "../../accounts/freezes/freeze.ts";
import { internalAccounts } from "../../accounts/internal/internal-account.ts";
import { refuseLowBalance } from "../../accounts/internal/low-balance.ts";
import { customers } from "../../customers/customer.ts";
import { refuseUnlessReady } from "../../customers/readiness.ts";
import { refuseBeyondLimits } from "../../prices/fx-positions/fx-position.ts";
import { type OwnerStamp, refuseUnlessStamped, stampNeeds } from "../../wallets/owner-stamp.ts";
import { transactions } from "../transactions/transaction.ts";
import {
  accountsOfQuote,
  beginExecution,
  executionNeeds,
  refuseUnsettleable,
  requireCollection,
  requireRoute,
} from "./execution.ts";
import { exchangeOf } from "./outside-terms.ts";
import { payloadToSignOf } from "./payment-instructions.ts";
import { type Quote, quotes } from "./quote.ts";

/** The consent of an embedded wallet's owner: a stamp, or an action whose stamp was verified at submission. */
export type OwnerConsent = OwnerStamp | { readonly kind: "kept" };

export interface ExecuteQuoteInput {
  readonly quoteId: string;
  /** Read for an embedded wallet only. */
  readonly owner: OwnerConsent | undefined;
}

/**
 * Executes an open quote: holds the money, or schedules its pull, and schedules the payout. Refuses, in this order: an
 * unknown quote, a quote that its payer funds, one that is not pending, an expired one, an embedded wallet without its
 * owner's stamp, an account that was deleted or is not active, a customer who is not ready, a freeze, in production a payout or a
 * collection that no route takes and a position past its limit, system accounts without room, a balance that is too low.
 */
export const executeQuote: Command<ExecuteQuoteInput, Quote> = {
  name: "execute-quote",
  needs: executeNeeds,
  decide(world, input) {
    const quote = refuseExecution(world, input);
    const { internalSourceId } = accountsOfQuote(quote);
    if (internalSourceId !== undefined) {
      const { sendingCurrency: currency, sendingMinor: minor } = quote;
      refuseLowBalance(world, { accountId: internalSourceId, currency, minor });
    }
    return beginExecution(world, quote);
  },
};

export function executeNeeds(
  world: Loaded,
  { quoteId, owner }: ExecuteQuoteInput,
): readonly AnyRef[] {
  const ref = quotes.ref(quoteId);
  const quote = world.find(ref);
  if (quote === undefined) return [ref];
  const refs: AnyRef[] = [
    ref,
    transactions.ref(quote.transactionId),
    ...executionNeeds(world, quote),
  ];
  for (const customerId of [quote.customerId, payeeIdOf(world, quote)]) {
    if (customerId !== null) refs.push(customers.ref(customerId));
  }
  // A kept consent was verified at submission, so the wallet is not needed: an approval saves one round of loading.
  const wallet = owner?.kind === "kept" ? undefined : walletOf(world, quote);
  if (wallet !== undefined) refs.push(...stampNeeds(world, wallet));
  return refs;
}

/** The embedded wallet that the money comes from. */
function walletOf(world: Loaded, quote: Quote): string | undefined {
  const { internalSourceId } = accountsOfQuote(quote);
  if (internalSourceId === undefined) return undefined;
  const account = world.find(internalAccounts.ref(internalSourceId));
  return account?.type === "EMBEDDED_WALLET" ? account.id : undefined;
}

/** The customer who owns an internal destination; null where there is none. */
function payeeIdOf(world: Loaded, quote: Quote): string | null {
  const { internalDestinationId } = accountsOfQuote(quote);
  if (internalDestinationId === undefined) return null;
  return world.find(internalAccounts.ref(internalDestinationId))?.customerId ?? null;
}

/** Applies every check except that of the balance, and returns the quote. */
export function refuseExecution(world: World, input: ExecuteQuoteInput): Quote {
  const quote = world.find(quotes.ref(input.quoteId));
  if (quote === undefined) throw new Refusal("QUOTE_NOT_FOUND");
  if (quote.source.sourceType === "REALTIME_FUNDING") {
    throw new Refusal(
      "CONFLICT",
      { status: quote.status },
      `The quote is ${quote.status} and executes by itself once its payment instructions are followed.`,
    );
  }
  refuseClosed(quote, { at: world.at, action: "executed" });
  refuseUnsigned(world, { quote, input });
  refuseAccounts(world, quote);
  if (quote.customerId !== null) {
    refuseUnlessReady(world.get(customers.ref(quote.customerId)));
  }
  refuseFrozen(world, quote);
  requireRoute(world, quote);
  requireCollection(world, quote);
  refuseBeyondLimits(world, exchangeOf(quote));
  refuseUnsettleable(world, quote);
  return quote;
}

/** Only a pending quote within its time can be executed or funded. */
export function refuseClosed(
  { status, expiresAt }: Quote,
  { at, action }: { readonly at: number; readonly action: "executed" | "funded" },
): void {
  if (status === "EXPIRED" || (status === "PENDING" && at >= expiresAt)) {
    const until = toIso(expiresAt);
    const message = `The quote was valid until ${until}; request a new one.`;
    throw new Refusal("QUOTE_EXPIRED", { expiresAt: until }, message);
  }
  if (status !== "PENDING") {
    throw wrongState({ object: "quote", status, needed: "PENDING", action });
  }
}

function refuseUnsigned(
  world: World,
  { quote, input }: { readonly quote: Quote; readonly input: ExecuteQuoteInput },
): void {
  const accountId = walletOf(world, quote);
  if (accountId === undefined || input.owner?.kind === "kept") return;
  const payloadToSign = present(payloadToSignOf(quote), "what the owner of a wallet signs");
  refuseUnlessStamped(world, { accountId, payloadToSign }, input.owner ?? { kind: "missing" });
}

function refuseFrozen(world: Loaded, quote: Quote): void {
  const { internalSourceId, internalDestinationId } = accountsOfQuote(quote);
  const accountOf = (id: string | undefined) =>
    id === undefined ? undefined : world.find(internalAccounts.ref(id));
  const source = accountOf(internalSourceId);
  if (source !== undefined) refuseFrozenDebit(source, "source.accountId");
  if (quote.customerId !== null) {
    refuseFrozenCustomer(world.find(customers.ref(quote.customerId))?.frozen ?? null);
  }
  const destination = accountOf(internalDestinationId);
  if (destination !== undefined) refuseFrozenCredit(destination, "destination.accountId");
}

/** An account can be closed or deleted between quote and execution. */
function refuseAccounts(world: Loaded, quote: Quote): void {
  const { internalSourceId, externalSourceId, internalDestinationId, externalDestinationId } =
    accountsOfQuote(quote);
  const isUsable = (id: string | undefined, find: (id: string) => boolean) =>
    id === undefined || find(id);
  const internal = (id: string) => world.find(internalAccounts.ref(id))?.status === "ACTIVE";
  const external = (id: string) => {
    const account = world.find(externalAccounts.ref(id));
    return account?.status === "ACTIVE" && account.deletedAt === null;
  };
  const isSourceUsable =
    isUsable(internalSourceId, internal) && isUsable(externalSourceId, external);
  const payeeId = payeeIdOf(world, quote);
  const isPayeeThere = payeeId === null || world.find(customers.ref(payeeId))?.deletedAt === null;
  const isDestinationUsable =
    isPayeeThere &&
    isUsable(internalDestinationId, internal) &&
    isUsable(externalDestinationId, external);
  if (isSourceUsable && isDestinationUsable) return;
  const side = isSourceUsable ? "destination" : "source";
  const message = `The account at the ${side} is not ACTIVE any more; request a quote with another account.`;
  throw new Refusal("CONFLICT", { reason: `the ${side} is no longer active` }, message);
}
