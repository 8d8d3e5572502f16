import Type from "typebox";
import { updateAgentOrder } from "../../../domain/people/approvals/held-agents.ts";
import { invalidFields } from "../../../engine/refusal.ts";
import { AgentSchema, agentExample, agentJson } from "../../../wire/agents/agent.ts";
import { nameField } from "../../../wire/fields.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { submitOrder } from "../../approvals/submit-held.ts";
import { defineOperation } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { agentChangeInput } from "./held-agents.ts";

export const updateAgent = defineOperation({
  id: "updateAgent",
  method: "PATCH",
  path: "/agents/{agentId}",
  access: "MANAGE",
  capability: "agents.write",
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
  answers: {
    200: { description: "The agent as it is now.", schema: AgentSchema, example: agentExample },
  },
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
      toAnswer: ({ agent, at }) => ({ status: 200, body: agentJson(agent, at) }),
    });
  },
});
