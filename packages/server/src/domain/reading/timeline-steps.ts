/** The steps of a payment's story that no event of it tells: who asked for it, who agreed, and its course at a bank. */
import { toIso } from "../../std/clock.ts";
import type { AgentAction } from "../agents/actions/agent-action.ts";
import type { Approval } from "../people/approvals/approval.ts";
import { type RailPayment, toRailPaymentId } from "../rails/orders/rail-payment.ts";

export const timelineActs = ["ASKED", "APPROVED", "REJECTED", "RAIL", "RECALLED"] as const;

export interface TimelineStep {
  /** ISO 8601. */
  readonly at: string;
  readonly act: (typeof timelineActs)[number];
  /** As in the command log: `person:<uuid>`. Undefined for a recall of which the audit log knows nothing. */
  readonly actor?: string | undefined;
  /** The state of the order at the bank, or of its recall. */
  readonly state?: string | undefined;
  /** Why it waited for an approval, was recalled, or has a line of the history without a new state. */
  readonly reason?: string | undefined;
  /** The bank's code. */
  readonly code?: string | undefined;
  /** The name of the connection. */
  readonly connection?: string | undefined;
  /** A wire id. */
  readonly railPaymentId?: string | undefined;
}

/** How many of the newest payments to a payee are looked at for failures of the same kind. */
export const PAYMENTS_LOOKED_AT = 200;

/** Of the newest payments to the payee, the number that failed with the same code; this payment counts. */
export interface Alike {
  readonly code: string;
  readonly count: number;
  /** At most `PAYMENTS_LOOKED_AT`. */
  readonly lookedAt: number;
}

export interface StepFacts {
  readonly orders: readonly { readonly order: RailPayment; readonly connection: string }[];
  /** The actors of recalls by the wire id of the order. */
  readonly recalledBy: ReadonlyMap<string, string>;
  readonly action: AgentAction | undefined;
  readonly approvals: readonly Approval[];
}

/** Oldest first. */
export function stepsOf(facts: StepFacts): readonly TimelineStep[] {
  const { orders, action, approvals, recalledBy } = facts;
  const steps = [
    ...(action === undefined ? [] : actionSteps(action)),
    ...approvals.flatMap(approvalSteps),
    ...orders.flatMap(({ order, connection }) => orderSteps(order, { connection, recalledBy })),
  ];
  return steps.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
}

/** An action that was carried out at once is told by the command that made the payment. */
function actionSteps({ agentId, approvalReason, createdAt }: AgentAction): TimelineStep[] {
  if (approvalReason === null) return [];
  const actor = `agent:${agentId}`;
  return [{ at: toIso(createdAt), act: "ASKED", actor, reason: approvalReason }];
}

function approvalSteps({ requestedBy, createdAt, decisions }: Approval): TimelineStep[] {
  return [
    { at: toIso(createdAt), act: "ASKED", actor: actorOf(requestedBy) },
    ...decisions.map(({ by, at, outcome }) => ({ at, act: outcome, actor: actorOf(by) })),
  ];
}

/** `Person:<uuid>` as the command log has it. */
function actorOf(wireId: string): string {
  const [kind = "", id = ""] = wireId.split(":");
  return `${kind.toLowerCase()}:${id}`;
}

/** The bank's code at the end of a line of the history: see `whyOf` in the report. */
const CODE = /\(([A-Za-z0-9_-]{1,35})\)$/;

/** Lines of a history that leave the order in its state, by what they say. */
const MOVED = new Map([
  ["rerouted", "REROUTED"],
  ["its connection did not go on in time", "FELL_BACK"],
]);

function reasonOf(why: string): string | undefined {
  return why.startsWith("the recall is refused") ? "RECALL_REFUSED" : MOVED.get(why);
}

function orderSteps(
  { id, history, recall }: RailPayment,
  {
    connection,
    recalledBy,
  }: { readonly connection: string; readonly recalledBy: StepFacts["recalledBy"] },
): TimelineStep[] {
  const railPaymentId = toRailPaymentId(id);
  // The row has its last connection only; the names of those before are not known.
  const moved = history.findLastIndex(({ why }) => MOVED.has(why));
  const course = history.map(({ state, at, by, why }, index) => ({
    at,
    act: "RAIL" as const,
    actor: by.replace(" ", ":"),
    state,
    reason: reasonOf(why),
    code: CODE.exec(why)?.[1],
    connection: index < moved ? undefined : connection,
    railPaymentId,
  }));
  if (recall === null) return course;
  const { at, state, reason } = recall;
  const actor = recalledBy.get(railPaymentId);
  return [...course, { at, act: "RECALLED", actor, state, reason, connection, railPaymentId }];
}
