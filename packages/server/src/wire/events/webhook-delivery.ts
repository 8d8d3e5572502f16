/** Deliveries of events to webhook endpoints, and their attempts. */
import Type from "typebox";
import { toDeliveryId, toEndpointId } from "../../domain/events/delivery-id.ts";
import type { LoggedAttempt } from "../../domain/events/delivery-log/attempt.sql.ts";
import type { DeliverySummary } from "../../domain/events/delivery-log/delivery-list.sql.ts";
import {
  type Delivery,
  deliveryStates,
} from "../../domain/events/delivery-log/delivery-state.sql.ts";
import { toIso } from "../../std/clock.ts";
import { toWireId } from "../../std/ids.ts";
import { DateTimeSchema } from "../fields.ts";

export const WebhookDeliverySchema = Type.Object(
  {
    id: Type.String({
      description: "`WebhookDelivery:<uuid>.<uuid>`, of the endpoint and the event.",
    }),
    eventId: Type.String({ description: "`Webhook:<uuid>`" }),
    eventSequence: Type.Integer({ minimum: 1 }),
    eventType: Type.String(),
    resourceId: Type.String({ description: "The object that the event is about." }),
    endpointId: Type.String({ description: "`WebhookEndpoint:<uuid>`" }),
    state: Type.Enum([...deliveryStates], {
      description:
        "`DELIVERED`: the endpoint has taken it. `WAITING`: it failed and is tried again at `nextAttemptAt`. `BEHIND`: it waits for an " +
        "earlier event of its object, or the endpoint has not got so far. `FAILED`: it is not tried again.",
    }),
    attempts: Type.Integer({ minimum: 0, description: "At least so many were made." }),
    attemptsComplete: Type.Boolean({
      description:
        "Whether the log has each attempt. It may lack successes where a platform gets more than 500 events a second, and has none " +
        "that are older than it is kept.",
    }),
    lastStatus: Type.Optional(Type.Integer({ description: "Of the last answer." })),
    lastError: Type.Optional(Type.String({ description: "Why the last attempt got no answer." })),
    lastLatencyMs: Type.Optional(Type.Integer({ minimum: 0 })),
    firstAttemptAt: Type.Optional(DateTimeSchema),
    lastAttemptAt: Type.Optional(DateTimeSchema),
    nextAttemptAt: Type.Optional(DateTimeSchema),
  },
  { $id: "WebhookDelivery" },
);

const headers = (description: string) => Type.Record(Type.String(), Type.String(), { description });

export const DeliveryAttemptSchema = Type.Object(
  {
    number: Type.Integer({ minimum: 1, description: "Counted for each delivery." }),
    at: DateTimeSchema,
    isDelivered: Type.Boolean({ description: "Whether the endpoint has taken the event." }),
    status: Type.Optional(Type.Integer({ description: "Of the answer." })),
    error: Type.Optional(Type.String({ description: "Why there was no answer." })),
    latency: Type.Object(
      {
        connect: Type.Optional(
          Type.Integer({ minimum: 0, description: "Absent where a connection was used again." }),
        ),
        firstByte: Type.Optional(
          Type.Integer({ minimum: 0, description: "Until the answer began." }),
        ),
        total: Type.Integer({ minimum: 0 }),
      },
      { description: "In milliseconds, each from the beginning but `connect`." },
    ),
    requestHeaders: headers("As sent; the body is that of the event."),
    responseHeaders: Type.Optional(
      headers("By lower-case name, 4 kB of them at most. Cookies and credentials are `[hidden]`."),
    ),
    responseBody: Type.Optional(Type.String({ description: "The first 1 kB, as text." })),
    server: Type.String({ description: "The host of the server that made the attempt." }),
  },
  { $id: "DeliveryAttempt" },
);

export const DeliverySummarySchema = Type.Object(
  {
    endpoints: Type.Integer({ minimum: 0, description: "How many get the event." }),
    delivered: Type.Integer({ minimum: 0 }),
    waiting: Type.Integer({ minimum: 0, description: "Those that are behind are among them." }),
    failed: Type.Integer({ minimum: 0 }),
  },
  { $id: "DeliverySummary" },
);

