/** The stream of events under many commands, over time, and with as many readers as a platform may have. */
import { expect, it } from "vitest";
import { basic } from "../../kit/basic.ts";
import type { EventStreamReader } from "../../kit/event-stream.ts";
import { soon } from "../../kit/soon.ts";
import { fundedCustomer, openStory } from "../../kit/story.ts";
import { streamStory } from "../../kit/stream-story.ts";
import { startTestServer } from "../../kit/test-server.ts";

const streams = streamStory({ hasPeople: false });

const sequences = ({ events }: EventStreamReader) => events.map(({ id }) => id);

const upTo = (last: number, from = 1) =>
  Array.from({ length: last - from + 1 }, (_, index) => from + index);

it("keeps the order while many commands of two servers commit at once", async () => {
  const other = await startTestServer({ beside: streams.server, clock: streams.clock });
  const besides = { ...streams.story, server: other };
  const reader = await streams.events();
  await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      fundedCustomer(index % 2 === 0 ? streams.story : besides),
    ),
  );
  const last = await streams.lastSequence();
  await streams.asTimePasses(() => expect(sequences(reader)).toEqual(upTo(last)));
  await streams.closeAsTimePasses(other);
});

it("sends a line every 20 seconds, and ends when the token was deleted", async () => {
  const token = await streams.story.call("POST", "/tokens", {
    name: "reader",
    permissions: ["VIEW"],
  });
  const authorization = basic(token.json.clientId, token.json.clientSecret);
  const reader = await streams.events({ headers: { authorization } });
  await streams.asTimePasses(() => expect(reader.text()).toContain(": heartbeat"));
  await streams.story.call("DELETE", `/tokens/${token.json.id}`);
  let hasEnded = false;
  void reader.ended.then(() => {
    hasEnded = true;
  });
  await soon(async () => {
    await streams.clock.advance(1_000);
    expect(hasEnded).toBe(true);
  });
  expect(reader.text()).not.toContain("retry:");
});

it("refuses the 21st stream of a platform until one has ended, and holds up no other platform", async () => {
  for (let count = 0; count < 20; count++) await streams.events();
  const refused = await streams.story.call("GET", "/events/stream");
  expect([refused.status, refused.json.code]).toEqual([429, "RATE_LIMITED"]);
  expect(refused.headers.get("retry-after")).toBe("5");
  const other = await openStory(streams.server);
  expect((await other.call("GET", "/events/stream")).status).toBe(200);
  streams.leaveLast();
  await streams.asTimePasses(() => undefined);
  await soon(async () => {
    await streams.clock.advance(50);
    expect((await streams.story.call("GET", "/events/stream")).status).toBe(200);
  });
});

it("answers HEAD with the head alone, and frees the stream", async () => {
  for (let count = 0; count < 25; count++) {
    const { status, headers } = await streams.story.call("HEAD", "/events/stream");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  }
});
