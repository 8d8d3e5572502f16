import { createHash } from "node:crypto";
import Type from "typebox";
import { recordRailCallback } from "../../../domain/rails/orders/record-rail-callback.ts";
import { invalidFields, Refusal } from "../../../engine/refusal.ts";
import { isUuid } from "../../../std/ids.ts";
import { type JsonObject, readJsonObject } from "../../../std/json.ts";
import { defineOperation, route, versionPath } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { rateLimited } from "../../server/errors.ts";
import { reportEvents } from "../event-lists.ts";

const MOST_BYTES = 256 * 1024;

export const takeRailCallback = defineOperation({
  id: "takeRailCallback",
  ...route("POST /rails/callbacks/{connectionUuid}", "PUBLIC"),
  readsBytes: true,
  ignoresKey: true,
  tag: "Rails",
  summary: "Report the outcome of a rail payment, or an entry",
  description:
    "For connectors, not for platforms: signed with the connection's `callbackSecret` in `Florin-Rail-Signature` (docs/rails.md). It is " +
    "committed before the answer. The same event again is answered 204 and does nothing; another body under an `eventId` is a CONFLICT. " +
    "An entry is booked once under its `id`, whatever number of callbacks tell of it. A wrong signature, an old one, one that was used before and an unknown connection are answered alike. At most 256 kB, and 100 a second.",
  params: Type.Object({
    connectionUuid: Type.String({
      description: "The uuid of the connection alone.",
      examples: ["019a4f00-0000-7000-8000-000000000021"],
    }),
  }),
  headers: [
    {
      name: "Florin-Rail-Signature",
      description: "`t=<seconds>,n=<nonce>,v1=<hexadecimal HMAC-SHA256>`",
      example: `t=1795341600,n=b3b1a5d2c4e6f708,v1=${"9f".repeat(32)}`,
      required: true,
    },
  ],
  shownBody: Type.Object({
    eventId: Type.String({ minLength: 1, maxLength: 200 }),
    type: Type.Enum(["payment.updated", "entry.booked"]),
    payment: Type.Optional(
      Type.Object({
        id: Type.String({ description: "As in the order." }),
        status: Type.Enum(["accepted", "settled", "declined", "returned", "cancelled", "unknown"]),
        providerReference: Type.Optional(Type.String()),
        reason: Type.Optional(
          Type.Object({ code: Type.String(), text: Type.Optional(Type.String()) }),
        ),
        settledOn: Type.Optional(Type.String({ format: "date" })),
        amount: Type.Optional(Type.String({ description: "Of a return that is not the whole." })),
      }),
    ),
    entry: Type.Optional(
      Type.Object({
        id: Type.String({ description: "The keeper's own reference: the entry is booked once." }),
        currency: Type.String(),
        amount: Type.String({ description: "Digits, of the smallest unit." }),
        direction: Type.Enum(["CREDIT", "DEBIT"]),
        bookedAt: Type.String({ description: "A date, or a date-time." }),
        valueDate: Type.Optional(Type.String({ format: "date" })),
        reference: Type.Optional(Type.String({ description: "Such as an order's `endToEndId`." })),
        paymentId: Type.Optional(Type.String({ description: "The order that it is about." })),
        returnOf: Type.Optional(
          Type.String({ description: "The order, or the entry, that it gives back." }),
        ),
        instructionId: Type.Optional(
          Type.String({ description: "The id under which it was asked for payment instructions." }),
        ),
        invoiceId: Type.Optional(
          Type.String({ description: "The id of the invoice that the money is for." }),
        ),
        feeOf: Type.Optional(Type.String({ description: "The order whose charge this debit is." })),
        virtualAccount: Type.Optional(
          Type.String({ description: "The number to which the payer paid." }),
        ),
        remittance: Type.Optional(Type.String()),
        payer: Type.Optional(
          Type.Object({
            name: Type.Optional(Type.String()),
            account: Type.Optional(Type.String()),
          }),
        ),
      }),
    ),
  }),
  requestExample: {
    eventId: "evt-0001",
    type: "payment.updated",
    payment: { id: "019a4f00-0000-7000-8000-000000000023", status: "settled" },
  },
  answers: { 204: { description: "Committed, now or before." } },
  events: reportEvents,
  refusals: ["INVALID_INPUT", "UNAUTHORIZED", "CONFLICT", "PAYLOAD_TOO_LARGE", "RATE_LIMITED"],
  async handle({ params, body, headers }, services: Services) {
    const { connectionUuid } = params;
    const bytes = body as unknown as Buffer;
    if (bytes.length > MOST_BYTES) throw new Refusal("PAYLOAD_TOO_LARGE");
    const caller = await services.railCallbacks.verify({
      connectionId: isUuid(connectionUuid) ? connectionUuid : undefined,
      header: headers["florin-rail-signature"],
      path: pathOf(connectionUuid, services),
      body: bytes,
    });
    if (caller === undefined) throw new Refusal("UNAUTHORIZED");
    const waitSeconds = services.railCallbacks.limit(caller.connectionId);
    if (waitSeconds > 0) throw rateLimited(waitSeconds);
    return take(readJsonObject(bytes), { ...caller, bytes }, services);
  },
});

/** The path that the connector signed, with the path prefix of the public URL. */
function pathOf(connectionUuid: string, { publicUrl }: Services): string {
  const { pathname } = new URL(publicUrl());
  return `${pathname.replace(/\/$/, "")}${versionPath}/rails/callbacks/${connectionUuid}`;
}

interface SignedBody {
  readonly platformId: string;
  readonly connectionId: string;
  readonly bytes: Buffer;
}

async function take(
  body: JsonObject | undefined,
  { platformId, connectionId, bytes }: SignedBody,
  { engine, railCallbacks }: Services,
) {
  const read = railCallbacks.read(body);
  if (!read.ok) throw invalidFields([read.error]);
  const answer = await engine.submit({
    platformId,
    actor: { kind: "worker", id: "rail-callback" },
    command: recordRailCallback,
    input: { connectionId, told: read.told },
    toAnswer: () => ({ status: 204, body: "" }),
    idempotency: {
      scope: `rails/callbacks/${connectionId}`,
      key: read.eventId,
      bodyDigest: createHash("sha256").update(bytes).digest(),
      keepsRefusals: false,
    },
  });
  const { status } = answer;
  if (status === 204) return { status: 204, body: "" };
  // The entry cannot be booked. Nothing is stored under the key, so the connector may send a corrected one.
  if (status === 400 || status === 409) return { status, body: answer.body };
  if (status !== 422) throw new Refusal("SERVICE_UNAVAILABLE");
  const message = "The eventId was used with another body; an event has one body for ever.";
  throw new Refusal("CONFLICT", { eventId: read.eventId }, message);
}
