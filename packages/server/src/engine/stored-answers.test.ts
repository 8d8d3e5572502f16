/** An answer that is the data of an event is stored as the number of that event, and replayed in its own bytes. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { announce, ask, openSmallPlatform, smallEngine } from "../../test/kit/small-commands.ts";
import { createTestDatabase, type TestDatabase } from "../../test/kit/test-database.ts";
import { verifyPlatforms } from "../audit/verify-platform.ts";
import { type Database, openDatabase } from "../postgres/database.ts";
import { silentLog } from "../std/log.ts";

let place: TestDatabase;
let database: Database;

beforeAll(async () => {
  place = await createTestDatabase();
  database = openDatabase({ address: place.address, log: silentLog });
});
afterAll(async () => {
  const report = await database.withClient((client) => verifyPlatforms({ client }));
  await database.close();
  await place.drop();
  expect(report.problems).toEqual([]);
});

it.each(["plain", "Grüße 🎉", '"data":{}'])("replays %j after a restart", async (text) => {
  const engine = smallEngine({ database });
  const platformId = await openSmallPlatform(engine);
  const asked = ask(platformId, { command: announce, input: { text }, key: "told" });
  const first = await engine.submit(asked);
  await engine.close();
  const stored = await place.asSuperuser((client) =>
    client.query("select answer from command_log where platform_id = $1", [platformId]),
  );
  expect(stored.rows).toEqual([{ answer: "@2" }]);
  const restarted = smallEngine({ database });
  expect(await restarted.submit(asked)).toEqual({ ...first, replayed: true });
  await restarted.close();
});
