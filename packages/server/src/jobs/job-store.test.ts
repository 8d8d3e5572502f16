import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { onOne } from "../../test/kit/on-one.ts";
import { soon } from "../../test/kit/soon.ts";
import { createTestDatabase, type TestDatabase } from "../../test/kit/test-database.ts";
import type { ClaimedJob } from "../engine/command.ts";
import { shiftJobs } from "../engine/records.ts";
import { type Database, openDatabase } from "../postgres/database.ts";
import { present } from "../std/assert.ts";
import { toIso } from "../std/clock.ts";
import { randomIds } from "../std/ids.ts";
import { silentLog } from "../std/log.ts";
import { AHEAD_MS, createJobStore, type JobStore } from "./job-store.ts";

const NOW = Date.UTC(2026, 0, 1);
const LEASE_MS = 5_000;
const ids = randomIds();

let files: TestDatabase;
let database: Database;
let store: JobStore;
let platformId: string;
let jobId: string;

beforeAll(async () => {
  files = await createTestDatabase();
  database = openDatabase({ address: files.address, log: silentLog });
  store = createJobStore(database);
});
afterAll(async () => {
  await database.close();
  await files.drop();
});
beforeEach(async () => {
  platformId = ids.next(NOW);
  jobId = ids.next(NOW);
  await files.asSuperuser(async (client) => {
    await client.query("insert into platform_heads (platform_id) values ($1)", [platformId]);
    await client.query("insert into jobs values ($1, $2, 'k', '{}', $3, $3, 0)", [
      platformId,
      jobId,
      toIso(NOW),
    ]);
  });
});

const claim = (now: number) => store.claim({ now, leaseMs: LEASE_MS, limit: 10, platformId });
const release = (job: ClaimedJob | undefined, dueAt: number) =>
  store.release([{ job: present(job, "the claimed job"), dueAt }]);

/** What the engine writes as a platform's clock is moved on. */
const MOVE_HEAD =
  "update platform_heads set clock_offset_ms = clock_offset_ms + $2 where platform_id = $1";
const MOVE_JOBS = shiftJobs.text;

async function advance(ms: number): Promise<void> {
  await files.asSuperuser(async (client) => {
    for (const text of [MOVE_HEAD, MOVE_JOBS]) await client.query(text, [platformId, ms]);
  });
}

describe("a job", () => {
  it("is claimed by one at a time, until its lease runs out", async () => {
    const [claimed] = await claim(NOW);
    expect(claimed).toMatchObject({ id: jobId, kind: "k", attempts: 1, platformTime: NOW });
    expect(await claim(NOW + LEASE_MS - 1)).toEqual([]);
    expect(await claim(NOW + LEASE_MS)).toMatchObject([{ id: jobId, attempts: 2 }]);
  });

  it("that was given back is due at its platform time", async () => {
    await advance(60_000);
    const [claimed] = await claim(NOW);
    expect(claimed?.platformTime).toBe(NOW + 60_000);
    await release(claimed, NOW + 60_000 + 30_000);
    expect(await claim(NOW + 29_999)).toEqual([]);
    expect(await claim(NOW + 30_000)).toHaveLength(1);
  });

  it("that is released after the clock was advanced is due by the new clock", async () => {
    const [claimed] = await claim(NOW);
    await advance(20_000);
    await release(claimed, NOW + 30_000);
    expect(await claim(NOW + 9_999)).toEqual([]);
    expect(await claim(NOW + 10_000)).toHaveLength(1);
  });

  onOne("that is released while the clock is being advanced is not late", async () => {
    const [claimed] = await claim(NOW);
    const released = await files.asSuperuser(async (client) => {
      await client.query("begin");
      for (const text of [MOVE_HEAD, MOVE_JOBS]) await client.query(text, [platformId, 1_000]);
      const giving = release(claimed, NOW + 1_000);
      await expect.poll(() => waitsForALock(client)).toBe(true);
      await client.query("commit");
      return { giving };
    });
    await released.giving;
    expect(await claim(NOW - 1)).toEqual([]);
    expect(await claim(NOW)).toHaveLength(1);
  });

  it("that is leased counts as held from its platform time on", async () => {
    const isHeld = (except: readonly string[] = []) =>
      store.hasHeldJob({ now: NOW, platformId, except });
    const [claimed] = await claim(NOW);
    await release(claimed, NOW + 30_000);
    expect(await isHeld()).toBe(false);
    await advance(30_000);
    expect(await claim(NOW)).toHaveLength(1);
    expect(await isHeld()).toBe(true);
    expect(await isHeld([claimed?.id ?? ""])).toBe(false);
  });

  it("is released without waiting for the head of its platform", async () => {
    const [claimed] = await claim(NOW);
    await files.asSuperuser(async (client) => {
      await client.query("begin");
      await client.query("select 1 from platform_heads where platform_id = $1 for update", [
        platformId,
      ]);
      await release(claimed, NOW + 1_000);
      await client.query("commit");
    });
    expect(await claim(NOW + 1_000)).toHaveLength(1);
  });

  it("is not given back by a claim that has run out and was taken over", async () => {
    const [late] = await claim(NOW);
    const [claimed] = await claim(NOW + LEASE_MS);
    await release(late, NOW);
    expect(await claim(NOW + 2 * LEASE_MS - 1)).toEqual([]);
    await release(claimed, NOW + LEASE_MS + 1_000);
    expect(await claim(NOW + LEASE_MS + 1_000)).toHaveLength(1);
  });

  it("that was deleted does not block the others", async () => {
    const [claimed] = await claim(NOW);
    const gone = { ...present(claimed, "the claimed job"), id: ids.next(NOW) };
    const held = present(claimed, "the claimed job");
    await store.release([
      { job: gone, dueAt: NOW },
      { job: held, dueAt: NOW },
    ]);
    expect(await claim(NOW)).toHaveLength(1);
  });
});

