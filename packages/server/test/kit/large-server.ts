/** A server with a platform of a long history, indexed for the search, and a person who may see it. */
import { expect } from "vitest";
import { createSearchFollower } from "../../src/jobs/reading/search-follower.ts";
import { openDatabase } from "../../src/postgres/database.ts";
import { systemClock } from "../../src/std/clock.ts";
import { silentLog } from "../../src/std/log.ts";
import { type ConsoleBrowser, openBrowser } from "./console.ts";
import { makeOwner } from "./console-people.ts";
import { fillLargePlatform, type LargePlatform } from "./large-platform.ts";
import { type Story, storyAt } from "./story.ts";
import { activeConnection, manualConnection } from "./story-rails.ts";
import { startTestServer, type TestServer } from "./test-server.ts";

export interface LargeServer {
  readonly server: TestServer;
  readonly story: Story;
  readonly owner: ConsoleBrowser;
  /** The rail connection of the orders. */
  readonly connectionId: string;
  close(): Promise<void>;
}

export async function openLargeServer(rows: number): Promise<LargeServer> {
  const first = await startTestServer();
  const { workspaceId } = await first.makePlatform();
  const platform = await first.makePlatform({ workspaceId });
  const made = await storyAt(first, platform);
  const enrolled = await makeOwner(first, workspaceId);
  const url = "http://127.0.0.1:9/hooks";
  await made.call("POST", "/webhook-endpoints", { url, events: ["OUTGOING_PAYMENT.*"] });
  const connectionId = await activeConnection(made, manualConnection());
  // A server that is open while rows come from elsewhere would go on from heads that it remembers.
  await first.app.close();
  await fill(first, {
    platformId: made.platformId,
    rows,
    untilMs: systemClock.now(),
    connectionId: connectionId.slice(connectionId.indexOf(":") + 1),
  });
  const server = await startTestServer({ beside: first });
  const owner = openBrowser(server);
  owner.cookie = enrolled.cookie;
  expect((await owner.call("GET", "/session")).status).toBe(200);
  return {
    server,
    story: await storyAt(server, platform),
    owner,
    connectionId,
    async close() {
      await server.app.close();
      await first.database.drop();
    },
  };
}

/** The index is made before a server runs, which would rest after each batch. */
async function fill({ database: place }: TestServer, history: LargePlatform): Promise<void> {
  await place.asSuperuser((client) => fillLargePlatform(client, history));
  const database = openDatabase({ address: place.address, log: silentLog });
  const follower = createSearchFollower({ database, clock: systemClock, log: silentLog });
  await follower.runOnce();
  await follower.stop();
  await database.close();
  await place.asSuperuser((client) => client.query("vacuum (analyze)"));
}
