/** The live stream of the console over time, over several servers and under a burst of events. */
import { expect, it } from "vitest";
import { signIn, stepUp } from "../../kit/console.ts";
import { makePerson } from "../../kit/console-people.ts";
import type { LiveReader } from "../../kit/live-stream.ts";
import { fundedCustomer } from "../../kit/story.ts";
import { streamStory } from "../../kit/stream-story.ts";
import { startTestServer } from "../../kit/test-server.ts";

const streams = streamStory({ hasPeople: true });

const last = <Item>(items: readonly Item[]) => items.at(-1);

it("stands for a burst with the last of its events", async () => {
  const reader = await streams.live(streams.owner, { query: "?after=0" });
  await streams.asTimePasses(() => expect(reader.positions).toEqual([]));
  for (let count = 0; count < 200; count++) {
    await streams.story.call("POST", "/customers", {
      customerType: "INDIVIDUAL",
      fullName: "Ana Ruiz",
      currencies: ["USD"],
    });
  }
  await Promise.all(Array.from({ length: 20 }, () => fundedCustomer(streams.story)));
  const until = await streams.lastSequence();
  expect(until).toBeGreaterThan(200);
  const late = await streams.live(streams.owner, { query: "?after=0" });
  await streams.asTimePasses(() => expect(last(reader.positions)).toBe(until));
  await streams.asTimePasses(() => expect(late.missed.length).toBeGreaterThan(0));
  expect(reader.positions).toEqual([...reader.positions].sort((a, b) => a - b));
});

it("carries what another server commits, within two seconds", async () => {
  const other = await startTestServer({ beside: streams.server, clock: streams.clock });
  const reader = await streams.live(streams.owner, { server: other });
  await streams.asTimePasses(() => undefined);
  await fundedCustomer(streams.story);
  const until = await streams.lastSequence();
  const began = streams.clock.now();
  await streams.asTimePasses(() => expect(last(reader.positions)).toBe(until));
  expect(streams.clock.now() - began).toBeLessThanOrEqual(2_000);
  await streams.closeAsTimePasses(other);
});

it("ends at a step-up, whose session is a new one", async () => {
  const reader = await streams.live();
  expect((await stepUp(streams.owner)).status).toBe(200);
  await streams.endsWithin(reader, 1_000);
  await streams.live();
});

it("does not keep a session alive, and ends with it", async () => {
  const reader = await streams.live();
  const { idleEndsAt } = (await streams.owner.call("GET", "/session")).json;
  const minute = 60_000;
  while (streams.clock.now() < Date.parse(idleEndsAt) - 12 * minute)
    await streams.clock.advance(10 * minute);
  await streams.live();
  await streams.clock.advance(Date.parse(idleEndsAt) - 1_000 - streams.clock.now());
  expect(reader.hasEnded()).toBe(false);
  await streams.endsWithin(reader, 2_000);
  expect((await streams.owner.call("GET", "/session")).status).toBe(401);
}, 300_000);

it("sends a line every 20 seconds", async () => {
  const reader = await streams.live();
  await streams.clock.advance(21_000);
  await streams.asTimePasses(() => expect(reader.text()).toContain(": heartbeat"));
});

it("ends the oldest of five streams of a session, and no one else's", async () => {
  const { browser: person } = await makePerson(streams.owner, ["DEVELOPER"]);
  const others = await streams.live(person);
  const own: LiveReader[] = [];
  for (let count = 0; count < 5; count++) own.push(await streams.live());
  await streams.asTimePasses(() => expect(own[0]?.hasEnded()).toBe(true));
  expect(own.slice(1).some((reader) => reader.hasEnded())).toBe(false);
  expect(others.hasEnded()).toBe(false);
});

it("ends with the server, and says when to come back", async () => {
  const other = await startTestServer({ beside: streams.server, clock: streams.clock });
  const reader = await streams.live(streams.owner, { server: other });
  await streams.closeAsTimePasses(other);
  await reader.ended;
  expect(reader.text()).toMatch(/retry: 1000\n\n$/);
  await signIn(streams.owner);
});
