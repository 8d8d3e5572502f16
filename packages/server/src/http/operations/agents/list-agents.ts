import Type from "typebox";
import { listAgents as list } from "../../../domain/agents/agent.sql.ts";
import { AgentSchema, agentExample, agentJson } from "../../../wire/agents/agent.ts";
import { listOf } from "../../../wire/fields.ts";
import { customerIdParameter } from "../../../wire/id-fields.ts";
import { queryId } from "../../../wire/ids.ts";
import { dateConditions, dateFilters, when } from "../../request/filters.ts";
import { answerList } from "../../request/list.ts";
import { defineOperation } from "../../request/operation.ts";
import { pageParameters } from "../../request/paging.ts";
import { platformTime } from "../../request/platform-time.ts";
import type { Services } from "../../request/services.ts";

export const listAgents = defineOperation({
  id: "listAgents",
  method: "GET",
  path: "/agents",
  access: "VIEW",
  capability: "agents.read",
  tag: "Agents",
  summary: "List agents",
  query: Type.Object({
    customerId: customerIdParameter(),
    isPaused: Type.Optional(Type.Boolean()),
    isConnected: Type.Optional(Type.Boolean()),
    ...dateFilters,
    ...pageParameters,
  }),
  answers: {
    200: {
      description: "Newest first.",
      schema: listOf(AgentSchema),
      example: { data: [agentExample], hasMore: false, totalCount: 1 },
    },
  },
  refusals: ["INVALID_INPUT"],
  async handle({ principal, query }, services: Services) {
    const customerId = queryId("Customer", query.customerId);
    const at = await platformTime(services, principal.platformId);
    return answerList(services, {
      operationId: "listAgents",
      principal,
      query,
      load: (page) =>
        list(services.reads, {
          ...page,
          conditions: [
            when(customerId, "t.customer_id = ?::uuid"),
            flag(query.isPaused, "t.is_paused"),
            flag(query.isConnected, "(t.access_token_hash is not null)"),
            ...dateConditions(query),
          ],
        }),
      idOf: (agent) => agent.id,
      toJson: (agent) => agentJson(agent, at),
    });
  },
});

function flag(wanted: boolean | undefined, sql: string) {
  return wanted === undefined ? undefined : { sql: `${sql} = ?::bool`, value: wanted };
}
