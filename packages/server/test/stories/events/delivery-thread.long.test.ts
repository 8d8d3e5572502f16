/** Deliveries on a thread of their own, as in production; the other stories deliver on the main thread. */
import { randomBytes } from "node:crypto";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import type { Worker } from "node:worker_threads";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createDeliveryThread } from "../../../src/boot/deliveries/delivery-thread.ts";
import { present } from "../../../src/std/assert.ts";
import { Fault } from "../../../src/std/errors.ts";
import { type LogLine, recordingLog } from "../../kit/http-shell.ts";
import { createManualClock } from "../../kit/manual-clock.ts";
import { endReceivers, httpReceiver } from "../../kit/receivers.ts";
import { fundedCustomer, openStory, type Story } from "../../kit/story.ts";
import { fund } from "../../kit/story-money.ts";
import { announce, answered, questionTo, transactionOf, umaStage } from "../../kit/story-uma.ts";
import {
  listenTo,
  openReceiver,
  type StoryReceiver,
  setEndpoint,
} from "../../kit/story-webhooks.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

/** Node announces each new thread here. */
const CHANNEL = "worker_threads";
const threads: Worker[] = [];
const lines: LogLine[] = [];
const keep = (message: unknown) => {
  threads.push((message as { readonly worker: Worker }).worker);
};
const thread = (place: number) => present(threads[place], "a delivery thread");

let server: TestServer;
let story: Story;
beforeEach(async () => {
  threads.length = 0;
  lines.length = 0;
  subscribe(CHANNEL, keep);
  server = await startTestServer({ deliveryThread: true, log: recordingLog(lines) });
  story = await openStory(server);
});
afterEach(async () => {
  await server.close();
  unsubscribe(CHANNEL, keep);
  await endReceivers();
});

/** The numbers of the platform's events, in order. */
async function numbers(): Promise<readonly number[]> {
  const { rows } = await server.database.asSuperuser((client) =>
    client.query("select seq from events where platform_id = $1 order by seq", [story.platformId]),
  );
  return rows.map(({ seq }) => Number(seq));
}

const arrived = ({ deliveries }: StoryReceiver) =>
  new Set(deliveries.map(({ sequence }) => sequence).filter((sequence) => sequence > 0));

/** The leases of a thread that has ended run out after 15 seconds. The test does not wait for that. */
async function endLeases(): Promise<void> {
  await server.database.asSuperuser((client) =>
    client.query("update webhook_streams set leased_until = '-infinity'"),
  );
}

it("delivers, logs the attempts, and posts its figures", async () => {
  const before = (await numbers()).length;
  const receiver = await listenTo(story);
  await fundedCustomer(story);
  await story.settle();
  const events = (await numbers()).slice(before);
  await expect.poll(() => arrived(receiver).size).toBe(events.length);
  await server.app.deliveries.settled(story.platformId);
  expect(threads).toHaveLength(1);
  await server.app.attemptLog.flush();
  const listed = await story.call("GET", "/webhook-deliveries");
  expect(listed.json.data).toHaveLength(events.length);
  const { gauges } = server.app.deliveries;
  await expect.poll(gauges.delivered).toBe(events.length);
  expect([gauges.failed(), gauges.down(), server.app.attemptLog.dropped()]).toEqual([0, 0, 0]);
});

it("sends a TEST event and answers what came back", async () => {
  const path = "/sandbox/webhooks/test";
  expect((await story.call("POST", path)).json.code).toBe("WEBHOOK_ENDPOINT_NOT_SET");
  const receiver = await listenTo(story, () => ({ status: 201, body: "thanks" }));
  const { json } = await story.call("POST", path);
  expect(json).toMatchObject({ url: receiver.url, response_status: 201, response_body: "thanks" });
});

const QUESTION = "INCOMING_PAYMENT.PENDING";

it("asks for the approval of a payment", async () => {
  const at = await umaStage(server, 200);
  const { id } = (await announce(at)).json;
  await expect.poll(() => at.receiver.deliveries.map(({ type }) => type)).toContain(QUESTION);
  await answered(at);
  expect(questionTo(at).type).toBe(QUESTION);
  await expect.poll(async () => (await transactionOf(at, id)).status).toBe("COMPLETED");
});

it("passes on the trace of the call that caused an event", async () => {
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  const { accountId } = await fundedCustomer(story);
  const seen: unknown[] = [];
  const receiver = await httpReceiver((request, response) => {
    seen.push(request.headers.traceparent);
    response.end();
  });
  await setEndpoint(story, receiver.url);
  const path = `/sandbox/internal-accounts/${accountId}/fund`;
  await story.call("POST", path, { amount: 5 }, { headers: { traceparent } });
  await expect.poll(() => seen).toContain(traceparent);
});