const NO_DELIVERIES: DeliverySummary = { endpoints: 0, delivered: 0, waiting: 0, failed: 0 };

export function summaryJson(summary: DeliverySummary = NO_DELIVERIES): string {
  return JSON.stringify(summary);
}

function known<Value, Shown>(name: string, value: Value | null, show: (value: Value) => Shown) {
  return value === null ? {} : { [name]: show(value) };
}

const same = <Value>(value: Value) => value;

export function deliveryJson(platformId: string, delivery: Delivery): string {
  return JSON.stringify({
    id: toDeliveryId(platformId, delivery),
    eventId: toWireId("Webhook", delivery.eventId),
    eventSequence: Number(delivery.eventSeq),
    eventType: delivery.eventType,
    resourceId: delivery.subject,
    endpointId: toEndpointId(platformId, delivery.endpointId),
    state: delivery.state,
    attempts: delivery.attempts,
    attemptsComplete: delivery.isComplete,
    ...known("lastStatus", delivery.lastStatus, same),
    ...known("lastError", delivery.lastError, same),
    ...known("lastLatencyMs", delivery.lastLatencyMs, same),
    ...known("firstAttemptAt", delivery.firstAttemptAt, toIso),
    ...known("lastAttemptAt", delivery.lastAttemptAt, toIso),
    ...known("nextAttemptAt", delivery.nextAttemptAt, toIso),
  });
}

export function attemptJson(attempt: LoggedAttempt): string {
  const { connectMs, firstByteMs, totalMs, requestHeaders, responseHeaders } = attempt;
  return JSON.stringify({
    number: attempt.number,
    at: toIso(attempt.at + Number(attempt.clockOffsetMs)),
    isDelivered: attempt.isDelivered,
    ...known("status", attempt.status, same),
    ...known("error", attempt.error, same),
    latency: {
      ...known("connect", connectMs, same),
      ...known("firstByte", firstByteMs, same),
      total: totalMs,
    },
    requestHeaders: JSON.parse(requestHeaders),
    ...known("responseHeaders", responseHeaders, (text) => JSON.parse(text)),
    ...known("responseBody", attempt.responseBody, same),
    server: attempt.server,
  });
}

export const deliveryExample = {
  id: "WebhookDelivery:019a4f00-0000-7000-8000-000000000009.019a4f00-0000-7000-8000-000000000005",
  eventId: "Webhook:019a4f00-0000-7000-8000-000000000005",
  eventSequence: 42,
  eventType: "OUTGOING_PAYMENT.COMPLETED",
  resourceId: "Transaction:019a4f00-0000-7000-8000-000000000002",
  endpointId: "WebhookEndpoint:019a4f00-0000-7000-8000-000000000009",
  state: "WAITING",
  attempts: 2,
  attemptsComplete: true,
  lastStatus: 503,
  lastLatencyMs: 48,
  firstAttemptAt: "2026-11-21T10:00:00.120Z",
  lastAttemptAt: "2026-11-21T10:00:05.410Z",
  nextAttemptAt: "2026-11-21T10:00:34.900Z",
};

export const attemptExample = {
  number: 2,
  at: "2026-11-21T10:00:05.410Z",
  isDelivered: false,
  status: 503,
  latency: { connect: 12, firstByte: 47, total: 48 },
  requestHeaders: {
    "Content-Type": "application/json",
    "User-Agent": "Florin-Webhooks/1",
    "X-Service-Signature": '{"v":"1","s":"MEUCIQ…"}',
    "X-Event-Sequence": "42",
  },
  responseHeaders: { "content-type": "text/plain", "retry-after": "10" },
  responseBody: "Try again in ten seconds.",
  server: "florin-1",
};

export const summaryExample: DeliverySummary = {
  endpoints: 2,
  delivered: 1,
  waiting: 1,
  failed: 0,
};
