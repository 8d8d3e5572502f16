/** Deliveries of events to webhook endpoints, and their attempts. */
import Type from "typebox";
import { toDeliveryId, toEndpointId } from "../../domain/events/delivery-id.ts";
import type { LoggedAttempt } from "../../domain/events/delivery-log/attempt.sql.ts";
import type { DeliverySummary } from "../../domain/events/delivery-log/delivery-list.sql.ts";
import {
  type Delivery,
  deliveryStates,
} from "../../domain/events/delivery-log/delivery-state.sql.ts";
import { type Kit, wireObject } from "../wire-object.ts";

const delivery = wireObject("WebhookDelivery", ({ of, maybe }: Kit<Delivery, string>) => ({
  id: of.text({
    from: (delivery, platformId) => toDeliveryId(platformId, delivery),
    description: "`WebhookDelivery:<uuid>.<uuid>`, of the endpoint and the event.",
    example:
      "WebhookDelivery:019a4f00-0000-7000-8000-000000000009.019a4f00-0000-7000-8000-000000000005",
  }),
  eventId: of.id("Webhook", { description: "`Webhook:<uuid>`", example: 5 }),
  eventSequence: of.integer({ from: "eventSeq", minimum: 1, example: 42 }),
  eventType: of.text({ example: "OUTGOING_PAYMENT.COMPLETED" }),
  resourceId: of.text({
    from: "subject",
    description: "The object that the event is about.",
    example: "Transaction:019a4f00-0000-7000-8000-000000000002",
  }),
  endpointId: of.text({
    from: ({ endpointId }, platformId) => toEndpointId(platformId, endpointId),
    description: "`WebhookEndpoint:<uuid>`",
    example: "WebhookEndpoint:019a4f00-0000-7000-8000-000000000009",
  }),
  state: of.enum(deliveryStates, {
    description:
      "`DELIVERED`: the endpoint has taken it. `WAITING`: it failed and is tried again at `nextAttemptAt`. `BEHIND`: it waits for an " +
      "earlier event of its object, or the endpoint has not got so far. `FAILED`: it is not tried again.",
    example: "WAITING",
  }),
  attempts: of.integer({ minimum: 0, description: "At least so many were made.", example: 2 }),
  attemptsComplete: of.boolean({
    from: "isComplete",
    description:
      "Whether the log has each attempt. It may lack successes where a platform gets more than 500 events a second, and has none " +
      "that are older than it is kept.",
    example: true,
  }),
  lastStatus: maybe.integer({ description: "Of the last answer.", example: 503 }),
  lastError: maybe.text({ description: "Why the last attempt got no answer." }),
  lastLatencyMs: maybe.integer({ minimum: 0, example: 48 }),
  firstAttemptAt: maybe.time({ example: "2026-11-21T10:00:00.120Z" }),
  lastAttemptAt: maybe.time({ example: "2026-11-21T10:00:05.410Z" }),
  nextAttemptAt: maybe.time({ example: "2026-11-21T10:00:34.900Z" }),
  canResend: of.boolean({
    description:
      "Whether the delivery can be retried. TEST events and questions about payments are sent once.",
    example: true,
  }),
}));

export const { schema: WebhookDeliverySchema, example: deliveryExample } = delivery;

export function deliveryJson(platformId: string, row: Delivery): string {
  return delivery.json(row, platformId);
}

const headers = (description: string) => Type.Record(Type.String(), Type.String(), { description });

const latency = wireObject(
  { description: "In milliseconds, each from the beginning but `connect`." },
  ({ of, maybe }: Kit<LoggedAttempt>) => ({
    connect: maybe.integer({
      from: "connectMs",
      minimum: 0,
      description: "Absent where a connection was used again.",
      example: 12,
    }),
    firstByte: maybe.integer({
      from: "firstByteMs",
      minimum: 0,
      description: "Until the answer began.",
      example: 47,
    }),
    total: of.integer({ from: "totalMs", minimum: 0, example: 48 }),
  }),
);

export const {
  schema: DeliveryAttemptSchema,
  json: attemptJson,
  example: attemptExample,
} = wireObject("DeliveryAttempt", ({ of, maybe }: Kit<LoggedAttempt>) => ({
  number: of.integer({ minimum: 1, description: "Counted for each delivery.", example: 2 }),
  at: of.time({
    from: ({ at, clockOffsetMs }) => at + Number(clockOffsetMs),
    example: "2026-11-21T10:00:05.410Z",
  }),
  isDelivered: of.boolean({
    description: "Whether the endpoint has taken the event.",
    example: false,
  }),
  status: maybe.integer({ description: "Of the answer.", example: 503 }),
  error: maybe.text({ description: "Why there was no answer." }),
  latency: of.object(latency, { from: (attempt) => attempt }),
  requestHeaders: of.json(headers("As sent; the body is that of the event."), {
    from: ({ requestHeaders }) => JSON.parse(requestHeaders),
    example: {
      "Content-Type": "application/json",
      "User-Agent": "Florin-Webhooks/1",
      "X-Service-Signature": '{"v":"1","s":"MEUCIQ…"}',
      "X-Event-Sequence": "42",
    },
  }),
  responseHeaders: maybe.json(
    headers("By lower-case name, 4 kB of them at most. Cookies and credentials are `[hidden]`."),
    {
      from: ({ responseHeaders }) => responseHeaders && JSON.parse(responseHeaders),
      example: { "content-type": "text/plain", "retry-after": "10" },
    },
  ),
  responseBody: maybe.text({
    description: "The first 1 kB, as text.",
    example: "Try again in ten seconds.",
  }),
  server: of.text({
    description: "The host of the server that made the attempt.",
    example: "florin-1",
  }),
}));

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

export const summaryExample: DeliverySummary = {
  endpoints: 2,
  delivered: 1,
  waiting: 1,
  failed: 0,
};
