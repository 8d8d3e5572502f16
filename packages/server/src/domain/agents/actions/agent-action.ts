/**
 * An agent's action: the order and its outcome.
 *
 * PENDING_APPROVAL   the platform decides within a day; leaves to APPROVED, REJECTED or FAILED
 * APPROVED           has a transaction; leaves to FAILED when the transaction fails
 * REJECTED, FAILED   final
 *
 * `countedMinor` of `countedCurrency` counts against the agent's limits: reserved while the action is pending, used from
 * `executedAt` until `usageReturnedAt`. Usage is returned only when the payer has the money again.
 */
import type { World } from "../../../engine/command.ts";
import { assert } from "../../../std/assert.ts";
import { defineLookup, defineTable, fixed, mutable, type RowOf } from "../../../tables/tables.ts";
import type { Metadata } from "../../metadata.ts";
import { type Quote, quotes } from "../../payments/quotes/quote.ts";
import { type Transaction, transactions } from "../../payments/transactions/transaction.ts";
import type { ApprovalReason } from "./judge-action.ts";

export const agentActionStatuses = ["PENDING_APPROVAL", "APPROVED", "REJECTED", "FAILED"] as const;
export type AgentActionStatus = (typeof agentActionStatuses)[number];

export const agentActionTypes = ["EXECUTE_QUOTE", "TRANSFER_OUT", "TRANSFER_IN"] as const;
export type AgentActionType = (typeof agentActionTypes)[number];

const columns = {
  id: fixed("uuid"),
  agentId: fixed("uuid"),
  customerId: fixed("uuid"),
  platformCustomerId: fixed("text"),
  type: fixed<AgentActionType>("text"),
  status: mutable<AgentActionStatus>("text"),
  sourceAccountId: fixed<string | null>("uuid"),
  destinationAccountId: fixed<string | null>("uuid"),
  paymentRail: fixed<string | null>("text"),
  quoteId: fixed<string | null>("uuid"),
  /** Whether the owner of an embedded wallet signed at submission. The signature stays valid until the action is decided. */
  isSignedByOwner: fixed("bool"),
  /** Why it waited for approval; null when it did not, and for actions that are older than this column. */
  approvalReason: fixed<ApprovalReason | null>("text"),
  transactionId: mutable<string | null>("uuid"),
  amountMinor: fixed("int8"),
  currency: fixed("text"),
  countedMinor: mutable("int8"),
  countedCurrency: mutable("text"),
  executedAt: mutable<number | null>("time"),
  /** When the amount was credited back to the agent's limits; null while it counts. */
  usageReturnedAt: mutable<number | null>("time"),
  rejectionReason: mutable<string | null>("text"),
  /** The policy rule or the refusal code that failed the action, or the transaction's failure reason. */
  failureReason: mutable<string | null>("text"),
  metadata: fixed<Metadata | null>("json"),
  createdAt: fixed("time"),
  updatedAt: mutable("time"),
};

export interface AgentAction extends RowOf<typeof columns> {}

export const agentActions = defineTable<AgentAction>("agent_actions", columns, {
  isFinal: ({ status }) => status !== "PENDING_APPROVAL",
});

const isPending = ({ status }: AgentAction) => status === "PENDING_APPROVAL";
const pending = { sql: "t.status = 'PENDING_APPROVAL'", holds: isPending };

export const pendingActionsOf = defineLookup(agentActions, { by: "agentId", where: pending });
export const pendingActionsOfQuote = defineLookup(agentActions, { by: "quoteId", where: pending });
export const actionsOfTransaction = defineLookup(agentActions, { by: "transactionId" });

/**
 * The largest number of pending actions of an agent. The bound exists because deleting the agent rejects all of them in one
 * command.
 */
export const MAX_PENDING_ACTIONS = 1_000;

const WAYS_OUT: Readonly<Record<AgentActionStatus, readonly AgentActionStatus[]>> = {
  PENDING_APPROVAL: ["APPROVED", "REJECTED", "FAILED"],
  APPROVED: ["FAILED"],
  REJECTED: [],
  FAILED: [],
};

/** The action in its next state. A transition that is not listed is a bug. */
export function moveAction(
  action: AgentAction,
  to: AgentActionStatus,
  change: { readonly at: number } & Partial<
    Pick<
      AgentAction,
      | "transactionId"
      | "executedAt"
      | "usageReturnedAt"
      | "rejectionReason"
      | "failureReason"
      | "countedMinor"
      | "countedCurrency"
    >
  >,
): AgentAction {
  assert(WAYS_OUT[action.status].includes(to), `an action goes from ${action.status} to ${to}`);
  const { at, ...fields } = change;
  return { ...action, ...fields, status: to, updatedAt: at };
}

/**
 * The action after its transaction was created. A transaction that failed at once fails the action, and nothing is counted.
 */
export function executedBy(action: AgentAction, made: Transaction, at: number): AgentAction {
  const execution = { at, transactionId: made.id, executedAt: at };
  if (made.status !== "FAILED") return moveAction(action, "APPROVED", execution);
  const { failureReason } = made;
  return moveAction(action, "FAILED", { ...execution, usageReturnedAt: at, failureReason });
}

/** An action with the quote and the transaction that the API embeds. */
export interface AgentActionSubject {
  readonly kind: "AgentAction";
  readonly id: string;
  readonly action: AgentAction;
  /** Null unless the action executes a quote. */
  readonly quote: Quote | null;
  /** Null until the action is carried out. */
  readonly transaction: Transaction | null;
}

export function toAgentActionId(id: string): string {
  return `AgentAction:${id}`;
}

export function agentActionSubject(
  action: AgentAction,
  inside: { readonly quote: Quote | null; readonly transaction: Transaction | null },
): AgentActionSubject {
  return { kind: "AgentAction", id: toAgentActionId(action.id), action, ...inside };
}

/** The action with its quote and its transaction as they stand in this command. */
export function actionNow(world: World, action: AgentAction): AgentActionSubject {
  const { quoteId, transactionId } = action;
  return agentActionSubject(action, {
    quote: quoteId === null ? null : world.get(quotes.ref(quoteId)),
    transaction: transactionId === null ? null : world.get(transactions.ref(transactionId)),
  });
}
