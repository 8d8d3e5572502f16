import Type from "typebox";
import { createWebhookEndpoint as createWebhookEndpointCommand } from "../../../domain/events/create-webhook-endpoint.ts";
import { deleteWebhookEndpoint as deleteWebhookEndpointCommand } from "../../../domain/events/delete-webhook-endpoint.ts";
import {
  endpointStatuses,
  findEndpoint,
  listEndpoints,
} from "../../../domain/events/endpoint.sql.ts";
import { rotateEndpointKey as rotateEndpointKeyCommand } from "../../../domain/events/rotate-endpoint-key.ts";
import { updateWebhookEndpoint as updateWebhookEndpointCommand } from "../../../domain/events/update-webhook-endpoint.ts";
import { endpointSignatures, settledKeys } from "../../../domain/events/webhook-endpoint.ts";
import { settledWebhookKeys } from "../../../domain/events/webhook-keys.ts";
import { clockOffsetOf, findPlatform } from "../../../domain/platform.sql.ts";
import { invalidFields, Refusal } from "../../../engine/refusal.ts";
import {
  CreatedWebhookEndpointSchema,
  DeliverySettingField,
  defaultEndpointJson,
  defaultEndpointState,
  type EndpointState,
  endpointJson,
  endpointState,
  endpointStates,
  WebhookEndpointSchema,
  webhookEndpointExample,
} from "../../../wire/events/webhook-endpoint.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { requireId } from "../../../wire/ids.ts";
import { pageOf } from "../../request/noun.ts";
import { defineOperation, route } from "../../request/operation.ts";
import { toListBody } from "../../request/paging.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";
import {
  endpointDescriptionField,
  endpointEventsField,
  endpointUrlField,
  judgeEndpoint,
  requireExtraEndpoint,
  toBatchRule,
} from "./endpoint-fields.ts";
import { DEFAULT_OVERLAP_HOURS, newEndpointKey, overlapBody } from "./endpoint-key.ts";

const listWebhookEndpoints = defineOperation({
  id: "listWebhookEndpoints",
  ...route("GET /webhook-endpoints", "VIEW", "webhooks.read"),
  tag: "Webhooks",
  summary: "List webhook endpoints",
  description:
    "All of them at once, with the state of each: since when it is down and how many events wait. The endpoint of the " +
    "configuration is among them, as the default one.",
  query: Type.Object({
    state: Type.Optional(
      Type.Enum([...endpointStates], { description: "Only those in this state." }),
    ),
  }),
  answers: {
    200: pageOf(
      { schema: WebhookEndpointSchema, example: webhookEndpointExample },
      "The default endpoint first, then the others, newest first.",
    ),
  },
  refusals: ["INVALID_INPUT"],
  async handle({ principal, query }, { reads, clock }: Services) {
    const { platformId } = principal;
    const platform = await findPlatform(reads, platformId);
    const at = clock.now() + (await clockOffsetOf(reads, platformId));
    const endpoints = await listEndpoints(reads, platformId);
    const statuses = await endpointStatuses(reads, { platformId, now: clock.now() });
    const url = platform?.webhookEndpoint ?? null;
    const isWanted = (state: EndpointState) => query.state === undefined || query.state === state;
    const data = endpoints
      .map((endpoint) => ({
        endpoint: settledKeys(endpoint, at),
        status: statuses.get(endpoint.id),
      }))
      .filter(({ endpoint, status }) => isWanted(endpointState(endpoint, status)))
      .map(({ endpoint, status }) => endpointJson(endpoint, { status }));
    const status = statuses.get(platformId);
    if (platform !== undefined && url !== null && isWanted(defaultEndpointState(status))) {
      data.unshift(defaultEndpointJson(settledWebhookKeys(platform, at), { url, status }));
    }
    const page = { hasMore: false, nextCursor: undefined, totalCount: data.length };
    return { status: 200, body: toListBody(data, page) };
  },
});

