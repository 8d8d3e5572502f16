import { randomBytes } from "node:crypto";
import Type from "typebox";
import { listAgentActions } from "../../../domain/agents/actions/agent-action.sql.ts";
import { findAgent, listAgents as loadAgents } from "../../../domain/agents/agent.sql.ts";
import { hashOf } from "../../../domain/agents/agent.ts";
import { policyFaults } from "../../../domain/agents/agent-policy.ts";
import { deleteAgent as deleteAgentCommand } from "../../../domain/agents/delete-agent.ts";
import { DEVICE_CODE_BYTES, deviceCodeFrom } from "../../../domain/agents/device-code.ts";
import {
  createAgentOrder,
  updateAgentOrder,
} from "../../../domain/people/approvals/held-agents.ts";
import { invalidFields, Refusal } from "../../../engine/refusal.ts";
import { judgementOf } from "../../../validation/validation.ts";
import { wireAgent, wireDeviceCode } from "../../../wire/agents/agent.ts";
import {
  AgentActionSchema,
  agentActionExample,
  agentActionJson,
} from "../../../wire/agents/agent-action.ts";
import {
  AgentPolicySchema,
  agentPolicyExample,
  knownPolicy,
  policyClaims,
} from "../../../wire/agents/agent-policy.ts";
import { dateTimeParameter, nameField } from "../../../wire/fields.ts";
import { customerIdParameter, idField, pathId } from "../../../wire/id-fields.ts";
import { queryId, requireId } from "../../../wire/ids.ts";
import { submitOrder } from "../../approvals/submit-held.ts";
import { createdConditions, dateConditions, dateFilters, when } from "../../request/filters.ts";
import { answerList } from "../../request/list.ts";
import { getFacts, listFacts, pageOf, shown } from "../../request/noun.ts";
import { defineOperation, route } from "../../request/operation.ts";
import { pageParameters } from "../../request/paging.ts";
import { platformTime } from "../../request/platform-time.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";
import { agentChangeInput, agentInput } from "./held-agents.ts";

const agents = {
  path: "/agents",
  tag: "Agents",
  capability: "agents.read",
  schema: wireAgent.schema,
  example: wireAgent.example,
} as const;

const createAgent = defineOperation({
  id: "createAgent",
  ...route("POST /agents", "MANAGE", "agents.write"),
  tag: "Agents",
  summary: "Create an agent",
  description:
    "The agent acts for one customer, within its policy. The device code is shown in this answer and never again; the agent " +
    "trades it for its access token within 24 hours.",
  body: Type.Object({
    name: nameField,
    customerId: Type.String(),
    policy: AgentPolicySchema,
  }),
  requestExample: {
    name: wireAgent.example.name,
    customerId: wireAgent.example.customerId,
    policy: agentPolicyExample,
  },
  answers: {
    201: {
      description: "The agent and its device code.",
      schema: Type.Object({ agent: wireAgent.schema, deviceCode: wireDeviceCode.schema }),
      example: { agent: wireAgent.example, deviceCode: wireDeviceCode.example },
    },
  },
  refusals: [
    "INVALID_INPUT",
    "INVALID_AMOUNT",
    "INVALID_CURRENCY",
    "INVALID_UMA_ADDRESS",
    "USER_NOT_FOUND",
    "REFERENCE_NOT_FOUND",
    "CUSTOMER_DELETED",
  ],
  judge: ({ policy }) => judgementOf(policyFaults(policyClaims(policy), "policy.")),
  async handle({ principal, body, idempotency }, services: Services) {
    const code = deviceCodeFrom(randomBytes(DEVICE_CODE_BYTES));
    const { name, customerId } = body;
    const content = { name, customerId, policy: knownPolicy(body.policy), codeHash: hashOf(code) };
    return submitOrder(services, principal, {
      order: createAgentOrder,
      content,
      issued: { deviceCode: { code } },
      input: agentInput(content),
      toAnswer: ({ agent, deviceCode, at }) => ({
        status: 201,
        body: `{"agent":${wireAgent.json(agent, at)},"deviceCode":${wireDeviceCode.json(deviceCode, code)}}`,
      }),
      idempotency,
      secret: true,
    });
  },
});

