import Type from "typebox";
import { listAgentActions } from "../../../../domain/agents/actions/agent-action.sql.ts";
import { agentActionStatuses } from "../../../../domain/agents/actions/agent-action.ts";
import {
  AgentActionSchema,
  agentActionExample,
  agentActionJson,
} from "../../../../wire/agents/agent-action.ts";
import { listOf } from "../../../../wire/fields.ts";
import { when } from "../../../request/filters.ts";
import { defineOperation } from "../../../request/operation.ts";
import { pageParameters } from "../../../request/paging.ts";
import type { Services } from "../../../request/services.ts";
import { answerOwnList } from "./own-list.ts";

export const agentListActions = defineOperation({
  id: "agentListActions",
  method: "GET",
  path: "/agents/me/actions",
  access: "AGENT",
  tag: "For agents",
  summary: "List your actions",
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
  refusals: ["INVALID_INPUT"],
  handle: async ({ principal, query }, services: Services) =>
    answerOwnList(services, {
      operationId: "agentListActions",
      principal,
      query,
      load: (page) =>
        listAgentActions(services.reads, {
          ...page,
          conditions: [
            { sql: "t.agent_id = ?::uuid", value: principal.agentId },
            when(query.status, "t.status = ?::text"),
          ],
        }),
      idOf: ({ action }) => action.id,
      toJson: (subject) => agentActionJson(subject, principal.platformId),
    }),
});
