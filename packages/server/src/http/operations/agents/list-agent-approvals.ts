import Type from "typebox";
import { listAgentActions } from "../../../domain/agents/actions/agent-action.sql.ts";
import {
  AgentActionSchema,
  agentActionExample,
  agentActionJson,
} from "../../../wire/agents/agent-action.ts";
import { dateTimeParameter, listOf } from "../../../wire/fields.ts";
import { customerIdParameter, idField } from "../../../wire/id-fields.ts";
import { queryId } from "../../../wire/ids.ts";
import { createdConditions, when } from "../../request/filters.ts";
import { answerList } from "../../request/list.ts";
import { defineOperation } from "../../request/operation.ts";
import { pageParameters } from "../../request/paging.ts";
import type { Services } from "../../request/services.ts";

export const listAgentApprovals = defineOperation({
  id: "listAgentApprovals",
  method: "GET",
  path: "/agents/approvals",
  access: "VIEW",
  capability: "agents.read",
  tag: "Agent approvals",
  summary: "List agent actions that wait for approval",
  description: "An action that is not decided within 24 hours fails, and is no longer listed.",
  query: Type.Object({
    agentId: Type.Optional(idField("Agent")),
    customerId: customerIdParameter(),
    startDate: dateTimeParameter("Submitted at this time or later."),
    endDate: dateTimeParameter("Submitted at this time or earlier."),
    sortOrder: Type.Optional(Type.Enum(["asc", "desc"], { default: "desc" })),
    ...pageParameters,
  }),
  answers: {
    200: {
      description: "Newest first, unless `sortOrder` says otherwise.",
      schema: listOf(AgentActionSchema),
      example: { data: [agentActionExample], hasMore: false, totalCount: 1 },
    },
  },
  refusals: ["INVALID_INPUT"],
  handle: async ({ principal, query }, services: Services) =>
    answerList(services, {
      operationId: "listAgentApprovals",
      principal,
      query,
      load: (page) =>
        listAgentActions(services.reads, {
          ...page,
          conditions: [
            { sql: "t.status = 'PENDING_APPROVAL'" },
            when(queryId("Agent", query.agentId), "t.agent_id = ?::uuid"),
            when(queryId("Customer", query.customerId), "t.customer_id = ?::uuid"),
            ...createdConditions(query.startDate, query.endDate),
          ],
          order: query.sortOrder,
        }),
      idOf: ({ action }) => action.id,
      toJson: (subject) => agentActionJson(subject, principal.platformId),
    }),
});
