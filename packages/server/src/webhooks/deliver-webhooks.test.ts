import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { verifyWebhook } from "../../../client/src/webhooks.ts";
import { createManualClock, type ManualClock } from "../../test/kit/manual-clock.ts";
import { endReceivers, rawReceiver } from "../../test/kit/receivers.ts";
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
  setEndpoint,
  webhookReceiver,
} from "../../test/kit/webhook-deliveries.ts";
import type { DeliveryWorker } from "./deliver-webhooks.ts";

const SECOND = 1_000;

let store: DeliveryStore;
let clock: ManualClock;
let worker: DeliveryWorker;

beforeAll(async () => {
  store = await openDeliveryStore();
});

afterAll(() => store.close());

beforeEach(() => {
  clock = createManualClock(START_MS);
  worker = deliveryWorker({ clock, database: store.database });
});

afterEach(async () => {
  await endReceivers();
  await worker.stop(10 * SECOND);
  expect(worker.gauges.underway()).toBe(0);
  expect(worker.gauges.held()).toBe(0);
  expect(clock.pendingTimers).toBe(0);
  const leases = await store.sql(
    "select 1 from webhook_streams where leased_until > '2000-01-01T00:00:00Z'",
  );
  expect(leases).toEqual([]);
  await store.clear();
});

