/** Endpoints that take several events in a request. Batches of a queue and the states after a failure are tables in `batches.test.ts`. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { verifyWebhook } from "../../../client/src/webhooks.ts";
import { proxyTo } from "../../test/kit/database-proxy.ts";
import { createManualClock, type ManualClock } from "../../test/kit/manual-clock.ts";
import { endReceivers } from "../../test/kit/receivers.ts";
import {
  about,
  addEndpoint,
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
  type WorkerSetup,
  webhookReceiver,
} from "../../test/kit/webhook-deliveries.ts";
import type { BatchRule } from "../domain/events/webhook-endpoint.ts";
import { createOutboundClient } from "../outside/outbound-http/outbound-client.ts";
import { OutboundFailed } from "../outside/outbound-http/outbound-errors.ts";
import { openDatabase } from "../postgres/database.ts";
import { silentLog } from "../std/log.ts";
import { MAX_BATCH_BYTES } from "./batches.ts";
import type { DeliveryWorker } from "./deliver-webhooks.ts";

const SECOND = 1_000;

let store: DeliveryStore;
let clock: ManualClock;
let workers: DeliveryWorker[];

beforeAll(async () => {
  store = await openDeliveryStore();
});
afterAll(() => store.close());
beforeEach(() => {
  clock = createManualClock(START_MS);
  workers = [];
});
afterEach(async () => {
  await endReceivers();
  for (const worker of workers) {
    await worker.stop(10 * SECOND);
    expect([worker.gauges.underway(), worker.gauges.held()]).toEqual([0, 0]);
  }
  expect(clock.pendingTimers).toBe(0);
  await store.clear();
});

function newWorker(setup: Partial<WorkerSetup> = {}): DeliveryWorker {
  const worker = deliveryWorker({ clock, database: store.database, ...setup });
  workers.push(worker);
  return worker;
}

const AT_ONCE: BatchRule = { maxEvents: 100, maxWaitMs: 0 };

/** A platform whose only endpoint takes batches. */
async function batched(receiver: WebhookReceiver, batch = AT_ONCE) {
  const { id } = await addPlatform(store, null);
  const endpoint = await addEndpoint(store, id, { url: receiver.url, batch });
  return { id, endpoint };
}

const batchesOf = ({ delivered }: WebhookReceiver) => delivered.map(({ batch }) => batch);
const numbers = (count: number, from = 1) => Array.from({ length: count }, (_, at) => from + at);

/** Moves time to the next attempt that is due and makes it. */
async function nextAttempts(worker: DeliveryWorker, platformId: string): Promise<void> {
  const parked = await parkedOf(store, platformId);
  const next = Math.min(...parked.flatMap(({ nextAt }) => nextAt ?? []));
  await clock.advance(Math.max(0, next - clock.now()));
  await worker.runOnce();
}

