import { approveAction } from "../../../domain/agents/actions/approve-action.ts";
import {
  AgentActionSchema,
  agentActionJson,
  approvedActionExample,
} from "../../../wire/agents/agent-action.ts";
import { defineOperation } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";
import { ActionPath, actionIn } from "./action-path.ts";

export const approveAgentAction = defineOperation({
  id: "approveAgentAction",
  method: "POST",
  path: "/agents/{agentId}/actions/{actionId}/approve",
  access: "TRANSACT",
  capability: "payments.approve",
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
