import Type from "typebox";
import {
  findAgentAction,
  listAgentActions,
} from "../../../domain/agents/actions/agent-action.sql.ts";
import { agentActionStatuses } from "../../../domain/agents/actions/agent-action.ts";
import { findAgent } from "../../../domain/agents/agent.sql.ts";
import { Refusal } from "../../../engine/refusal.ts";
import type { Condition } from "../../../tables/list-query.ts";
import { wireAgent } from "../../../wire/agents/agent.ts";
import {
  AgentActionSchema,
  agentActionExample,
  agentActionJson,
} from "../../../wire/agents/agent-action.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { parseId, requireId } from "../../../wire/ids.ts";
import { currencyParameter, when } from "../../request/filters.ts";
import { pageOf, shown } from "../../request/noun.ts";
import { type AgentPrincipal, defineOperation, route } from "../../request/operation.ts";
import { pageParameters } from "../../request/paging.ts";
import { platformTime } from "../../request/platform-time.ts";
import type { Services } from "../../request/services.ts";
import {
  accountTypeParameter,
  internalAccounts,
  internalAccountsWhere,
} from "../accounts/internal-accounts.ts";
import { answerOwnList, ofAgents } from "./own-list.ts";

const actions = { schema: AgentActionSchema, example: agentActionExample };

const agentMe = defineOperation({
  ...ofAgents,
  id: "agentMe",
  ...route("GET /agents/me"),
  summary: "Get your agent",
  description: "Your own policy and its usage.",
  answers: {
    200: {
      description: "The agent that asks.",
      schema: wireAgent.schema,
      example: { ...wireAgent.example, isConnected: true },
    },
  },
  refusals: [],
  async handle({ principal: { platformId, agentId } }, services: Services) {
    const [agent, at] = await Promise.all([
      findAgent(services.reads, platformId, agentId),
      platformTime(services, platformId),
    ]);
    if (agent === undefined) throw new Refusal("UNAUTHORIZED");
    return { status: 200, body: wireAgent.json(agent, at) };
  },
});

const agentListActions = defineOperation({
  ...ofAgents,
  id: "agentListActions",
  ...route("GET /agents/me/actions"),
  summary: "List your actions",
  query: Type.Object({
    status: Type.Optional(Type.Enum([...agentActionStatuses])),
    ...pageParameters,
  }),
  answers: { 200: pageOf(actions) },
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

const agentGetAction = defineOperation({
  ...ofAgents,
  id: "agentGetAction",
  ...route("GET /agents/me/actions/{actionId}"),
  summary: "Get one of your actions",
  description: "This is how to learn whether the platform has approved it.",
  params: Type.Object({ actionId: pathId("AgentAction") }),
  answers: { 200: shown(actions, "The action.") },
  refusals: ["REFERENCE_NOT_FOUND"],
  async handle({ principal: { platformId, agentId }, params }, { reads }: Services) {
    const actionId = requireId("AgentAction", params.actionId, "REFERENCE_NOT_FOUND");
    const found = await findAgentAction(reads, platformId, { agentId, actionId });
    if (found === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    return { status: 200, body: agentActionJson(found, platformId) };
  },
});

const agentListInternalAccounts = defineOperation({
  ...ofAgents,
  id: "agentListInternalAccounts",
  ...route("GET /agents/me/internal-accounts"),
  agentPermission: "VIEW_TRANSACTIONS",
  summary: "List your internal accounts",
  description: "The accounts that you may use, with their balances.",
  query: Type.Object({
    currency: currencyParameter,
    type: accountTypeParameter,
    ...pageParameters,
  }),
  answers: { 200: pageOf(internalAccounts) },
  refusals: ["INVALID_INPUT"],
  handle: async ({ principal, query }, services: Services) =>
    answerOwnList(services, {
      operationId: "agentListInternalAccounts",
      principal,
      query,
      ...internalAccountsWhere(services, principal, [
        { sql: "t.customer_id = ?::uuid", value: principal.customerId },
        allowedCondition(principal),
        when(query.currency, "t.currency = ?::text"),
        when(query.type, "t.type = ?::text"),
      ]),
    }),
});

/** Hides accounts that the policy does not allow. */
function allowedCondition({ policy }: AgentPrincipal): Condition | undefined {
  const allowed = policy.accountRestrictions?.allowedAccountIds ?? null;
  if (allowed === null) return undefined;
  const ids = allowed.map((id) => parseId("InternalAccount", id)).filter((id) => id !== undefined);
  return { sql: "t.id = any(?::uuid[])", value: ids };
}

export const ownOperations = [agentMe, agentListActions, agentGetAction, agentListInternalAccounts];
