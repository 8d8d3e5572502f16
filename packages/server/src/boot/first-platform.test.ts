import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../../test/kit/test-server.ts";
import { findWorkspace } from "../domain/people/workspaces/workspace.sql.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

it("a start makes the workspace of a platform whose server died before it was made", async () => {
  const { workspaceId } = await server.makePlatform({ name: "Halfway" });
  await server.database.asSuperuser(async (client) => {
    await client.query("set session_replication_role = replica");
    for (const table of ["workspaces", "platform_heads", "command_log", "audit_entries"])
      await client.query(`delete from ${table} where platform_id = $1`, [workspaceId]);
  });
  const { reads } = server.app.store.database;
  expect(await findWorkspace(reads, workspaceId)).toBeUndefined();
  await (await startTestServer({ beside: server })).close();
  expect(await findWorkspace(reads, workspaceId)).toMatchObject({ name: "Halfway" });
});
