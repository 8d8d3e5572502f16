import { randomBytes } from "node:crypto";
import Type from "typebox";
import { hashOf } from "../../../domain/agents/agent.ts";
import { policyFaults } from "../../../domain/agents/agent-policy.ts";
import { DEVICE_CODE_BYTES, deviceCodeFrom } from "../../../domain/agents/device-code.ts";
import { createAgentOrder } from "../../../domain/people/approvals/held-agents.ts";
import { judgementOf } from "../../../validation/validation.ts";
import {
  AgentSchema,
  agentExample,
  agentToWire,
  DeviceCodeSchema,
  deviceCodeExample,
  deviceCodeToWire,
} from "../../../wire/agents/agent.ts";
import {
  AgentPolicySchema,
  agentPolicyExample,
  knownPolicy,
  policyClaims,
} from "../../../wire/agents/agent-policy.ts";
import { nameField } from "../../../wire/fields.ts";
import { submitOrder } from "../../approvals/submit-held.ts";
import { defineOperation } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { agentInput } from "./held-agents.ts";

export const createAgent = defineOperation({
  id: "createAgent",
  method: "POST",
  path: "/agents",
  access: "MANAGE",
  capability: "agents.write",
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
    name: agentExample.name,
    customerId: agentExample.customerId,
    policy: agentPolicyExample,
  },
  answers: {
    201: {
      description: "The agent and its device code.",
      schema: Type.Object({ agent: AgentSchema, deviceCode: DeviceCodeSchema }),
      example: { agent: agentExample, deviceCode: deviceCodeExample },
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
        body: JSON.stringify({
          agent: agentToWire(agent, at),
          deviceCode: deviceCodeToWire(deviceCode, code),
        }),
      }),
      idempotency,
      secret: true,
    });
  },
});