it("hands over the platforms with new events in one message for some milliseconds", async () => {
  const post = vi.spyOn(thread(0), "postMessage");
  const [first, second] = [story.platformId, (await openStory(server)).platformId];
  post.mockClear();
  for (let round = 0; round < 500; round += 1) {
    for (const platformId of [first, second]) server.app.deliveries.newEvents(platformId);
  }
  expect(post).not.toHaveBeenCalled();
  await expect.poll(() => post.mock.calls).toHaveLength(1);
  expect(post.mock.calls[0]?.[0]).toEqual({
    kind: "news",
    platforms: [first, second],
    traces: [],
  });
});

it.each([
  ["is ended", (worker: Worker) => void worker.terminate(), []],
  ["meets a bug", (worker: Worker) => worker.postMessage(null), ["ended on a bug"]],
])(
  "goes on after the thread %s: no event is lost, each resource keeps its order",
  async (_how, end, told) => {
    const { accountId } = await fundedCustomer(story);
    const receiver = await listenTo(story);
    const before = (await numbers()).length;
    for (let round = 1; round <= 40; round += 1) {
      await fund(story, accountId, round);
      if (round === 20) end(thread(0));
    }
    await expect.poll(() => threads.length).toBe(2);
    await endLeases();
    const wanted = (await numbers()).slice(before);
    await expect.poll(() => wanted.filter((seq) => !arrived(receiver).has(seq))).toEqual([]);
    expect(receiver.forged).toEqual([]);
    const balances = receiver.deliveries.filter(({ data }) => data.id === accountId);
    const order = [...new Set(balances.map(({ sequence }) => sequence))];
    expect(order).toEqual(order.toSorted((left, right) => left - right));
    const errors = lines.filter(({ level }) => level === "error").map(({ message }) => message);
    expect(errors).toEqual(
      [...told, "is started again"].map((text) => `the delivery thread ${text}`),
    );
  },
);

it("ends a thread that sends nothing for half a minute, starts another one, and counts it", async () => {
  const clock = createManualClock(0);
  const { deliveries, attemptLog, restarts } = createDeliveryThread({
    settings: {
      address: server.database.address,
      sealingKeys: { current: { id: "k", key: randomBytes(32) } },
      loopbackPolicy: "none",
    },
    clock,
    log: recordingLog(lines),
    onLongFailing: () => undefined,
  });
  deliveries.start();
  const hanging = thread(1);
  await once(hanging, "message");
  hanging.removeAllListeners("message");
  await clock.advance(29_999);
  expect([threads.length, lines.length]).toEqual([2, 0]);
  await clock.advance(1);
  await expect.poll(() => lines.length).toBe(2);
  expect(lines.map(({ message }) => message)).toEqual([
    "the delivery thread hangs and is ended",
    "the delivery thread is started again",
  ]);
  await clock.advance(100);
  for (let look = 0; look < 2; look += 1) {
    await once(thread(2), "message");
    await clock.advance(20_000);
  }
  expect(restarts()).toBe(1);
  await attemptLog.close();
});

it("refuses a TEST event while the thread is started again, and takes one afterwards", async () => {
  const receiver = await openReceiver(story);
  await setEndpoint(story, receiver.url);
  await thread(0).terminate();
  await expect(server.app.deliveries.test(story.platformId)).rejects.toThrow(Fault);
  const path = "/sandbox/webhooks/test";
  await expect.poll(async () => (await story.call("POST", path)).status).toBe(200);
});

it("waits for the attempts that are under way when the server stops, and repeats none", async () => {
  const { accountId } = await fundedCustomer(story);
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const receiver = await listenTo(story, async ({ type }) => {
    if (type !== "TEST") await released;
    return 200;
  });
  await fund(story, accountId, 5);
  await expect.poll(() => arrived(receiver).size).toBeGreaterThan(0);
  const post = vi.spyOn(thread(0), "postMessage");
  const closed = server.app.close();
  await expect
    .poll(() => post.mock.calls)
    .toContainEqual([expect.objectContaining({ name: "stop" })]);
  release();
  await closed;
  const seen = receiver.deliveries.length;
  server = await startTestServer({ beside: server, deliveryThread: true });
  story = { ...story, server };
  await server.app.deliveries.settled(story.platformId);
  const later = receiver.deliveries.slice(seen).map(({ sequence }) => sequence);
  const earlier = arrived({ ...receiver, deliveries: receiver.deliveries.slice(0, seen) });
  expect(later.filter((sequence) => earlier.has(sequence))).toEqual([]);
  expect(lines.filter(({ level }) => level === "error")).toEqual([]);
});
