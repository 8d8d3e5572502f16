import Type from "typebox";
import { findDeviceCode } from "../../../domain/agents/agent.sql.ts";
import { hashOf } from "../../../domain/agents/agent.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { sensitive } from "../../../validation/schema.ts";
import { deviceCodeExample } from "../../../wire/agents/agent.ts";
import { deviceCodeInPath } from "../../../wire/id-fields.ts";
import { defineOperation } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";

export const getAgentDeviceCodeStatus = defineOperation({
  id: "getAgentDeviceCodeStatus",
  method: "GET",
  path: "/agents/device-codes/{code}/status",
  access: "VIEW",
  capability: "agents.read",
  tag: "Agents",
  summary: "Get the status of a device code",
  description: "Tells whether a device code was redeemed.",
  params: Type.Object({ code: deviceCodeInPath }),
  answers: {
    200: {
      description: "The code again, and whether an agent has used it.",
      schema: Type.Object({ code: Type.String(sensitive), redeemed: Type.Boolean() }),
      example: { code: deviceCodeExample.code, redeemed: false },
    },
  },
  refusals: ["REFERENCE_NOT_FOUND"],
  async handle({ principal, params: { code } }, { reads }: Services) {
    const found = await findDeviceCode(reads, principal.platformId, hashOf(code));
    if (found === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    return { status: 200, body: JSON.stringify({ code, redeemed: found.redeemedAt !== null }) };
  },
});
