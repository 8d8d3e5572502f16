/** An endpoint to which no connection can be made: a state of the endpoint, not a row an event. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createManualClock, type ManualClock } from "../../test/kit/manual-clock.ts";
import { endReceivers } from "../../test/kit/receivers.ts";
import { watchDatabase } from "../../test/kit/watched-database.ts";
import {
  about,
  addEvents,
  addPlatform,
  type DeliveryStore,
  deliveryWorker,
  openDeliveryStore,
  parkedOf,
  positionOf,
  START_MS,
  setEndpoint,
  type TestPlatform,
  webhookReceiver,
} from "../../test/kit/webhook-deliveries.ts";
import { createOutboundClient } from "../outside/outbound-http/outbound-client.ts";
import { OutboundFailed } from "../outside/outbound-http/outbound-errors.ts";
import type { Database } from "../postgres/database.ts";
import type { DeliveryWorker } from "./deliver-webhooks.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

let store: DeliveryStore;
let clock: ManualClock;
let line: { isDown: boolean; tries: number };
const workers: DeliveryWorker[] = [];

beforeAll(async () => {
  store = await openDeliveryStore();
});

afterAll(() => store.close());

beforeEach(() => {
  clock = createManualClock(START_MS);
  line = { isDown: true, tries: 0 };
});

afterEach(async () => {
  await endReceivers();
  for (const worker of workers.splice(0)) {
    await worker.stop(10 * SECOND);
    expect(worker.gauges.held()).toBe(0);
  }
  expect(clock.pendingTimers).toBe(0);
  await store.clear();
});

/** A server whose connections to receivers are refused while the line is down. */
function server(database: Database = store.database): DeliveryWorker {
  const client = createOutboundClient({ clock });
  const worker = deliveryWorker({
    clock,
    database,
    outbound: {
      post(call) {
        line.tries++;
        return line.isDown ? Promise.reject(new OutboundFailed("connect")) : client.post(call);
      },
    },
  });
  workers.push(worker);
  return worker;
}

async function downOf({ id }: TestPlatform) {
  const [cells = []] = await store.sql(
    "select down_since is not null, probes, (extract(epoch from probe_at) * 1000)::int8, down_reason " +
      "from webhook_streams where platform_id = $1",
    [id],
  );
  const [isDown, probes, probeAt, reason] = cells;
  return { isDown: isDown === "t", probes: Number(probes), probeAt: Number(probeAt), reason };
}

/** Moves the clock past one deadline after the other until the pass is over. */
async function advanceUntil(pass: Promise<unknown>): Promise<void> {
  let isOver = false;
  void pass.finally(() => {
    isOver = true;
  });
  await expect
    .poll(async () => {
      if (!isOver) await clock.advance(15 * SECOND);
      return isOver;
    })
    .toBe(true);
}

const many = (count: number) =>
  about(...Array.from({ length: count }, (_, index) => `T:${index % 50}`));