describe("a batch", () => {
  it("has the stored bytes of its events, one signature over them, their numbers and their count", async () => {
    const receiver = await webhookReceiver(() => 200);
    const { id, endpoint } = await batched(receiver);
    const bodies = await addEvents(store, id, about("A", "B", "A", "C", "A"));
    const worker = newWorker();
    expect(await worker.runOnce()).toBe(5);
    expect(receiver.delivered).toHaveLength(1);
    const { body, headers } = receiver.delivered[0] as Delivered;
    expect(body.toString("utf8")).toBe(`{"events":[${bodies.join(",")}]}`);
    expect(headers["x-event-sequence"]).toBe("1,2,3,4,5");
    expect(headers["x-event-count"]).toBe("5");
    expect(headers.traceparent).toBeUndefined();
    const header = String(headers["x-service-signature"]);
    expect(verifyWebhook({ body, header, publicKey: endpoint.publicKey })).toBe(true);
    expect(await positionOf(store, id)).toBe(5);
    expect(await parkedOf(store, id)).toEqual([]);
    expect(worker.gauges.delivered()).toBe(5);
    expect(await worker.runOnce()).toBe(0);
  });

  it("keeps the order of each subject and its bounds, also of a long queue", async () => {
    const underway = new Set<string>();
    let isMixed = false;
    const receiver = await webhookReceiver(async ({ body }) => {
      const events = JSON.parse(body.toString()).events as { readonly data: { id: string } }[];
      const subjects = new Set(events.map(({ data }) => data.id));
      for (const subject of subjects) isMixed ||= underway.has(subject);
      for (const subject of subjects) underway.add(subject);
      await new Promise((resolve) => setImmediate(resolve));
      for (const subject of subjects) underway.delete(subject);
      return 200;
    });
    const { id } = await batched(receiver, { maxEvents: 30, maxWaitMs: 0 });
    const subjects = Array.from({ length: 1_500 }, (_, index) => `T:${(index * 7) % 211}`);
    await addEvents(store, id, about(...subjects));
    expect(await newWorker().runOnce()).toBe(1_500);
    const batches = batchesOf(receiver);
    expect(Math.max(...batches.map((batch) => batch.length))).toBe(30);
    expect(batches.length).toBeLessThan(100);
    expect(isMixed).toBe(false);
    expect(batches.flat().toSorted((left, right) => left - right)).toEqual(numbers(1_500));
    for (const subject of new Set(subjects)) {
      const told = batches.flat().filter((sequence) => subjects[sequence - 1] === subject);
      expect(told).toEqual(told.toSorted((left, right) => left - right));
    }
  });

  it("is bounded in bytes, and a larger event goes alone", async () => {
    const receiver = await webhookReceiver(() => 200);
    const { id } = await batched(receiver);
    const large = { note: "x".repeat(MAX_BATCH_BYTES / 2) };
    const larger = { subject: "E", note: large.note.repeat(2) };
    await addEvents(store, id, [
      ...about("A"),
      { subject: "A", ...large },
      ...about("B"),
      { subject: "C", ...large },
      ...about("D"),
      larger,
    ]);
    await newWorker().runOnce();
    expect(batchesOf(receiver).toSorted(([one = 0], [other = 0]) => one - other)).toEqual([
      [1, 2, 3],
      [4, 5],
      [6],
    ]);
  });

  it("waits for others as long as its endpoint asks, and no longer", async () => {
    const receiver = await webhookReceiver(() => 200);
    const { id } = await batched(receiver, { maxEvents: 100, maxWaitMs: 200 });
    await addEvents(store, id, about("A", "B"));
    const worker = newWorker();
    const pass = worker.runOnce();
    await expect.poll(() => worker.gauges.held()).toBe(2);
    await clock.advance(199);
    expect(receiver.delivered).toEqual([]);
    await clock.advance(1);
    await receiver.received(1);
    await pass;
    expect(batchesOf(receiver)).toEqual([[1, 2]]);
  });

  it("does not wait once it is full, nor for events that are old already", async () => {
    const receiver = await webhookReceiver(() => 200);
    const { id } = await batched(receiver, { maxEvents: 3, maxWaitMs: 1_000 });
    await addEvents(store, id, about("A", "B", "C"));
    const worker = newWorker();
    expect(await worker.runOnce()).toBe(3);
    await clock.advance(2_000);
    await addEvents(store, id, about("A"));
    expect(await worker.runOnce()).toBe(1);
    expect(batchesOf(receiver)).toEqual([[1, 2, 3], [4]]);
  });

  it("takes up the events that come while it waits", async () => {
    const receiver = await webhookReceiver(() => 200);
    const { id } = await batched(receiver, { maxEvents: 100, maxWaitMs: 200 });
    await addEvents(store, id, about("A"));
    const worker = newWorker();
    const pass = worker.runOnce();
    await expect.poll(() => worker.gauges.held()).toBe(1);
    await addEvents(store, id, about("A", "B"));
    worker.retriesDue(id);
    await clock.advance(120);
    await expect.poll(() => worker.gauges.held()).toBe(3);
    expect(receiver.delivered).toEqual([]);
    await clock.advance(80);
    await receiver.received(1);
    await pass;
    expect(batchesOf(receiver)).toEqual([[1, 2, 3]]);
  });

  it("is posted before the server stops, or by the next one", async () => {
    const receiver = await webhookReceiver(() => 200);
    const { id } = await batched(receiver, { maxEvents: 100, maxWaitMs: 1_000 });
    await addEvents(store, id, about("A"));
    const worker = newWorker();
    const pass = worker.runOnce();
    await expect.poll(() => worker.gauges.held()).toBe(1);
    await worker.stop(10 * SECOND);
    await pass;
    expect(receiver.delivered).toEqual([]);
    await clock.advance(SECOND);
    expect(await newWorker().runOnce()).toBe(1);
    expect(batchesOf(receiver)).toEqual([[1]]);
  });
});

