import Type from "typebox";
import { findPlatform } from "../../../domain/platform.sql.ts";
import type { Platform } from "../../../domain/platform.ts";
import { MOST_UMA_DOMAINS } from "../../../domain/platforms/update-config.ts";
import { listUmaDomains } from "../../../domain/uma/domains/uma-domain-row.ts";
import {
  destroyUmaKey as destroyUmaKeyCommand,
  rotateUmaKey as rotateUmaKeyCommand,
} from "../../../domain/uma/keys/rotate-uma-key.ts";
import { refuseUnused, setKeyChain } from "../../../domain/uma/keys/set-key-chain.ts";
import { findUmaKey, listUmaKeyPage } from "../../../domain/uma/keys/uma-key.sql.ts";
import { certifiedDomains, type UmaKey, umaKeyUses } from "../../../domain/uma/keys/uma-key.ts";
import { invalidFields, Refusal } from "../../../engine/refusal.ts";
import {
  judgeAuthorityChain,
  MOST_CERTIFICATES,
} from "../../../formats/uma/certificates/authority-chain.ts";
import { present } from "../../../std/assert.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { requireId } from "../../../wire/ids.ts";
import {
  destroyedUmaKeyExample,
  nextUmaKeyExample,
  wireUmaKey,
} from "../../../wire/uma/uma-key.ts";
import { answerList } from "../../request/list.ts";
import { defineNoun, getFacts, getOne, listFacts, shown } from "../../request/noun.ts";
import { defineOperation, type Principal, route } from "../../request/operation.ts";
import { pageParameters } from "../../request/paging.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";
import { ownUmaKeys } from "./own-keys.ts";

const PATH = "/uma/keys";

const keys = defineNoun({
  path: PATH,
  tag: "UMA keys",
  capability: "settings.read",
  ...wireUmaKey,
});

const inPath = Type.Object({ keyId: pathId("UmaKey") });

async function platformOf({ reads }: Services, { platformId }: Principal): Promise<Platform> {
  return present(await findPlatform(reads, platformId), "the platform of the caller");
}

/** The domains that are served to other institutions; the primary one as long as none is. */
async function servedDomains(services: Services, principal: Principal): Promise<readonly string[]> {
  const { rows } = await listUmaDomains(services.reads, {
    platformId: principal.platformId,
    conditions: [{ sql: "t.status <> 'CLAIMED'" }],
    after: undefined,
    limit: MOST_UMA_DOMAINS,
  });
  if (rows.length > 0) return rows.map(({ domain }) => domain);
  return [(await platformOf(services, principal)).umaDomain];
}

