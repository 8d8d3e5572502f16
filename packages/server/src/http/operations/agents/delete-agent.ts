import Type from "typebox";
import { deleteAgent as command } from "../../../domain/agents/delete-agent.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { requireId } from "../../../wire/ids.ts";
import { defineOperation } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";

export const deleteAgent = defineOperation({
  id: "deleteAgent",
  method: "DELETE",
  path: "/agents/{agentId}",
  access: "MANAGE",
  capability: "agents.write",
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
      command,
      input: { agentId: requireId("Agent", params.agentId, "REFERENCE_NOT_FOUND") },
      toAnswer: () => ({ status: 204, body: "" }),
    }),
});
