import Type from "typebox";
import { listAgentActions as list } from "../../../domain/agents/actions/agent-action.sql.ts";
import { agentActionStatuses } from "../../../domain/agents/actions/agent-action.ts";
import { findAgent } from "../../../domain/agents/agent.sql.ts";
import { Refusal } from "../../../engine/refusal.ts";
import {
  AgentActionSchema,
  agentActionExample,
  agentActionJson,
} from "../../../wire/agents/agent-action.ts";
import { listOf } from "../../../wire/fields.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { when } from "../../request/filters.ts";
import { answerList } from "../../request/list.ts";
import { defineOperation } from "../../request/operation.ts";
import { pageParameters } from "../../request/paging.ts";
import type { Services } from "../../request/services.ts";
import { requireAgentId } from "./held-agents.ts";

export const listAgentActions = defineOperation({
  id: "listAgentActions",
  method: "GET",
  path: "/agents/{agentId}/actions",
  access: "VIEW",
  capability: "agents.read",
  tag: "Agents",
  summary: "List the actions of an agent",
  description:
    "Orders in every state. An order that the policy refused when it was submitted is not stored.",
  params: Type.Object({ agentId: pathId("Agent") }),
  query: Type.Object({
    status: Type.Optional(Type.Enum([...agentActionStatuses])),
    ...pageParameters,
  }),
  answers: {
    200: {
      description: "Newest first.",
      schema: listOf(AgentActionSchema),
      example: { data: [agentActionExample], hasMore: false, totalCount: 1 },
    },
  },
  refusals: ["INVALID_INPUT", "REFERENCE_NOT_FOUND"],
  async handle({ principal, params, query }, services: Services) {
    const agentId = requireAgentId(params.agentId);
    const agent = await findAgent(services.reads, principal.platformId, agentId);
    if (agent === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    return answerList(services, {
      operationId: "listAgentActions",
      principal,
      query,
      load: (page) =>
        list(services.reads, {
          ...page,
          conditions: [
            { sql: "t.agent_id = ?::uuid", value: agentId },
            when(query.status, "t.status = ?::text"),
          ],
        }),
      idOf: ({ action }) => action.id,
      toJson: (subject) => agentActionJson(subject, principal.platformId),
    });
  },
});
