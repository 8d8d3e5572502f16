import { nextResets, usageAt } from "../../domain/agents/actions/usage.ts";
import type { Agent } from "../../domain/agents/agent.ts";
import type { DeviceCode } from "../../domain/agents/device-code.ts";
import { sensitive } from "../../validation/schema.ts";
import { type Kit, wireObject } from "../wire-object.ts";
import { AgentPolicySchema, agentPolicyExample } from "./agent-policy.ts";

type UsageAt = ReturnType<typeof usageAt> & ReturnType<typeof nextResets>;

const usage = wireObject("AgentUsage", ({ of }: Kit<UsageAt>) => ({
  dailyTransactionCount: of.integer({ from: "usageDayCount", minimum: 0, example: 0 }),
  dailySpend: of.integer({
    from: "usageDayMinor",
    minimum: 0,
    description: "In the currency of the limits.",
    example: 0,
  }),
  monthlySpend: of.integer({
    from: "usageMonthMinor",
    minimum: 0,
    description: "In the currency of the limits.",
    example: 0,
  }),
  dailyResetDate: of.text({
    from: "day",
    format: "date",
    description: "The UTC day of the next reset.",
    example: "2026-11-22",
  }),
  monthlyResetMonth: of.text({
    from: "month",
    description: "`YYYY-MM`, the UTC month of the next reset.",
    example: "2026-12",
  }),
}));

/** `at` is the platform's time: usage starts anew with each day and month. */
export const wireAgent = wireObject("Agent", ({ of, maybe }: Kit<Agent, number>) => ({
  id: of.id("Agent", { description: "`Agent:<uuid>`", example: 6 }),
  name: of.text({ example: "Bill payer" }),
  customerId: of.id("Customer", { description: "The customer it acts for.", example: 1 }),
  isPaused: of.boolean({
    description: "A paused agent can read and start nothing.",
    example: false,
  }),
  isConnected: of.boolean({
    from: ({ accessTokenHash }) => accessTokenHash !== null,
    description: "Whether its device code was redeemed.",
    example: false,
  }),
  policy: of.json(AgentPolicySchema, { example: agentPolicyExample }),
  usage: of.object(usage, { from: (agent, at) => ({ ...usageAt(agent, at), ...nextResets(at) }) }),
  pendingActions: of.integer({
    from: "reservedCount",
    minimum: 0,
    description: "How many wait for approval.",
    example: 0,
  }),
  lastActionAt: maybe.time({ description: "When it submitted its newest action." }),
  createdAt: of.time({ example: "2026-11-21T10:00:00.000Z" }),
  updatedAt: of.time({ example: "2026-11-21T10:00:00.000Z" }),
}));

/** Includes the code; the row has only its hash. */
export const wireDeviceCode = wireObject("AgentDeviceCode", ({ of }: Kit<DeviceCode, string>) => ({
  code: of.text({
    from: (_, code) => code,
    ...sensitive,
    description: "To be pasted into the agent; shown this once.",
    example: "SERVICE-AGENT-7Q2K-9DXM-4T8A-VB3N-0H6R-ZC1J-W5EP",
  }),
  agentId: of.id("Agent", { example: 6 }),
  expiresAt: of.time({ example: "2026-11-22T10:00:00.000Z" }),
  redeemed: of.boolean({ from: ({ redeemedAt }) => redeemedAt !== null, example: false }),
}));
