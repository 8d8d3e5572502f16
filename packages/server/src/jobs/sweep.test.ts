import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../test/kit/test-database.ts";
import { type Database, openDatabase } from "../postgres/database.ts";
import { systemClock } from "../std/clock.ts";
import { createLog } from "../std/log.ts";
import { createSweeper } from "./sweep.ts";

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const NOW = Date.parse("2027-03-01T00:00:00Z");
const PLATFORM = "019a4f00-0000-7000-8000-000000000001";

let test: TestDatabase;
let database: Database;
beforeAll(async () => {
  test = await createTestDatabase();
  const log = createLog("silent");
  database = openDatabase({ address: { connectionStrings: [test.url] }, log });
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
  it("deletes wallet requests older than 30 days, a thousand rows at a time, and no younger ones", async () => {
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
    const sweeper = createSweeper({
      requestLogDays: 7,
      attemptDays: 30,
      database,
      clock,
      log: createLog("silent"),
    });
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

  it("takes away files that nothing refers to, an hour after they were begun, and no other", async () => {
    const fileOf: Readonly<Record<string, string>> = Object.fromEntries(
      ["lost", "young", "shown", "deleted", "superseded", "imported", "imported before"].map(
        (name, index) => [name, `019a4f00-0000-7000-8000-00000000000${index}`],
      ),
    );
    const document = (name: string, deletedAt: string, supersededBy: string) =>
      `insert into documents (platform_id, id, holder_kind, holder_id, document_type, country, file_name, file_id,
       file_bytes, media_type, created_at, updated_at, deleted_at, superseded_by) values ('${PLATFORM}', gen_random_uuid(),
       'Customer', gen_random_uuid(), 'PASSPORT', 'US', 'x', '${fileOf[name]}', 1, 'application/pdf', now(), now(),
       ${deletedAt}, ${supersededBy})`;
    const job = (status: string, file: string, completedAt: string) =>
      `insert into bulk_jobs values ('${PLATFORM}', gen_random_uuid(), gen_random_uuid(), '${status}', ${file},
       0, 0, 0, 0, 0, 0, now(), now(), ${completedAt})`;
    await test.asSuperuser(async (client) => {
      for (const [name, file] of Object.entries(fileOf)) {
        const ageMs = name === "young" ? HOUR_MS - 1 : HOUR_MS + 1;
        const writtenAt = new Date(NOW - ageMs).toISOString();
        for (const number of [0, 1]) {
          const values = [PLATFORM, file, number, writtenAt];
          await client.query(
            "insert into file_chunks values ($1, $2, $3, $4, decode('00', 'hex'))",
            values,
          );
        }
      }
      await client.query(document("shown", "null", "null"));
      await client.query(document("deleted", "now()", "null"));
      // A verification has taken it up, and something else has taken its place since.
      await client.query(document("superseded", "now()", "gen_random_uuid()"));
      await client.query(job("PENDING", `'${fileOf.imported}'`, "null"));
      await client.query(job("COMPLETED", "null", "now()"));
    });
    const clock = { ...systemClock, now: () => NOW };
    const sweeper = createSweeper({
      requestLogDays: 7,
      attemptDays: 30,
      database,
      clock,
      log: createLog("silent"),
    });
    expect(await sweeper.runOnce()).toBe(3);
    const left = await test.asSuperuser((client) =>
      client.query<{ file: string }>(
        "select file_id as file from file_chunks group by file_id having count(*) = 2 order by 1",
      ),
    );
    const names = left.rows.map(({ file }) =>
      Object.keys(fileOf).find((name) => fileOf[name] === file),
    );
    expect(names).toEqual(["young", "shown", "superseded", "imported"]);
  });
});
