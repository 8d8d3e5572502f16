/** A follower of a log of numbers: it copies them, so that what it left out or applied twice shows. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { createManualClock } from "../../test/kit/manual-clock.ts";
import { createTestDatabase, type TestDatabase } from "../../test/kit/test-database.ts";
import { parameter } from "../postgres/columns.ts";
import { type Database, type Lane, openDatabase } from "../postgres/database.ts";
import type { Step } from "../postgres/pipeline.ts";
import { createSerialLane } from "../postgres/serial-lane.ts";
import { silentLog } from "../std/log.ts";
import { type FollowerLoop, followLog, rebuild } from "./follow-log.ts";
import type { Follower } from "./follower.ts";

const NOON = Date.UTC(2026, 10, 25, 12);
const [FIRST, SECOND, THIRD] = ["a", "b", "c"].map(
  (letter) => `018f0000-0000-7000-8000-00000000000${letter}`,
) as [string, string, string];
const NUMBERS_AT_ONCE = 10;

let test: TestDatabase;
let database: Database;
const loops: FollowerLoop[] = [];

beforeAll(async () => {
  test = await createTestDatabase();
  await query(
    "create table numbers (platform_id uuid, seq int8); create table copies (platform_id uuid, seq int8);" +
      "create table copied (platform_id uuid primary key, seq int8 not null default 0, leased_by uuid, " +
      "leased_until timestamptz not null); grant all on numbers, copies, copied to florin",
  );
  database = openDatabase({ address: test.address, log: silentLog });
});
beforeEach(() => query("truncate numbers, copies, copied"));
afterEach(async () => {
  await Promise.all(loops.splice(0).map((loop) => loop.stop()));
});
afterAll(async () => {
  await database.close();
  await test.drop();
});

async function query(text: string) {
  return (await test.asSuperuser((client) => client.query(text))).rows;
}

const add = (platformId: string, count: number) =>
  query(
    `insert into numbers select '${platformId}', (select count(*) from numbers where platform_id = '${platformId}') + g ` +
      `from generate_series(1, ${count}) g`,
  );

async function copiesOf(platformId: string): Promise<readonly number[]> {
  const rows = await query(`select seq from copies where platform_id = '${platformId}' order by 1`);
  return rows.map(({ seq }) => Number(seq));
}

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

const step = (name: string, text: string, parameters: Step["parameters"]): Step => ({
  statement: { name, text },
  parameters,
});
const int8 = (value: bigint | number) => parameter("int8", BigInt(value));
const uuid = (value: string) => parameter("uuid", value);

interface Place {
  readonly seq: bigint;
}

/** `failsAt` makes a batch of a platform fail, before it is read. */
function copying(
  failsAt: (platformId: string) => boolean = () => false,
): Follower<Place, readonly bigint[]> {
  return {
    name: "copies",
    positions: {
      behind: ({ after, limit }) =>
        step(
          "test/behind",
          "select distinct n.platform_id from numbers n left join copied p using (platform_id) " +
            "where n.platform_id > $1::uuid and n.seq > coalesce(p.seq, 0) order by 1 limit $2::int8",
          [uuid(after), int8(limit)],
        ),
      take: ({ platformId, workerId, now, until }) => [
        step(
          "test/take",
          "insert into copied as p (platform_id, leased_by, leased_until) values ($1::uuid, $2::uuid, $4::timestamptz) " +
            "on conflict (platform_id) do update set leased_by = excluded.leased_by, leased_until = excluded.leased_until " +
            "where p.leased_by = $2::uuid or p.leased_until <= $3::timestamptz",
          [uuid(platformId), uuid(workerId), parameter("time", now), parameter("time", until)],
        ),
        step(
          "test/taken",
          "select seq from copied where platform_id = $1::uuid and leased_by = $2::uuid",
          [uuid(platformId), uuid(workerId)],
        ),
      ],
      decode: ({ rows: [row] }) => row && { seq: BigInt(row[0] ?? 0) },
      move: ({ platformId, workerId }, from, to) =>
        step(
          "test/move",
          "with moved as (update copied set seq = $4::int8 where platform_id = $1::uuid and leased_by = $2::uuid " +
            "and seq = $3::int8 returning 1) select 1 / count(*) from moved",
          [uuid(platformId), uuid(workerId), int8(from.seq), int8(to.seq)],
        ),
    },
    async read(lane, platformId, { seq }) {
      if (failsAt(platformId)) throw new Error("this platform cannot be read");
      const { rows } = await lane.run(
        step(
          "test/read",
          "select seq from numbers where platform_id = $1::uuid and seq > $2::int8 order by 1 limit $3::int8",
          [uuid(platformId), int8(seq), int8(NUMBERS_AT_ONCE)],
        ),
      );
      const entries = rows.map(([number]) => BigInt(number ?? 0));
      const last = entries.at(-1);
      if (last === undefined) return undefined;
      return { entries, next: { seq: last }, hasMore: entries.length === NUMBERS_AT_ONCE };
    },
    apply: ({ platformId }, _from, entries) =>
      entries.map((number) =>
        step("test/copy", "insert into copies values ($1::uuid, $2::int8)", [
          uuid(platformId),
          int8(number),
        ]),
      ),
  };
}