describe("a batch that is not accepted", () => {
  it.each([500, 409, 302])(
    "with %s is repeated as a whole, with the same bytes",
    async (status) => {
      let answer = status;
      const receiver = await webhookReceiver(() => answer);
      const { id } = await batched(receiver);
      await addEvents(store, id, about("A", "B", "A", "A"));
      const worker = newWorker();
      expect(await worker.runOnce()).toBe(4);
      const outcome = `answered ${status}`;
      expect(await parkedOf(store, id)).toMatchObject([
        { seq: 1, state: "WAITING", attempts: 1, outcome },
        { seq: 2, state: "WAITING", attempts: 1, outcome },
        { seq: 3, state: "BEHIND", attempts: 1, outcome },
        { seq: 4, state: "BEHIND", attempts: 1, outcome },
      ]);
      expect(await positionOf(store, id)).toBe(4);
      answer = 200;
      await nextAttempts(worker, id);
      expect(batchesOf(receiver)).toEqual([numbers(4), numbers(4)]);
      const [first, again] = receiver.delivered;
      expect(again?.body).toEqual(first?.body);
      expect(again?.headers["x-redelivery"]).toBeUndefined();
      expect(await parkedOf(store, id)).toEqual([]);
      expect(worker.gauges.delivered()).toBe(4);
    },
  );

  it("holds back the later events of its subjects, and no others", async () => {
    let status = 500;
    const receiver = await webhookReceiver(() => status);
    const { id } = await batched(receiver, { maxEvents: 2, maxWaitMs: 0 });
    await addEvents(store, id, about("A", "A"));
    const worker = newWorker();
    await worker.runOnce();
    status = 200;
    await addEvents(store, id, about("B", "A", "B"));
    await worker.runOnce();
    expect(batchesOf(receiver)).toEqual([
      [1, 2],
      [3, 5],
    ]);
    expect((await parkedOf(store, id)).map(({ seq, attempts }) => [seq, attempts])).toEqual([
      [1, 1],
      [2, 1],
      [4, 0],
    ]);
    await nextAttempts(worker, id);
    expect(batchesOf(receiver).slice(2)).toEqual([[1, 2], [4]]);
    expect(await parkedOf(store, id)).toEqual([]);
  });

  it("is halved with each further repeat, so that one event that is never taken is alone at last", async () => {
    const receiver = await webhookReceiver(({ batch }) => (batch.includes(5) ? 500 : 200));
    const { id } = await batched(receiver, { maxEvents: 8, maxWaitMs: 0 });
    await addEvents(store, id, about(...numbers(8).map((subject) => `${subject}`)));
    const worker = newWorker();
    await worker.runOnce();
    for (let repeat = 0; repeat < 4; repeat++) await nextAttempts(worker, id);
    const batches = batchesOf(receiver);
    expect(batches.slice(0, 2)).toEqual([numbers(8), numbers(8)]);
    const later = batches.slice(2).map((batch) => batch.join(" "));
    expect(later.toSorted()).toEqual(["1 2 3 4", "5", "5 6", "5 6 7 8", "6", "7 8"]);
    expect(await parkedOf(store, id)).toMatchObject([{ seq: 5, state: "WAITING", attempts: 5 }]);
  });

  it("keeps its order over four failures, and then holds nothing back", async () => {
    let status = 500;
    const receiver = await webhookReceiver(() => status);
    const { id } = await batched(receiver);
    await addEvents(store, id, about("A", "A", "A"));
    const worker = newWorker();
    await worker.runOnce();
    for (let repeat = 0; repeat < 3; repeat++) await nextAttempts(worker, id);
    expect(batchesOf(receiver)).toEqual([numbers(3), numbers(3), numbers(3), numbers(3)]);
    expect(await parkedOf(store, id)).toMatchObject(
      numbers(3).map((seq) => ({ seq, state: "WAITING", attempts: 4 })),
    );
    status = 200;
    await nextAttempts(worker, id);
    expect(batchesOf(receiver).slice(4)).toEqual([numbers(3)]);
    expect(await parkedOf(store, id)).toEqual([]);
  });

  it("gives up what is sent once, and repeats the rest", async () => {
    let status = 503;
    const receiver = await webhookReceiver(() => status);
    const { id } = await batched(receiver);
    await addEvents(store, id, [{ subject: "A", type: "INCOMING_PAYMENT.PENDING" }, ...about("A")]);
    const worker = newWorker();
    await worker.runOnce();
    expect((await parkedOf(store, id)).map(({ state }) => state)).toEqual(["FAILED", "WAITING"]);
    status = 200;
    await nextAttempts(worker, id);
    expect(batchesOf(receiver)).toEqual([[1, 2], [2]]);
  });

  it("with 410 stops the endpoint and loses nothing", async () => {
    let status = 410;
    const receiver = await webhookReceiver(() => status);
    const { id } = await batched(receiver);
    await addEvents(store, id, about("A", "B", "A"));
    const worker = newWorker();
    await worker.runOnce();
    await addEvents(store, id, about("C"));
    await clock.advance(60 * SECOND);
    expect(await worker.runOnce()).toBe(0);
    status = 200;
    await store.sql("update webhook_endpoints set setting = setting + 1 where platform_id = $1", [
      id,
    ]);
    for (let pass = 0; pass < 2; pass++) await worker.runOnce();
    const told = batchesOf(receiver).slice(1).flat();
    expect(told.toSorted()).toEqual([1, 2, 3, 4]);
    expect(told.indexOf(1)).toBeLessThan(told.indexOf(3));
  });

  it("by an endpoint that is down waits, and one event is the probe", async () => {
    const client = createOutboundClient({ clock });
    let isDown = true;
    const receiver = await webhookReceiver(() => 200);
    const { id } = await batched(receiver, { maxEvents: 10, maxWaitMs: 0 });
    await addEvents(store, id, about(...numbers(80).map((subject) => `${subject % 40}`)));
    const worker = newWorker({
      outbound: {
        post: (call) =>
          isDown ? Promise.reject(new OutboundFailed("connect")) : client.post(call),
      },
    });
    await worker.runOnce();
    expect(worker.gauges.down()).toBe(1);
    expect(await parkedOf(store, id)).toEqual([]);
    expect(await positionOf(store, id)).toBe(0);
    isDown = false;
    await clock.advance(6 * SECOND);
    expect(await worker.runOnce()).toBe(80);
    expect(batchesOf(receiver)[0]).toEqual([1]);
    expect(
      batchesOf(receiver)
        .flat()
        .toSorted((left, right) => left - right),
    ).toEqual(numbers(80));
    for (let subject = 0; subject < 40; subject++) {
      const told = batchesOf(receiver)
        .flat()
        .filter((sequence) => sequence % 40 === subject);
      expect(told).toEqual(told.toSorted((left, right) => left - right));
    }
  });
});

