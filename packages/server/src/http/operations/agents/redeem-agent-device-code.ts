import { randomBytes } from "node:crypto";
import Type from "typebox";
import { findPlatformOfCode } from "../../../domain/agents/agent.sql.ts";
import { hashOf, toAgentId } from "../../../domain/agents/agent.ts";
import { redeemDeviceCode } from "../../../domain/agents/redeem-device-code.ts";
import type { Answered, Idempotency } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { sensitive } from "../../../validation/schema.ts";
import { agentExample } from "../../../wire/agents/agent.ts";
import { AgentPolicySchema, agentPolicyExample } from "../../../wire/agents/agent-policy.ts";
import { deviceCodeInPath } from "../../../wire/id-fields.ts";
import { addressKey } from "../../auth/address-key.ts";
import { withoutSecret } from "../../request/idempotency.ts";
import { defineOperation } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";

/** 160 bits cannot be guessed; `agent-auth.ts` matches a token by its 40 hexadecimal digits. */
const ACCESS_TOKEN_BYTES = 20;

export const redeemAgentDeviceCode = defineOperation({
  id: "redeemAgentDeviceCode",
  method: "POST",
  path: "/agents/device-codes/{code}/redeem",
  access: "PUBLIC",
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
        agentId: agentExample.id,
        agentName: agentExample.name,
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
