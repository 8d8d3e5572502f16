/** Which events go together in one request, and what a failed request means for each of them. */
import { describe, expect, it } from "vitest";
import {
  batchBody,
  type FailedEvent,
  MAX_BATCH_BYTES,
  repeatsOf,
  statesAfterFailure,
  takeBatch,
} from "./batches.ts";
import { EventRoom } from "./delivery-context.ts";
import { EventQueue } from "./event-queue.ts";

const event = (seq: number, subject = "A", bytes = 2) => ({
  seq: BigInt(seq),
  id: `${seq}`,
  subject,
  type: "OUTGOING_PAYMENT.COMPLETED",
  at: 0,
  body: "x".repeat(bytes),
  readAt: 0,
  isHeldBack: false,
  isSkipped: false,
});
const named = (events: readonly { readonly seq: bigint }[]) => events.map(({ seq }) => Number(seq));

/** The bytes of events of which `count` fit exactly into a body. */
const fitting = (count: number) => (MAX_BATCH_BYTES - batchBody([]).length + 1) / count - 1;

describe("a batch of a queue", () => {
  it.each<[string, string, number, readonly number[], boolean]>([
    ["nothing", "", 100, [], false],
    ["one event", "A", 100, [1], false],
    ["one event that is allowed", "A", 1, [1], true],
    ["all, in order, several of a subject too", "A B A A C", 100, [1, 2, 3, 4, 5], false],
    ["as many as fill it exactly", "A B A", 3, [1, 2, 3], true],
    ["the first ones of more", "A B A A C", 3, [1, 2, 3], true],
  ])("holds %s: %s by %s", (_what, subjects, maxEvents, expected, isFull) => {
    const queue = new EventQueue(new EventRoom(100));
    const names = subjects === "" ? [] : subjects.split(" ");
    for (const [place, subject] of names.entries()) queue.add(event(place + 1, subject));
    const taken = takeBatch(queue.takeable(), maxEvents);
    expect([named(taken.events), taken.isFull]).toEqual([expected, isFull]);
  });

  it("leaves out the subjects of batches under way, until those have ended", () => {
    const queue = new EventQueue(new EventRoom(100));
    const take = (maxEvents: number) => {
      const { events } = takeBatch(queue.takeable(), maxEvents);
      queue.takeAll(events);
      return events;
    };
    for (const [place, subject] of ["A", "B", "A", "C", "A", "B", "D"].entries()) {
      queue.add(event(place + 1, subject));
    }
    const first = take(3);
    expect(named(first)).toEqual([1, 2, 3]);
    const second = take(3);
    expect(named(second)).toEqual([4, 7]);
    expect(named(take(3))).toEqual([]);
    for (const one of second) queue.end(one);
    expect(named(take(3))).toEqual([]);
    for (const one of first) queue.end(one);
    expect(queue.first).toBe(5n);
    const third = take(3);
    expect(named(third)).toEqual([5, 6]);
    queue.add(event(8, "A"));
    expect(queue.removeBehind(third[0] as never).map(({ seq }) => seq)).toEqual([8n]);
    for (const one of third) queue.end(one);
    expect([queue.size, queue.hasReady]).toEqual([0, false]);
  });

  it.each<[string, readonly number[], readonly number[], boolean]>([
    ["as many as fit exactly", [fitting(2), fitting(2)], [1, 2], false],
    ["one fewer when a byte is too many", [fitting(2), fitting(2) + 1], [1], true],
    ["a larger event alone", [MAX_BATCH_BYTES, 2], [1], true],
    ["nothing after an event that does not fit", [2, MAX_BATCH_BYTES, 2], [1], true],
  ])("is bounded in bytes: %s", (_what, sizes, expected, isFull) => {
    const events = sizes.map((bytes, place) => event(place + 1, `${place}`, bytes));
    const taken = takeBatch(events, 100);
    expect([named(taken.events), taken.isFull]).toEqual([expected, isFull]);
    const isAlone = taken.events.length === 1;
    expect(isAlone || batchBody(taken.events).length <= MAX_BATCH_BYTES).toBe(true);
  });

  it("counts bytes, not characters", () => {
    const wide = { ...event(1), body: "€".repeat(MAX_BATCH_BYTES / 4) };
    expect(takeBatch([wide, { ...wide, seq: 2n }], 100).events).toHaveLength(1);
  });

  it("has the stored bytes of each event in its body", () => {
    const bodies = ['{"id":"a","n":1.0}', '{"id":"b" }'];
    expect(batchBody(bodies.map((body) => ({ body })))).toBe(
      '{"events":[{"id":"a","n":1.0},{"id":"b" }]}',
    );
  });
});