async function requireFound(
  { reads }: Services,
  { platformId }: Principal,
  raw: string,
): Promise<UmaKey> {
  const key = await findUmaKey(reads, platformId, requireId("UmaKey", raw, "REFERENCE_NOT_FOUND"));
  if (key === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
  return key;
}

const listUmaKeys = defineOperation({
  ...listFacts(keys),
  id: "listUmaKeys",
  summary: "List UMA keys",
  description:
    "One pair for signatures and one for encryption, and those of rotations. The first read makes the two pairs.",
  query: Type.Object(pageParameters),
  async handle({ principal, query }, services: Services) {
    await ownUmaKeys(services, await platformOf(services, principal));
    return answerList(services, {
      operationId: "listUmaKeys",
      principal,
      query,
      load: (page) => listUmaKeyPage(services.reads, { ...page, conditions: [] }),
      idOf: ({ id }) => id,
      toJson: wireUmaKey.json,
    });
  },
});

const getUmaKey = getOne({
  ...keys,
  id: "getUmaKey",
  summary: "Get a UMA key",
  param: "keyId",
  kind: "UmaKey",
  answer: "The key.",
  find: findUmaKey,
});

const request = {
  ...keys,
  schema: Type.Object({ pem: Type.String({ description: "PKCS#10, in PEM." }) }),
  example: {
    pem: "-----BEGIN CERTIFICATE REQUEST-----\nMIIB…\n-----END CERTIFICATE REQUEST-----\n",
  },
};

const getUmaKeyRequest = defineOperation({
  ...getFacts(request, "The request."),
  id: "getUmaKeyRequest",
  path: `${PATH}/{keyId}/csr`,
  summary: "Get the certificate request of a UMA key",
  description:
    "What an authority needs to issue a certificate for a `CURRENT` or `NEXT` key. It names all UMA domains of the platform, the present one first.",
  params: inPath,
  refusals: ["REFERENCE_NOT_FOUND", "CONFLICT"],
  async handle({ principal, params }, services: Services) {
    const key = await requireFound(services, principal, params.keyId);
    refuseUnused(key);
    const domains = certifiedDomains(await platformOf(services, principal));
    const pem = await services.umaKeys.request(principal.platformId, key, domains);
    return { status: 200, body: JSON.stringify({ pem }) };
  },
});

const LONGEST_CHAIN = 65_536;

const setUmaKeyChain = defineOperation({
  id: "setUmaKeyChain",
  ...route("PUT /uma/keys/{keyId}/chain", "MANAGE", "settings.write"),
  tag: "UMA keys",
  summary: "Set the certificates of a UMA key",
  description:
    `The chain that an authority has issued for a \`CURRENT\` or \`NEXT\` key: at most ${MOST_CERTIFICATES} certificates, that of the key first, each ` +
    "signed by the next one and valid now. The first one names every UMA domain that is served, or the present one as long as none is. The answer to a chain that is refused lists " +
    "all its faults.",
  params: inPath,
  body: Type.Object({
    pem: Type.String({
      minLength: 1,
      maxLength: LONGEST_CHAIN,
      description: "Certificates in PEM.",
    }),
  }),
  requestExample: { pem: wireUmaKey.example.chain[0] ?? "" },
  answers: {
    200: shown(
      { ...keys, example: { ...wireUmaKey.example, source: "AUTHORITY" } },
      "The key with its certificates.",
    ),
  },
  events: ["UMA_KEY.EXPIRING", "UMA_KEY.EXPIRED"],
  refusals: ["INVALID_INPUT", "REFERENCE_NOT_FOUND", "CONFLICT"],
  async handle({ principal, params, body }, services: Services) {
    const key = await requireFound(services, principal, params.keyId);
    refuseUnused(key);
    const names = await servedDomains(services, principal);
    const now = services.clock.now();
    const { publicKey } = key;
    const judged = judgeAuthorityChain(body.pem, { publicKey, domains: names, now });
    if (!judged.ok)
      throw invalidFields(judged.faults.map((message) => ({ field: "pem", message })));
    // Signed by the key itself, which no one else has: it is the certificate of this server.
    const source = judged.value.chain.length === 1 ? "SELF_SIGNED" : "AUTHORITY";
    const certificate = { source, names, ...judged.value } as const;
    return submitForCaller(services.engine, principal, {
      command: setKeyChain,
      input: { keyId: key.id, certificate, now },
      toAnswer: (changed) => ({ status: 200, body: wireUmaKey.json(changed) }),
      idempotency: undefined,
    });
  },
});

const LEAST_AHEAD_S = 600;
const USUAL_AHEAD_S = 3_600;
const MOST_AHEAD_S = 30 * 24 * 60 * 60;

const rotateUmaKey = defineOperation({
  id: "rotateUmaKey",
  ...route("POST /uma/keys/rotate", "MANAGE", "settings.write"),
  tag: "UMA keys",
  summary: "Rotate a UMA key",
  description:
    "Makes a new key, with a self-signed certificate, that takes over at `takesOverAt`. Until then the present key is published with an expiry at " +
    "that time at the latest. A replaced signing key is destroyed at the takeover; a replaced encryption key opens messages for a day more. " +
    "With `compromised` the takeover may be at once, and a rotation that is under way is called off.",
  body: Type.Object({
    use: Type.Enum([...umaKeyUses]),
    takesOverInSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MOST_AHEAD_S,
        description: `At least ${LEAST_AHEAD_S} unless the key is compromised. ${USUAL_AHEAD_S} without it; 0 for a compromised key.`,
      }),
    ),
    compromised: Type.Optional(
      Type.Boolean({ description: "Another party may have the private part of the present key." }),
    ),
  }),
  requestExample: { use: "SIGNING", takesOverInSeconds: 3_600 },
  answers: {
    201: shown({ ...keys, example: nextUmaKeyExample }, "The new key."),
  },
  events: ["UMA_KEY.ROTATED"],
  refusals: ["INVALID_INPUT", "CONFLICT"],
  judge({ takesOverInSeconds, compromised }) {
    const isSoon = typeof takesOverInSeconds === "number" && takesOverInSeconds < LEAST_AHEAD_S;
    if (!isSoon || takesOverInSeconds < 0 || compromised === true)
      return { ok: true, value: undefined };
    const message = `must be at least ${LEAST_AHEAD_S}, unless the key is compromised`;
    return { ok: false, errors: [{ field: "takesOverInSeconds", message }] };
  },
  async handle({ principal, body, idempotency }, services: Services) {
    const { use, compromised: isCompromised = false } = body;
    const { takesOverInSeconds = isCompromised ? 0 : USUAL_AHEAD_S } = body;
    const platform = await platformOf(services, principal);
    await ownUmaKeys(services, platform);
    const now = services.clock.now();
    const names = certifiedDomains(platform);
    const pair = await services.umaKeys.newKey(platform.id, { use, names, now });
    return submitForCaller(services.engine, principal, {
      command: rotateUmaKeyCommand,
      input: { pair, takesOverInMs: takesOverInSeconds * 1_000, isCompromised, now },
      toAnswer: (added) => ({ status: 201, body: wireUmaKey.json(added) }),
      idempotency,
    });
  },
});

const destroyUmaKey = defineOperation({
  id: "destroyUmaKey",
  ...route("POST /uma/keys/{keyId}/destroy", "MANAGE", "settings.write"),
  tag: "UMA keys",
  summary: "Destroy a UMA key",
  description:
    "Destroys the private part of a key at once. That of a `NEXT` key calls its rotation off; messages that were encrypted with a `PREVIOUS` key " +
    "cannot be opened any more. The `CURRENT` key is rotated first.",
  params: inPath,
  answers: { 200: shown({ ...keys, example: destroyedUmaKeyExample }, "The key.") },
  refusals: ["REFERENCE_NOT_FOUND", "CONFLICT"],
  handle: async ({ principal, params, idempotency }, { engine, clock }: Services) =>
    submitForCaller(engine, principal, {
      command: destroyUmaKeyCommand,
      input: {
        keyId: requireId("UmaKey", params.keyId, "REFERENCE_NOT_FOUND"),
        now: clock.now(),
      },
      toAnswer: (key) => ({ status: 200, body: wireUmaKey.json(key) }),
      idempotency,
    }),
});

export const umaKeyOperations = [
  listUmaKeys,
  getUmaKey,
  getUmaKeyRequest,
  setUmaKeyChain,
  rotateUmaKey,
  destroyUmaKey,
];
