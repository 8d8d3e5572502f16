/**
 * One server for all test files of a process that need no settings, no clock and no database of their own. It starts for the first of these
 * files and ends with the process; the database goes with the PostgreSQL of the run. Each file makes its own platforms.
 */
import pg from "pg";
import { afterAll } from "vitest";
import { systemClock } from "../../src/std/clock.ts";
import { checkOfChanges } from "./check-books.ts";
import { startTestServer, type TestServer } from "./test-server.ts";

interface Shared {
  readonly server: TestServer;
  readonly checkChanged: () => Promise<void>;
}

let shared: Promise<Shared> | undefined;

/** Called at the top of a file. After its tests, the books that changed are checked. */
export async function sharedServer(): Promise<TestServer> {
  shared ??= start();
  const { server, checkChanged } = await shared;
  afterAll(async () => {
    server.checkJobs();
    await checkChanged();
  });
  return server;
}

async function start(): Promise<Shared> {
  const server = { ...(await startTestServer()), close: refuseClose };
  const client = new pg.Client(server.database.address);
  // The PostgreSQL of the run stops before this process does.
  client.on("error", () => undefined);
  await client.connect();
  const { app, baseUrl } = server;
  return { server, checkChanged: checkOfChanges(client, { app, baseUrl, clock: systemClock }) };
}

async function refuseClose(): Promise<never> {
  throw new Error("the shared server is not closed: other files use it after this one");
}
