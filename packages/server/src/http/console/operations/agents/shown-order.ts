import Type from "typebox";
import { findAgentAction } from "../../../../domain/agents/actions/agent-action.sql.ts";
import { findAgent } from "../../../../domain/agents/agent.sql.ts";
import { findPlatform } from "../../../../domain/platform.sql.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { present } from "../../../../std/assert.ts";
import { toIso } from "../../../../std/clock.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { requireId } from "../../../../wire/ids.ts";
import { ShownSchema, shownExample, shownJson } from "../../../../wire/people/shown.ts";
import { shownAgentOrder } from "../../../approvals/shown-agent-order.ts";
import { defineOperation, route } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { ofPlatform } from "../../place.ts";

const getShownOrder = defineOperation({
  id: "getShownAgentAction",
  ...route(
    `GET ${ofPlatform("/agents/{agentId}/actions/{actionId}/shown")}`,
    "PERSON",
    "agents.read",
  ),
  tag: "Agents",
  summary: "Get the facts of an agent's order",
  description: "What a person looks at before they approve it: as it is now, with warnings.",
  params: Type.Object({ agentId: pathId("Agent"), actionId: pathId("AgentAction") }),
  answers: {
    200: { description: "The facts.", schema: ShownSchema, example: shownExample },
  },
  refusals: ["REFERENCE_NOT_FOUND"],
  async handle({ principal: { platformId }, params }, services: Services) {
    const { reads, clock } = services;
    const agentId = requireId("Agent", params.agentId, "REFERENCE_NOT_FOUND");
    const actionId = requireId("AgentAction", params.actionId, "REFERENCE_NOT_FOUND");
    const [agent, subject, platform] = await Promise.all([
      findAgent(reads, platformId, agentId),
      findAgentAction(reads, platformId, { agentId, actionId }),
      findPlatform(reads, platformId),
    ]);
    if (agent === undefined || subject === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    const { name, environment } = present(platform, "the platform of a caller");
    const place = { platformId, name: `${name}, ${environment.toLowerCase()}` };
    const shown = await shownAgentOrder(services, place, { subject, agent });
    const at = toIso(clock.now());
    return { status: 200, body: shownJson({ ...shown, at }, { sealed: undefined }) };
  },
});

export const agentOrderOperations = [getShownOrder];
