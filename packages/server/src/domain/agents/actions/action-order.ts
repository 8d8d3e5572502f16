/**
 * The orders that an agent can submit. The platform's own command carries out each order, so an agent's payment obeys every rule of a
 * platform's payment.
 */
import type { Loaded, World } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { present } from "../../../std/assert.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { externalAccounts, toExternalAccountId } from "../../accounts/external/external-account.ts";
import { internalAccounts, toInternalAccountId } from "../../accounts/internal/internal-account.ts";
import type { Metadata } from "../../metadata.ts";
import {
  type ExecuteQuoteInput,
  executeNeeds,
  executeQuote,
  refuseExecution,
} from "../../payments/quotes/execute-quote.ts";
import { accountsOfQuote } from "../../payments/quotes/execution.ts";
import { type Quote, quotes } from "../../payments/quotes/quote.ts";
import { type Transaction, transactions } from "../../payments/transactions/transaction.ts";
import type { RailRulesOf } from "../../payments/transfers/payment-rail.port.ts";
import { refuseTransferIn, transferIn } from "../../payments/transfers/transfer-in.ts";
import { refuseTransferOut, transferOut } from "../../payments/transfers/transfer-out.ts";
import {
  noAccount,
  type TransferIds,
  transferNeeds,
} from "../../payments/transfers/transfer-rules.ts";
import type { AgentPermission } from "../agent-policy.ts";
import type { AgentAction } from "./agent-action.ts";
import type { ActionFacts, ActionSides, Payee } from "./judge-action.ts";

interface Transfer extends TransferIds {
  readonly amountMinor: bigint;
  readonly metadata: Metadata | null;
}

export type ActionOrder =
  | ({ readonly type: "TRANSFER_OUT"; readonly paymentRail: string | undefined } & Transfer)
  | ({ readonly type: "TRANSFER_IN" } & Transfer)
  | ({ readonly type: "EXECUTE_QUOTE" } & ExecuteQuoteInput);

/** The part of an order that its action stores, so that the order can be carried out after approval. */
export type ActionTerms = Pick<
  AgentAction,
  | "type"
  | "sourceAccountId"
  | "destinationAccountId"
  | "paymentRail"
  | "quoteId"
  | "isSignedByOwner"
  | "amountMinor"
  | "currency"
  | "metadata"
>;

export interface ResolvedOrder {
  readonly facts: ActionFacts;
  readonly terms: ActionTerms;
}

/** The caller of an order. An order is carried out for this agent's customer only. */
export interface OrderCaller {
  readonly agentId: string;
  readonly customerId: string;
}

export function permissionFor(order: Pick<ActionOrder, "type">): AgentPermission {
  switch (order.type) {
    case "TRANSFER_OUT":
    case "TRANSFER_IN":
      return "CREATE_TRANSFERS";
    case "EXECUTE_QUOTE":
      return "EXECUTE_QUOTES";
  }
}

export function orderNeeds(world: Loaded, order: ActionOrder): readonly AnyRef[] {
  switch (order.type) {
    case "TRANSFER_OUT":
    case "TRANSFER_IN":
      return transferNeeds(world, order);
    case "EXECUTE_QUOTE":
      return executeNeeds(world, order);
  }
}

/**
 * Resolves an order to its accounts and amounts. An account of another customer, or a quote of another agent, is not found.
 */
export function resolveOrder(
  world: Loaded,
  order: ActionOrder,
  caller: OrderCaller,
): ResolvedOrder {
  switch (order.type) {
    case "TRANSFER_OUT":
    case "TRANSFER_IN":
      return resolveTransfer(world, order, caller);
    case "EXECUTE_QUOTE":
      return resolveQuote(world, order, caller);
  }
}

/**
 * Refuses whatever the platform's own command refuses, except a balance that is too low: the balance is checked when the
 * order is carried out.
 */
export function refuseOrder(world: World, order: ActionOrder, rails: RailRulesOf): void {
  switch (order.type) {
    case "TRANSFER_OUT":
      refuseTransferOut(world, { ...order, remittanceInformation: undefined, rails });
      return;
    case "TRANSFER_IN":
      refuseTransferIn(world, { ...order, rails });
      return;
    case "EXECUTE_QUOTE":
      refuseExecution(world, order);
      return;
  }
}

export function carryOut(
  world: World,
  order: ActionOrder,
  { agentId, rails }: Pick<OrderCaller, "agentId"> & { readonly rails: RailRulesOf },
): Transaction {
  switch (order.type) {
    case "TRANSFER_OUT":
      return transferOut.decide(world, {
        ...order,
        remittanceInformation: undefined,
        agentId,
        rails,
      });
    case "TRANSFER_IN":
      return transferIn.decide(world, { ...order, agentId, rails });
    case "EXECUTE_QUOTE": {
      const { transactionId } = executeQuote.decide(world, order);
      return world.get(transactions.ref(transactionId));
    }
  }
}

