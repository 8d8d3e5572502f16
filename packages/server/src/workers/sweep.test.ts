import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../test/kit/test-database.ts";
import { systemClock } from "../std/clock.ts";
import { createLog } from "../std/log.ts";
import { type Database, openDatabase } from "../storage/database.ts";
import { createSweeper } from "./sweep.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const NOW = Date.parse("2027-03-01T00:00:00Z");
const PLATFORM = "019a4f00-0000-7000-8000-000000000001";

let test: TestDatabase;
let database: Database;
beforeAll(async () => {
  test = await createTestDatabase();
  const log = createLog("silent");
  database = openDatabase({ address: { connectionString: test.url }, log });
});
afterAll(async () => {
  await database.close();
  await test.drop();
});

/** A row that was of use until so many days ago, and its table. */
const rows: Readonly<Record<string, (daysAgo: number) => string>> = {
  wallet_requests: (days) =>
    `gen_random_uuid(), gen_random_uuid(), 'EXPORT_WALLET', gen_random_uuid(), 'x', 'x', null, now(), ${at(days)}, null`,
  passkey_challenges: (days) =>
    `gen_random_uuid(), gen_random_uuid(), 'x', 'x', now(), ${at(days)}, null`,
  wallet_sessions: (days) =>
    `gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'OAUTH', 'x', '02${"ab".repeat(32)}', now(), now(), ${at(days)}, null`,
  spent_tokens: (days) => `gen_random_uuid(), ${at(days)}`,
  mail_budgets: (days) => `gen_random_uuid(), '[]', ${at(days)}`,
};

const at = (daysAgo: number) => `'${new Date(NOW - daysAgo * DAY_MS).toISOString()}'::timestamptz`;

describe("the sweeper", () => {
  it("forgets what wallets asked and answered 30 days ago, a thousand rows at a time, and nothing younger", async () => {
    await test.asSuperuser(async (client) => {
      for (const [table, row] of Object.entries(rows)) {
        for (const days of [29, 31]) {
          await client.query(`insert into ${table} select '${PLATFORM}', ${row(days)}`);
        }
      }
      await client.query(
        `insert into spent_tokens select '${PLATFORM}', gen_random_uuid(), ${at(40)} from generate_series(1, 2500)`,
      );
    });
    const clock = { ...systemClock, now: () => NOW };
    const sweeper = createSweeper({ database, clock, log: createLog("silent") });
    expect(await sweeper.runOnce()).toBe(2_505);
    expect(await sweeper.runOnce()).toBe(0);
    const left = await test.asSuperuser(async (client) => {
      const counts: number[] = [];
      for (const table of Object.keys(rows)) {
        const { rows: counted } = await client.query(`select count(*)::int4 as n from ${table}`);
        counts.push(counted[0].n);
      }
      return counts;
    });
    expect(left).toEqual([1, 1, 1, 1, 1]);
  });
});
