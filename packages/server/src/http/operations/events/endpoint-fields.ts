/** What the operations on webhook endpoints share: the fields of their bodies, and the endpoint that a path names. */
import Type from "typebox";
import { type BatchRule, eventTypesOf } from "../../../domain/events/webhook-endpoint.ts";
import { type FieldError, Refusal } from "../../../engine/refusal.ts";
import type { JsonObject } from "../../../std/json.ts";
import type { Judgement } from "../../../validation/validation.ts";
import { requireId } from "../../../wire/ids.ts";
import type { JudgeSurroundings, Principal } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";

const MAX_FILTERS = 50;

export const endpointUrlField = Type.String({ minLength: 1, maxLength: 2048 });
export const endpointDescriptionField = Type.String({ maxLength: 255 });
export const endpointEventsField = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
  maxItems: MAX_FILTERS,
  uniqueItems: true,
  description: "Event types, or prefixes such as `OUTGOING_PAYMENT.*`. Empty: every type.",
});

/** Checks the URL and the event types of an endpoint. Fields of the wrong type are left to the schema. */
export function judgeEndpoint(
  { url, events }: JsonObject,
  { principal, context }: JudgeSurroundings<Services, Principal>,
): Judgement<undefined> {
  const errors: FieldError[] = [];
  const reason =
    typeof url === "string" ? context.judgeWebhookEndpoint(url, principal.environment) : undefined;
  if (reason !== undefined) errors.push({ field: "url", message: reason });
  for (const [index, filter] of (Array.isArray(events) ? events : []).entries()) {
    if (typeof filter !== "string" || eventTypesOf(filter).length > 0) continue;
    errors.push({ field: `events[${index}]`, message: "must be an event type or a prefix of one" });
  }
  return errors.length === 0 ? { ok: true, value: undefined } : { ok: false, errors };
}

/** The uuid of an additional endpoint. Refuses the default endpoint, which is changed through the configuration. */
export function requireExtraEndpoint(raw: string, { platformId }: Principal): string {
  const id = requireId("WebhookEndpoint", raw, "WEBHOOK_ENDPOINT_NOT_FOUND");
  if (id !== platformId) return id;
  throw new Refusal("CONFLICT", {}, "The default endpoint is changed through PATCH /config.");
}

/** The rule of a `delivery` setting, whose wait is 0 when absent. */
export function toBatchRule(
  delivery: { readonly maxEvents: number; readonly maxWaitMs?: number } | null,
): BatchRule | null {
  return delivery && { maxEvents: delivery.maxEvents, maxWaitMs: delivery.maxWaitMs ?? 0 };
}
