/** Orders to send events again, and the deliveries that single ones begin. */
import Type from "typebox";
import { toDeliveryId, toEndpointId } from "../../domain/events/delivery-id.ts";
import type { ResendProgress } from "../../domain/events/resends/event-resend.sql.ts";
import {
  type EventResend,
  partStates,
  resendStates,
} from "../../domain/events/resends/event-resend.ts";
import type { ResentDelivery } from "../../domain/events/resends/resend-event.ts";
import type { StoredEvent } from "../../engine/command-log.ts";
import { toIso } from "../../std/clock.ts";
import { toWireId } from "../../std/ids.ts";
import { DateTimeSchema } from "../fields.ts";

const count = (description: string) => Type.Integer({ minimum: 0, description });

const matched = count("Deliveries that the filter selects: an event counts for each endpoint.");

const sequence = Type.Optional(Type.Integer({ minimum: 0 }));
const moment = Type.Optional(DateTimeSchema);

const filter = Type.Object(
  {
    type: Type.Optional(Type.Array(Type.String())),
    resourceId: Type.Optional(Type.String()),
    after: sequence,
    before: sequence,
    since: moment,
    until: moment,
    failed: Type.Optional(Type.Boolean()),
  },
  { description: "As it was asked for." },
);

export const EventResendSchema = Type.Object(
  {
    id: Type.String({ description: "`EventResend:<uuid>`" }),
    state: Type.Enum([...resendStates], {
      description:
        "`STOPPED`: an endpoint was taken away, disabled, answered 410 or was down for seven days, and part of its events was " +
        "not sent.",
    }),
    filter,
    matched,
    sent: count("Deliveries that were taken."),
    failed: count(
      "Attempts that were not taken. Deliveries that were taken meanwhile count in neither.",
    ),
    endpoints: Type.Array(
      Type.Object({
        endpointId: Type.String(),
        state: Type.Enum([...partStates]),
        matched: count("Events for this endpoint."),
        sent: count("Events that it took."),
        failed: count("Attempts that it did not take."),
      }),
    ),
    createdAt: DateTimeSchema,
    updatedAt: DateTimeSchema,
    endedAt: Type.Optional(DateTimeSchema),
  },
  { $id: "EventResend" },
);

/** An accepted order, or the preview of one, which has no id and no state. */
export const OrderedResendSchema = Type.Object(
  {
    ...EventResendSchema.properties,
    id: Type.Optional(EventResendSchema.properties.id),
    state: Type.Optional(EventResendSchema.properties.state),
    createdAt: Type.Optional(DateTimeSchema),
    updatedAt: Type.Optional(DateTimeSchema),
    dryRun: Type.Boolean({ description: "Nothing was ordered: there is no `id` and no `state`." }),
  },
  { $id: "OrderedResend" },
);

export function eventResendJson(
  platformId: string,
  resend: EventResend,
  progress: readonly ResendProgress[] = [],
): string {
  return JSON.stringify(membersOf(platformId, resend, progress));
}

function membersOf(platformId: string, resend: EventResend, progress: readonly ResendProgress[]) {
  const endpoints = resend.parts.map(({ endpointId, state, matched: ofPart }) => {
    const { sent = 0, failed = 0 } = progress.find((one) => one.endpointId === endpointId) ?? {};
    const id = toEndpointId(platformId, endpointId);
    return { endpointId: id, state, matched: ofPart, sent, failed };
  });
  return {
    id: toWireId("EventResend", resend.id),
    state: resend.state,
    filter: resend.filter,
    matched: Number(resend.matched),
    sent: endpoints.reduce((sum, { sent }) => sum + sent, 0),
    failed: endpoints.reduce((sum, { failed }) => sum + failed, 0),
    endpoints,
    createdAt: toIso(resend.createdAt),
    updatedAt: toIso(resend.updatedAt),
    ...(resend.endedAt === null ? {} : { endedAt: toIso(resend.endedAt) }),
  };
}

export function orderedResendJson(
  platformId: string,
  resend: EventResend,
  dryRun: boolean,
): string {
  const { id, state, createdAt, updatedAt, endedAt, ...found } = membersOf(platformId, resend, []);
  const ordered = { id, state, ...found, createdAt, updatedAt, endedAt };
  return JSON.stringify({ ...(dryRun ? found : ordered), dryRun });
}

export const eventResendExample = {
  id: "EventResend:019a4f00-0000-7000-8000-00000000000b",
  state: "RUNNING",
  filter: { failed: true, since: "2026-11-20T00:00:00Z" },
  matched: 1_000,
  sent: 412,
  failed: 3,
  endpoints: [
    {
      endpointId: "WebhookEndpoint:019a4f00-0000-7000-8000-000000000009",
      state: "RUNNING",
      matched: 1_000,
      sent: 412,
      failed: 3,
    },
  ],
  createdAt: "2026-11-21T09:00:00.000Z",
  updatedAt: "2026-11-21T09:00:00.000Z",
};

export const ResentDeliveriesSchema = Type.Object({
  deliveries: Type.Array(
    Type.Object(
      {
        id: Type.String({ description: "`WebhookDelivery:<uuid>.<uuid>`" }),
        eventId: Type.String(),
        eventSequence: Type.Integer(),
        eventType: Type.String(),
        resourceId: Type.String(),
        endpointId: Type.String(),
        state: Type.Enum(["DELIVERED", "WAITING", "BEHIND", "FAILED"], {
          description:
            "Before the attempt. One that is WAITING is attempted now, or keeps the attempt that is under way. One that is BEHIND " +
            "follows the event of its resource that it waits for, which is due now, or gets its first attempt in its turn.",
        }),
      },
      { $id: "ResentDelivery" },
    ),
  ),
});

export function resentDeliveriesJson(
  platformId: string,
  { id: eventId, seq, type, subject }: StoredEvent,
  deliveries: readonly ResentDelivery[],
): string {
  return JSON.stringify({
    deliveries: deliveries.map(({ endpointId, state }) => ({
      id: toDeliveryId(platformId, { endpointId, eventId }),
      eventId: toWireId("Webhook", eventId),
      eventSequence: Number(seq),
      eventType: type,
      resourceId: subject,
      endpointId: toEndpointId(platformId, endpointId),
      state,
    })),
  });
}

const PLATFORM = "019a4f00-0000-7000-8000-000000000000";
const EVENT = "019a4f00-0000-7000-8000-000000000005";

export const resentDeliveriesExample = {
  deliveries: [
    {
      id: `WebhookDelivery:${PLATFORM}.${EVENT}`,
      eventId: `Webhook:${EVENT}`,
      eventSequence: 42,
      eventType: "OUTGOING_PAYMENT.COMPLETED",
      resourceId: "Transaction:019a4f00-0000-7000-8000-000000000002",
      endpointId: `WebhookEndpoint:${PLATFORM}`,
      state: "FAILED",
    },
  ],
};
