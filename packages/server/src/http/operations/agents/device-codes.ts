import { randomBytes } from "node:crypto";
import Type from "typebox";
import { findDeviceCode, findPlatformOfCode } from "../../../domain/agents/agent.sql.ts";
import { hashOf, toAgentId } from "../../../domain/agents/agent.ts";
import { DEVICE_CODE_BYTES, deviceCodeFrom } from "../../../domain/agents/device-code.ts";
import { redeemDeviceCode } from "../../../domain/agents/device-code-commands.ts";
import { deviceCodeOrder } from "../../../domain/people/approvals/held-agents.ts";
import type { Answered, Idempotency } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { sensitive } from "../../../validation/schema.ts";
import { wireAgent, wireDeviceCode } from "../../../wire/agents/agent.ts";
import { AgentPolicySchema, agentPolicyExample } from "../../../wire/agents/agent-policy.ts";
import { deviceCodeInPath, pathId } from "../../../wire/id-fields.ts";
import { submitOrder } from "../../approvals/submit-held.ts";
import { addressKey } from "../../auth/address-key.ts";
import { withoutSecret } from "../../request/idempotency.ts";
import { shown } from "../../request/noun.ts";
import { defineOperation, route } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { codeInput } from "./held-agents.ts";

const createAgentDeviceCode = defineOperation({
  id: "createAgentDeviceCode",
  ...route("POST /agents/{agentId}/device-codes", "MANAGE", "agents.connect"),
  tag: "Agents",
  summary: "Create a device code",
  description:
    "For an agent that is not connected yet. The code before is void; the new one is shown in this answer and never again.",
  params: Type.Object({ agentId: pathId("Agent") }),
  answers: {
    201: shown(wireDeviceCode, "The code."),
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
        body: wireDeviceCode.json(deviceCode, code),
      }),
      idempotency,
      secret: true,
    });
  },
});

const getAgentDeviceCodeStatus = defineOperation({
  id: "getAgentDeviceCodeStatus",
  ...route("GET /agents/device-codes/{code}/status", "VIEW", "agents.read"),
  tag: "Agents",
  summary: "Get the status of a device code",
  description: "Tells whether a device code was redeemed.",
  params: Type.Object({ code: deviceCodeInPath }),
  answers: {
    200: {
      description: "The code again, and whether an agent has used it.",
      schema: Type.Object({ code: Type.String(sensitive), redeemed: Type.Boolean() }),
      example: { code: wireDeviceCode.example.code, redeemed: false },
    },
  },
  refusals: ["REFERENCE_NOT_FOUND"],
  async handle({ principal, params: { code } }, { reads }: Services) {
    const found = await findDeviceCode(reads, principal.platformId, hashOf(code));
    if (found === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    return { status: 200, body: JSON.stringify({ code, redeemed: found.redeemedAt !== null }) };
  },
});

/** 160 bits cannot be guessed; `agent-auth.ts` matches a token by its 40 hexadecimal digits. */
const ACCESS_TOKEN_BYTES = 20;

const redeemAgentDeviceCode = defineOperation({
  id: "redeemAgentDeviceCode",
  ...route("POST /agents/device-codes/{code}/redeem", "PUBLIC"),
  tag: "Agents",
  summary: "Redeem a device code",
  description:
    "Trades a device code for an access token. " +
    "The code is the proof; it works once. The access token is in this answer and never again, but for the same call under the " +
    "same `Idempotency-Key`. After five codes that did not work, an address waits.",
  params: Type.Object({ code: deviceCodeInPath }),
  answers: {
    200: {
      description: "The agent's access token, for `Authorization: Bearer`.",
      schema: Type.Object({
        agentId: Type.String(),
        agentName: Type.String(),
        accessToken: Type.String(sensitive),
        policy: AgentPolicySchema,
      }),
      example: {
        agentId: wireAgent.example.id,
        agentName: wireAgent.example.name,
        accessToken: "sat_5f0c…40 hexadecimal digits",
        policy: agentPolicyExample,
      },
    },
  },
  refusals: ["INVALID_INPUT", "REFERENCE_NOT_FOUND"],
  async handle({ params, remoteAddress, idempotency }, services: Services) {
    return services.failedRedeems.run(
      addressKey(remoteAddress),
      () => redeem({ code: params.code, idempotency }, services),
      ({ status }) => status !== 200,
    );
  },
});

async function redeem(
  { code, idempotency }: { readonly code: string; readonly idempotency: Idempotency | undefined },
  { reads, engine }: Services,
): Promise<Answered> {
  const codeHash = hashOf(code);
  const platformId = await findPlatformOfCode(reads, codeHash);
  if (platformId === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
  const accessToken = `sat_${randomBytes(ACCESS_TOKEN_BYTES).toString("hex")}`;
  return engine.submit({
    platformId,
    actor: { kind: "agent", id: "connecting" },
    command: redeemDeviceCode,
    input: { codeHash, accessTokenHash: hashOf(accessToken) },
    toAnswer: ({ id, name, policy }) => ({
      status: 200,
      body: JSON.stringify({ agentId: toAgentId(id), agentName: name, accessToken, policy }),
    }),
    idempotency: withoutSecret(idempotency, { secret: code, hash: codeHash }),
    secret: true,
  });
}

export const deviceCodeOperations = [
  createAgentDeviceCode,
  getAgentDeviceCodeStatus,
  redeemAgentDeviceCode,
];