describe("a server that dies with a batch under way", () => {
  it("has all of it repeated, and counts nothing as delivered that was not answered", async () => {
    const proxy = await proxyTo(store.address);
    const database = openDatabase({ address: proxy.address, log: silentLog });
    const receiver = await webhookReceiver(() => {
      proxy.cut();
      return 200;
    });
    const { id } = await batched(receiver);
    await addEvents(store, id, about("A", "B", "A"));
    const dying = newWorker({ database });
    const pass = dying.runOnce().catch(() => undefined);
    await receiver.received(1);
    expect(await positionOf(store, id)).toBe(0);
    const heir = newWorker();
    await clock.advance(14 * SECOND);
    expect(await heir.runOnce()).toBe(0);
    await clock.advance(SECOND);
    expect(await heir.runOnce()).toBe(3);
    expect(batchesOf(receiver)).toEqual([numbers(3), numbers(3)]);
    expect(await positionOf(store, id)).toBe(3);
    await dying.stop(0);
    await pass;
    await database.close();
  });

  it("shares repeats with another server without sending one twice", async () => {
    let status = 500;
    const receiver = await webhookReceiver(() => status);
    const { id } = await batched(receiver, { maxEvents: 5, maxWaitMs: 0 });
    const subjects = numbers(60).map((seq) => `${seq % 20}`);
    await addEvents(store, id, about(...subjects));
    const [one, two] = [newWorker(), newWorker()];
    await one.runOnce();
    const tried = receiver.delivered.length;
    status = 200;
    await clock.advance(7 * SECOND);
    await Promise.all([one.runOnce(), two.runOnce()]);
    await Promise.all([one.runOnce(), two.runOnce()]);
    const told = batchesOf(receiver).slice(tried).flat();
    expect(told.toSorted((left, right) => left - right)).toEqual(numbers(60));
    expect(await store.sql("select 1 from webhook_deliveries")).toEqual([]);
  });
});
