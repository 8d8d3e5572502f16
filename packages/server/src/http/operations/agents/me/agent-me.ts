import { findAgent } from "../../../../domain/agents/agent.sql.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { AgentSchema, agentExample, agentJson } from "../../../../wire/agents/agent.ts";
import { defineOperation } from "../../../request/operation.ts";
import { platformTime } from "../../../request/platform-time.ts";
import type { Services } from "../../../request/services.ts";

export const agentMe = defineOperation({
  id: "agentMe",
  method: "GET",
  path: "/agents/me",
  access: "AGENT",
  tag: "For agents",
  summary: "Get your agent",
  description: "Your own policy and its usage.",
  answers: {
    200: {
      description: "The agent that asks.",
      schema: AgentSchema,
      example: { ...agentExample, isConnected: true },
    },
  },
  refusals: [],
  async handle({ principal: { platformId, agentId } }, services: Services) {
    const [agent, at] = await Promise.all([
      findAgent(services.reads, platformId, agentId),
      platformTime(services, platformId),
    ]);
    if (agent === undefined) throw new Refusal("UNAUTHORIZED");
    return { status: 200, body: agentJson(agent, at) };
  },
});
