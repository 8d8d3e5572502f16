import type { Command, Loaded, World } from "../../engine/command.ts";
import { Refusal, wrongState } from "../../engine/refusal.ts";
import { present } from "../../std/assert.ts";
import { toIso } from "../../std/clock.ts";
import type { AnyRef } from "../../tables/tables.ts";
import { customers } from "../customers/customer.ts";
import { refuseUnlessReady } from "../customers/readiness.ts";
import { externalAccounts } from "../external-accounts/external-account.ts";
import { internalAccounts } from "../internal-accounts/internal-account.ts";
import { refuseLowBalance } from "../internal-accounts/low-balance.ts";
import { transactions } from "../transactions/transaction.ts";
import { type OwnerStamp, refuseUnlessStamped, stampNeeds } from "../wallets/owner-stamp.ts";
import {
  accountsOfQuote,
  beginExecution,
  executionNeeds,
  refuseUnsettleable,
} from "./execution.ts";
import { payloadToSignOf } from "./payment-instructions.ts";
import { type Quote, quotes } from "./quote.ts";

/** What speaks for the owner of an embedded wallet: a stamp, or an action whose stamp was judged when it was submitted. */
export type OwnerConsent = OwnerStamp | { readonly kind: "kept" };

export interface ExecuteQuoteInput {
  readonly quoteId: string;
  /** Looked at for an embedded wallet alone. */
  readonly owner: OwnerConsent | undefined;
}

/**
 * Takes the money for an open quote and sends it on its way. Refuses, in this order: an unknown quote, one that waits for
 * its payer, one that is no longer pending, one whose time is over, an embedded wallet without its owner's stamp, an
 * account that is gone or not active, a customer who is not ready, books without room, too low a balance.
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
  const refs: AnyRef[] = [ref, transactions.ref(quote.transactionId), ...executionNeeds(quote)];
  if (quote.customerId !== null) refs.push(customers.ref(quote.customerId));
  // A kept consent is not judged again: an approval, which finds the quote by its action, needs one round of loading less.
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

/** The quote, if nothing but the balance can stand against it. */
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

/** An account can be closed or deleted between the price and the payment. */
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
  const isDestinationUsable =
    isUsable(internalDestinationId, internal) && isUsable(externalDestinationId, external);
  if (isSourceUsable && isDestinationUsable) return;
  const side = isSourceUsable ? "destination" : "source";
  const message = `The account at the ${side} is not ACTIVE any more; request a quote with another account.`;
  throw new Refusal("CONFLICT", { reason: `the ${side} is no longer active` }, message);
}
