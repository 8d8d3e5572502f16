import Type from "typebox";
import { listAgentActions as loadAgentActions } from "../../../domain/agents/actions/agent-action.sql.ts";
import { agentActionStatuses } from "../../../domain/agents/actions/agent-action.ts";
import {
  approveAction,
  type DecideActionInput,
  rejectAction,
} from "../../../domain/agents/actions/decide-action.ts";
import { findAgent } from "../../../domain/agents/agent.sql.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { sensitive } from "../../../validation/schema.ts";
import {
  AgentActionSchema,
  agentActionExample,
  agentActionJson,
  approvedActionExample,
} from "../../../wire/agents/agent-action.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { requireId } from "../../../wire/ids.ts";
import { when } from "../../request/filters.ts";
import { answerList } from "../../request/list.ts";
import { pageOf } from "../../request/noun.ts";
import { defineOperation, route } from "../../request/operation.ts";
import { pageParameters } from "../../request/paging.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";
import { collectionEvents, executionEvents, payoutEvents } from "../event-lists.ts";
import { requireAgentId } from "./held-agents.ts";

/** The path of an action that the platform approves or rejects. */
const ActionPath = Type.Object({
  agentId: pathId("Agent"),
  actionId: pathId("AgentAction"),
});

function actionIn(params: Type.Static<typeof ActionPath>): DecideActionInput {
  return {
    agentId: requireId("Agent", params.agentId, "REFERENCE_NOT_FOUND"),
    actionId: requireId("AgentAction", params.actionId, "REFERENCE_NOT_FOUND"),
  };
}

export const listAgentActions = defineOperation({
  id: "listAgentActions",
  ...route("GET /agents/{agentId}/actions", "VIEW", "agents.read"),
  tag: "Agents",
  summary: "List the actions of an agent",
  description:
    "Orders in every state. An order that the policy refused when it was submitted is not stored.",
  params: Type.Object({ agentId: pathId("Agent") }),
  query: Type.Object({
    status: Type.Optional(Type.Enum([...agentActionStatuses])),
    ...pageParameters,
  }),
  answers: { 200: pageOf({ schema: AgentActionSchema, example: agentActionExample }) },
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
        loadAgentActions(services.reads, {
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

export const approveAgentAction = defineOperation({
  id: "approveAgentAction",
  ...route("POST /agents/{agentId}/actions/{actionId}/approve", "TRANSACT", "payments.approve"),
  tag: "Agent approvals",
  summary: "Approve an agent action",
  description:
    "Carries the action out, if that is still possible: policy, pause, limits, accounts and balance are looked at again. " +
    "Where something stands in the way the action is `FAILED`, and `failureReason` says what.",
  params: ActionPath,
  answers: {
    200: {
      description: "The action: `APPROVED`, or `FAILED`.",
      schema: AgentActionSchema,
      example: approvedActionExample,
    },
  },
  events: [...payoutEvents, ...collectionEvents, ...executionEvents],
  refusals: ["REFERENCE_NOT_FOUND", "CONFLICT", "APPROVAL_NOT_YOURS"],
  handle: async ({ principal, params, idempotency }, { engine, rails }: Services) =>
    submitForCaller(engine, principal, {
      command: approveAction,
      input: { ...actionIn(params), rails },
      toAnswer: (subject) => ({
        status: 200,
        body: agentActionJson(subject, principal.platformId),
      }),
      idempotency,
    }),
});

export const rejectAgentAction = defineOperation({
  id: "rejectAgentAction",
  ...route("POST /agents/{agentId}/actions/{actionId}/reject", "TRANSACT", "payments.approve"),
  tag: "Agent approvals",
  summary: "Reject an agent action",
  description:
    "Nothing is carried out, and what the action had reserved of the limits is free again.",
  params: ActionPath,
  body: Type.Object({
    reason: Type.Optional(
      Type.String({
        ...sensitive,
        minLength: 1,
        maxLength: 1000,
        description: "Shown to the agent.",
      }),
    ),
  }),
  bodyOptional: true,
  requestExample: { reason: "Not this supplier." },
  answers: {
    200: {
      description: "The action.",
      schema: AgentActionSchema,
      example: {
        ...agentActionExample,
        status: "REJECTED",
        rejectionReason: "Not this supplier.",
      },
    },
  },
  refusals: ["INVALID_INPUT", "REFERENCE_NOT_FOUND", "CONFLICT"],
  handle: async ({ principal, params, body, idempotency }, { engine }: Services) =>
    submitForCaller(engine, principal, {
      command: rejectAction,
      input: { ...actionIn(params), reason: body?.reason },
      toAnswer: (subject) => ({
        status: 200,
        body: agentActionJson(subject, principal.platformId),
      }),
      idempotency,
    }),
});
