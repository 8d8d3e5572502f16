/** A verification of the whole database finds a checkpoint whose hash is another than that of the log. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { reconciliations } from "../../../src/audit/reconciliation.sql.ts";
import { verifyPlatforms } from "../../../src/audit/verify-platform.ts";
import { fundedCustomer, openStory } from "../../kit/story.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

it("another hash of a checkpoint in the log is found by a verification", async () => {
  const story = await openStory(server);
  await fundedCustomer(story, 10_000);
  await story.settle();
  expect((await story.call("POST", "/ledger/checkpoints")).status).toBe(201);
  const { database } = server.app.store;
  const check = () => database.withClient((client) => verifyPlatforms({ client, reconciliations }));
  expect((await check()).problems).toEqual([]);
  const hashed = (by: string) =>
    server.database.asSuperuser(async (client) => {
      await client.query("set session_replication_role = replica");
      await client.query(`update chain_checkpoints set chain_hash = ${by}`);
    });
  await hashed("chain_hash || '\\x00'::bytea");
  const { problems } = await check();
  await hashed("substring(chain_hash for 32)");
  expect(problems[0]).toMatchObject({ table: "chain_checkpoints" });
});
