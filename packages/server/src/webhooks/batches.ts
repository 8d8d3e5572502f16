/**
 * The requests of an endpoint that takes several events in one (`BatchRule`). Pure: which events go together, when a batch is complete,
 * and what a failed one means for each of its events.
 *
 * A batch holds events in order of their sequence, several of a subject too, because they succeed or fail together. A subject is in one
 * batch at a time. A batch that fails is repeated as a whole first. From the second repeat on it is halved each time, down to single
 * events, so that an event that the receiver never takes does not fail the others for as long as events are kept.
 */
import { ATTEMPTS_THAT_HOLD_BACK } from "../domain/events/stream.sql.ts";
import type { BatchRule } from "../domain/events/webhook-endpoint.ts";

/** The bound of a body, below what proxies accept by default. A larger event goes alone. */
export const MAX_BATCH_BYTES = 512 * 1024;

const OPENING = '{"events":[';
const CLOSING = "]}";

interface Sized {
  readonly body: string;
}

/** The body of a request: the stored bytes of each event, in order. */
export function batchBody(events: readonly Sized[]): string {
  return `${OPENING}${events.map(({ body }) => body).join(",")}${CLOSING}`;
}

export interface Taken<Event> {
  readonly events: readonly Event[];
  /** No further event fits, so that the batch waits for none. */
  readonly isFull: boolean;
}

/** The longest beginning of these events that fits into one request; at least one event. */
export function takeBatch<Event extends Sized>(
  events: Iterable<Event>,
  maxEvents: number,
): Taken<Event> {
  const taken: Event[] = [];
  let bytes = OPENING.length + CLOSING.length - 1;
  for (const event of events) {
    bytes += Buffer.byteLength(event.body) + 1;
    if (taken.length > 0 && bytes > MAX_BATCH_BYTES) return { events: taken, isFull: true };
    taken.push(event);
    if (taken.length >= maxEvents) return { events: taken, isFull: true };
  }
  return { events: taken, isFull: bytes > MAX_BATCH_BYTES };
}

export interface Repeated extends Sized {
  readonly seq: bigint;
  readonly subject: string;
  /** Failed attempts so far. */
  readonly attempts: number;
  /** It waits behind an earlier event of its subject, and is sent again with it. */
  readonly isBehind: boolean;
}

/** How many events a repeat holds. `failures`: how often the events have failed. */
function sizeOfRepeat({ maxEvents }: BatchRule, failures: number): number {
  return Math.max(1, maxEvents >> Math.max(0, failures - 1));
}

/**
 * The requests in which these events are repeated; events that have failed equally often go together. An event behind an earlier one of
 * its subject goes in the request of that one or is left out, because the two must not be under way side by side.
 */
export function repeatsOf<Event extends Repeated>(
  events: readonly Event[],
  rule: BatchRule,
): readonly (readonly Event[])[] {
  const inOrder = events.toSorted((left, right) => (left.seq < right.seq ? -1 : 1));
  const groups = new Map<number, Event[]>();
  const groupOf = new Map<string, Event[]>();
  for (const event of inOrder) {
    let group = event.isBehind ? groupOf.get(event.subject) : groups.get(event.attempts);
    if (group === undefined) {
      if (event.isBehind) continue;
      group = [];
      groups.set(event.attempts, group);
    }
    if (!event.isBehind) groupOf.set(event.subject, group);
    group.push(event);
  }
  return [...groups].flatMap(([failures, group]) => split(group, sizeOfRepeat(rule, failures)));
}

function split<Event extends Repeated>(group: readonly Event[], size: number): Event[][] {
  const batches: Event[][] = [];
  let left = [...group];
  while (left.length > 0) {
    const { events } = takeBatch(left, size);
    batches.push([...events]);
    const sent = new Set(events.map(({ subject }) => subject));
    left = left.slice(events.length).filter((one) => !(one.isBehind && sent.has(one.subject)));
  }
  return batches;
}

export interface FailedEvent {
  readonly subject: string;
  /** With this one. */
  readonly attempts: number;
  readonly state: "WAITING" | "FAILED";
}

/**
 * The states of the events of a request that was not accepted, in its order: of a subject, the first one waits for its time and the
 * others wait behind it, as long as it holds them back.
 */
export function statesAfterFailure(
  events: readonly FailedEvent[],
): readonly ("WAITING" | "BEHIND" | "FAILED")[] {
  const held = new Set<string>();
  return events.map(({ subject, attempts, state }) => {
    if (state === "FAILED") return state;
    if (held.has(subject)) return "BEHIND";
    if (attempts < ATTEMPTS_THAT_HOLD_BACK) held.add(subject);
    return state;
  });
}