describe("an endpoint that is down", () => {
  it("keeps its stream where it stands, without a row, and gets everything in order once it is back", async () => {
    const receiver = await webhookReceiver(() => 200);
    const platform = await addPlatform(store, receiver.url);
    await addEvents(store, platform.id, many(500));
    const worker = server();
    expect(await worker.runOnce()).toBeLessThanOrEqual(4 + 2);
    expect(await downOf(platform)).toMatchObject({
      isDown: true,
      probes: 0,
      reason: "outbound exchange failed: connect",
    });
    expect(await parkedOf(store, platform.id)).toEqual([]);
    expect(await positionOf(store, platform.id)).toBe(0);
    expect(worker.gauges.down()).toBe(1);

    line.isDown = false;
    expect(await worker.runOnce()).toBe(0);
    await clock.advance(6 * SECOND);
    expect(await worker.runOnce()).toBe(500);
    expect(worker.gauges.down()).toBe(0);
    expect(await downOf(platform)).toMatchObject({ isDown: false, probes: 0 });
    expect(await positionOf(store, platform.id)).toBe(500);
    for (let subject = 0; subject < 50; subject++) {
      const told = receiver.sequences().filter((sequence) => (sequence - 1) % 50 === subject);
      expect(told).toEqual(Array.from({ length: 10 }, (_, index) => index * 50 + subject + 1));
    }
  });

  it("costs no statement for a new event before it is time to probe", async () => {
    const receiver = await webhookReceiver(() => 200);
    const platform = await addPlatform(store, receiver.url);
    await addEvents(store, platform.id, many(10));
    const database = watchDatabase(store.database);
    const worker = server(database);
    await worker.runOnce();
    expect(await downOf(platform)).toMatchObject({ isDown: true });
    const before = database.runs.length;
    worker.newEvents(platform.id);
    // What is asked for in one turn of the event loop is sent in the next one.
    for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(database.runs.length).toBe(before);
  });

  it("is probed by one event at a time, 5 s to 30 min apart", async () => {
    const receiver = await webhookReceiver(() => 200);
    const platform = await addPlatform(store, receiver.url);
    await addEvents(store, platform.id, many(60));
    const worker = server();
    await worker.runOnce();
    for (const delayMs of [
      5 * SECOND,
      30 * SECOND,
      2 * MINUTE,
      10 * MINUTE,
      30 * MINUTE,
      30 * MINUTE,
    ]) {
      const { probeAt } = await downOf(platform);
      expect(probeAt - clock.now()).toBeGreaterThanOrEqual(delayMs * 0.8);
      expect(probeAt - clock.now()).toBeLessThanOrEqual(delayMs * 1.2);
      worker.newEvents(platform.id);
      expect(await worker.runOnce()).toBe(0);
      await clock.advance(probeAt - clock.now());
      expect(await worker.runOnce()).toBe(1);
    }
    expect(await downOf(platform)).toMatchObject({ isDown: true, probes: 6 });
    expect(await parkedOf(store, platform.id)).toEqual([]);
  });

  it("is not one where a single event is never answered, however often it is repeated", async () => {
    line.isDown = false;
    const receiver = await webhookReceiver(({ sequence }) => (sequence === 1 ? "hang" : 200));
    const platform = await addPlatform(store, receiver.url);
    await addEvents(store, platform.id, about("A"));
    const worker = server();
    for (let attempts = 1; attempts <= 5; attempts++) {
      const pass = worker.runOnce();
      await receiver.received(attempts);
      await clock.advance(15 * SECOND);
      await pass;
      const [parked] = await parkedOf(store, platform.id);
      expect(parked).toMatchObject({ state: "WAITING", attempts });
      await clock.advance((parked?.nextAt ?? 0) - clock.now());
    }
    expect((await downOf(platform)).isDown).toBe(false);
    await addEvents(store, platform.id, about("B"));
    worker.newEvents(platform.id);
    await worker.settled(platform.id);
    expect(receiver.sequences()).toContain(2);
  });

  it("probes with another event each time, so that one that is never answered does not stand in the way", async () => {
    let isHanging = true;
    line.isDown = false;
    const receiver = await webhookReceiver(() => (isHanging ? "hang" : 200));
    const platform = await addPlatform(store, receiver.url);
    await addEvents(store, platform.id, about("A", "B", "C", "D"));
    const worker = server();
    const pass = worker.runOnce();
    await receiver.received(1);
    // A busy process has fewer attempts under way, and then one deadline is not enough.
    await advanceUntil(pass);
    expect(await downOf(platform)).toMatchObject({ isDown: true });
    const attempted = receiver.sequences().length;
    await addEvents(store, platform.id, about("E", "F"));
    for (let probe = 0; probe < 3; probe++) {
      const before = receiver.delivered.length;
      await clock.advance(Math.max(0, (await downOf(platform)).probeAt - clock.now()));
      const probing = worker.runOnce();
      await receiver.received(before + 1);
      await clock.advance(15 * SECOND);
      await probing;
    }
    isHanging = false;
    await clock.advance(Math.max(0, (await downOf(platform)).probeAt - clock.now()));
    await worker.runOnce();
    expect(new Set(receiver.sequences().slice(attempted, attempted + 3)).size).toBe(3);
    expect(await positionOf(store, platform.id)).toBe(6);
  });

  it("lets its retries stand still too, and one of them be the probe when there is no new event", async () => {
    line.isDown = false;
    let status = 500;
    const receiver = await webhookReceiver(() => status);
    const platform = await addPlatform(store, receiver.url);
    await addEvents(store, platform.id, about("A", "B", "C", "D", "E"));
    const worker = server();
    expect(await worker.runOnce()).toBe(5);
    line.isDown = true;
    await clock.advance(7 * SECOND);
    expect(await worker.runOnce()).toBe(5);
    expect(await downOf(platform)).toMatchObject({ isDown: true });
    await clock.advance(31 * MINUTE);
    expect(await worker.runOnce()).toBe(1);
    expect(await downOf(platform)).toMatchObject({ isDown: true, probes: 1 });
    expect(await worker.runOnce()).toBe(0);

    line.isDown = false;
    status = 200;
    await clock.advance(31 * MINUTE);
    await worker.runOnce();
    expect(await downOf(platform)).toMatchObject({ isDown: false });
    await clock.advance(31 * MINUTE);
    await worker.runOnce();
    expect(await parkedOf(store, platform.id)).toEqual([]);
  });

  it("is taken over by another server when the first one dies, standing where it stood", async () => {
    const receiver = await webhookReceiver(() => 200);
    const platform = await addPlatform(store, receiver.url);
    await addEvents(store, platform.id, many(30));
    await server().runOnce();
    const tries = line.tries;
    const heir = server();
    expect(await heir.runOnce()).toBe(0);
    await clock.advance(7 * SECOND);
    await Promise.all([heir.runOnce(), workers[0]?.runOnce()]);
    // One server may hold the stream and the other one the retries: each of them probes once.
    expect(line.tries).toBeGreaterThan(tries);
    expect(line.tries).toBeLessThanOrEqual(tries + 2);
    line.isDown = false;
    await clock.advance(MINUTE);
    await Promise.all([heir.runOnce(), workers[0]?.runOnce()]);
    await expect.poll(() => positionOf(store, platform.id)).toBe(30);
    expect(receiver.sequences().toSorted((left, right) => left - right)).toEqual(
      Array.from({ length: 30 }, (_, index) => index + 1),
    );
  });

  it("is tried at once when it is set again, or when it answers a TEST", async () => {
    const receiver = await webhookReceiver(() => 200);
    const platform = await addPlatform(store, receiver.url);
    await addEvents(store, platform.id, about("A", "B", "C", "D"));
    const worker = server();
    await worker.runOnce();
    line.isDown = false;
    expect(await worker.test(platform.id)).toMatchObject({ kind: "answered" });
    await receiver.received(5);
    await worker.settled(platform.id);
    expect(await positionOf(store, platform.id)).toBe(4);

    line.isDown = true;
    await addEvents(store, platform.id, about("A", "B", "C", "D"));
    await worker.runOnce();
    expect(await downOf(platform)).toMatchObject({ isDown: true });
    line.isDown = false;
    await setEndpoint(store, platform.id, receiver.url);
    expect(await worker.runOnce()).toBe(4);
    expect(await positionOf(store, platform.id)).toBe(8);
  });

  it("has events given up when their seven days are over, and those can be sent again", async () => {
    const receiver = await webhookReceiver(() => 200);
    const platform = await addPlatform(store, receiver.url);
    await addEvents(store, platform.id, many(5));
    const worker = server();
    await worker.runOnce();
    await addEvents(
      store,
      platform.id,
      many(3).map((event) => ({ ...event, at: START_MS + 6 * DAY })),
    );
    await clock.advance(7 * DAY + MINUTE);
    await worker.runOnce();
    const parked = await parkedOf(store, platform.id);
    expect(parked.map(({ seq, state }) => [seq, state])).toEqual(
      [1, 2, 3, 4, 5].map((seq) => [seq, "FAILED"]),
    );
    expect(await positionOf(store, platform.id)).toBe(5);
    expect(worker.gauges.failed()).toBe(5);
    line.isDown = false;
    await clock.advance(31 * MINUTE);
    expect(await worker.runOnce()).toBe(3);
    expect(receiver.sequences().toSorted()).toEqual([6, 7, 8]);
  });

  it("costs another platform nothing, and a receiver that flaps every second loses no event", async () => {
    const [flapping, other] = [await webhookReceiver(() => 200), await webhookReceiver(() => 200)];
    const platform = await addPlatform(store, flapping.url);
    const worker = server();
    line.isDown = false;
    for (let second = 0; second < 60; second++) {
      line.isDown = second % 2 === 0;
      await addEvents(store, platform.id, many(20));
      await worker.runOnce();
      await clock.advance(SECOND);
    }
    line.isDown = false;
    for (let minute = 0; minute < 40; minute++) {
      await clock.advance(MINUTE);
      await worker.runOnce();
    }
    expect(new Set(flapping.sequences()).size).toBe(60 * 20);
    expect(await parkedOf(store, platform.id)).toEqual([]);
    const neighbour = await addPlatform(store, other.url);
    await addEvents(store, neighbour.id, about("A", "B"));
    await worker.runOnce();
    expect(other.sequences().toSorted()).toEqual([1, 2]);
  });
});