const createWebhookEndpoint = defineOperation({
  id: "createWebhookEndpoint",
  ...route("POST /webhook-endpoints", "MANAGE", "webhooks.write"),
  opensPersonalData: true,
  tag: "Webhooks",
  summary: "Create a webhook endpoint",
  description:
    "Beside the one of the configuration, up to 15. Each has its own position, retries and key: one that hangs delays no other. " +
    "It gets the events from now on, or from `fromSequence`. With `STANDARD_WEBHOOKS` deliveries carry `webhook-id`, " +
    "`webhook-timestamp` and `webhook-signature` instead of `X-Service-Signature`; the secret is in this answer and never " +
    "again. An endpoint that is added is never asked whether to take a payment, and gets no TEST of another one.",
  body: Type.Object({
    url: endpointUrlField,
    description: Type.Optional(endpointDescriptionField),
    events: Type.Optional(endpointEventsField),
    signature: Type.Optional(
      Type.Enum([...endpointSignatures], { description: "P256 when absent." }),
    ),
    fromSequence: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
    delivery: Type.Optional(DeliverySettingField),
  }),
  requestExample: {
    url: "https://platform.example/ledger-events",
    events: ["OUTGOING_PAYMENT.*"],
  },
  answers: {
    201: {
      description: "The endpoint, with its secret if it has one.",
      schema: CreatedWebhookEndpointSchema,
      example: { ...webhookEndpointExample, state: "ACTIVE", outage: undefined, stats: undefined },
    },
  },
  events: ["WEBHOOK_ENDPOINT.DISABLED"],
  refusals: ["INVALID_INPUT", "CONFLICT"],
  judge: judgeEndpoint,
  async handle({ principal, body, idempotency }, { engine, sealer }: Services) {
    const { url, description, events = [], signature = "P256", fromSequence, delivery } = body;
    const { key, secret } = newEndpointKey(sealer, principal.platformId, signature);
    return submitForCaller(engine, principal, {
      command: createWebhookEndpointCommand,
      input: {
        url,
        description,
        events,
        fromSequence: fromSequence === undefined ? undefined : BigInt(fromSequence),
        delivery: toBatchRule(delivery ?? null),
        key,
      },
      toAnswer: (endpoint) => ({ status: 201, body: endpointJson(endpoint, { secret }) }),
      idempotency,
      secret: true,
    });
  },
});

const getWebhookEndpoint = defineOperation({
  id: "getWebhookEndpoint",
  ...route("GET /webhook-endpoints/{endpointId}", "VIEW", "webhooks.read"),
  tag: "Webhooks",
  summary: "Get a webhook endpoint",
  params: Type.Object({ endpointId: pathId("WebhookEndpoint") }),
  answers: {
    200: {
      description: "The endpoint, without its secret.",
      schema: WebhookEndpointSchema,
      example: webhookEndpointExample,
    },
  },
  refusals: ["WEBHOOK_ENDPOINT_NOT_FOUND"],
  async handle({ principal, params }, services: Services) {
    const id = requireId("WebhookEndpoint", params.endpointId, "WEBHOOK_ENDPOINT_NOT_FOUND");
    const body = await jsonOf(services, principal.platformId, id);
    if (body === undefined) throw new Refusal("WEBHOOK_ENDPOINT_NOT_FOUND");
    return { status: 200, body };
  },
});

async function jsonOf(
  { reads, clock }: Pick<Services, "reads" | "clock">,
  platformId: string,
  id: string,
): Promise<string | undefined> {
  const now = clock.now();
  const status = (await endpointStatuses(reads, { platformId, now })).get(id);
  const at = now + (await clockOffsetOf(reads, platformId));
  if (id !== platformId) {
    const endpoint = await findEndpoint(reads, platformId, id);
    return endpoint && endpointJson(settledKeys(endpoint, at), { status });
  }
  const platform = await findPlatform(reads, platformId);
  const url = platform?.webhookEndpoint ?? null;
  return platform === undefined || url === null
    ? undefined
    : defaultEndpointJson(settledWebhookKeys(platform, at), { url, status });
}

