import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { onOne } from "../../../test/kit/on-one.ts";
import { soon } from "../../../test/kit/soon.ts";
import { createTestDatabase, type TestDatabase } from "../../../test/kit/test-database.ts";
import { type Database, openDatabase } from "../../postgres/database.ts";
import { systemClock } from "../../std/clock.ts";
import { type Log, silentLog } from "../../std/log.ts";
import { createSweeper } from "../sweep.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const NOW = Date.parse("2027-03-01T00:00:00Z");
const ONE = "019a4f00-0000-7000-8000-000000000001";
const OTHER = "019a4f00-0000-7000-8000-000000000002";

let place: TestDatabase;
let database: Database;
beforeEach(async () => {
  place = await createTestDatabase();
  database = openDatabase({ address: place.address, log: silentLog });
});
afterEach(async () => {
  await database.close();
  await place.drop();
});

/** Commands of a platform, from this one to that, so many days ago; every fifth came without an idempotency key. */
async function logged(
  platformId: string,
  {
    from = 1,
    to,
    daysAgo,
  }: { readonly from?: number; readonly to: number; readonly daysAgo: number },
): Promise<void> {
  const at = new Date(NOW - daysAgo * DAY_MS).toISOString();
  await place.asSuperuser(async (client) => {
    await client.query(
      "insert into platform_heads (platform_id) values ($1) on conflict do nothing",
      [platformId],
    );
    await client.query(
      "insert into command_log select $1, n, gen_random_uuid(), 'x', 'x', $4, 0, " +
        "case when n % 5 > 0 then gen_random_uuid() end, 'x', 'x', '\\x00', 200, " +
        "case when n % 5 > 0 then 'an answer' end, false, '\\x00', '\\x00', '\\x00' " +
        "from generate_series($2::int8, $3::int8) n",
      [platformId, from, to, at],
    );
  });
}

function sweeper(nowMs = NOW) {
  return createSweeper({
    requestLogDays: 7,
    attemptDays: 30,
    database,
    clock: { ...systemClock, now: () => nowMs },
    log: silentLog,
  });
}

/** The commands of a platform whose answers are there, from the first to the last. */
async function kept(platformId: string) {
  const { rows } = await place.asSuperuser((client) =>
    client.query(
      "select count(*)::int4 as count, min(seq)::int4 as first, max(seq)::int4 as last from command_log " +
        "where platform_id = $1 and idempotency_digest is not null and answer is not null",
      [platformId],
    ),
  );
  return rows[0];
}

describe("answers to idempotency keys", () => {
  it("are deleted after 30 days on every platform, and younger ones are kept", async () => {
    await logged(ONE, { to: 2_500, daysAgo: 31 });
    await logged(ONE, { from: 2_501, to: 2_510, daysAgo: 29 });
    await logged(OTHER, { to: 1_000, daysAgo: 31 });
    expect(await sweeper().runOnce()).toBe(2_800);
    expect(await kept(ONE)).toEqual({ count: 8, first: 2_501, last: 2_509 });
    expect(await kept(OTHER)).toEqual({ count: 0, first: null, last: null });
    expect(await sweeper().runOnce()).toBe(0);
  });

  it("are deleted by the next process from the position where the last one stopped", async () => {
    await logged(ONE, { to: 10, daysAgo: 31 });
    await logged(ONE, { from: 11, to: 20, daysAgo: 29 });
    expect(await sweeper().runOnce()).toBe(8);
    expect(await sweeper(NOW + 2 * DAY_MS).runOnce()).toBe(8);
    expect(await kept(ONE)).toMatchObject({ count: 0 });
  });

  it("are deleted once when two processes sweep at the same time", async () => {
    await logged(ONE, { to: 3_000, daysAgo: 31 });
    await logged(ONE, { from: 3_001, to: 3_005, daysAgo: 29 });
    const swept = await Promise.all([sweeper().runOnce(), sweeper().runOnce()]);
    expect(swept.reduce((sum, count) => sum + count)).toBe(2_400);
    expect(await kept(ONE)).toMatchObject({ count: 4 });
  });

  onOne("are scanned for behind the deleted ones, however many these are", async () => {
    await logged(ONE, { to: 20_000, daysAgo: 40 });
    await logged(OTHER, { to: 5, daysAgo: 29 });
    await sweeper().runOnce();
    await logged(ONE, { from: 20_001, to: 20_010, daysAgo: 31 });
    const before = await soon(async () => {
      const read = await rowsRead();
      expect(read).toBeGreaterThanOrEqual(20_000);
      return read;
    });
    expect(await sweeper().runOnce()).toBe(8);
    await soon(async () => expect(await rowsRead()).toBeGreaterThan(before));
    expect((await rowsRead()) - before).toBeLessThan(100);
  });
});

/** Known once the connection that read them has ended. */
async function rowsRead(): Promise<number> {
  const { rows } = await place.asSuperuser((client) =>
    client.query(
      "select seq_tup_read + idx_tup_fetch as read from pg_stat_user_tables where relname = 'command_log'",
    ),
  );
  return Number(rows[0]?.read);
}

describe("a sweep that fails", () => {
  it("is logged by name, and does not block the others", async () => {
    await logged(ONE, { to: 5, daysAgo: 31 });
    const warnings: object[] = [];
    const log: Log = { ...silentLog, warn: (facts) => warnings.push(facts) };
    const hasty = openDatabase({
      address: place.address,
      log: silentLog,
      limits: { lockTimeoutMs: 20 },
    });
    const clock = { ...systemClock, now: () => NOW };
    await place.asSuperuser(async (client) => {
      await client.query(
        `insert into spent_tokens values ('${ONE}', gen_random_uuid(), '2026-01-01T00:00:00Z')`,
      );
      await client.query("begin");
      await client.query("lock table command_log, passkey_challenges");
      expect(
        await createSweeper({
          requestLogDays: 7,
          attemptDays: 30,
          database: hasty,
          clock,
          log,
        }).runOnce(),
      ).toBe(1);
      await client.query("rollback");
    });
    await hasty.close();
    expect(warnings).toMatchObject([{ what: "answers" }, { what: "passkey_challenges" }]);
    expect(await sweeper().runOnce()).toBe(4);
  });
});
