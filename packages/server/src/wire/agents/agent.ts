import Type from "typebox";
import { nextResets, usageAt } from "../../domain/agents/actions/usage.ts";
import { type Agent, toAgentId } from "../../domain/agents/agent.ts";
import type { DeviceCode } from "../../domain/agents/device-code.ts";
import { toCustomerId } from "../../domain/customers/customer.ts";
import { printAmount } from "../../money/money.ts";
import { toIso } from "../../std/clock.ts";
import { sensitive } from "../../validation/schema.ts";
import { DateTimeSchema, optional } from "../fields.ts";
import { AgentPolicySchema, agentPolicyExample } from "./agent-policy.ts";

const AgentUsageSchema = Type.Object(
  {
    dailyTransactionCount: Type.Integer({ minimum: 0 }),
    dailySpend: Type.Integer({ minimum: 0, description: "In the currency of the limits." }),
    monthlySpend: Type.Integer({ minimum: 0, description: "In the currency of the limits." }),
    dailyResetDate: Type.String({ format: "date", description: "The UTC day of the next reset." }),
    monthlyResetMonth: Type.String({ description: "`YYYY-MM`, the UTC month of the next reset." }),
  },
  { $id: "AgentUsage" },
);

export const AgentSchema = Type.Object(
  {
    id: Type.String({ description: "`Agent:<uuid>`" }),
    name: Type.String(),
    customerId: Type.String({ description: "The customer it acts for." }),
    isPaused: Type.Boolean({ description: "A paused agent can read and start nothing." }),
    isConnected: Type.Boolean({ description: "Whether its device code was redeemed." }),
    policy: AgentPolicySchema,
    usage: AgentUsageSchema,
    pendingActions: Type.Integer({ minimum: 0, description: "How many wait for approval." }),
    lastActionAt: Type.Optional(
      Type.String({ format: "date-time", description: "When it submitted its newest action." }),
    ),
    createdAt: DateTimeSchema,
    updatedAt: DateTimeSchema,
  },
  { $id: "Agent" },
);

/** `at` is the platform's time: usage starts anew with each day and month. */
export function agentJson(agent: Agent, at: number): string {
  return JSON.stringify(agentToWire(agent, at));
}

export function agentToWire(agent: Agent, at: number) {
  const usage = usageAt(agent, at);
  const resets = nextResets(at);
  return {
    id: toAgentId(agent.id),
    name: agent.name,
    customerId: toCustomerId(agent.customerId),
    isPaused: agent.isPaused,
    isConnected: agent.accessTokenHash !== null,
    policy: agent.policy,
    usage: {
      dailyTransactionCount: usage.usageDayCount,
      dailySpend: printAmount(usage.usageDayMinor),
      monthlySpend: printAmount(usage.usageMonthMinor),
      dailyResetDate: resets.day,
      monthlyResetMonth: resets.month,
    },
    pendingActions: agent.reservedCount,
    ...optional("lastActionAt", agent.lastActionAt === null ? null : toIso(agent.lastActionAt)),
    createdAt: toIso(agent.createdAt),
    updatedAt: toIso(agent.updatedAt),
  };
}

export const DeviceCodeSchema = Type.Object(
  {
    code: Type.String({
      ...sensitive,
      description: "To be pasted into the agent; shown this once.",
    }),
    agentId: Type.String(),
    expiresAt: DateTimeSchema,
    redeemed: Type.Boolean(),
  },
  { $id: "AgentDeviceCode" },
);

export function deviceCodeToWire(deviceCode: DeviceCode, code: string) {
  return {
    code,
    agentId: toAgentId(deviceCode.agentId),
    expiresAt: toIso(deviceCode.expiresAt),
    redeemed: deviceCode.redeemedAt !== null,
  };
}

export const agentExample = {
  id: "Agent:019a4f00-0000-7000-8000-000000000006",
  name: "Bill payer",
  customerId: "Customer:019a4f00-0000-7000-8000-000000000001",
  isPaused: false,
  isConnected: false,
  policy: agentPolicyExample,
  usage: {
    dailyTransactionCount: 0,
    dailySpend: 0,
    monthlySpend: 0,
    dailyResetDate: "2026-11-22",
    monthlyResetMonth: "2026-12",
  },
  pendingActions: 0,
  createdAt: "2026-11-21T10:00:00.000Z",
  updatedAt: "2026-11-21T10:00:00.000Z",
};

export const deviceCodeExample = {
  code: "SERVICE-AGENT-7Q2K-9DXM-4T8A-VB3N-0H6R-ZC1J-W5EP",
  agentId: agentExample.id,
  expiresAt: "2026-11-22T10:00:00.000Z",
  redeemed: false,
};
