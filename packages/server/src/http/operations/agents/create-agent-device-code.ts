import { randomBytes } from "node:crypto";
import Type from "typebox";
import { hashOf } from "../../../domain/agents/agent.ts";
import { DEVICE_CODE_BYTES, deviceCodeFrom } from "../../../domain/agents/device-code.ts";
import { deviceCodeOrder } from "../../../domain/people/approvals/held-agents.ts";
import {
  DeviceCodeSchema,
  deviceCodeExample,
  deviceCodeToWire,
} from "../../../wire/agents/agent.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { submitOrder } from "../../approvals/submit-held.ts";
import { defineOperation } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { codeInput } from "./held-agents.ts";

export const createAgentDeviceCode = defineOperation({
  id: "createAgentDeviceCode",
  method: "POST",
  path: "/agents/{agentId}/device-codes",
  access: "MANAGE",
  capability: "agents.connect",
  tag: "Agents",
  summary: "Create a device code",
  description:
    "For an agent that is not connected yet. The code before is void; the new one is shown in this answer and never again.",
  params: Type.Object({ agentId: pathId("Agent") }),
  answers: {
    201: { description: "The code.", schema: DeviceCodeSchema, example: deviceCodeExample },
  },
  refusals: ["REFERENCE_NOT_FOUND", "CUSTOMER_DELETED", "CONFLICT"],
  async handle({ principal, params, idempotency }, services: Services) {
    const code = deviceCodeFrom(randomBytes(DEVICE_CODE_BYTES));
    const content = { agentId: params.agentId, codeHash: hashOf(code) };
    return submitOrder(services, principal, {
      order: deviceCodeOrder,
      content,
      issued: { code },
      input: codeInput(content),
      toAnswer: (deviceCode) => ({
        status: 201,
        body: JSON.stringify(deviceCodeToWire(deviceCode, code)),
      }),
      idempotency,
      secret: true,
    });
  },
});
