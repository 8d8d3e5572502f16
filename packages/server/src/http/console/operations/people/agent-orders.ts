/**
 * Orders of agents among the approvals of the console: those that wait are rows of its list, and each has a page. They are no approvals
 * of the API, and are decided about by the operations of agents.
 */
import Type from "typebox";
import {
  type AgentOrder,
  agentOrderRows,
} from "../../../../domain/agents/actions/agent-action.sql.ts";
import {
  type AgentActionStatus,
  type AgentActionType,
  toAgentActionId,
} from "../../../../domain/agents/actions/agent-action.ts";
import { APPROVAL_LIFE_MS } from "../../../../domain/agents/actions/expire-action.ts";
import { toAgentId } from "../../../../domain/agents/agent.ts";
import { share } from "../../../../domain/lineage.ts";
import type { ApprovalState } from "../../../../domain/people/approvals/approval.ts";
import { approvalKinds } from "../../../../domain/people/approvals/approval-kinds.ts";
import type { ApproverRule } from "../../../../domain/people/approvals/decide-approval.ts";
import { approverOf } from "../../../../domain/people/approvals/eligible-people.ts";
import { AGENT_ORDER_TITLE } from "../../../../domain/people/approvals/shown/describe.ts";
import { amountOf } from "../../../../domain/people/approvals/shown/words.ts";
import type { Person } from "../../../../domain/people/person.ts";
import { findPlatform } from "../../../../domain/platform.sql.ts";
import { toPlatformConfigId } from "../../../../domain/platform.ts";
import { referenceTo } from "../../../../domain/reading/parties/party.ts";
import type { PaymentParties } from "../../../../domain/reading/parties/payment-parties.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { eachAtOnce } from "../../../../std/admission/each-at-once.ts";
import { toIso } from "../../../../std/clock.ts";
import type { Condition } from "../../../../tables/list-query.ts";
import { requireId } from "../../../../wire/ids.ts";
import { shownJson } from "../../../../wire/people/shown.ts";
import { sideOf } from "../../../approvals/approval-parties.ts";
import { contentOf, shownAgentOrder } from "../../../approvals/shown-agent-order.ts";
import type { PersonPrincipal } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { PLACES_AT_ONCE, placesSeenBy, type SeenPlace } from "./find-approval.ts";

/** The kind of these rows in the list. */
export const AGENT_ORDER = "AGENT_ORDER";
export const listedKinds = [...approvalKinds, AGENT_ORDER] as const;

export const listedKind = Type.Enum([...listedKinds], {
  description: "`AGENT_ORDER`: an order of an agent, which the operations of agents decide about.",
});

interface Wanted {
  readonly shown?: string | undefined;
  readonly state?: string | undefined;
  readonly kind?: string | undefined;
  readonly after: string | undefined;
  readonly limit: number;
}

/** The orders that wait at this place, as far as the view of the list has them. */
export async function agentOrdersAt(
  { reads }: Services,
  { person, at }: { readonly person: Person; readonly at: SeenPlace },
  { shown, state = "PENDING", kind = AGENT_ORDER, after, limit }: Wanted,
): Promise<{ readonly rows: readonly AgentOrder[]; readonly hasMore: boolean }> {
  const isForAll = shown === undefined;
  const isWanted = kind === AGENT_ORDER && state === "PENDING";
  if (at.place.platform === undefined || !isWanted || !(isForAll || shown === "MINE_TO_DECIDE"))
    return { rows: [], hasMore: false };
  const { capabilities, isSuspended } = approverOf(person, at.place);
  if (!isForAll && (isSuspended || !capabilities.has("payments.approve")))
    return { rows: [], hasMore: false };
  const others: readonly Condition[] = isForAll ? [] : ofOthers(person, at);
  const conditions = [{ sql: "t.status = 'PENDING_APPROVAL'" }, ...others];
  return agentOrderRows(reads, { platformId: at.platformId, conditions, after, limit });
}