describe("the repeats of failed batches", () => {
  const repeated = (seq: number, subject: string, attempts: number, isBehind = false) => ({
    ...event(seq, subject),
    attempts,
    isBehind,
  });
  const rule = { maxEvents: 4, maxWaitMs: 0 };
  const many = (count: number, attempts: number) =>
    Array.from({ length: count }, (_, place) => repeated(place + 1, `${place}`, attempts));

  it.each<[string, readonly ReturnType<typeof repeated>[], readonly (readonly number[])[]]>([
    ["the same events, in order", many(3, 1).toReversed(), [[1, 2, 3]]],
    [
      "as many batches as are needed",
      many(6, 1),
      [
        [1, 2, 3, 4],
        [5, 6],
      ],
    ],
    [
      "halves after the second failure",
      many(4, 2),
      [
        [1, 2],
        [3, 4],
      ],
    ],
    ["single events after more", many(3, 3), [[1], [2], [3]]],
    ["single events after very many", many(2, 400), [[1], [2]]],
    [
      "events that failed equally often together",
      [repeated(1, "A", 2), repeated(2, "B", 1), repeated(3, "C", 2), repeated(4, "D", 1)],
      [
        [1, 3],
        [2, 4],
      ],
    ],
    [
      "those behind an event with it, however often they failed",
      [
        repeated(1, "A", 1),
        repeated(2, "B", 1),
        repeated(3, "A", 1, true),
        repeated(4, "A", 0, true),
      ],
      [[1, 2, 3, 4]],
    ],
    [
      "those behind that do not fit not at all",
      [
        repeated(1, "A", 1),
        repeated(2, "B", 1),
        repeated(3, "C", 1),
        repeated(4, "D", 1),
        repeated(5, "A", 1, true),
        repeated(6, "E", 1),
      ],
      [[1, 2, 3, 4], [6]],
    ],
    ["nothing behind an event that was not claimed", [repeated(2, "A", 1, true)], []],
  ])("are %s", (_what, events, expected) => {
    expect(repeatsOf(events, rule).map(named)).toEqual(expected);
  });

  it("never have a subject in two requests while it is held back", () => {
    for (let seed = 1; seed <= 300; seed++) {
      const leaders = new Map<string, number>();
      const events = Array.from({ length: 20 }, (_, place) => {
        const subject = `S${(place * seed * 7 + seed) % 6}`;
        const attempts = leaders.get(subject) ?? 1 + ((seed + place) % 3);
        const isBehind = leaders.has(subject);
        leaders.set(subject, attempts);
        return repeated(place + 1, subject, attempts, isBehind);
      });
      const requests = repeatsOf(events, { maxEvents: 1 + (seed % 9), maxWaitMs: 0 });
      const seen = new Set<string>();
      for (const own of requests) {
        const subjects = new Set(own.map(({ subject }) => subject));
        for (const subject of subjects) expect(seen.has(subject)).toBe(false);
        for (const subject of subjects) seen.add(subject);
        expect(named(own)).toEqual(named(own).toSorted((left, right) => left - right));
      }
      expect(seen.size).toBe(leaders.size);
    }
  });
});

describe("a failed batch", () => {
  const failed = (subject: string, attempts = 1, state: FailedEvent["state"] = "WAITING") => ({
    subject,
    attempts,
    state,
  });
  it.each<[string, readonly FailedEvent[], string]>([
    ["lets one event wait", [failed("A")], "WAITING"],
    [
      "holds each subject back by its first event",
      "ABAB".split("").map((s) => failed(s)),
      "WAITING WAITING BEHIND BEHIND",
    ],
    [
      "gives up what is sent once, which holds nothing back",
      [failed("A", 1, "FAILED"), failed("A")],
      "FAILED WAITING",
    ],
    [
      "gives up in between",
      [failed("A"), failed("A", 1, "FAILED"), failed("A")],
      "WAITING FAILED BEHIND",
    ],
    [
      "holds nothing back after four attempts",
      [failed("A", 4), failed("A", 4), failed("B", 3), failed("B", 3)],
      "WAITING WAITING WAITING BEHIND",
    ],
    [
      "holds back by a later event that failed less often",
      [failed("A", 4), failed("A", 2), failed("A", 1)],
      "WAITING WAITING BEHIND",
    ],
  ])("%s", (_what, events, expected) => {
    expect(statesAfterFailure(events).join(" ")).toBe(expected);
  });
});
