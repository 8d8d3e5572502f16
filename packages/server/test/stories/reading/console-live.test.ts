/** The live stream of the console: notices without data, from every server, for as long as the session and its roles last. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { systemClock } from "../../../src/std/clock.ts";
import { type ConsoleBrowser, openBrowser, signIn, stepUp } from "../../kit/console.ts";
import { makeOwner, makePerson } from "../../kit/console-people.ts";
import { type LiveReader, readLive } from "../../kit/live-stream.ts";
import { createManualClock, type ManualClock } from "../../kit/manual-clock.ts";
import { soon } from "../../kit/soon.ts";
import { fundedCustomer, openStory, type Story } from "../../kit/story.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

let clock: ManualClock;
let server: TestServer;
let story: Story;
let owner: ConsoleBrowser;
const readers: LiveReader[] = [];
beforeEach(async () => {
  clock = createManualClock(systemClock.now());
  server = await startTestServer({ clock });
  const { workspaceId } = await server.makePlatform();
  story = await openStory(server, { workspaceId });
  owner = await makeOwner(server, workspaceId);
});
afterEach(async () => {
  for (const reader of readers.splice(0)) reader.leave();
  await closeAsTimePasses(server);
});

async function closeAsTimePasses(stopping: TestServer): Promise<void> {
  let isClosed = false;
  const closed = stopping.close().finally(() => {
    isClosed = true;
  });
  await asTimePasses(() => expect(isClosed).toBe(true));
  await closed;
}

function asTimePasses(expectation: () => void | Promise<void>): Promise<void> {
  return soon(async () => {
    await clock.advance(50);
    await expectation();
  });
}

async function reading(
  browser = owner,
  options: Parameters<typeof readLive>[2] = {},
): Promise<LiveReader> {
  const reader = await readLive(browser, story.platformId, options);
  readers.push(reader);
  await soon(() => expect(reader.text()).toContain(": florin live"));
  return reader;
}

async function lastSequence(): Promise<number> {
  return (await story.call("GET", "/events?limit=1")).json.data[0].sequence;
}

const last = <Item>(items: readonly Item[]) => items.at(-1);

it("names what has changed, and nothing of it", async () => {
  const reader = await reading();
  await asTimePasses(() => undefined);
  const { customerId, accountId } = await fundedCustomer(story);
  const until = await lastSequence();
  await asTimePasses(() => expect(last(reader.positions)).toBe(until));
  const { data } = (await story.call("GET", "/events?limit=100&sortOrder=asc")).json;
  expect(reader.notices).toEqual(
    data.map((event: { sequence: number; type: string; resourceId: string }) => ({
      seq: event.sequence,
      kind: event.resourceId.split(":")[0],
      id: event.resourceId,
      status: event.type.split(".")[1],
    })),
  );
  expect(reader.notices.map(({ id }) => id)).toEqual(
    expect.arrayContaining([customerId, accountId]),
  );
  expect(reader.text()).not.toMatch(/Ruiz|USD/);
});

it("goes on behind Last-Event-ID or after, and says what is no longer kept", async () => {
  await fundedCustomer(story);
  const until = await lastSequence();
  const fromHeader = await reading(owner, { query: "?after=0", headers: { "last-event-id": "1" } });
  await asTimePasses(() => expect(last(fromHeader.positions)).toBe(until));
  expect(fromHeader.positions[0]).toBe(2);
  // The follower began behind the first event.
  const fromStart = await reading(owner, { query: "?after=0" });
  await asTimePasses(() => expect(fromStart.missed).toEqual([until]));
  const ahead = await reading(owner, { query: `?after=${until + 5}` });
  await asTimePasses(() => expect(ahead.missed).toEqual([until]));
  for (const query of ["?after=x", "?after=-1", "?after=1.5", "?before=1"]) {
    const { status } = await owner.at(story.platformId)("GET", `/live${query}`);
    expect([query, status]).toEqual([query, 400]);
  }
  const headers = { "last-event-id": "x" };
  const { status, json } = await owner.at(story.platformId)("GET", "/live", undefined, { headers });
  expect([status, json.details.field]).toEqual([400, "Last-Event-ID"]);
});

it("stands for a burst with the last of its events", async () => {
  const reader = await reading(owner, { query: "?after=0" });
  await asTimePasses(() => expect(reader.positions).toEqual([]));
  for (let count = 0; count < 200; count++) {
    await story.call("POST", "/customers", {
      customerType: "INDIVIDUAL",
      fullName: "Ana Ruiz",
      currencies: ["USD"],
    });
  }
  await Promise.all(Array.from({ length: 20 }, () => fundedCustomer(story)));
  const until = await lastSequence();
  expect(until).toBeGreaterThan(200);
  const late = await reading(owner, { query: "?after=0" });
  await asTimePasses(() => expect(last(reader.positions)).toBe(until));
  await asTimePasses(() => expect(late.missed.length).toBeGreaterThan(0));
  expect(reader.positions).toEqual([...reader.positions].sort((a, b) => a - b));
});

it("carries what another server commits, within two seconds", async () => {
  const other = await startTestServer({ beside: server, clock });
  const reader = await reading(owner, { server: other });
  await asTimePasses(() => undefined);
  await fundedCustomer(story);
  const until = await lastSequence();
  const began = clock.now();
  await asTimePasses(() => expect(last(reader.positions)).toBe(until));
  expect(clock.now() - began).toBeLessThanOrEqual(2_000);
  await closeAsTimePasses(other);
});

async function endsWithin(reader: LiveReader, ms: number): Promise<void> {
  const began = clock.now();
  await asTimePasses(() => expect(reader.hasEnded()).toBe(true));
  expect(clock.now() - began).toBeLessThanOrEqual(ms);
}

it("ends at a sign-out, at another server as well, and leaves other sessions alone", async () => {
  const other = await startTestServer({ beside: server, clock });
  const { browser: person } = await makePerson(owner, ["DEVELOPER"]);
  const readersOfPerson = [await reading(person), await reading(person, { server: other })];
  const stays = await reading(owner, { server: other });
  expect((await person.call("POST", "/sign-out")).status).toBeLessThan(300);
  for (const reader of readersOfPerson) await endsWithin(reader, 1_000);
  for (let second = 0; second < 3; second++) await clock.advance(1_000);
  expect(stays.hasEnded()).toBe(false);
  await closeAsTimePasses(other);
});

it.each([
  ["other roles", { roles: [{ platformId: null, roles: ["VIEWER"] }] }],
  ["a suspension", { isSuspended: true, reason: "left" }],
])("ends at %s", async (_what, change) => {
  const { browser: person, id } = await makePerson(owner, ["DEVELOPER"]);
  const reader = await reading(person);
  await asTimePasses(() => undefined);
  expect(reader.hasEnded()).toBe(false);
  expect((await owner.call("PATCH", `/workspace/people/${id}`, change)).status).toBe(200);
  await endsWithin(reader, 1_000);
});

it("ends at a step-up, whose session is a new one", async () => {
  const reader = await reading();
  expect((await stepUp(owner)).status).toBe(200);
  await endsWithin(reader, 1_000);
  await reading();
});

it("does not keep a session alive, and ends with it", async () => {
  const reader = await reading();
  const { idleEndsAt } = (await owner.call("GET", "/session")).json;
  const minute = 60_000;
  while (clock.now() < Date.parse(idleEndsAt) - 12 * minute) await clock.advance(10 * minute);
  await reading();
  await clock.advance(Date.parse(idleEndsAt) - 1_000 - clock.now());
  expect(reader.hasEnded()).toBe(false);
  await endsWithin(reader, 2_000);
  expect((await owner.call("GET", "/session")).status).toBe(401);
}, 300_000);

it("sends a line every 20 seconds", async () => {
  const reader = await reading();
  await clock.advance(21_000);
  await asTimePasses(() => expect(reader.text()).toContain(": heartbeat"));
});

it("tells people of the objects that their roles may read", async () => {
  const { browser: viewer } = await makePerson(owner, ["VIEWER"]);
  const shown = await reading(viewer);
  const all = await reading();
  await asTimePasses(() => undefined);
  const made = await story.call("POST", "/rails/connections", {
    name: "bank",
    kind: "MANUAL",
    rails: ["ACH"],
    currencies: ["USD"],
  });
  expect(made.status).toBe(201);
  await fundedCustomer(story);
  const until = await lastSequence();
  await asTimePasses(() => {
    expect(last(shown.positions)).toBe(until);
    expect(last(all.positions)).toBe(until);
  });
  expect(shown.notices.every(({ kind }) => !String(kind).startsWith("Rail"))).toBe(true);
});

it("is refused without a session, to others and on other platforms", async () => {
  const { status } = await openBrowser(server).at(story.platformId)("GET", "/live");
  expect(status).toBe(401);
  const elsewhere = await openStory(server);
  const foreign = await owner.at(elsewhere.platformId)("GET", "/live");
  expect([foreign.status, foreign.json.code]).toEqual([404, "NOT_FOUND"]);
  const token = await story.call("GET", "/live");
  expect(token.status).toBe(404);
});

it("ends the oldest of five streams of a session, and no one else's", async () => {
  const { browser: person } = await makePerson(owner, ["DEVELOPER"]);
  const others = await reading(person);
  const own: LiveReader[] = [];
  for (let count = 0; count < 5; count++) own.push(await reading());
  await asTimePasses(() => expect(own[0]?.hasEnded()).toBe(true));
  expect(own.slice(1).some((reader) => reader.hasEnded())).toBe(false);
  expect(others.hasEnded()).toBe(false);
});

it("ends with the server, and says when to come back", async () => {
  const other = await startTestServer({ beside: server, clock });
  const reader = await reading(owner, { server: other });
  await closeAsTimePasses(other);
  await reader.ended;
  expect(reader.text()).toMatch(/retry: 1000\n\n$/);
  await signIn(owner);
});