type OpenLanes = Pick<Database, "openLane">;

function follow({
  of = copying(),
  on = database,
  clock = createManualClock(NOON),
  platformsAScan = 100,
}: {
  readonly of?: Follower<Place, readonly bigint[]>;
  readonly on?: OpenLanes;
  readonly clock?: ReturnType<typeof createManualClock>;
  readonly platformsAScan?: number;
} = {}) {
  const pace = { gatherMs: 1_000, scanMs: 3_000, platformsAScan };
  const loop = followLog(of, { database: on, clock, log: silentLog, pace });
  loops.push(loop);
  return { loop, clock };
}

/** Connections that break at one of their runs: before the statements were sent, or before their answer came. */
function breaking(at: number, how: "before" | "after"): OpenLanes {
  let runs = 0;
  return {
    async openLane(name) {
      const lane = await database.openLane(name);
      const run: Lane["run"] = async (steps) => {
        const isBroken = runs++ === at;
        if (isBroken && how === "before") throw new Error("the connection broke");
        const results = await lane.run(steps);
        if (isBroken) throw new Error("the connection broke");
        return results;
      };
      return { ...lane, run };
    },
  };
}

it.each(["before", "after"] as const)(
  "applies each entry once when its connection breaks %s any of its runs",
  async (how) => {
    // A scan, and three statements for each of three batches.
    for (let at = 0; at < 10; at++) {
      await query("truncate numbers, copies, copied");
      await add(FIRST, 25);
      const { loop: broken } = follow({ on: breaking(at, how) });
      expect(await broken.runOnce(), `run ${at}`).toBe(false);
      expect(broken.failed()).toBe(1);
      expect(await broken.runOnce()).toBe(true);
      expect(await copiesOf(FIRST)).toEqual(upTo(25));
    }
  },
);

it("has another server apply the batch of one that died between reading and the move", async () => {
  await add(FIRST, 5);
  const { loop: dying } = follow({ on: breaking(3, "before") });
  await dying.runOnce();
  const clock = createManualClock(NOON);
  const { loop: next } = follow({ clock });
  await next.runOnce();
  expect(await copiesOf(FIRST)).toEqual([]);
  await clock.advance(10_000);
  await next.runOnce();
  expect(await copiesOf(FIRST)).toEqual(upTo(5));
});

it("applies no entry twice when servers work on a platform at the same time, with leases or without", async () => {
  const clock = createManualClock(NOON);
  const servers = Array.from({ length: 4 }, () => follow({ clock }).loop);
  for (let round = 1; round <= 5; round++) {
    await add(FIRST, 25);
    await Promise.all(
      servers.map(async (server) => {
        await server.runOnce();
        await clock.advance(10_000);
        await server.runOnce();
      }),
    );
    await clock.advance(10_000);
    await servers[0]?.runOnce();
    expect(await copiesOf(FIRST)).toEqual(upTo(25 * round));
  }
});

/** In small steps, because a follower rests as long as a batch took. */
const copiesInTime = async (
  clock: ReturnType<typeof createManualClock>,
  platformId: string,
): Promise<readonly number[]> => {
  await clock.advance(250);
  return copiesOf(platformId);
};

it("applies what a hint tells of before a scan has come to it", async () => {
  const read: string[] = [];
  const of = copying((platformId) => {
    read.push(platformId);
    return false;
  });
  const { loop, clock } = follow({ of, platformsAScan: 1 });
  for (const platformId of [FIRST, SECOND, THIRD]) await add(platformId, 5);
  loop.committed({ platformId: THIRD, after: 0n, upTo: 1n });
  loop.start();
  await expect.poll(() => copiesInTime(clock, SECOND)).toEqual(upTo(5));
  expect(read).toEqual([THIRD, FIRST, SECOND]);
  expect(await copiesOf(THIRD)).toEqual(upTo(5));
});

