import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createManualClock } from "../../../test/kit/manual-clock.ts";
import { endReceivers } from "../../../test/kit/receivers.ts";
import {
  about,
  addEvents,
  addPlatform,
  type Delivered,
  type DeliveryStore,
  deliveryWorker,
  openDeliveryStore,
  parkedOf,
  positionOf,
  START_MS,
  type WebhookReceiver,
  webhookReceiver,
} from "../../../test/kit/webhook-deliveries.ts";
import type { EventResend, ResendSelection } from "../../domain/events/resends/event-resend.ts";
import { DEFAULT_ENDPOINT, type StreamKey } from "../../domain/events/stream.sql.ts";
import { present } from "../../std/assert.ts";
import { randomIds } from "../../std/ids.ts";
import type { DeliveryWorker } from "../deliver-webhooks.ts";
import { replayFailed } from "../replay-failed.ts";
import { PORTION, type ResendEnd } from "./resends.ts";

const MINUTE = 60_000;
/** Longer than the lease of an order. */
const LEASE_MS = 21_000;
const ids = randomIds();
const clock = createManualClock(START_MS);
let store: DeliveryStore;
const workers: DeliveryWorker[] = [];

beforeAll(async () => {
  store = await openDeliveryStore();
});
afterEach(async () => {
  for (const worker of workers.splice(0)) {
    const stopped = worker.stop(0);
    await clock.advance(1);
    await stopped;
  }
  await endReceivers();
  await store.clear();
});
afterAll(() => store.close());

function newWorker(): DeliveryWorker {
  const worker = deliveryWorker({ clock, database: store.database, isBusy: () => false });
  workers.push(worker);
  return worker;
}

interface Stage {
  readonly key: StreamKey;
  readonly receiver: WebhookReceiver;
  /** When each delivery came. */
  readonly times: readonly number[];
}

/** A platform whose receiver has taken so many events, each of one of the subjects in turn. */
async function delivered(
  count: number,
  {
    subjects = count,
    answer = () => 200,
  }: {
    readonly subjects?: number;
    readonly answer?: (delivered: Delivered) => number | "hang" | Promise<number>;
  } = {},
): Promise<Stage> {
  const times: number[] = [];
  const receiver = await webhookReceiver((one) => {
    times.push(clock.now());
    return answer(one);
  });
  const { id: platformId } = await addPlatform(store, receiver.url);
  const events = Array.from({ length: count }, (_, index) => `T:${index % subjects}`);
  await addEvents(store, platformId, about(...events));
  await store.sql("insert into webhook_streams (platform_id, position) values ($1, $2)", [
    platformId,
    count,
  ]);
  return { key: { platformId, endpointId: DEFAULT_ENDPOINT }, receiver, times };
}

/** The same, but all of them were given up. */
async function givenUp(...[count, options]: Parameters<typeof delivered>): Promise<Stage> {
  const stage = await delivered(count, options);
  await store.sql(
    "insert into webhook_deliveries (platform_id, event_seq, subject, state, attempts, parked_at) " +
      "select $1, seq, subject, 'FAILED', 9, at from events where platform_id = $1",
    [stage.key.platformId],
  );
  return stage;
}

async function order(
  { platformId }: StreamKey,
  selection: Partial<ResendSelection> = {},
): Promise<EventResend> {
  const id = ids.next(clock.now());
  const wanted = { types: [], subject: null, after: "0", upTo: "1000000", isFailedOnly: true };
  const resend: EventResend = {
    id,
    state: "RUNNING",
    filter: {},
    selection: { ...wanted, ...selection },
    parts: [],
    matched: 0n,
    createdAt: clock.now(),
    updatedAt: clock.now(),
    endedAt: null,
  };
  await store.sql(
    "insert into event_resends values ($1, $2, 'RUNNING', '{}', '{}', '[]', 0, now(), now(), null)",
    [platformId, id],
  );
  return resend;
}

/** Portion after portion, with the waits between them. */
async function carryOut(worker: DeliveryWorker, key: StreamKey, resend: EventResend) {
  for (let portions = 1; ; portions++) {
    const end = await worker.resendEvents(key, resend);
    if (end.kind === "over") return { portions, state: end.state };
    await clock.advance(end.inMs);
  }
}