describe("a first attempt", () => {
  it("carries the stored bytes, a signature over them, the sequence and nothing secret", async () => {
    const receiver = await webhookReceiver(() => 200);
    const platform = await addPlatform(store, receiver.url);
    const bodies = await addEvents(store, platform.id, about("Transaction:1", "Transaction:2"));
    expect(await worker.runOnce()).toBe(2);
    expect(receiver.sequences().toSorted()).toEqual([1, 2]);
    for (const { body, headers, sequence } of receiver.delivered) {
      expect(body.toString("utf8")).toBe(bodies[sequence - 1]);
      expect(headers["content-type"]).toBe("application/json");
      expect(headers["user-agent"]).toBe("Florin-Webhooks/1");
      const header = headers["x-service-signature"] as string;
      expect(verifyWebhook({ body, header, publicKey: platform.publicKey })).toBe(true);
      const other = Buffer.concat([body, Buffer.from(" ")]);
      expect(verifyWebhook({ body: other, header, publicKey: platform.publicKey })).toBe(false);
    }
    expect(await positionOf(store, platform.id)).toBe(2);
    expect(await parkedOf(store, platform.id)).toEqual([]);
    expect(await worker.runOnce()).toBe(0);
  });

  it("of a subject waits for the one before, while a few subjects go side by side", async () => {
    const underway = new Set<string>();
    let isMixed = false;
    const receiver = await webhookReceiver(async ({ body }) => {
      const subject = JSON.parse(body.toString()).data.id as string;
      isMixed ||= underway.has(subject);
      underway.add(subject);
      await new Promise((resolve) => setImmediate(resolve));
      underway.delete(subject);
      return 200;
    });
    const platform = await addPlatform(store, receiver.url);
    const subjects = Array.from({ length: 300 }, (_, index) => `T:${(index * 7) % 11}`);
    await addEvents(store, platform.id, about(...subjects));
    expect(await worker.runOnce()).toBe(300);
    expect(isMixed).toBe(false);
    expect(receiver.widest()).toBeGreaterThan(1);
    for (const subject of new Set(subjects)) {
      const told = receiver.sequences().filter((sequence) => subjects[sequence - 1] === subject);
      expect(told).toEqual(told.toSorted((left, right) => left - right));
    }
    expect(await positionOf(store, platform.id)).toBe(300);
  });

  it("follows a hint at once, and a lost hint by looking", async () => {
    const receiver = await webhookReceiver(() => 200);
    const platform = await addPlatform(store, receiver.url);
    await addEvents(store, platform.id, about("A"));
    worker.newEvents(platform.id);
    await receiver.received(1);
    await worker.settled(platform.id);

    worker.start();
    await addEvents(store, platform.id, about("B"));
    await clock.advance(500);
    await receiver.received(2);
    await worker.settled(platform.id);
    expect(receiver.sequences()).toEqual([1, 2]);
  });

  it("is made for every hint of many that come while events are under way", async () => {
    const receiver = await webhookReceiver(() => 200);
    const platform = await addPlatform(store, receiver.url);
    for (let round = 0; round < 20; round++) {
      await addEvents(store, platform.id, about("A", "B"));
      worker.newEvents(platform.id);
    }
    await receiver.received(40);
    await worker.settled(platform.id);
    expect(receiver.sequences().toSorted((left, right) => left - right)).toEqual(
      Array.from({ length: 40 }, (_, index) => index + 1),
    );
  });

  it("is not made without an endpoint, and later only for what happened since it was set", async () => {
    const receiver = await webhookReceiver(() => 200);
    const platform = await addPlatform(store, null);
    await addEvents(store, platform.id, about("A", "B"));
    worker.newEvents(platform.id);
    await worker.settled(platform.id);
    expect(await worker.runOnce()).toBe(0);
    await setEndpoint(store, platform.id, receiver.url);
    await addEvents(store, platform.id, [{ subject: "P", type: "TEST" }, { subject: "A" }]);
    expect(await worker.runOnce()).toBe(2);
    expect(receiver.sequences().toSorted()).toEqual([3, 4]);
  });

  const accepted: readonly (readonly [what: string, answer: string])[] = [
    ["a 2xx whose body never ends", "HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nabc"],
    ["a 2xx without an end", "HTTP/1.1 204 No Content\r\n\r\n"],
    ["a 409", "HTTP/1.1 409 Conflict\r\ncontent-length: 0\r\n\r\n"],
  ];
  it.each(accepted)("counts as delivered with %s", async (_what, answer) => {
    const receiver = await rawReceiver((socket) => {
      socket.write(answer);
      if (answer.includes("1000")) setImmediate(() => socket.resetAndDestroy());
    });
    const platform = await addPlatform(store, receiver.url);
    await addEvents(store, platform.id, about("A"));
    expect(await worker.runOnce()).toBe(1);
    expect(await parkedOf(store, platform.id)).toEqual([]);
    expect(await positionOf(store, platform.id)).toBe(1);
  });

  it("counts as delivered when the answer's body drips past the deadline", async () => {
    let arrived = () => {};
    const came = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const receiver = await rawReceiver((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nabc", () => arrived());
    });
    const platform = await addPlatform(store, receiver.url);
    await addEvents(store, platform.id, about("A"));
    const pass = worker.runOnce();
    await came;
    await clock.advance(15 * SECOND);
    expect(await pass).toBe(1);
    expect(await parkedOf(store, platform.id)).toEqual([]);
  });

  it("follows no redirect", async () => {
    const target = await webhookReceiver(() => 200);
    const receiver = await webhookReceiver(() => ({
      status: 307,
      headers: { location: target.url },
    }));
    const platform = await addPlatform(store, receiver.url);
    await addEvents(store, platform.id, about("A"));
    await worker.runOnce();
    expect(target.delivered).toEqual([]);
    expect(await parkedOf(store, platform.id)).toMatchObject([{ seq: 1, outcome: "answered 307" }]);
  });

  it("is refused by an address that is not public, and tried again later", async () => {
    const receiver = await webhookReceiver(() => 200);
    const platform = await addPlatform(store, receiver.url, "PRODUCTION");
    await addEvents(store, platform.id, about("A"));
    await worker.runOnce();
    expect(receiver.delivered).toEqual([]);
    const [parked] = await parkedOf(store, platform.id);
    expect(parked).toMatchObject({ state: "WAITING", attempts: 1 });
    expect(parked?.outcome).toContain("refused");
  });

  it("that cannot be signed is written down as failed", async () => {
    const receiver = await webhookReceiver(() => 200);
    const platform = await addPlatform(store, receiver.url);
    await store.sql("update platforms set webhook_private_key_sealed = 'broken' where id = $1", [
      platform.id,
    ]);
    await addEvents(store, platform.id, about("A"));
    await worker.runOnce();
    expect(receiver.delivered).toEqual([]);
    expect(await parkedOf(store, platform.id)).toMatchObject([{ state: "WAITING", attempts: 1 }]);
  });
});