const listAgents = defineOperation({
  ...listFacts(agents),
  id: "listAgents",
  summary: "List agents",
  query: Type.Object({
    customerId: customerIdParameter(),
    isPaused: Type.Optional(Type.Boolean()),
    isConnected: Type.Optional(Type.Boolean()),
    ...dateFilters,
    ...pageParameters,
  }),
  async handle({ principal, query }, services: Services) {
    const customerId = queryId("Customer", query.customerId);
    const at = await platformTime(services, principal.platformId);
    return answerList(services, {
      operationId: "listAgents",
      principal,
      query,
      load: (page) =>
        loadAgents(services.reads, {
          ...page,
          conditions: [
            when(customerId, "t.customer_id = ?::uuid"),
            flag(query.isPaused, "t.is_paused"),
            flag(query.isConnected, "(t.access_token_hash is not null)"),
            ...dateConditions(query),
          ],
        }),
      idOf: (agent) => agent.id,
      toJson: (agent) => wireAgent.json(agent, at),
    });
  },
});

function flag(wanted: boolean | undefined, sql: string) {
  return wanted === undefined ? undefined : { sql: `${sql} = ?::bool`, value: wanted };
}

const listAgentApprovals = defineOperation({
  id: "listAgentApprovals",
  ...route("GET /agents/approvals", "VIEW", "agents.read"),
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
    200: pageOf(
      { schema: AgentActionSchema, example: agentActionExample },
      "Newest first, unless `sortOrder` says otherwise.",
    ),
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

const getAgent = defineOperation({
  ...getFacts(agents, "The agent."),
  id: "getAgent",
  path: "/agents/{agentId}",
  summary: "Get an agent",
  params: Type.Object({ agentId: pathId("Agent") }),
  refusals: ["REFERENCE_NOT_FOUND"],
  async handle({ principal: { platformId }, params }, services: Services) {
    const id = requireId("Agent", params.agentId, "REFERENCE_NOT_FOUND");
    const [agent, at] = await Promise.all([
      findAgent(services.reads, platformId, id),
      platformTime(services, platformId),
    ]);
    if (agent === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    return { status: 200, body: wireAgent.json(agent, at) };
  },
});

const updateAgent = defineOperation({
  id: "updateAgent",
  ...route("PATCH /agents/{agentId}", "MANAGE", "agents.write"),
  tag: "Agents",
  summary: "Update an agent",
  description:
    "Renames, pauses or resumes it. " +
    "At least one of the fields. A paused agent can read and start nothing. What waits for approval goes on waiting; an " +
    "action that is approved during the pause is `FAILED`, so let the agent go on first.",
  params: Type.Object({ agentId: pathId("Agent") }),
  body: Type.Object({
    name: Type.Optional(nameField),
    isPaused: Type.Optional(Type.Boolean()),
  }),
  requestExample: { isPaused: true },
  answers: { 200: shown(agents, "The agent as it is now.") },
  refusals: ["INVALID_INPUT", "REFERENCE_NOT_FOUND"],
  async handle({ principal, params, body }, services: Services) {
    if (body.name === undefined && body.isPaused === undefined) {
      throw invalidFields([{ field: "body", message: "must hold name or isPaused" }]);
    }
    const content = { agentId: params.agentId, name: body.name, isPaused: body.isPaused };
    return submitOrder(services, principal, {
      order: updateAgentOrder,
      content,
      input: agentChangeInput(content),
      toAnswer: ({ agent, at }) => ({ status: 200, body: wireAgent.json(agent, at) }),
    });
  },
});

const deleteAgent = defineOperation({
  id: "deleteAgent",
  ...route("DELETE /agents/{agentId}", "MANAGE", "agents.write"),
  tag: "Agents",
  summary: "Delete an agent",
  description:
    "Its access token and its device code are refused from now on, and its actions that wait for approval are rejected. " +
    "Payments that are already under way go on.",
  params: Type.Object({ agentId: pathId("Agent") }),
  answers: { 204: { description: "Deleted." } },
  refusals: ["REFERENCE_NOT_FOUND"],
  handle: async ({ principal, params }, { engine }: Services) =>
    submitForCaller(engine, principal, {
      command: deleteAgentCommand,
      input: { agentId: requireId("Agent", params.agentId, "REFERENCE_NOT_FOUND") },
      toAnswer: () => ({ status: 204, body: "" }),
    }),
});

export const agentOperations = [
  createAgent,
  listAgents,
  listAgentApprovals,
  getAgent,
  updateAgent,
  deleteAgent,
];
