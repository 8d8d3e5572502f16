import Type from "typebox";
import { findAgent } from "../../../domain/agents/agent.sql.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { AgentSchema, agentExample, agentJson } from "../../../wire/agents/agent.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { requireId } from "../../../wire/ids.ts";
import { defineOperation } from "../../request/operation.ts";
import { platformTime } from "../../request/platform-time.ts";
import type { Services } from "../../request/services.ts";

export const getAgent = defineOperation({
  id: "getAgent",
  method: "GET",
  path: "/agents/{agentId}",
  access: "VIEW",
  capability: "agents.read",
  tag: "Agents",
  summary: "Get an agent",
  params: Type.Object({ agentId: pathId("Agent") }),
  answers: { 200: { description: "The agent.", schema: AgentSchema, example: agentExample } },
  refusals: ["REFERENCE_NOT_FOUND"],
  async handle({ principal: { platformId }, params }, services: Services) {
    const id = requireId("Agent", params.agentId, "REFERENCE_NOT_FOUND");
    const [agent, at] = await Promise.all([
      findAgent(services.reads, platformId, id),
      platformTime(services, platformId),
    ]);
    if (agent === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    return { status: 200, body: agentJson(agent, at) };
  },
});
