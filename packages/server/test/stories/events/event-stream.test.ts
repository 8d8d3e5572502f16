/** The stream of events: in order, without gap or repeat, over every server of a deployment. */
import { verifyWebhook } from "@florin/client/webhooks";
import { expect, it } from "vitest";
import type { EventStreamReader } from "../../kit/event-stream.ts";
import { soon } from "../../kit/soon.ts";
import { fundedCustomer } from "../../kit/story.ts";
import { streamStory } from "../../kit/stream-story.ts";
import { startTestServer } from "../../kit/test-server.ts";

const streams = streamStory({ hasPeople: false });

const sequences = ({ events }: EventStreamReader) => events.map(({ id }) => id);

const upTo = (last: number, from = 1) =>
  Array.from({ length: last - from + 1 }, (_, index) => from + index);

it("sends each event with its exact bytes and a signature that the client library verifies", async () => {
  const reader = await streams.events();
  await fundedCustomer(streams.story);
  const last = await streams.lastSequence();
  await streams.asTimePasses(() => expect(sequences(reader)).toEqual(upTo(last)));
  expect(reader.text()).not.toContain("heartbeat");
  const { data } = (await streams.story.call("GET", "/events?limit=100&sortOrder=asc")).json;
  for (const [index, { event, data: body, signature }] of reader.events.entries()) {
    const raw = await streams.story.call("GET", `/events/${data[index].id}/raw`);
    expect([event, body]).toEqual([data[index].type, raw.text]);
    const delivery = { body, header: signature, publicKey: streams.story.webhookPublicKey };
    expect(verifyWebhook(delivery)).toBe(true);
  }
});

it("starts behind the event that Last-Event-ID or after names, and else at this moment", async () => {
  await fundedCustomer(streams.story);
  const last = await streams.lastSequence();
  const fromStart = await streams.events({ query: "?after=0" });
  const fromHeader = await streams.events({ query: "?after=0", headers: { "last-event-id": "2" } });
  const fromNow = await streams.events();
  await soon(() => expect(sequences(fromStart)).toEqual(upTo(last)));
  await soon(() => expect(sequences(fromHeader)).toEqual(upTo(last, 3)));
  await fundedCustomer(streams.story, 0);
  const next = await streams.lastSequence();
  await streams.asTimePasses(() => expect(sequences(fromNow)).toEqual(upTo(next, last + 1)));
  await streams.asTimePasses(() => expect(sequences(fromStart)).toEqual(upTo(next)));
});

it("refuses a place that is none, and one beyond the last event", async () => {
  for (const place of ["x", "-1", "1.5", "9".repeat(30)]) {
    const headers = { "last-event-id": place };
    const { status, json } = await streams.story.call("GET", "/events/stream", undefined, {
      headers,
    });
    expect([status, json?.details.field]).toEqual([400, "Last-Event-ID"]);
  }
  for (const place of ["x", "-1", "1000000"]) {
    const { status, json } = await streams.story.call("GET", `/events/stream?after=${place}`);
    expect([status, json.details.field]).toEqual([400, "after"]);
  }
});

it("carries what other servers commit, and goes on at another server when one stops", async () => {
  const other = await startTestServer({ beside: streams.server, clock: streams.clock });
  const atOther = await streams.events({ baseUrl: other.baseUrl });
  await fundedCustomer(streams.story);
  const before = await streams.lastSequence();
  await streams.asTimePasses(() => expect(sequences(atOther)).toEqual(upTo(before)));
  await streams.closeAsTimePasses(other);
  await atOther.ended;
  expect(atOther.text()).toMatch(/retry: 1000\n\n$/);
  await fundedCustomer(streams.story);
  const headers = { "last-event-id": String(sequences(atOther).at(-1)) };
  const resumed = await streams.events({ headers });
  const after = await streams.lastSequence();
  await soon(() => expect(sequences(resumed)).toEqual(upTo(after, before + 1)));
});
