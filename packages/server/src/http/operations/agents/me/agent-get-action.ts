import Type from "typebox";
import { findAgentAction } from "../../../../domain/agents/actions/agent-action.sql.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import {
  AgentActionSchema,
  agentActionExample,
  agentActionJson,
} from "../../../../wire/agents/agent-action.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { requireId } from "../../../../wire/ids.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";

export const agentGetAction = defineOperation({
  id: "agentGetAction",
  method: "GET",
  path: "/agents/me/actions/{actionId}",
  access: "AGENT",
  tag: "For agents",
  summary: "Get one of your actions",
  description: "This is how to learn whether the platform has approved it.",
  params: Type.Object({ actionId: pathId("AgentAction") }),
  answers: {
    200: { description: "The action.", schema: AgentActionSchema, example: agentActionExample },
  },
  refusals: ["REFERENCE_NOT_FOUND"],
  async handle({ principal: { platformId, agentId }, params }, { reads }: Services) {
    const actionId = requireId("AgentAction", params.actionId, "REFERENCE_NOT_FOUND");
    const found = await findAgentAction(reads, platformId, { agentId, actionId });
    if (found === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    return { status: 200, body: agentActionJson(found, platformId) };
  },
});
