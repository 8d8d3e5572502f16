import Type from "typebox";
import { rejectAction } from "../../../domain/agents/actions/reject-action.ts";
import {
  AgentActionSchema,
  agentActionExample,
  agentActionJson,
} from "../../../wire/agents/agent-action.ts";
import { defineOperation } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";
import { ActionPath, actionIn } from "./action-path.ts";

export const rejectAgentAction = defineOperation({
  id: "rejectAgentAction",
  method: "POST",
  path: "/agents/{agentId}/actions/{actionId}/reject",
  access: "TRANSACT",
  capability: "payments.approve",
  tag: "Agent approvals",
  summary: "Reject an agent action",
  description:
    "Nothing is carried out, and what the action had reserved of the limits is free again.",
  params: ActionPath,
  body: Type.Object({
    reason: Type.Optional(
      Type.String({ minLength: 1, maxLength: 1000, description: "Shown to the agent." }),
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
