/** A webhook endpoint in addition to the one of the platform's configuration. It has a stream, retries and a key of its own. */
import type { Loaded } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import { defineSelection, defineTable, fixed, mutable, type RowOf } from "../../tables/tables.ts";
import { type EventType, eventTypes } from "../event-catalogue.ts";

export const endpointSignatures = ["P256", "STANDARD_WEBHOOKS"] as const;
export type EndpointSignature = (typeof endpointSignatures)[number];

/** The endpoint's secret; the caller sealed it. */
const columns = {
  id: fixed("uuid"),
  url: mutable("text"),
  description: mutable<string | null>("text"),
  /** Types, or prefixes such as `OUTGOING_PAYMENT.*`; empty for every type. */
  events: mutable<readonly string[]>("json"),
  isDisabled: mutable("bool"),
  /** Why the server disabled it; null otherwise. */
  disabledReason: mutable<string | null>("text"),
  /** The version of the endpoint: what was found out about an earlier version is void. */
  setting: mutable("int8"),
  sinceEventSeq: fixed("int8"),
  /** Up to this event `events` may have had other values: only attempts tell which of those events it got. */
  filterSinceEventSeq: mutable("int8"),
  signature: fixed<EndpointSignature>("text"),
  keyId: mutable("text"),
  /** PEM; null for a shared secret. */
  publicKey: mutable<string | null>("text"),
  secretSealed: mutable("text"),
  createdAt: fixed("time"),
  updatedAt: mutable("time"),
  deletedAt: mutable<number | null>("time"),
  /** The key that takes over at `nextFrom`, while a rotation is under way. */
  nextKeyId: mutable<string | null>("text"),
  nextPublicKey: mutable<string | null>("text"),
  nextSecretSealed: mutable<string | null>("text"),
  nextFrom: mutable<number | null>("time"),
  /** The `BatchRule`; null for one event a request. */
  batchEvents: mutable<number | null>("int4"),
  batchWaitMs: mutable<number | null>("int4"),
};

export interface WebhookEndpoint extends RowOf<typeof columns> {}

export type EndpointKey = Pick<
  WebhookEndpoint,
  "signature" | "keyId" | "publicKey" | "secretSealed"
>;

export const NO_NEXT_KEY = {
  nextKeyId: null,
  nextPublicKey: null,
  nextSecretSealed: null,
  nextFrom: null,
} as const;

export const webhookEndpoints = defineTable<WebhookEndpoint>("webhook_endpoints", columns);

/** An endpoint that gets several events in a request. */
export interface BatchRule {
  /** The most events of one request. */
  readonly maxEvents: number;
  /** How long an event waits for others while there are fewer. */
  readonly maxWaitMs: number;
}

/** The bounds of a `BatchRule`, which the table checks, too. */
export const MOST_BATCH_EVENTS = 100;
export const LONGEST_BATCH_WAIT_MS = 1_000;

export function batchColumns(rule: BatchRule | null) {
  return { batchEvents: rule?.maxEvents ?? null, batchWaitMs: rule?.maxWaitMs ?? null };
}

/** Undefined for an endpoint that gets one event a request. */
export function batchRuleOf({
  batchEvents,
  batchWaitMs,
}: Pick<WebhookEndpoint, "batchEvents" | "batchWaitMs">): BatchRule | undefined {
  if (batchEvents === null || batchWaitMs === null) return undefined;
  return { maxEvents: batchEvents, maxWaitMs: batchWaitMs };
}

/** The endpoint with the key that is valid at this platform time: a rotation whose overlap is over has ended. */
export function settledKeys(endpoint: WebhookEndpoint, at: number): WebhookEndpoint {
  const { nextKeyId, nextPublicKey, nextSecretSealed, nextFrom } = endpoint;
  if (nextKeyId === null || nextSecretSealed === null || nextFrom === null || nextFrom > at) {
    return endpoint;
  }
  return {
    ...endpoint,
    keyId: nextKeyId,
    publicKey: nextPublicKey,
    secretSealed: nextSecretSealed,
    ...NO_NEXT_KEY,
  };
}

export const liveEndpoints = defineSelection(webhookEndpoints, {
  name: "live",
  sql: "t.deleted_at is null",
  holds: ({ deletedAt }) => deletedAt === null,
});

/** A bound on the work that one event causes: each endpoint reads and delivers it on its own. */
export const MOST_ENDPOINTS = 15;

/** The associated data of a sealed secret. */
export function endpointKeyIdentity(platformId: string, keyId: string): string {
  return `webhook_endpoints.secret ${platformId} ${keyId}`;
}

export function requireEndpoint(world: Loaded, id: string): WebhookEndpoint {
  const endpoint = world.find(webhookEndpoints.ref(id));
  if (endpoint === undefined || endpoint.deletedAt !== null) {
    throw new Refusal("WEBHOOK_ENDPOINT_NOT_FOUND");
  }
  return endpoint;
}

/** The event types that a filter matches: the one that it names, or all with its prefix. */
export function eventTypesOf(filter: string): readonly EventType[] {
  return eventTypes.filter((type) =>
    filter.endsWith(".*") ? type.startsWith(filter.slice(0, -1)) : type === filter,
  );
}

export interface EndpointSubject {
  readonly kind: "WebhookEndpoint";
  readonly id: string;
  readonly endpoint: WebhookEndpoint;
}
