import Type from "typebox";
import type { DecideActionInput } from "../../../domain/agents/actions/approve-action.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { requireId } from "../../../wire/ids.ts";

/** The path of an action that the platform approves or rejects. */
export const ActionPath = Type.Object({
  agentId: pathId("Agent"),
  actionId: pathId("AgentAction"),
});

export function actionIn(params: Type.Static<typeof ActionPath>): DecideActionInput {
  return {
    agentId: requireId("Agent", params.agentId, "REFERENCE_NOT_FOUND"),
    actionId: requireId("AgentAction", params.actionId, "REFERENCE_NOT_FOUND"),
  };
}
