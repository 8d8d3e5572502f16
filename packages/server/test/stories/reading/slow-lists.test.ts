/** A platform asks for more lists than the database can read at once: others hardly notice. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { soon } from "../../kit/soon.ts";
import { openStory, type Story } from "../../kit/story.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

let server: TestServer;
let busy: Story;
let other: Story;
beforeAll(async () => {
  server = await startTestServer();
  busy = await openStory(server);
  other = await openStory(server);
});
afterAll(() => server.close());

const WAITING =
  "select count(*)::int4 as reads from pg_stat_activity " +
  "where datname = current_database() and application_name = 'florin reads' and wait_event_type = 'Lock'";

/** How many reads wait for the table that is held. */
async function waiting(): Promise<number> {
  const { rows } = await server.database.asSuperuser((client) => client.query(WAITING));
  return rows[0].reads;
}

it("a platform whose lists are slow delays neither another platform nor /readyz", async () => {
  await server.database.asSuperuser(async (client) => {
    await client.query("begin");
    await client.query("lock table quotes");
    const asked = Array.from({ length: 24 }, () => busy.call("GET", "/quotes?limit=1"));
    await soon(async () => expect(await waiting()).toBeGreaterThanOrEqual(3));
    const ready = await fetch(new URL("/readyz", server.baseUrl));
    expect(ready.status).toBe(200);
    expect((await other.call("GET", "/config")).status).toBe(200);
    expect((await other.call("GET", "/transactions?limit=1")).status).toBe(200);
    expect(await waiting()).toBeLessThanOrEqual(3);
    await client.query("rollback");
    await Promise.all(asked);
  });
  expect((await busy.call("GET", "/quotes?limit=1")).status).toBe(200);
});
