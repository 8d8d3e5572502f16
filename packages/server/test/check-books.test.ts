/** The check of the books after a test file finds a row that was changed by hand, also in a platform that it has checked before. */
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { systemClock } from "../src/std/clock.ts";
import { checkOfChanges } from "./kit/check-books.ts";
import { fundedCustomer, openStory, type Story } from "./kit/story.ts";
import { startTestServer, type TestServer } from "./kit/test-server.ts";

let server: TestServer;
let story: Story;
let client: pg.Client;
beforeAll(async () => {
  server = await startTestServer();
  story = await openStory(server);
  client = new pg.Client(server.database.address);
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await server.close();
});

const change = (text: string) =>
  server.database.asSuperuser(async (superuser) => {
    await superuser.query("set session_replication_role = replica");
    await superuser.query(text, [story.platformId]);
  });

const balancesBy = (minor: number) =>
  change(
    `update ledger_accounts set balance_minor = balance_minor + ${minor} where platform_id = $1 and guarded`,
  );

it("finds a balance and a total that were changed behind it, and nothing once they are right again", async () => {
  const { app, baseUrl } = server;
  const checkChanged = checkOfChanges(client, { app, baseUrl, clock: systemClock });
  await fundedCustomer(story);
  await checkChanged();
  await openStory(server);
  await balancesBy(1);
  await expect(checkChanged()).rejects.toThrow(/the books are off: .*ledger_accounts/);
  await balancesBy(-1);
  await checkChanged();
  await change("update list_totals set total = total + 1 where platform_id = $1");
  await expect(checkChanged()).rejects.toThrow(/the books are off: .*list_totals/);
  await expect(server.checkBooks()).rejects.toThrow(/the books are off: .*list_totals/);
  await change("update list_totals set total = total - 1 where platform_id = $1");
  await change("delete from customers where platform_id = $1");
  await expect(checkChanged()).rejects.toThrow(/the books are off: .*customers of day/);
  await change("delete from list_totals where platform_id = $1 and list = 'customers'");
});
