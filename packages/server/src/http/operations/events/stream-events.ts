import Type from "typebox";
import type { SignedEvent } from "../../../domain/webhooks/event-feed.port.ts";
import { lastEventSeq } from "../../../domain/webhooks/event-list.sql.ts";
import { SIGNATURE_HEADER } from "../../../domain/webhooks/signature.ts";
import { invalidField, Refusal } from "../../../engine/refusal.ts";
import { eventExample } from "../../../wire/platform/event-examples.ts";
import { defineOperation, type StreamLife } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { sequenceParameter } from "./list-events.ts";

const HEARTBEAT_MS = 20_000;
/** When a caller is told to come back after the stream was ended by us. */
const RETRY = "retry: 1000\n\n";
const LAST_EVENT_ID = "Last-Event-ID";

const shown = eventExample("OUTGOING_PAYMENT.COMPLETED");

export const streamEvents = defineOperation({
  id: "streamEvents",
  method: "GET",
  path: "/events/stream",
  access: "VIEW",
  tag: "Events",
  summary: "Stream events",
  description:
    "A stream of server-sent events. `id` is the sequence, `event` the type, `data` the exact bytes that are delivered, and a " +
    `comment \`sig\` the value of \`${SIGNATURE_HEADER}\` for them. It goes on until the caller leaves or the server stops. ` +
    "It starts behind the event that `Last-Event-ID` or `after` names, and without either at this moment. A line is sent at " +
    "least every 20 seconds. The question whether to take an incoming payment is shown and cannot be answered here. " +
    "A platform may have 20 streams at a time; the next one is refused with 429.",
  query: Type.Object({ after: sequenceParameter("Start behind the event of this sequence.") }),
  headers: [
    {
      name: LAST_EVENT_ID,
      description: "The `id` of the last event that was received. It goes before `after`.",
      example: "42",
    },
  ],
  answers: {
    200: {
      description: "The events, in the order of their sequence.",
      contentType: "text/event-stream",
      example: `: sig {"v":"1","s":"MEUCIQ…"}\nid: 42\nevent: OUTGOING_PAYMENT.COMPLETED\ndata: ${JSON.stringify(shown)}\n\n`,
    },
  },
  refusals: ["INVALID_INPUT"],
  async handle({ principal: { platformId }, query, headers }, services: Services) {
    const last = await lastEventSeq(services.reads, platformId);
    const asked = startOf(headers["last-event-id"], query.after);
    if (asked !== undefined && asked.seq > last) {
      throw invalidField(asked.field, `must be the sequence of an event; the last one is ${last}`);
    }
    return {
      status: 200,
      contentType: "text/event-stream; charset=utf-8",
      // Some proxies would collect the stream.
      headers: ["X-Accel-Buffering", "no"],
      endsWithCaller: true,
      body: (life) => eventsOf(services, { platformId, after: asked?.seq ?? last }, life),
    };
  },
});

const SEQUENCE = /^(?:0|[1-9][0-9]{0,17})$/;

function startOf(lastEventId: string | undefined, after: number | undefined) {
  if (lastEventId !== undefined) {
    if (!SEQUENCE.test(lastEventId)) {
      throw invalidField(LAST_EVENT_ID, "must be the sequence of an event");
    }
    return { field: LAST_EVENT_ID, seq: BigInt(lastEventId) };
  }
  return after === undefined ? undefined : { field: "after", seq: BigInt(after) };
}

async function* eventsOf(
  { eventFeed, clock }: Services,
  { platformId, after }: { readonly platformId: string; readonly after: bigint },
  life: StreamLife,
): AsyncGenerator<string, void> {
  const stream = eventFeed.open(platformId, after);
  if (stream === undefined) {
    const words = "The platform has as many event streams open as it may have.";
    throw new Refusal("RATE_LIMITED", { retryAfterSeconds: 5 }, words);
  }
  life.onEnding(stream.end);
  try {
    yield ": florin events\n\n";
    let confirmedAt = clock.now();
    while (!life.isEnding()) {
      const events = await stream.next(HEARTBEAT_MS);
      if (clock.now() - confirmedAt >= HEARTBEAT_MS) {
        if (!(await isStillGood(life))) return;
        confirmedAt = clock.now();
      }
      if (events.length > 0) yield events.map(toFrame).join("");
      else if (!life.isEnding()) yield ": heartbeat\n\n";
    }
    yield RETRY;
  } finally {
    stream.close();
  }
}

/** A caller whose token was deleted meanwhile gets no more events. */
function isStillGood(life: StreamLife): Promise<boolean> {
  return life.confirm().then(
    () => true,
    (thrown: unknown) => {
      if (thrown instanceof Refusal) return false;
      throw thrown;
    },
  );
}

/** The body is one line: JSON has no line ends but escaped ones. */
function toFrame({ seq, type, body, signature }: SignedEvent): string {
  return `: sig ${signature}\nid: ${seq}\nevent: ${type}\ndata: ${body}\n\n`;
}