/** In production the orders of one's own agents count as one's own. */
function ofOthers(person: Person, { environment, place }: SeenPlace): readonly Condition[] {
  if (environment === "SANDBOX") return [];
  return approverOf(person, place).lineage.map((id) => ({
    sql: "not g.people::jsonb @> ?::jsonb",
    value: JSON.stringify([id]),
  }));
}

function ruleFor(person: Person, at: SeenPlace, { agent }: AgentOrder): ApproverRule | undefined {
  const { capabilities, isSuspended, lineage } = approverOf(person, at.place);
  if (!capabilities.has("payments.approve")) return "CAPABILITY";
  if (isSuspended) return "SUSPENDED";
  return at.environment === "PRODUCTION" && share(lineage, agent.people) ? "REQUESTER" : undefined;
}

const STATES: Readonly<Record<AgentActionStatus, ApprovalState>> = {
  PENDING_APPROVAL: "PENDING",
  APPROVED: "DONE",
  REJECTED: "REJECTED",
  FAILED: "FAILED",
};

const OPERATIONS: Readonly<Record<AgentActionType, string>> = {
  EXECUTE_QUOTE: "executeQuote",
  TRANSFER_OUT: "transferOut",
  TRANSFER_IN: "transferIn",
};

/** The order in the form of an approval of the list. */
export function agentOrderMembers(person: Person, at: SeenPlace, order: AgentOrder): object {
  const { action } = order.subject;
  const state = STATES[action.status];
  const isPending = state === "PENDING";
  const rule = isPending ? ruleFor(person, at, order) : undefined;
  return {
    id: toAgentActionId(action.id),
    platformId: toPlatformConfigId(at.platformId),
    kind: AGENT_ORDER,
    operation: OPERATIONS[action.type],
    state,
    requestedBy: toAgentId(order.agent.id),
    requestedAt: toIso(action.createdAt),
    summary: AGENT_ORDER_TITLE,
    approvalsNeeded: 1,
    decisions: [],
    expiresAt: toIso(action.createdAt + APPROVAL_LIFE_MS),
    mayDecide: isPending && rule === undefined,
    rule,
    mayReject: isPending && (rule === undefined || rule === "REQUESTER"),
    mayCancel: false,
    title: AGENT_ORDER_TITLE,
    amount: amountOf(action.amountMinor, action.currency),
  };
}

export function partiesOfAgentOrder({ subject, agent }: AgentOrder): PaymentParties {
  const { source, destination } = contentOf(subject);
  return { from: sideOf(source), to: sideOf(destination), by: referenceTo(toAgentId(agent.id)) };
}

/** The page of an order that the person may see; 404 for any other. An id does not name its platform, so every one is read. */
export async function agentOrderDetail(
  services: Services,
  principal: PersonPrincipal,
  rawId: string,
) {
  const value = requireId("AgentAction", rawId, "APPROVAL_NOT_FOUND");
  const { person, places } = await placesSeenBy(services, principal);
  const query = { conditions: [{ sql: "t.id = ?::uuid", value }], after: undefined, limit: 1 };
  const found = await eachAtOnce(places, PLACES_AT_ONCE, async (at) => {
    const { platformId } = at;
    return { at, ...(await agentOrderRows(services.reads, { ...query, platformId })) };
  });
  for (const { at, rows } of found) {
    const [order] = rows;
    if (order === undefined) continue;
    const platform = await findPlatform(services.reads, at.platformId);
    const name = `${platform?.name ?? ""}, ${at.environment.toLowerCase()}`;
    const shown = await shownAgentOrder(services, { platformId: at.platformId, name }, order);
    const text = shownJson({ ...shown, at: toIso(services.clock.now()) }, { sealed: undefined });
    const members = agentOrderMembers(person, at, order);
    return { at, members, more: `{"shown":${text},"comments":[],"mayComment":false}` };
  }
  throw new Refusal("APPROVAL_NOT_FOUND");
}
