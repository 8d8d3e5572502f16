/**
 * An agent: a program that acts for one customer within a policy. It authenticates by an access token that it got for a
 * device code; only the token's hash is stored. An agent is created unconnected and is connected when a code is redeemed. It
 * can be paused and resumed; deletion is final.
 */
import type { Loaded, World } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import { sha256Hex } from "../../std/digest.ts";
import { defineTable, fixed, mutable, type RowOf } from "../../tables/tables.ts";
import type { PolicyRule } from "./actions/judge-action.ts";
import type { AgentPermission, AgentPolicy } from "./agent-policy.ts";

const columns = {
  id: fixed("uuid"),
  customerId: fixed("uuid"),
  name: mutable("text"),
  isPaused: mutable("bool"),
  policy: mutable<AgentPolicy>("json"),
  /** Null until a device code is redeemed. */
  accessTokenHash: mutable<string | null>("text"),
  /** The day that the amounts belong to, `YYYY-MM-DD`. Its month is the month that the monthly amounts belong to. */
  usageDay: mutable("text"),
  usageDayCount: mutable("int4"),
  usageDayMinor: mutable("int8"),
  usageMonthMinor: mutable("int8"),
  reservedCount: mutable("int4"),
  reservedMinor: mutable("int8"),
  /** Ids of the people behind its creation and its redeemed device code. In production they may not approve its actions. */
  people: mutable<readonly string[]>("json"),
  /** When it submitted its newest action; null before the first. */
  lastActionAt: mutable<number | null>("time"),
  createdAt: fixed("time"),
  updatedAt: mutable("time"),
  deletedAt: mutable<number | null>("time"),
};

export interface Agent extends RowOf<typeof columns> {}

export const agents = defineTable<Agent>("agents", columns, { isFollowed: true });

export function toAgentId(id: string): string {
  return `Agent:${id}`;
}

/** Access tokens and device codes have at least 128 random bits, so a hash without a salt is enough. */
export function hashOf(secret: string): string {
  return sha256Hex(secret);
}

/** The key of an access token in the deployment's directory. */
export function accessTokenHandle(accessTokenHash: string): string {
  return `agent:${accessTokenHash}`;
}

/** An agent that was not deleted; REFERENCE_NOT_FOUND otherwise. */
export function getLiveAgent(world: Loaded, agentId: string): Agent {
  const agent = world.find(agents.ref(agentId));
  if (agent === undefined || agent.deletedAt !== null) throw new Refusal("REFERENCE_NOT_FOUND");
  return agent;
}

/**
 * The calling agent, as it is at the commit. Refuses, in this order: a deleted agent, a permission that it does not have, a
 * paused agent.
 */
export function getActingAgent(
  world: World,
  { agentId, permission }: { readonly agentId: string; readonly permission: AgentPermission },
): Agent {
  const agent = world.find(agents.ref(agentId));
  if (agent === undefined || agent.deletedAt !== null) throw new Refusal("UNAUTHORIZED");
  if (!agent.policy.permissions.includes(permission)) {
    throw ruleRefusal("PERMISSION", { permission });
  }
  if (agent.isPaused) throw ruleRefusal("PAUSED");
  return agent;
}

const RULE_MESSAGES: Readonly<Record<PolicyRule, string>> = {
  PERMISSION: "The agent's policy does not permit this.",
  PAUSED: "The agent is paused.",
  ACCOUNT_NOT_ALLOWED: "The agent may not use this account.",
  FUNDING_ACCOUNT_NOT_ALLOWED:
    "The agent may not pull money from this external account: the policy's fundingAccountIds lack it.",
  PAYEE_NOT_ALLOWED:
    "The agent may not pay this payee: the policy's payees are LISTED, and this one is not in the list.",
  PER_TRANSACTION_LIMIT: "The amount is above the agent's limit for a transaction.",
  DAILY_TRANSACTION_LIMIT: "The agent has made all the transactions it may make in a day.",
  DAILY_LIMIT: "The amount would take the agent above its limit for the day.",
  MONTHLY_LIMIT: "The amount would take the agent above its limit for the month.",
};

/**
 * The refusal of a policy; it names the rule. The answer is not stored under the idempotency key when a permission is
 * missing, because the platform can grant the permission later.
 */
export function ruleRefusal(
  rule: PolicyRule,
  more: { readonly permission?: AgentPermission } = {},
): Refusal {
  return new Refusal("FORBIDDEN", { rule, ...more }, RULE_MESSAGES[rule], rule !== "PERMISSION");
}