describe("a scan that resumes where another ended", () => {
  it("takes what is due since then, and no more", async () => {
    const options = { now: NOW, leaseMs: LEASE_MS, limit: 10 };
    await files.asSuperuser((client) => client.query("delete from jobs where id <> $1", [jobId]));
    const none = { jobs: [], fullUpTo: undefined };
    expect(await store.claimNext({ ...options, from: NOW + 1 })).toEqual(none);
    for (const [aheadMs, nextAt] of [
      [AHEAD_MS, NOW],
      [AHEAD_MS + 1, undefined],
    ] as const) {
      const early = await store.claimNext({ ...options, now: NOW - aheadMs });
      expect(early).toEqual({ ...none, nextAt });
    }
    const found = await store.claimNext({ ...options, limit: 1, from: NOW });
    expect(found).toMatchObject({ jobs: [{ id: jobId, platformId }], fullUpTo: NOW });
  });

  it("goes on behind jobs that another server claims at the same time", async () => {
    await files.asSuperuser(async (other) => {
      await other.query("begin");
      await other.query("select 1 from jobs where platform_id = $1 and id = $2 for update", [
        platformId,
        jobId,
      ]);
      const held = await store.claimNext({ now: NOW, leaseMs: LEASE_MS, limit: 1, from: NOW });
      expect(held).toEqual({ jobs: [], fullUpTo: NOW });
      await other.query("rollback");
    });
  });

  onOne("skips no jobs that ended before while a snapshot can still see them", async () => {
    const place = await createTestDatabase();
    const own = openDatabase({ address: place.address, log: silentLog });
    const ownStore = createJobStore(own);
    const ENDED = 500;
    await place.asSuperuser(async (reader) => {
      await reader.query("begin isolation level repeatable read");
      await reader.query("select 1 from jobs");
      await place.asSuperuser(async (client) => {
        const add =
          "insert into jobs select $1, gen_random_uuid(), 'k', '{}', $2, $2, 1 from generate_series(1, $3)";
        await client.query(add, [platformId, toIso(NOW - 1_000), ENDED]);
        await client.query("delete from jobs");
      });
      for (let looks = 0; looks < 10; looks++) {
        await ownStore.claimNext({ now: NOW, leaseMs: LEASE_MS, limit: 10, from: NOW - 999 });
      }
      await ownStore.claimNext({ now: NOW, leaseMs: LEASE_MS, limit: 10 });
      await reader.query("commit");
    });
    await own.close();
    // The last look passed over them once: the others did not.
    await soon(async () => expect(await rowsRead(place, "jobs_run_at")).toBe(ENDED));
    await place.drop();
  });
});

/** Statements are planned once on a connection, by what PostgreSQL believes at that time. */
describe("on a connection that made its plans while there was one job", () => {
  onOne("a job is still looked up by its key", async () => {
    const place = await createTestDatabase();
    const own = openDatabase({ address: place.address, log: silentLog });
    const ownStore = createJobStore(own);
    const job: ClaimedJob = {
      platformId,
      id: jobId,
      kind: "k",
      payload: {},
      attempts: 1,
      platformTime: NOW,
      leasedUntil: NOW + LEASE_MS,
    };
    await place.asSuperuser(async (client) => {
      await client.query("insert into jobs values ($1, $2, 'k', '{}', $3, $3, 1)", [
        platformId,
        jobId,
        toIso(NOW + LEASE_MS),
      ]);
      await client.query("vacuum analyze jobs");
    });
    // Plans are dropped after the first, second and fourth use: two more are made by the plan of the fifth.
    for (let n = 0; n < 5; n += 1) await ownStore.release([{ job, dueAt: NOW }]);
    await place.asSuperuser((client) =>
      client.query(
        "insert into jobs select $1, gen_random_uuid(), 'k', '{}', $2, $2, 1 from generate_series(1, 500)",
        [platformId, toIso(NOW + LEASE_MS)],
      ),
    );
    for (let n = 0; n < 2; n += 1) await ownStore.release([{ job, dueAt: NOW }]);
    await own.close();
    await soon(async () => expect(await rowsRead(place, "jobs_pkey")).toBeGreaterThanOrEqual(7));
    expect(await rowsRead(place, "jobs_pkey")).toBeLessThan(100);
    await place.drop();
  });
});

/** Known once the connection that read them has ended. */
function rowsRead(place: TestDatabase, index: string): Promise<number> {
  return place.asSuperuser(async (client) => {
    const { rows } = await client.query(
      "select idx_tup_read as read from pg_stat_user_indexes where indexrelname = $1",
      [index],
    );
    return Number(rows[0]?.read);
  });
}

async function waitsForALock(client: {
  query(text: string): Promise<{ readonly rows: readonly unknown[] }>;
}): Promise<boolean> {
  const { rows } = await client.query(
    "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rows.length > 0;
}