const updateWebhookEndpoint = defineOperation({
  id: "updateWebhookEndpoint",
  ...route("PATCH /webhook-endpoints/{endpointId}", "MANAGE", "webhooks.write"),
  opensPersonalData: true,
  tag: "Webhooks",
  summary: "Update a webhook endpoint",
  description:
    "Absent fields stay as they are. The endpoint goes on where it stands, at its new address if that changed: one that " +
    "answered 410 gets events again, and one that is down is tried at once. A disabled one gets nothing. `state: ACTIVE` enables it, " +
    "also when it was disabled because of its failures: what happened meanwhile is delivered in order from its position on, " +
    "however long ago it was, and what waited to be tried again is tried when it is due.",
  params: Type.Object({ endpointId: pathId("WebhookEndpoint") }),
  body: Type.Object({
    url: Type.Optional(endpointUrlField),
    description: Type.Optional(endpointDescriptionField),
    events: Type.Optional(endpointEventsField),
    state: Type.Optional(Type.Enum(["ACTIVE", "DISABLED"])),
    isDisabled: Type.Optional(Type.Boolean({ description: "Another way to say `state`." })),
    delivery: Type.Optional(
      Type.Union([DeliverySettingField, Type.Null()], {
        description: "Replaces the setting; null for one event a request.",
      }),
    ),
  }),
  requestExample: { state: "DISABLED" },
  answers: {
    200: {
      description: "The endpoint as it is now.",
      schema: WebhookEndpointSchema,
      example: {
        ...webhookEndpointExample,
        state: "DISABLED",
        outage: undefined,
        stats: undefined,
      },
    },
  },
  refusals: ["INVALID_INPUT", "WEBHOOK_ENDPOINT_NOT_FOUND", "CONFLICT"],
  judge: judgeEndpoint,
  async handle({ principal, params, body }, { engine }: Services) {
    const { url, description, events, state, delivery } = body;
    const fields = [url, description, events, state, body.isDisabled, delivery];
    if (fields.every((field) => field === undefined)) {
      const message = "must hold url, description, events, state, isDisabled or delivery";
      throw invalidFields([{ field: "body", message }]);
    }
    const isDisabled = state === undefined ? body.isDisabled : state === "DISABLED";
    if (body.isDisabled !== undefined && body.isDisabled !== isDisabled) {
      throw invalidFields([{ field: "isDisabled", message: "contradicts state" }]);
    }
    const endpointId = requireExtraEndpoint(params.endpointId, principal);
    return submitForCaller(engine, principal, {
      command: updateWebhookEndpointCommand,
      input: {
        endpointId,
        url,
        description,
        events,
        isDisabled,
        delivery: delivery === undefined ? undefined : toBatchRule(delivery),
      },
      toAnswer: (endpoint) => ({ status: 200, body: endpointJson(endpoint) }),
    });
  },
});

const deleteWebhookEndpoint = defineOperation({
  id: "deleteWebhookEndpoint",
  ...route("DELETE /webhook-endpoints/{endpointId}", "MANAGE", "webhooks.write"),
  tag: "Webhooks",
  summary: "Delete a webhook endpoint",
  description: "No delivery to it starts any more, and what waits for it is never delivered.",
  params: Type.Object({ endpointId: pathId("WebhookEndpoint") }),
  answers: { 204: { description: "Deleted." } },
  refusals: ["WEBHOOK_ENDPOINT_NOT_FOUND", "CONFLICT"],
  handle: async ({ principal, params }, { engine }: Services) =>
    submitForCaller(engine, principal, {
      command: deleteWebhookEndpointCommand,
      input: { endpointId: requireExtraEndpoint(params.endpointId, principal) },
      toAnswer: () => ({ status: 204, body: "" }),
    }),
});

