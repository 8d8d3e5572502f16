import { setUmaPolicy as setUmaPolicyCommand } from "../../../domain/uma/policy/set-uma-policy.ts";
import {
  DEFAULT_UMA_POLICY,
  findUmaPolicy,
  MOST_AUTHORITIES,
} from "../../../domain/uma/policy/uma-policy.ts";
import type { FieldError } from "../../../engine/refusal.ts";
import { readAuthority } from "../../../formats/uma/certificates/counterparty-chain.ts";
import type { Json } from "../../../std/json.ts";
import {
  UmaPolicySchema,
  umaPolicyBody,
  umaPolicyExample,
  umaPolicyJson,
  umaPolicyRequestExample,
} from "../../../wire/uma/uma-policy.ts";
import { defineOperation, route } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";

const answer = { description: "The policy.", schema: UmaPolicySchema, example: umaPolicyExample };

const getUmaPolicy = defineOperation({
  id: "getUmaPolicy",
  ...route("GET /uma/policy", "VIEW", "settings.read"),
  tag: "UMA counterparties",
  summary: "Get the UMA policy",
  description: "What the platform wants of other institutions. The defaults before it was set.",
  answers: { 200: answer },
  refusals: [],
  async handle({ principal: { platformId, environment } }, { reads }: Services) {
    const policy = (await findUmaPolicy(reads, platformId)) ?? DEFAULT_UMA_POLICY;
    return { status: 200, body: umaPolicyJson(policy, { isSandbox: environment === "SANDBOX" }) };
  },
});

/** What is wrong with the texts of certificates. Other types are left to the schema. */
function authorityFaults(authorities: Json | undefined): readonly FieldError[] {
  if (!Array.isArray(authorities)) return [];
  return authorities.slice(0, MOST_AUTHORITIES).flatMap((pem: Json, index) => {
    if (typeof pem !== "string" || pem === "") return [];
    const read = readAuthority(pem);
    return "fault" in read ? [{ field: `authorities.${index}`, message: read.fault }] : [];
  });
}

const setUmaPolicy = defineOperation({
  id: "setUmaPolicy",
  ...route("PUT /uma/policy", "MANAGE", "settings.write"),
  tag: "UMA counterparties",
  summary: "Set the UMA policy",
  description:
    "Replaces the policy; all fields are given, but `network`. It holds for new lookups and quotes within a second; a quote that was executed goes on. " +
    "`network: PROTOCOL` of a sandbox adds the connection `florin-sandbox`, over which sandboxes settle.",
  body: umaPolicyBody,
  requestExample: umaPolicyRequestExample,
  answers: { 200: answer },
  refusals: ["INVALID_INPUT", "CONFLICT"],
  judge({ authorities }) {
    const errors = authorityFaults(authorities);
    return errors.length === 0 ? { ok: true, value: undefined } : { ok: false, errors };
  },
  async handle({ principal, body }, { engine, umaPolicies }: Services) {
    const { network, ...policy } = body;
    const isSandbox = principal.environment === "SANDBOX";
    const answered = await submitForCaller(engine, principal, {
      command: setUmaPolicyCommand,
      input: { ...policy, network },
      toAnswer: (row) => ({ status: 200, body: umaPolicyJson(row, { isSandbox }) }),
      idempotency: undefined,
    });
    umaPolicies.forget();
    return answered;
  },
});

export const umaPolicyOperations = [getUmaPolicy, setUmaPolicy];
