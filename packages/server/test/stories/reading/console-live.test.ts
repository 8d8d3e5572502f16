/** The live stream of the console: notices without data, from every server, for as long as the session and its roles last. */
import { expect, it } from "vitest";
import { openBrowser } from "../../kit/console.ts";
import { makePerson } from "../../kit/console-people.ts";
import type { LiveReader } from "../../kit/live-stream.ts";
import { fundedCustomer, openStory } from "../../kit/story.ts";
import { streamStory } from "../../kit/stream-story.ts";
import { startTestServer } from "../../kit/test-server.ts";

const streams = streamStory({ hasPeople: true });

const last = <Item>(items: readonly Item[]) => items.at(-1);

it("names what has changed, and nothing of it", async () => {
  const reader = await streams.live();
  await streams.asTimePasses(() => undefined);
  const { customerId, accountId } = await fundedCustomer(streams.story);
  const until = await streams.lastSequence();
  await streams.asTimePasses(() => expect(last(reader.positions)).toBe(until));
  const { data } = (await streams.story.call("GET", "/events?limit=100&sortOrder=asc")).json;
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
  await fundedCustomer(streams.story);
  const until = await streams.lastSequence();
  const fromHeader = await streams.live(streams.owner, {
    query: "?after=0",
    headers: { "last-event-id": "1" },
  });
  await streams.asTimePasses(() => expect(last(fromHeader.positions)).toBe(until));
  expect(fromHeader.positions[0]).toBe(2);
  // The follower began behind the first event.
  const fromStart = await streams.live(streams.owner, { query: "?after=0" });
  await streams.asTimePasses(() => expect(fromStart.missed).toEqual([until]));
  const ahead = await streams.live(streams.owner, { query: `?after=${until + 5}` });
  await streams.asTimePasses(() => expect(ahead.missed).toEqual([until]));
  for (const query of ["?after=x", "?after=-1", "?after=1.5", "?before=1"]) {
    const { status } = await streams.owner.at(streams.story.platformId)("GET", `/live${query}`);
    expect([query, status]).toEqual([query, 400]);
  }
  const headers = { "last-event-id": "x" };
  const { status, json } = await streams.owner.at(streams.story.platformId)(
    "GET",
    "/live",
    undefined,
    { headers },
  );
  expect([status, json.details.field]).toEqual([400, "Last-Event-ID"]);
});

it("ends at a sign-out, at another server as well, and leaves other sessions alone", async () => {
  const other = await startTestServer({ beside: streams.server, clock: streams.clock });
  const { browser: person } = await makePerson(streams.owner, ["DEVELOPER"]);
  const readersOfPerson = [
    await streams.live(person),
    await streams.live(person, { server: other }),
  ];
  const stays = await streams.live(streams.owner, { server: other });
  expect((await person.call("POST", "/sign-out")).status).toBeLessThan(300);
  for (const reader of readersOfPerson) await streams.endsWithin(reader, 1_000);
  for (let second = 0; second < 3; second++) await streams.clock.advance(1_000);
  expect(stays.hasEnded()).toBe(false);
  await streams.closeAsTimePasses(other);
});

it("ends at other roles", async () => {
  const change = { roles: [{ platformId: null, roles: ["VIEWER"] }] };
  const { browser: person, id } = await makePerson(streams.owner, ["DEVELOPER"]);
  const reader = await streams.live(person);
  await streams.asTimePasses(() => undefined);
  expect(reader.hasEnded()).toBe(false);
  expect((await streams.owner.call("PATCH", `/workspace/people/${id}`, change)).status).toBe(200);
  await streams.endsWithin(reader, 1_000);
});

it("tells people of the objects that their roles may read", async () => {
  const { browser: viewer } = await makePerson(streams.owner, ["VIEWER"]);
  const shown = await streams.live(viewer);
  const all = await streams.live();
  await streams.asTimePasses(() => undefined);
  const made = await streams.story.call("POST", "/rails/connections", {
    name: "bank",
    kind: "MANUAL",
    currencies: ["USD"],
  });
  expect(made.status).toBe(201);
  await fundedCustomer(streams.story);
  const until = await streams.lastSequence();
  await streams.asTimePasses(() => {
    expect(last(shown.positions)).toBe(until);
    expect(last(all.positions)).toBe(until);
  });
  expect(shown.notices.every(({ kind }) => !String(kind).startsWith("Rail"))).toBe(true);
});

it("is refused without a session, to others and on other platforms", async () => {
  const { status } = await openBrowser(streams.server).at(streams.story.platformId)("GET", "/live");
  expect(status).toBe(401);
  const elsewhere = await openStory(streams.server);
  const foreign = await streams.owner.at(elsewhere.platformId)("GET", "/live");
  expect([foreign.status, foreign.json.code]).toEqual([404, "NOT_FOUND"]);
  const token = await streams.story.call("GET", "/live");
  expect(token.status).toBe(404);
});

it("names an endpoint whose deliveries no longer arrive, at once for a stream that goes on", async () => {
  const reader = await streams.live();
  await streams.asTimePasses(() => undefined);
  const made = await streams.story.call("POST", "/webhook-endpoints", {
    url: "https://receiver.invalid/hook",
    events: ["INTERNAL_ACCOUNT.*"],
  });
  expect(made.status).toBe(201);
  const ofEndpoint = (one: LiveReader) =>
    one.notices.some(({ id, status }) => id === made.json.id && status === "HEALTH");
  await fundedCustomer(streams.story);
  await streams.asTimePasses(() => expect(ofEndpoint(reader)).toBe(true));
  const after = await streams.lastSequence();
  const other = await streams.live(streams.owner, { query: `?after=${after}` });
  await streams.asTimePasses(() => expect(ofEndpoint(other)).toBe(true));
});