/** The order that an action was made from. */
export function orderOf(action: AgentAction): ActionOrder {
  const { amountMinor, metadata } = action;
  if (action.type === "EXECUTE_QUOTE") {
    const quoteId = present(action.quoteId, "the quote of an action");
    const owner = action.isSignedByOwner ? ({ kind: "kept" } as const) : undefined;
    return { type: "EXECUTE_QUOTE", quoteId, owner };
  }
  const source = present(action.sourceAccountId, "the source of an action");
  const destination = present(action.destinationAccountId, "the destination of an action");
  switch (action.type) {
    case "TRANSFER_OUT": {
      const paymentRail = action.paymentRail ?? undefined;
      const ids = { internalId: source, externalId: destination };
      return { type: "TRANSFER_OUT", ...ids, amountMinor, paymentRail, metadata };
    }
    case "TRANSFER_IN":
      return {
        type: "TRANSFER_IN",
        internalId: destination,
        externalId: source,
        amountMinor,
        metadata,
      };
  }
}

function resolveQuote(
  world: Loaded,
  order: Extract<ActionOrder, { type: "EXECUTE_QUOTE" }>,
  { agentId }: OrderCaller,
): ResolvedOrder {
  const quote = world.find(quotes.ref(order.quoteId));
  if (quote?.agentId !== agentId) throw new Refusal("QUOTE_NOT_FOUND");
  const { sendingMinor, sendingCurrency } = quote;
  const terms: ActionTerms = {
    type: order.type,
    sourceAccountId: quote.sourceAccountId,
    destinationAccountId: quote.destinationAccountId,
    paymentRail: null,
    quoteId: quote.id,
    // A wallet stamp, where one is required, is verified before the action is stored.
    isSignedByOwner: order.owner !== undefined,
    amountMinor: sendingMinor,
    currency: sendingCurrency,
    metadata: quote.metadata,
  };
  return { facts: factsOf(terms, quote), terms };
}

/** The facts that a policy judges, from the stored terms of an action. `quote` is required when the action executes one. */
export function factsOf(terms: Omit<ActionTerms, "metadata">, quote: Quote | null): ActionFacts {
  const { type, amountMinor: minor, currency } = terms;
  const amount = { permission: permissionFor(terms), currency, minor };
  if (type === "EXECUTE_QUOTE")
    return { ...amount, ...sidesOfQuote(present(quote, "the quote of an action")) };
  const isOut = type === "TRANSFER_OUT";
  const [internalId, externalId] = isOut
    ? [terms.sourceAccountId, terms.destinationAccountId]
    : [terms.destinationAccountId, terms.sourceAccountId];
  const external = toExternalAccountId(present(externalId, "the external account of an action"));
  return {
    ...amount,
    accountIds: [toInternalAccountId(present(internalId, "the internal account of an action"))],
    fundingAccountId: isOut ? null : external,
    payee: isOut ? { kind: "external", accountId: external } : null,
  };
}

function sidesOfQuote(quote: Quote): ActionSides {
  const { internalSourceId, internalDestinationId, ...external } = accountsOfQuote(quote);
  const { externalSourceId, externalDestinationId } = external;
  const internal = [internalSourceId, internalDestinationId].filter((id) => id !== undefined);
  return {
    accountIds: internal.map(toInternalAccountId),
    fundingAccountId: externalSourceId === undefined ? null : toExternalAccountId(externalSourceId),
    payee: payeeOfQuote(quote, externalDestinationId),
  };
}

function payeeOfQuote({ destinationUma }: Quote, externalId: string | undefined): Payee | null {
  if (destinationUma !== null) return { kind: "uma", umaAddress: destinationUma };
  return externalId === undefined
    ? null
    : { kind: "external", accountId: toExternalAccountId(externalId) };
}

function resolveTransfer(
  world: Loaded,
  order: Extract<ActionOrder, { type: "TRANSFER_OUT" | "TRANSFER_IN" }>,
  { customerId }: OrderCaller,
): ResolvedOrder {
  const isOut = order.type === "TRANSFER_OUT";
  const type = isOut ? "OUTGOING" : "INCOMING";
  const internal = world.find(internalAccounts.ref(order.internalId));
  if (internal?.customerId !== customerId) throw noAccount(type, "internal");
  const external = world.find(externalAccounts.ref(order.externalId));
  if (external === undefined || external.deletedAt !== null || external.customerId !== customerId)
    throw noAccount(type, "external");
  const terms: ActionTerms = {
    type: order.type,
    sourceAccountId: isOut ? internal.id : external.id,
    destinationAccountId: isOut ? external.id : internal.id,
    paymentRail: isOut ? (order.paymentRail ?? null) : null,
    quoteId: null,
    isSignedByOwner: false,
    amountMinor: order.amountMinor,
    currency: internal.currency,
    metadata: order.metadata,
  };
  return { facts: factsOf(terms, null), terms };
}