describe("a TEST on demand", () => {
  it("answers what the endpoint said, and is signed like any event", async () => {
    const receiver = await webhookReceiver(() => 418);
    const platform = await addPlatform(store, receiver.url);
    await store.sql("update platform_heads set clock_offset_ms = 60000 where platform_id = $1", [
      platform.id,
    ]);
    const outcome = await worker.test(platform.id);
    expect(outcome).toEqual({
      kind: "answered",
      url: receiver.url,
      status: 418,
      body: "thanks",
      latencyMs: expect.any(Number),
    });
    const [{ body, headers } = {} as Delivered] = receiver.delivered;
    expect(JSON.parse(body.toString())).toEqual({
      id: expect.stringMatching(/^Webhook:[0-9a-f-]{36}$/),
      type: "TEST",
      timestamp: new Date(START_MS + 60 * SECOND).toISOString(),
      data: {},
    });
    const header = headers["x-service-signature"] as string;
    expect(verifyWebhook({ body, header, publicKey: platform.publicKey })).toBe(true);
  });

  it("says when there is no endpoint, none that answers, or none that may be called", async () => {
    const none = await addPlatform(store, null);
    expect(await worker.test(none.id)).toEqual({ kind: "no-endpoint" });
    const closed = await webhookReceiver(() => 200);
    await endReceivers();
    const dead = await addPlatform(store, closed.url);
    expect(await worker.test(dead.id)).toEqual({
      kind: "failed",
      reason: `${new URL(closed.url).host} refused the connection: nothing listens there.`,
    });
    const forbidden = await addPlatform(store, closed.url, "PRODUCTION");
    expect(await worker.test(forbidden.id)).toMatchObject({ kind: "failed" });
  });
});

describe("an endpoint that is gone", () => {
  it.each([
    ["a TEST on demand", (id: string) => worker.test(id)],
    [
      "a question",
      (id: string) =>
        worker.ask(id, { eventSeq: 1n, deadlineMs: 5 * SECOND, onStatus: () => undefined }),
    ],
  ])("may say so in answer to %s", async (_what, call) => {
    const receiver = await webhookReceiver(() => 410);
    const { id } = await addPlatform(store, receiver.url);
    await addEvents(store, id, about("A"));
    expect(await call(id)).toMatchObject({ status: 410 });
    await addEvents(store, id, about("B"));
    expect(await worker.runOnce()).toBe(0);
    await setEndpoint(store, id, receiver.url);
    expect(await worker.runOnce()).toBeGreaterThan(0);
  });
});

describe("a question", () => {
  it("does not wait for the answer to another one", async () => {
    const gate: (() => void)[] = [];
    const receiver = await webhookReceiver(
      () => new Promise<200>((resolve) => gate.push(() => resolve(200))),
    );
    const { id } = await addPlatform(store, receiver.url);
    await addEvents(store, id, about(...Array.from({ length: 40 }, (_, index) => `T:${index}`)));
    const asking = Array.from({ length: 40 }, (_, index) =>
      worker.ask(id, { eventSeq: BigInt(index + 1), deadlineMs: 5 * SECOND, onStatus: () => {} }),
    );
    await receiver.received(40);
    for (const answer of gate) answer();
    expect((await Promise.all(asking)).map((answer) => answer?.status)).toEqual(
      Array(40).fill(200),
    );
  });
});

describe("stopping", () => {
  it("waits for deliveries under way, records them and releases the stream", async () => {
    const gate: (() => void)[] = [];
    const receiver = await webhookReceiver(
      () => new Promise<200>((resolve) => gate.push(() => resolve(200))),
    );
    const platform = await addPlatform(store, receiver.url);
    await addEvents(store, platform.id, about("A", "A", "B"));
    worker.newEvents(platform.id);
    await receiver.received(2);
    const stopped = worker.stop(10 * SECOND);
    for (const open of gate) open();
    await stopped;
    expect(receiver.sequences().toSorted()).toEqual([1, 3]);
    expect(await positionOf(store, platform.id)).toBe(1);
    worker = deliveryWorker({ clock, database: store.database });
    const pass = worker.runOnce();
    await receiver.received(4);
    for (const open of gate) open();
    await pass;
    expect(receiver.sequences().toSorted()).toEqual([1, 2, 3, 3]);
  });

  it("waits no longer than its limit", async () => {
    const receiver = await webhookReceiver(() => "hang");
    const platform = await addPlatform(store, receiver.url);
    await addEvents(store, platform.id, about("A"));
    worker.newEvents(platform.id);
    await receiver.received(1);
    let isStopped = false;
    const stopped = worker.stop(10 * SECOND).then(() => {
      isStopped = true;
    });
    await clock.advance(9 * SECOND);
    expect(isStopped).toBe(false);
    await clock.advance(SECOND);
    await stopped;
    expect(await positionOf(store, platform.id)).toBe(0);
    await endReceivers();
    await clock.advance(SECOND);
  });
});
