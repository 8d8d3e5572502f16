/** More callbacks of a connection than are taken in a time. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { openConnector, signedCallback, type TestConnector } from "../../kit/rail-connector.ts";
import { createStoppableClock } from "../../kit/stoppable-clock.ts";
import { openStory } from "../../kit/story.ts";
import { activeConnection, httpConnection } from "../../kit/story-rails.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

const clock = createStoppableClock();
let server: TestServer;
let connector: TestConnector;
beforeAll(async () => {
  connector = await openConnector();
  const settings = { RAIL_ALLOWED_HOSTS: `127.0.0.1:${connector.port}` };
  server = await startTestServer({ clock, settings });
});
afterAll(async () => {
  await server.close();
  await connector.close();
});

it("the callbacks of one connection are bounded, and no other one's", async () => {
  const story = await openStory(server, { environment: "PRODUCTION" });
  const send = (id: string) => {
    const path = `/rails/callbacks/${id.slice(id.indexOf(":") + 1)}`;
    const unknown = { id: "019a4f00-0000-7000-8000-000000000023", status: "settled" };
    const { text, headers } = signedCallback(`/2025-10-13${path}`, unknown);
    return story.call("POST", path, text, { authorization: null, headers });
  };
  const flooded = await activeConnection(story, httpConnection(connector));
  clock.stop();
  const flood = await Promise.all(Array.from({ length: 320 }, () => send(flooded)));
  clock.go();
  const refused = flood.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused[0]?.headers.get("retry-after")).not.toBeNull();
  const other = await activeConnection(story, httpConnection(connector));
  expect((await send(other)).status).toBe(204);
});
