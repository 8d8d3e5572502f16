import Type from "typebox";
import type { EndpointStatus } from "../../domain/events/endpoint.sql.ts";
import {
  batchRuleOf,
  endpointSignatures,
  LONGEST_BATCH_WAIT_MS,
  MOST_BATCH_EVENTS,
  type WebhookEndpoint,
} from "../../domain/events/webhook-endpoint.ts";
import { webhookKeyIdOf } from "../../domain/events/webhook-keys.ts";
import type { Platform } from "../../domain/platform.ts";
import { toIso } from "../../std/clock.ts";
import { sensitive } from "../../validation/schema.ts";
import { DateTimeSchema } from "../fields.ts";
import { nextWebhookKey } from "./webhook-key.ts";

export const endpointStates = ["ACTIVE", "FAILING", "STOPPED", "DISABLED"] as const;
export type EndpointState = (typeof endpointStates)[number];

const secret = Type.String({
  ...sensitive,
  description:
    "The shared secret of STANDARD_WEBHOOKS; only in the answer that creates it. That of a rotation is the next one.",
});

const members = {
  maxEvents: Type.Integer({
    minimum: 1,
    maximum: MOST_BATCH_EVENTS,
    description: "The most events of one request.",
  }),
};

/** How the events of an endpoint are put into requests, as a caller says it. */
export const DeliverySettingField = Type.Object(
  {
    ...members,
    maxWaitMs: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: LONGEST_BATCH_WAIT_MS,
        description:
          "How long an event waits for others while there are fewer than `maxEvents`; 0 when absent.",
      }),
    ),
  },
  {
    description:
      'Several events a request: the body is `{"events": [...]}`, each event with the bytes that it has alone, in order. An answer ' +
      "other than 2xx repeats all of them. Absent: one event a request, whose body is the event.",
  },
);

const DeliverySettingSchema = Type.Object(
  { ...members, maxWaitMs: Type.Integer({ minimum: 0, maximum: LONGEST_BATCH_WAIT_MS }) },
  { description: "Several events a request. Absent: one event a request." },
);

const EndpointStatsSchema = Type.Object(
  {
    position: Type.Integer({ description: "Every event up to this one was attempted." }),
    waiting: Type.Integer({ description: "Events after `position`, of any type." }),
    retrying: Type.Integer({
      description: "Events that failed, or wait behind such a one; counted up to 10,000.",
    }),
    notArrived: Type.Integer({
      description:
        "Events that were given up, and those that wait after a failure; counted up to 10,000.",
    }),
    successRate: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: "The share of the attempts of the last 24 hours that were taken.",
      }),
    ),
    p95LatencyMs: Type.Optional(
      Type.Integer({
        description:
          "Of the answers of the last 24 hours, 95 in 100 came within this time. It is at most a third above the exact one.",
      }),
    ),
    oldestUndeliveredAt: Type.Optional(
      Type.String({
        format: "date-time",
        description: "The time of the oldest event that waits.",
      }),
    ),
    lastSuccessAt: Type.Optional(DateTimeSchema),
    lastFailureAt: Type.Optional(DateTimeSchema),
  },
  { $id: "WebhookEndpointStats" },
);

export const WebhookEndpointSchema = Type.Object(
  {
    id: Type.String({ description: "`WebhookEndpoint:<uuid>`" }),
    url: Type.String(),
    description: Type.Optional(Type.String()),
    events: Type.Array(Type.String(), {
      description: "Event types, or prefixes such as `OUTGOING_PAYMENT.*`. Empty: every type.",
    }),
    isDefault: Type.Boolean({
      description: "The `webhookEndpoint` of the configuration, which `PATCH /config` changes.",
    }),
    state: Type.Enum([...endpointStates], {
      description:
        "`FAILING`: no connection can be made, see `outage`, or there were at least ten failures over a quarter of an hour and no " +
        "success. `STOPPED`: it answered 410 and gets events again once it is set again. `DISABLED`: by the platform, or see " +
        "`disabledReason`.",
    }),
    disabledReason: Type.Optional(
      Type.String({
        description:
          "Why it was disabled, when the platform did not do it. An endpoint that is not the default one is disabled after five " +
          "days of nothing but failures.",
      }),
    ),
    signature: Type.Enum([...endpointSignatures]),
    delivery: Type.Optional(DeliverySettingSchema),
    publicKey: Type.Optional(Type.String({ description: "SPKI PEM; of P256 alone." })),
    keyId: Type.Optional(Type.String({ description: "As in `X-Service-Key-Id`." })),
    next: Type.Optional(
      Type.Object(
        {
          publicKey: Type.Optional(Type.String({ description: "SPKI PEM; of P256 alone." })),
          keyId: Type.String(),
          from: DateTimeSchema,
        },
        {
          description:
            "The key that takes over at `from`; deliveries carry both signatures until then.",
        },
      ),
    ),
    outage: Type.Optional(
      Type.Object({
        since: DateTimeSchema,
        reason: Type.String(),
        nextProbeAt: DateTimeSchema,
      }),
    ),
    stats: Type.Optional(EndpointStatsSchema),
    createdAt: DateTimeSchema,
    updatedAt: DateTimeSchema,
  },
  { $id: "WebhookEndpoint" },
);

/** Includes the secret, which only the answer that creates it has. */
export const CreatedWebhookEndpointSchema = Type.Object(
  { ...WebhookEndpointSchema.properties, secret: Type.Optional(secret) },
  { $id: "CreatedWebhookEndpoint" },
);