async function countsOf({ platformId }: StreamKey, { id }: EventResend) {
  const [[sent, failed, position] = []] = await store.sql(
    "select sent, failed, position from webhook_resends where platform_id = $1 and resend_id = $2",
    [platformId, id],
  );
  return { sent: Number(sent), failed: Number(failed), position: Number(position) };
}

const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const isInOrder = (numbers: readonly number[]) =>
  numbers.every((one, index) => index === 0 || one > (numbers[index - 1] ?? 0));

/** The most deliveries that came within a second. */
function mostInASecond(times: readonly number[]): number {
  return Math.max(
    ...times.map((from) => times.filter((time) => time >= from && time < from + 1_000).length),
  );
}

function expectOrder({ receiver }: Stage, subjects: number): void {
  for (let subject = 0; subject < subjects; subject++) {
    const own = receiver.sequences().filter((sequence) => (sequence - 1) % subjects === subject);
    expect(isInOrder(own)).toBe(true);
  }
}

describe("an order", () => {
  it("sends a thousand failed events once each, in order per resource, at most a hundred a second", async () => {
    // Fewer than the attempts of a round, so that a page has several events of each.
    const stage = await givenUp(1_000, { subjects: 12 });
    const { key, receiver, times } = stage;
    const resend = await order(key);
    const { state, portions } = await carryOut(newWorker(), key, resend);
    expect(state).toBe("COMPLETED");
    expect(portions).toBeGreaterThanOrEqual(10);
    expect(receiver.sequences().toSorted((a, b) => a - b)).toEqual(range(1_000));
    expect(receiver.delivered.every(({ headers }) => headers["x-redelivery"] === "true")).toBe(
      true,
    );
    expectOrder(stage, 12);
    expect(mostInASecond(times)).toBe(PORTION);
    expect(await countsOf(key, resend)).toEqual({ sent: 1_000, failed: 0, position: 1_000 });
    expect(await parkedOf(store, key.platformId)).toEqual([]);
    expect(await positionOf(store, key.platformId)).toBe(1_000);
  });

  it("passes over events that the receiver has taken meanwhile", async () => {
    let release = (_status: number) => {};
    const held = new Promise<number>((resolve) => {
      release = resolve;
    });
    const { key, receiver } = await givenUp(250, {
      answer: ({ sequence }) => (sequence === 1 ? held : 200),
    });
    const worker = newWorker();
    const resend = await order(key);
    const take = async (seq: number) => {
      const [[eventId] = []] = await store.sql(
        "select id from events where platform_id = $1 and seq = $2",
        [key.platformId, seq],
      );
      const wish = { platformId: key.platformId, since: undefined, limit: 1 };
      const tools = { database: store.database, clock };
      await replayFailed(tools, { ...wish, eventId: present(eventId, "an event") });
      await worker.runOnce();
    };
    const first = worker.resendEvents(key, resend);
    // Of the page that was read, in a later round.
    await receiver.received(16);
    await take(90);
    release(200);
    expect(await first).toEqual({ kind: "again", inMs: 1_000 });
    await take(201);
    await clock.advance(1_000);
    expect(await carryOut(worker, key, resend)).toMatchObject({ state: "COMPLETED" });
    expect(receiver.sequences().toSorted((a, b) => a - b)).toEqual(range(250));
    expect((await countsOf(key, resend)).sent).toBe(248);
  });

  it("is carried on by another server when the first one dies, and nothing is sent twice that was written down", async () => {
    const stuck = new Set([130]);
    const stage = await givenUp(300, {
      subjects: 60,
      answer: ({ sequence }) => (stuck.has(sequence) ? "hang" : 200),
    });
    const { key, receiver } = stage;
    const resend = await order(key);
    const first = newWorker();
    await first.resendEvents(key, resend);
    await clock.advance(1_000);
    let isOver = false;
    const dying = first.resendEvents(key, resend).finally(() => {
      isOver = true;
    });
    await expect.poll(() => receiver.sequences().includes(130)).toBe(true);
    const second = newWorker();
    // The order is still leased to the first one.
    expect(await second.resendEvents(key, resend)).toEqual({ kind: "again", inMs: 1_000 });
    expect(isOver).toBe(false);
    const stopped = first.stop(0);
    workers.splice(workers.indexOf(first), 1);
    await clock.advance(1);
    await dying;
    await stopped;
    const before = receiver.delivered.length;
    stuck.clear();
    await clock.advance(LEASE_MS);
    expect(await carryOut(second, key, resend)).toMatchObject({ state: "COMPLETED" });
    const again = receiver.sequences().slice(before);
    expect(new Set(receiver.sequences()).size).toBe(300);
    // The round that was under way, and no more.
    expect(receiver.delivered.length - 300).toBeLessThanOrEqual(16);
    expect(again).toContain(130);
    expect(await parkedOf(store, key.platformId)).toEqual([]);
  });

  it("of taken events repeats a portion at most when its server dies", async () => {
    const stuck = new Set([30]);
    const stage = await delivered(150, {
      subjects: 10,
      answer: ({ sequence }) => (stuck.has(sequence) ? "hang" : 200),
    });
    const { key, receiver } = stage;
    const resend = await order(key, { isFailedOnly: false });
    const first = newWorker();
    const dying = first.resendEvents(key, resend);
    await expect.poll(() => receiver.sequences().includes(30)).toBe(true);
    const stopped = first.stop(0);
    workers.splice(workers.indexOf(first), 1);
    await clock.advance(1);
    await Promise.all([dying, stopped]);
    stuck.clear();
    await clock.advance(LEASE_MS);
    await carryOut(newWorker(), key, resend);
    expect(new Set(receiver.sequences()).size).toBe(150);
    expect(receiver.delivered.length).toBeLessThanOrEqual(150 + PORTION);
  });

  it("waits for a retry that is due and for an event that waits too long, and delays neither", async () => {
    const { key, receiver } = await givenUp(5);
    const worker = newWorker();
    const resend = await order(key);
    await store.sql(
      "update webhook_deliveries set state = 'WAITING', attempts = 1, next_at = $2 where platform_id = $1 and event_seq = 5",
      [key.platformId, new Date(clock.now()).toISOString()],
    );
    const waits = { kind: "again", inMs: 1_000 };
    expect(await worker.resendEvents(key, resend)).toEqual(waits);
    await worker.runOnce();
    expect(receiver.sequences()).toEqual([5]);
    await addEvents(store, key.platformId, about("T:9"));
    await clock.advance(2_000);
    expect(await worker.resendEvents(key, resend)).toEqual(waits);
    await worker.runOnce();
    expect(receiver.sequences()).toEqual([5, 6]);
    expect(await carryOut(worker, key, resend)).toMatchObject({ state: "COMPLETED" });
    expect(receiver.sequences()).toEqual([5, 6, 1, 2, 3, 4]);
    const marked = receiver.delivered.filter(({ headers }) => "x-redelivery" in headers);
    expect(marked.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
  });

  it("shares the hundred a second of its endpoint with others, and no other endpoint's", async () => {
    const { key, receiver, times } = await givenUp(250);
    const other = await givenUp(120);
    const [one, two] = [await order(key), await order(key, { isFailedOnly: false })];
    const their = await order(other.key);
    const [first, second] = [newWorker(), newWorker()];
    const carried = new Set<EventResend>();
    for (let turn = 0; turn < 60 && carried.size < 3; turn++) {
      const ends: ResendEnd[] = [];
      for (const [worker, at, resend] of [
        [first, key, one],
        [second, key, two],
        [second, other.key, their],
      ] as const) {
        if (carried.has(resend)) continue;
        const end = await worker.resendEvents(at, resend);
        ends.push(end);
        if (end.kind === "over") carried.add(resend);
      }
      await clock.advance(500);
    }
    expect(carried.size).toBe(3);
    expect(mostInASecond(times)).toBeLessThanOrEqual(PORTION);
    expect(mostInASecond(other.times)).toBe(PORTION);
    expect(new Set(receiver.sequences()).size).toBe(250);
    expect(other.receiver.delivered).toHaveLength(120);
  });

  it("leaves the stream of new events as it was: bytes, headers and order", async () => {
    const { key, receiver } = await givenUp(200, { subjects: 5 });
    const worker = newWorker();
    const resend = await order(key);
    const bodies = await addEvents(store, key.platformId, about("T:0", "T:1", "T:0", "T:5"));
    const sending = worker.resendEvents(key, resend);
    worker.newEvents(key.platformId);
    await worker.settled(key.platformId);
    await sending;
    const fresh = receiver.delivered.filter(({ sequence }) => sequence > 200);
    expect(fresh.map(({ body }) => body.toString()).toSorted()).toEqual([...bodies].toSorted());
    expect(fresh.every(({ headers }) => headers["x-redelivery"] === undefined)).toBe(true);
    const ofFirst = fresh.map(({ sequence }) => sequence).filter((sequence) => sequence !== 202);
    expect(ofFirst.indexOf(201)).toBeLessThan(ofFirst.indexOf(203));
    // A given-up event holds no new one back, before and while it is sent again.
    expect(await positionOf(store, key.platformId)).toBe(204);
  });

  it("counts what fails, which stays given up, and lets later events of the resource go", async () => {
    const { key, receiver } = await givenUp(6, {
      subjects: 2,
      answer: ({ sequence }) => (sequence === 3 ? 500 : 200),
    });
    const resend = await order(key);
    await carryOut(newWorker(), key, resend);
    expect(receiver.sequences().toSorted()).toEqual(range(6));
    expect(await countsOf(key, resend)).toEqual({ sent: 5, failed: 1, position: 6 });
    expect(await parkedOf(store, key.platformId)).toEqual([
      { seq: 3, state: "FAILED", attempts: 10, nextAt: undefined, outcome: "answered 500" },
    ]);
  });

  it("stops at an endpoint that answers 410", async () => {
    const { key, receiver } = await givenUp(40, { answer: () => 410 });
    const resend = await order(key);
    const worker = newWorker();
    expect(await carryOut(worker, key, resend)).toEqual({ portions: 1, state: "STOPPED" });
    expect(receiver.delivered.length).toBeLessThanOrEqual(16);
    expect(await worker.resendEvents(key, resend)).toEqual({ kind: "over", state: "STOPPED" });
  });

  it("ends when it is cancelled, after the round that is under way", async () => {
    const { key, receiver } = await givenUp(100);
    const resend = await order(key);
    await store.sql("update event_resends set state = 'CANCELLED', ended_at = now()");
    await newWorker().resendEvents(key, resend);
    expect(receiver.delivered.length).toBeLessThanOrEqual(16);
    expect((await countsOf(key, resend)).sent).toBe(receiver.delivered.length);
  });

  it("waits while the endpoint is down, probes it, and goes on where it stood", async () => {
    const { key } = await givenUp(30);
    const resend = await order(key);
    const worker = newWorker();
    await endReceivers();
    expect(await worker.resendEvents(key, resend)).toEqual({ kind: "again", inMs: 5_000 });
    expect(await countsOf(key, resend)).toEqual({ sent: 0, failed: 0, position: 0 });
    expect(await worker.resendEvents(key, resend)).toMatchObject({ kind: "again" });
    const receiver = await webhookReceiver(() => 200);
    await store.sql("update platforms set webhook_endpoint = $2 where platform_id = $1", [
      key.platformId,
      receiver.url,
    ]);
    await clock.advance(10 * MINUTE);
    expect(await carryOut(worker, key, resend)).toMatchObject({ state: "COMPLETED" });
    expect(receiver.sequences().toSorted((a, b) => a - b)).toEqual(range(30));
  });
});

describe("a single event", () => {
  const orderOf = (eventSeq: bigint) => ({ orderId: ids.next(clock.now()), eventSeq });

  it("is attempted by one server at a time, and by none while a retry has it", async () => {
    let answer: number | Promise<number> = 200;
    const { key, receiver } = await delivered(3, { answer: () => answer as number });
    const [first, second] = [newWorker(), newWorker()];
    let release = (_status: number) => {};
    answer = new Promise((resolve) => {
      release = resolve;
    });
    const single = orderOf(2n);
    const sending = first.resendEvent(key, single);
    await receiver.received(1);
    expect(await second.resendEvent(key, single)).toBe(false);
    release(200);
    expect(await sending).toBe(true);
    expect(receiver.sequences()).toEqual([2]);
    expect(await store.sql("select 1 from webhook_resends")).toEqual([]);
  });

  it("whose first attempt is still to come is left to the stream", async () => {
    const { key, receiver } = await delivered(1);
    await addEvents(store, key.platformId, about("T:7"));
    const worker = newWorker();
    expect(await worker.resendEvent(key, orderOf(2n))).toBe(true);
    expect(receiver.delivered).toEqual([]);
    await worker.runOnce();
    expect(receiver.sequences()).toEqual([2]);
  });

  it("of an endpoint that is gone is over", async () => {
    const { key } = await delivered(1);
    await store.sql("update platforms set webhook_endpoint = null");
    expect(await newWorker().resendEvent(key, orderOf(1n))).toBe(true);
  });
});