const rotateEndpointKey = defineOperation({
  id: "rotateWebhookEndpointKey",
  ...route("POST /webhook-endpoints/{endpointId}/rotate-key", "MANAGE", "webhooks.rotate"),
  tag: "Webhooks",
  summary: "Rotate the key of a webhook endpoint",
  description:
    "During the overlap `X-Service-Signature` is still the old key's, and `X-Service-Signature-Next` the new one's; at its end the " +
    "new key takes over. With `STANDARD_WEBHOOKS` the one header has both signatures. That of the default endpoint is " +
    "rotated by `POST /webhooks/public-key/rotate`.",
  params: Type.Object({ endpointId: pathId("WebhookEndpoint") }),
  body: overlapBody,
  bodyOptional: true,
  requestExample: { overlapHours: 48 },
  answers: {
    200: {
      description: "The endpoint with its `next` key, and the new secret if it has one.",
      schema: CreatedWebhookEndpointSchema,
      example: {
        ...webhookEndpointExample,
        next: {
          publicKey: "-----BEGIN PUBLIC KEY-----\nMFkw…\n-----END PUBLIC KEY-----\n",
          keyId: "a07e3d5c9b1f2468",
          from: "2026-11-23T09:00:00.000Z",
        },
      },
    },
  },
  refusals: ["INVALID_INPUT", "WEBHOOK_ENDPOINT_NOT_FOUND", "CONFLICT"],
  async handle({ principal, params, body, idempotency }, { engine, sealer }: Services) {
    const endpointId = requireExtraEndpoint(params.endpointId, principal);
    const made = endpointSignatures.map((signature) =>
      newEndpointKey(sealer, principal.platformId, signature),
    );
    const secretOf = (signature: string) =>
      made.find(({ key }) => key.signature === signature)?.secret;
    return submitForCaller(engine, principal, {
      command: rotateEndpointKeyCommand,
      input: {
        endpointId,
        keys: made.map(({ key }) => key),
        overlapHours: body?.overlapHours ?? DEFAULT_OVERLAP_HOURS,
      },
      toAnswer: (endpoint) => ({
        status: 200,
        body: endpointJson(endpoint, { secret: secretOf(endpoint.signature) }),
      }),
      idempotency,
      secret: true,
    });
  },
});

const testWebhookEndpoint = defineOperation({
  id: "testWebhookEndpoint",
  ...route("POST /webhook-endpoints/{endpointId}/test", "MANAGE", "webhooks.write"),
  ignoresKey: true,
  tag: "Webhooks",
  summary: "Test a webhook endpoint",
  description:
    "The answer comes when the endpoint has answered. Each call sends an event: an `Idempotency-Key` means nothing here. An " +
    "endpoint that is down and answers is tried with its events at once.",
  params: Type.Object({ endpointId: pathId("WebhookEndpoint") }),
  answers: {
    200: {
      description: "What the endpoint answered.",
      schema: Type.Object({
        url: Type.String(),
        responseStatus: Type.Integer(),
        responseBody: Type.String({ description: "The first kilobyte." }),
        latencyMs: Type.Integer({
          minimum: 0,
          description: "From the connection to the end of the answer.",
        }),
      }),
      example: {
        url: "https://platform.example/ledger-events",
        responseStatus: 200,
        responseBody: "ok",
        latencyMs: 42,
      },
    },
  },
  events: ["TEST"],
  refusals: ["WEBHOOK_ENDPOINT_NOT_FOUND", "WEBHOOK_ENDPOINT_NOT_SET", "WEBHOOK_DELIVERY_ERROR"],
  async handle({ principal, params }, { reads, testWebhook }: Services) {
    const { platformId } = principal;
    const id = requireId("WebhookEndpoint", params.endpointId, "WEBHOOK_ENDPOINT_NOT_FOUND");
    const isDefault = id === platformId;
    if (!isDefault && (await findEndpoint(reads, platformId, id)) === undefined) {
      throw new Refusal("WEBHOOK_ENDPOINT_NOT_FOUND");
    }
    const outcome = await testWebhook(platformId, isDefault ? undefined : id);
    switch (outcome.kind) {
      case "no-endpoint":
        throw new Refusal("WEBHOOK_ENDPOINT_NOT_SET", {}, "The endpoint is not set, or disabled.");
      case "failed":
        throw new Refusal("WEBHOOK_DELIVERY_ERROR", { reason: outcome.reason });
      case "answered": {
        const { url, status, body, latencyMs } = outcome;
        const answer = { url, responseStatus: status, responseBody: body, latencyMs };
        return { status: 200, body: JSON.stringify(answer) };
      }
    }
  },
});

export const endpointOperations = [
  listWebhookEndpoints,
  createWebhookEndpoint,
  getWebhookEndpoint,
  updateWebhookEndpoint,
  deleteWebhookEndpoint,
  rotateEndpointKey,
  testWebhookEndpoint,
];