export function endpointJson(
  endpoint: WebhookEndpoint,
  {
    status,
    secret,
  }: { readonly status?: EndpointStatus | undefined; readonly secret?: string | undefined } = {},
): string {
  const { id, url, description, events, signature, publicKey, keyId } = endpoint;
  return JSON.stringify({
    id: `WebhookEndpoint:${id}`,
    url,
    ...(description === null ? {} : { description }),
    events,
    isDefault: false,
    state: endpointState(endpoint, status),
    ...(endpoint.disabledReason === null ? {} : { disabledReason: endpoint.disabledReason }),
    signature,
    delivery: batchRuleOf(endpoint),
    ...(publicKey === null ? {} : { publicKey }),
    ...(secret === undefined ? {} : { secret }),
    keyId,
    ...nextJson(endpoint),
    ...statusJson(status),
    createdAt: toIso(endpoint.createdAt),
    updatedAt: toIso(endpoint.updatedAt),
  });
}

/** The default endpoint, whose URL is set in the configuration. The platform comes from `settledWebhookKeys`. */
export function defaultEndpointJson(
  { id, webhookKeyId, webhookPublicKey, createdAt, updatedAt, ...platform }: Platform,
  { url, status }: { readonly url: string; readonly status: EndpointStatus | undefined },
): string {
  return JSON.stringify({
    id: `WebhookEndpoint:${id}`,
    url,
    events: [],
    isDefault: true,
    state: defaultEndpointState(status),
    signature: "P256",
    publicKey: webhookPublicKey,
    keyId: webhookKeyId ?? webhookKeyIdOf(webhookPublicKey),
    ...nextWebhookKey(platform),
    ...statusJson(status),
    createdAt: toIso(createdAt),
    updatedAt: toIso(updatedAt),
  });
}

function nextJson({ nextKeyId, nextPublicKey, nextFrom }: WebhookEndpoint) {
  if (nextKeyId === null || nextFrom === null) return {};
  const publicKey = nextPublicKey === null ? {} : { publicKey: nextPublicKey };
  return { next: { ...publicKey, keyId: nextKeyId, from: toIso(nextFrom) } };
}

export function endpointState(
  { isDisabled }: WebhookEndpoint,
  status: EndpointStatus | undefined,
): EndpointState {
  return isDisabled ? "DISABLED" : defaultEndpointState(status);
}

export function defaultEndpointState(status: EndpointStatus | undefined): EndpointState {
  if (status?.isStopped === true) return "STOPPED";
  return status?.outage !== undefined || status?.isFailing === true ? "FAILING" : "ACTIVE";
}

function statusJson(status: EndpointStatus | undefined) {
  if (status === undefined) return {};
  const { outage, position, waiting, parked, notArrived, figures } = status;
  return {
    ...(outage === undefined
      ? {}
      : {
          outage: {
            since: toIso(outage.since),
            reason: outage.reason,
            nextProbeAt: toIso(outage.probeAt),
          },
        }),
    stats: {
      position: Number(position),
      waiting: Number(waiting),
      retrying: parked,
      notArrived,
      ...(figures?.successRate === undefined
        ? {}
        : { successRate: Number(figures.successRate.toFixed(4)) }),
      ...(figures?.p95LatencyMs === undefined ? {} : { p95LatencyMs: figures.p95LatencyMs }),
      ...momentOf("oldestUndeliveredAt", status.oldestUndeliveredAt),
      ...momentOf("lastSuccessAt", status.lastSuccessAt),
      ...momentOf("lastFailureAt", status.lastFailureAt),
    },
  };
}

function momentOf(name: string, at: number | undefined) {
  return at === undefined ? {} : { [name]: toIso(at) };
}

export const webhookEndpointExample = {
  id: "WebhookEndpoint:019a4f00-0000-7000-8000-000000000009",
  url: "https://platform.example/ledger-events",
  description: "Feeds the data warehouse",
  events: ["OUTGOING_PAYMENT.*", "INTERNAL_ACCOUNT.BALANCE_UPDATED"],
  isDefault: false,
  state: "FAILING",
  signature: "P256",
  delivery: { maxEvents: 100, maxWaitMs: 200 },
  publicKey: "-----BEGIN PUBLIC KEY-----\nMFkw…\n-----END PUBLIC KEY-----\n",
  keyId: "5f0c4b8f6f9a4f5e",
  outage: {
    since: "2026-11-21T10:00:00.000Z",
    reason: "outbound exchange failed: connect",
    nextProbeAt: "2026-11-21T10:02:35.000Z",
  },
  stats: {
    position: 4_110,
    waiting: 87,
    retrying: 2,
    notArrived: 3,
    successRate: 0.978,
    p95LatencyMs: 192,
    oldestUndeliveredAt: "2026-11-21T09:59:58.000Z",
    lastSuccessAt: "2026-11-21T09:59:57.000Z",
    lastFailureAt: "2026-11-21T10:02:00.000Z",
  },
  createdAt: "2026-11-21T09:00:00.000Z",
  updatedAt: "2026-11-21T09:00:00.000Z",
};

const { outage: _outage, stats: _stats, ...settings } = webhookEndpointExample;

export const disabledEndpointExample = {
  ...settings,
  state: "DISABLED",
  disabledReason: "Every attempt has failed for five days.",
};
