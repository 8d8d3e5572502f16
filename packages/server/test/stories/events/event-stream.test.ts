/** The stream of events: in order, without gap or repeat, over every server of a deployment. */
import { verifyWebhook } from "@florin/client/webhooks";
import { afterEach, beforeEach, expect, it } from "vitest";
import { systemClock } from "../../../src/std/clock.ts";
import { basic } from "../../kit/basic.ts";
import { type EventStreamReader, readEvents } from "../../kit/event-stream.ts";
import { createManualClock, type ManualClock } from "../../kit/manual-clock.ts";
import { soon } from "../../kit/soon.ts";
import { fundedCustomer, openStory, type Story } from "../../kit/story.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

let clock: ManualClock;
let server: TestServer;
let story: Story;
const readers: EventStreamReader[] = [];
beforeEach(async () => {
  clock = createManualClock(systemClock.now());
  server = await startTestServer({ clock });
  story = await openStory(server);
});
afterEach(async () => {
  for (const reader of readers.splice(0)) reader.leave();
  await closeAsTimePasses(server);
});

/** A stop waits for connections that are silent, by the clock. */
async function closeAsTimePasses(stopping: TestServer): Promise<void> {
  let isClosed = false;
  const closed = stopping.close().finally(() => {
    isClosed = true;
  });
  await asTimePasses(() => expect(isClosed).toBe(true));
  await closed;
}

async function reading(wish: Parameters<typeof readEvents>[1] = {}): Promise<EventStreamReader> {
  const reader = await readEvents(story, wish);
  readers.push(reader);
  await soon(() => expect(reader.text()).toContain(": florin events"));
  return reader;
}

/** Time goes on until the expectation holds. */
function asTimePasses(expectation: () => void): Promise<void> {
  return soon(async () => {
    await clock.advance(50);
    expectation();
  });
}

const sequences = ({ events }: EventStreamReader) => events.map(({ id }) => id);

async function lastSequence(): Promise<number> {
  return (await story.call("GET", "/events?limit=1")).json.data[0].sequence;
}

const upTo = (last: number, from = 1) =>
  Array.from({ length: last - from + 1 }, (_, index) => from + index);

it("sends each event with its exact bytes and a signature that the client library verifies", async () => {
  const reader = await reading();
  await fundedCustomer(story);
  const last = await lastSequence();
  await asTimePasses(() => expect(sequences(reader)).toEqual(upTo(last)));
  expect(reader.text()).not.toContain("heartbeat");
  const { data } = (await story.call("GET", "/events?limit=100&sortOrder=asc")).json;
  for (const [index, { event, data: body, signature }] of reader.events.entries()) {
    const raw = await story.call("GET", `/events/${data[index].id}/raw`);
    expect([event, body]).toEqual([data[index].type, raw.text]);
    const delivery = { body, header: signature, publicKey: story.webhookPublicKey };
    expect(verifyWebhook(delivery)).toBe(true);
  }
});

it("starts behind the event that Last-Event-ID or after names, and else at this moment", async () => {
  await fundedCustomer(story);
  const last = await lastSequence();
  const fromStart = await reading({ query: "?after=0" });
  const fromHeader = await reading({ query: "?after=0", headers: { "last-event-id": "2" } });
  const fromNow = await reading();
  await soon(() => expect(sequences(fromStart)).toEqual(upTo(last)));
  await soon(() => expect(sequences(fromHeader)).toEqual(upTo(last, 3)));
  await fundedCustomer(story, 0);
  const next = await lastSequence();
  await asTimePasses(() => expect(sequences(fromNow)).toEqual(upTo(next, last + 1)));
  await asTimePasses(() => expect(sequences(fromStart)).toEqual(upTo(next)));
});

it("refuses a place that is none, and one beyond the last event", async () => {
  for (const place of ["x", "-1", "1.5", "9".repeat(30)]) {
    const headers = { "last-event-id": place };
    const { status, json } = await story.call("GET", "/events/stream", undefined, { headers });
    expect([status, json?.details.field]).toEqual([400, "Last-Event-ID"]);
  }
  for (const place of ["x", "-1", "1000000"]) {
    const { status, json } = await story.call("GET", `/events/stream?after=${place}`);
    expect([status, json.details.field]).toEqual([400, "after"]);
  }
});

it("carries what other servers commit, and goes on at another server when one stops", async () => {
  const other = await startTestServer({ beside: server, clock });
  const atOther = await reading({ baseUrl: other.baseUrl });
  await fundedCustomer(story);
  const before = await lastSequence();
  await asTimePasses(() => expect(sequences(atOther)).toEqual(upTo(before)));
  await closeAsTimePasses(other);
  await atOther.ended;
  expect(atOther.text()).toMatch(/retry: 1000\n\n$/);
  await fundedCustomer(story);
  const headers = { "last-event-id": String(sequences(atOther).at(-1)) };
  const resumed = await reading({ headers });
  const after = await lastSequence();
  await soon(() => expect(sequences(resumed)).toEqual(upTo(after, before + 1)));
});

it("keeps the order while many commands of two servers commit at once", async () => {
  const other = await startTestServer({ beside: server, clock });
  const besides = { ...story, server: other };
  const reader = await reading();
  await Promise.all(
    Array.from({ length: 20 }, (_, index) => fundedCustomer(index % 2 === 0 ? story : besides)),
  );
  const last = await lastSequence();
  await asTimePasses(() => expect(sequences(reader)).toEqual(upTo(last)));
  await closeAsTimePasses(other);
});

it("sends a line every 20 seconds, and ends when the token was deleted", async () => {
  const token = await story.call("POST", "/tokens", { name: "reader", permissions: ["VIEW"] });
  const authorization = basic(token.json.clientId, token.json.clientSecret);
  const reader = await reading({ headers: { authorization } });
  await asTimePasses(() => expect(reader.text()).toContain(": heartbeat"));
  await story.call("DELETE", `/tokens/${token.json.id}`);
  let hasEnded = false;
  void reader.ended.then(() => {
    hasEnded = true;
  });
  await soon(async () => {
    await clock.advance(1_000);
    expect(hasEnded).toBe(true);
  });
  expect(reader.text()).not.toContain("retry:");
});

it("refuses the 21st stream of a platform until one has ended, and holds up no other platform", async () => {
  for (let count = 0; count < 20; count++) await reading();
  const refused = await story.call("GET", "/events/stream");
  expect([refused.status, refused.json.code]).toEqual([429, "RATE_LIMITED"]);
  expect(refused.headers.get("retry-after")).toBe("5");
  const other = await openStory(server);
  expect((await other.call("GET", "/events/stream")).status).toBe(200);
  readers.pop()?.leave();
  await asTimePasses(() => undefined);
  await soon(async () => {
    await clock.advance(50);
    expect((await story.call("GET", "/events/stream")).status).toBe(200);
  });
});

it("answers HEAD with the head alone, and frees the stream", async () => {
  for (let count = 0; count < 25; count++) {
    const { status, headers } = await story.call("HEAD", "/events/stream");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  }
});