it("finds by a scan what other servers wrote", async () => {
  const { loop, clock } = follow();
  loop.start();
  await clock.advance(1_000);
  await add(FIRST, 25);
  await expect.poll(() => copiesInTime(clock, FIRST)).toEqual(upTo(25));
});

it("lets a platform that fails wait longer each time, up to a bound, while others go on", async () => {
  const tries: number[] = [];
  const clock = createManualClock(NOON);
  const of = copying((platformId) => {
    if (platformId === FIRST) tries.push(clock.now() - NOON);
    return platformId === FIRST;
  });
  for (const platformId of [FIRST, SECOND, THIRD]) await add(platformId, 25);
  const { loop } = follow({ of, clock, platformsAScan: 1 });
  loop.start();
  await expect
    .poll(async () => {
      await clock.advance(500);
      loop.committed({ platformId: FIRST, after: 0n, upTo: 1n });
      return tries.length;
    })
    .toBe(7);
  expect(await copiesOf(SECOND)).toEqual(upTo(25));
  expect(await copiesOf(THIRD)).toEqual(upTo(25));
  expect(await copiesOf(FIRST)).toEqual([]);
  expect(loop.failed()).toBe(7);
  const gaps = tries.slice(1).map((at, index) => at - (tries[index] ?? 0));
  for (const [index, least] of [1_000, 2_000, 4_000, 8_000, 10_000, 10_000].entries())
    expect(gaps[index], `gap ${index}`).toBeGreaterThanOrEqual(least);
  // Twice as long each time it would be this.
  expect(gaps.at(-1)).toBeLessThan(32_000);
});

it("ends the batch under way at a stop, and begins no other one", async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let reads = 0;
  const whole = copying();
  const of: typeof whole = {
    ...whole,
    async read(...found) {
      reads++;
      await held;
      return whole.read(...found);
    },
  };
  await add(FIRST, 25);
  await add(SECOND, 5);
  const { loop, clock } = follow({ of });
  loop.start();
  await clock.advance(1_000);
  await expect.poll(() => reads).toBe(1);
  const stopped = loop.stop();
  release();
  await stopped;
  expect(await copiesOf(FIRST)).toEqual(upTo(10));
  expect(await copiesOf(SECOND)).toEqual([]);
  expect(clock.pendingTimers).toBe(0);
});

it("does not throw into the commit when its entries cannot be added, and reads them", async () => {
  await add(FIRST, 5);
  const of: Follower<Place, readonly bigint[]> = {
    ...copying(),
    feed: {
      open: () => [],
      add: () => {
        throw new Error("broken");
      },
      placeOf: ({ seq }) => seq,
      batchOf: () => Promise.reject(new Error("never fed")),
    },
  };
  const { loop } = follow({ of });
  loop.committed({ platformId: FIRST, after: 0n, upTo: 5n });
  expect(loop.failed()).toBe(1);
  expect(await loop.runOnce()).toBe(true);
  expect(await copiesOf(FIRST)).toEqual(upTo(5));
});

it("needs no timer and no connection before it is started", async () => {
  const { loop, clock } = follow({
    on: { openLane: () => Promise.reject(new Error("opened")) },
  });
  loop.committed({ platformId: FIRST, after: 0n, upTo: 1n });
  expect(clock.pendingTimers).toBe(0);
  await loop.stop();
});

it("can be built again from the beginning", async () => {
  await add(FIRST, 25);
  const { loop } = follow();
  await loop.runOnce();
  await query("delete from copies where seq between 5 and 9");
  const lane = createSerialLane(database, "test");
  await rebuild(lane, {
    restart: step("test/restart", "update copied set seq = 0 where platform_id = $1::uuid", [
      uuid(FIRST),
    ]),
    clear: step(
      "test/clear",
      "delete from copies where platform_id = $1::uuid and ctid = any (array(select ctid from copies limit 8))",
      [uuid(FIRST)],
    ),
  });
  await lane.close();
  expect(await copiesOf(FIRST)).toEqual([]);
  await loop.runOnce();
  expect(await copiesOf(FIRST)).toEqual(upTo(25));
});
