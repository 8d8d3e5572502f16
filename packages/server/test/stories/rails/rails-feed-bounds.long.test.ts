/** What a feed may take of a server: one page of entries a commit, whatever number of connections are read at a time. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { FEED_PAGE } from "../../../src/domain/rails/entries/record-rail-feed.ts";
import { openConnector, type TestConnector } from "../../kit/rail-connector.ts";
import { openStory, type Story } from "../../kit/story.ts";
import { activeConnection, httpConnection } from "../../kit/story-rails.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

const CONNECTIONS = 6;
const LINES = 2 * FEED_PAGE;

let server: TestServer;
let connector: TestConnector;
let story: Story;
beforeAll(async () => {
  connector = await openConnector();
  connector.environment = "SANDBOX";
  connector.reply = ({ path }) => {
    if (!path.startsWith("/entries")) return undefined;
    const { searchParams } = new URL(path, "http://connector.test");
    const after = Number(searchParams.get("after") ?? 0);
    const count = Math.min(Number(searchParams.get("limit")), LINES - after);
    const entries = Array.from({ length: count }, (_, index) => line(after + index));
    const next = after + count;
    return { status: 200, body: { entries, nextCursor: String(next), hasMore: next < LINES } };
  };
  server = await startTestServer({
    settings: { RAIL_ALLOWED_HOSTS: `127.0.0.1:${connector.port}` },
  });
  story = await openStory(server);
});
afterAll(async () => {
  await server.close();
  await connector.close();
});

/** Its texts look like references at every second character. */
const line = (number: number) => ({
  id: `E-${number}`,
  currency: "USD",
  amount: "100",
  direction: "CREDIT",
  bookedAt: "2026-11-24T09:30:00Z",
  reference: "FL".repeat(70),
  remittance: "FL".repeat(500),
});

/** Of each commit, by the number of the transaction that wrote them. */
const ENTRIES_OF_COMMITS =
  "select count(*)::int4 as entries, count(distinct connection_id)::int4 as connections from rail_entries group by xmin::text";

it("books the pages of several connections in a commit each", async () => {
  const body = httpConnection(connector);
  const settings = { ...body.settings, feed: true, pollSeconds: 10 };
  for (let index = 0; index < CONNECTIONS; index += 1) {
    await activeConnection(story, { ...body, name: `bank ${index} of many`, settings });
  }
  await expect
    .poll(async () => (await story.call("GET", "/rails/entries?limit=1")).json.totalCount)
    .toBe(CONNECTIONS * LINES);
  const { rows } = await server.database.asSuperuser((client) => client.query(ENTRIES_OF_COMMITS));
  expect(rows).toHaveLength((CONNECTIONS * LINES) / FEED_PAGE);
  expect(rows.filter(({ entries, connections }) => entries > FEED_PAGE || connections > 1)).toEqual(
    [],
  );
});
