import Type from "typebox";
import { storedEndpoint } from "../../../domain/events/delivery-id.ts";
import { cancelEventResend as cancelEventResendCommand } from "../../../domain/events/resends/cancel-event-resend.ts";
import {
  countResent,
  findEventResend,
  type ResendMatch,
  resendProgress,
  takingEndpoints,
} from "../../../domain/events/resends/event-resend.sql.ts";
import {
  MOST_RESENT_EVENTS,
  type ResendSelection,
} from "../../../domain/events/resends/event-resend.ts";
import { resendEvent as resendEventCommand } from "../../../domain/events/resends/resend-event.ts";
import {
  type StartEventResendInput,
  startEventResend,
} from "../../../domain/events/resends/start-event-resend.ts";
import { invalidField, Refusal } from "../../../engine/refusal.ts";
import type { Reads } from "../../../postgres/database.ts";
import type { JsonObject } from "../../../std/json.ts";
import type { Judgement } from "../../../validation/validation.ts";
import {
  EventResendSchema,
  eventResendExample,
  eventResendJson,
  OrderedResendSchema,
  orderedResendJson,
  ResentDeliveriesSchema,
  resentDeliveriesExample,
  resentDeliveriesJson,
} from "../../../wire/events/event-resend.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { requireId, requireIdField } from "../../../wire/ids.ts";
import { defineOperation, route } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller, submitFound } from "../../request/submit-for-caller.ts";
import {
  filterFaults,
  type ResendFilter,
  ResendFilterSchema,
  selectionOf,
} from "./event-filter.ts";
import { eventInPath, requireEvent } from "./events.ts";
import { deafEndpoint, refuseUnknownEndpoint, resentDeliveries } from "./resent-deliveries.ts";

const endpointField = Type.Optional(
  Type.String({
    description: "`WebhookEndpoint:<uuid>`: only this endpoint.",
    examples: ["WebhookEndpoint:019a4f00-0000-7000-8000-000000000009"],
  }),
);

/** The id under which the streams of a named endpoint are stored. */
function endpointOf(platformId: string, raw: string | undefined): string | undefined {
  if (raw === undefined) return undefined;
  const field = { field: "endpointId", raw };
  return storedEndpoint(
    platformId,
    requireIdField("WebhookEndpoint", field, "WEBHOOK_ENDPOINT_NOT_FOUND"),
  );
}

const resendEvent = defineOperation({
  id: "resendEvent",
  ...route("POST /events/{eventId}/resend", "MANAGE", "deliveries.resend"),
  opensPersonalData: true,
  tag: "Events",
  summary: "Resend an event",
  description:
    "One more attempt with the same id and the same bytes, also of an event that was delivered, however old it is; the delivery " +
    "has `X-Redelivery: true`. TEST events and the question whether to take a payment are refused with 409. Without `endpointId` " +
    "it goes to each endpoint that gets events of its type.",
  params: eventInPath,
  body: Type.Object({ endpointId: endpointField }),
  bodyOptional: true,
  requestExample: { endpointId: "WebhookEndpoint:019a4f00-0000-7000-8000-000000000009" },
  answers: {
    202: {
      description: "The deliveries of which an attempt begins.",
      schema: ResentDeliveriesSchema,
      example: resentDeliveriesExample,
    },
  },
  refusals: [
    "INVALID_INPUT",
    "EVENT_NOT_FOUND",
    "WEBHOOK_ENDPOINT_NOT_FOUND",
    "WEBHOOK_ENDPOINT_NOT_SET",
    "CONFLICT",
  ],
  async handle({ principal, params, body, idempotency }, { engine, reads }: Services) {
    const { platformId } = principal;
    const event = await requireEvent(reads, platformId, params.eventId);
    const endpointId = endpointOf(platformId, body?.endpointId);
    return submitFound(engine, principal, {
      command: resendEventCommand,
      find: async () => ({
        eventSeq: event.seq,
        deliveries: await resentDeliveries(reads, platformId, { event, endpointId }),
      }),
      toAnswer: (deliveries) => ({
        status: 202,
        body: resentDeliveriesJson(platformId, event, deliveries),
      }),
      idempotency,
    });
  },
});

