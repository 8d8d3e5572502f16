/** The events that the reference promises of each operation are those that its call leads to. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventTypes } from "../../src/domain/event-catalogue.ts";
import { operations } from "../../src/http/operations/routes.ts";
import { optionsOf } from "../kit/made-objects.ts";
import { sampleOf } from "../kit/sample.ts";
import { openStory, type Story } from "../kit/story.ts";
import { startTestServer, type TestServer } from "../kit/test-server.ts";
import { validCall } from "../kit/valid-calls.ts";

const writing = operations.filter(({ method }) => method !== "GET");
/** Signed by a connector: rails-callbacks.test.ts calls it. */
const OF_CONNECTORS = "takeRailCallback";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const seen = new Set<string>();

async function typesOf({ platformId }: Story): Promise<readonly string[]> {
  const { rows } = await server.app.store.database.withClient((client) =>
    client.query<{ type: string }>("select type from events where platform_id = $1 order by seq", [
      platformId,
    ]),
  );
  return rows.map(({ type }) => type);
}

/** No call of the platform leads to them, but a message of another institution. */
const BY_MESSAGES_OF_OTHERS = [
  "UMA_COUNTERPARTY.SEEN",
  "UMA_COUNTERPARTY.KEY_CHANGED",
  "UMA_COUNTERPARTY.PROBING",
];

describe("the events of an operation", () => {
  it("are named by writing operations alone, and every type by one", () => {
    const reading = operations.filter(({ method }) => method === "GET");
    expect(reading.filter(({ events }) => events !== undefined)).toEqual([]);
    const named = new Set(writing.flatMap(({ events = [] }) => events));
    const unnamed = eventTypes.filter((type) => !named.has(type));
    expect(unnamed).toEqual(BY_MESSAGES_OF_OTHERS);
  });

  const called = writing.filter(({ id }) => id !== OF_CONNECTORS);
  const sample = sampleOf(called);
  it.each(sample.map(({ id, method, events = [] }) => ({ id, method, events })))(
    "$id are all that its call leads to",
    async ({ id, method, events }) => {
      const story = await openStory(server);
      const call = await validCall(story, id);
      await story.settle();
      const before = await typesOf(story);
      await story.call(method, call.path, call.body, optionsOf(call));
      await story.settle();
      const led = (await typesOf(story)).slice(before.length);
      for (const type of led) seen.add(type);
      const named: readonly string[] = events;
      expect([...new Set(led)].filter((type) => !named.includes(type))).toEqual([]);
    },
  );

  it.runIf(sample.length === called.length)("are of many types in these calls", () => {
    expect(seen.size).toBeGreaterThan(10);
  });
});