const resendEvents = defineOperation({
  id: "resendEvents",
  ...route("POST /events/resend", "MANAGE", "deliveries.resend-many"),
  opensPersonalData: true,
  tag: "Events",
  summary: "Resend events",
  description:
    "An order, carried out in the background: the oldest event first, in order per resource, at most 100 a second to an endpoint, and " +
    "after what is due there anyway. It selects events that have happened by now, at most 100,000. With `failed` an event that the " +
    "endpoint takes meanwhile is passed over. TEST events and questions are never among them. Without `endpointId` it goes to each " +
    "endpoint that gets events of the type. Refused with 409 while four orders of the platform are RUNNING.",
  body: Type.Object({
    filter: ResendFilterSchema,
    endpointId: endpointField,
    dryRun: Type.Optional(
      Type.Boolean({ description: "Answers what the order would do, and orders nothing." }),
    ),
  }),
  requestExample: { filter: { failed: true, since: "2026-11-20T00:00:00Z" }, dryRun: false },
  answers: {
    202: {
      description: "The order, or what it would do.",
      schema: OrderedResendSchema,
      example: { ...eventResendExample, sent: 0, failed: 0, dryRun: false },
    },
  },
  refusals: ["INVALID_INPUT", "WEBHOOK_ENDPOINT_NOT_FOUND", "WEBHOOK_ENDPOINT_NOT_SET", "CONFLICT"],
  judge: judgeFilter,
  async handle({ principal, body, idempotency }, { engine, reads }: Services) {
    const { platformId } = principal;
    const { filter, dryRun = false } = body;
    const endpointId = endpointOf(platformId, body.endpointId);
    return submitFound(engine, principal, {
      command: startEventResend,
      find: async () => ({
        ...(await found(reads, platformId, { filter, endpointId })),
        isDryRun: dryRun,
      }),
      toAnswer: (resend) => ({ status: 202, body: orderedResendJson(platformId, resend, dryRun) }),
      idempotency,
    });
  },
});

function judgeFilter({ filter }: JsonObject): Judgement<undefined> {
  const errors = filterFaults(filter);
  return errors.length === 0 ? { ok: true, value: undefined } : { ok: false, errors };
}

interface Wish {
  readonly filter: ResendFilter;
  readonly endpointId: string | undefined;
}

async function found(
  reads: Reads,
  platformId: string,
  { filter, endpointId }: Wish,
): Promise<Omit<StartEventResendInput, "isDryRun">> {
  const endpointIds = await endpointsOf(reads, platformId, endpointId);
  const selection = await selectionOf(reads, platformId, filter);
  const endpoints: ResendMatch[] = [];
  for (const id of endpointIds) {
    endpoints.push(await matchOf(reads, platformId, { endpointId: id, selection }));
  }
  return { filter, selection, endpoints };
}

async function endpointsOf(
  reads: Reads,
  platformId: string,
  endpointId: string | undefined,
): Promise<readonly string[]> {
  const takers = await takingEndpoints(reads, platformId);
  if (endpointId === undefined) {
    if (takers.length > 0) return takers;
    throw new Refusal("WEBHOOK_ENDPOINT_NOT_SET");
  }
  if (takers.includes(endpointId)) return [endpointId];
  await refuseUnknownEndpoint(reads, platformId, endpointId);
  throw deafEndpoint();
}

async function matchOf(
  reads: Reads,
  platformId: string,
  wish: { readonly endpointId: string; readonly selection: ResendSelection },
): Promise<ResendMatch> {
  const match = await countResent(reads, platformId, wish);
  if (!match.isTooMany) return match;
  const most = MOST_RESENT_EVENTS.toLocaleString("en");
  throw invalidField(
    "filter",
    `selects more than ${most} events; narrow it by since, until or type`,
  );
}

const resendInPath = Type.Object({ resendId: pathId("EventResend") });

const getEventResend = defineOperation({
  id: "getEventResend",
  ...route("GET /event-resends/{resendId}", "VIEW", "deliveries.read"),
  tag: "Events",
  summary: "Get a resend",
  params: resendInPath,
  answers: {
    200: { description: "The order.", schema: EventResendSchema, example: eventResendExample },
  },
  refusals: ["REFERENCE_NOT_FOUND"],
  async handle({ principal: { platformId }, params }, { reads }: Services) {
    const id = requireId("EventResend", params.resendId, "REFERENCE_NOT_FOUND");
    const resend = await findEventResend(reads, platformId, id);
    if (resend === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    // Read after the order, so that the counts of an ended order are final.
    const progress = await resendProgress(reads, platformId, id);
    return { status: 200, body: eventResendJson(platformId, resend, progress) };
  },
});

const cancelEventResend = defineOperation({
  id: "cancelEventResend",
  ...route("DELETE /event-resends/{resendId}", "MANAGE", "deliveries.resend-many"),
  tag: "Events",
  summary: "Cancel a resend",
  description:
    "What was sent stays sent, and attempts under way end. The order can still be read, as CANCELLED.",
  params: resendInPath,
  answers: { 204: { description: "Cancelled." } },
  refusals: ["REFERENCE_NOT_FOUND", "CONFLICT"],
  async handle({ principal, params }, { engine }: Services) {
    const resendId = requireId("EventResend", params.resendId, "REFERENCE_NOT_FOUND");
    return submitForCaller(engine, principal, {
      command: cancelEventResendCommand,
      input: { resendId },
      toAnswer: () => ({ status: 204, body: "" }),
    });
  },
});

export const resendOperations = [resendEvent, resendEvents, getEventResend, cancelEventResend];
