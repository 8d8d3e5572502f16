/** Events that no index leads to: by an id that runs ahead of its time, by a command, and by a type that is frequent elsewhere. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../test/kit/test-database.ts";
import { type Database, openDatabase, type ReadValue } from "../../postgres/database.ts";
import { lowestIdAt } from "../../std/ids.ts";
import { silentLog } from "../../std/log.ts";
import { MOST_SEARCHED } from "../../tables/search.ts";
import { type EventQuery, findEvent, listEvents, walkEvents } from "./event-list.sql.ts";

const PLATFORM = "018f0000-0000-7000-8000-00000000000a";
const OTHER = "018f0000-0000-7000-8000-00000000000b";
const START_MS = 1_700_000_000_000;
const COUNT = MOST_SEARCHED + 5_000;
const FREQUENT = "OUTGOING_PAYMENT.COMPLETED";
const COMMON = "INTERNAL_ACCOUNT.BALANCE_UPDATED";

let place: TestDatabase;
let database: Database;
beforeAll(async () => {
  place = await createTestDatabase();
  database = openDatabase({ address: place.address, log: silentLog });
  await place.asSuperuser(async (client) => {
    // Three events a command, a millisecond apart each. The first and the last one have the frequent type.
    await client.query(
      "insert into events (platform_id, seq, id, command_seq, type, subject, at, body) " +
        "select $1, n, (lpad(to_hex($2::int8 + n), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid, (n + 2) / 3, " +
        `case when n in (1, ${COUNT}) then '${FREQUENT}' else '${COMMON}' end, 'Transaction:' || n, ` +
        "to_timestamp(($2::int8 + n) / 1000.0), '{}' from generate_series(1, $3::int8) n",
      [PLATFORM, START_MS, COUNT],
    );
    await client.query("insert into platform_heads (platform_id) values ($1)", [PLATFORM]);
    await client.query("update platform_heads set event_seq = $2 where platform_id = $1", [
      PLATFORM,
      COUNT,
    ]);
  });
});
afterAll(async () => {
  await database.close();
  await place.drop();
});

const idOf = (seq: number, leadMs = 0) =>
  lowestIdAt(START_MS + seq + leadMs).replace(
    /-0000-0000-0+$/,
    `-7000-8000-${seq.toString(16).padStart(12, "0")}`,
  );

describe("an event", () => {
  it.each([1, 2, COUNT - 1, COUNT])("with the sequence %i is found by its id", async (seq) => {
    expect(await findEvent(database.reads, PLATFORM, idOf(seq))).toMatchObject({
      seq: BigInt(seq),
    });
    expect(await findEvent(database.reads, OTHER, idOf(seq))).toBeUndefined();
  });

  it("is not found under an id that no event has", async () => {
    expect(await findEvent(database.reads, PLATFORM, idOf(COUNT + 7))).toBeUndefined();
    expect(await findEvent(database.reads, PLATFORM, lowestIdAt(0))).toBeUndefined();
    expect(await findEvent(database.reads, PLATFORM, lowestIdAt(2 ** 48 - 1))).toBeUndefined();
  });

  it.each([15, 90_000, 3_599_000])(
    "whose id runs %i ms ahead of its time is found",
    async (lead) => {
      const seq = 7;
      const moved = idOf(seq, lead);
      await place.asSuperuser(async (client) => {
        await client.query("begin");
        await client.query("set local citus.propagate_set_commands = local");
        await client.query("set local session_replication_role = replica");
        await client.query("update events set id = $3 where platform_id = $1 and seq = $2", [
          PLATFORM,
          seq,
          moved,
        ]);
        await client.query("commit");
      });
      const found = await findEvent(database.reads, PLATFORM, moved);
      // Between the event and its id's time lie more events than are searched, unless the lead is short.
      expect(found?.seq).toBe(lead < MOST_SEARCHED ? BigInt(seq) : undefined);
    },
  );
});

describe("a type that payments emit in numbers", () => {
  const page = (query: Partial<EventQuery>) =>
    listEvents(database.reads, {
      platformId: PLATFORM,
      types: [FREQUENT],
      subject: undefined,
      after: undefined,
      before: undefined,
      since: undefined,
      until: undefined,
      order: "desc",
      limit: 2,
      ...query,
    });

  it("is searched in a bounded number of events a page, and the next page goes on behind them", async () => {
    const first = await page({});
    expect(first.rows.map(({ seq }) => Number(seq))).toEqual([COUNT]);
    expect(first).toMatchObject({ hasMore: true, end: String(COUNT - MOST_SEARCHED + 1) });
    const second = await page({ before: BigInt(first.end ?? 0) });
    expect(second.rows.map(({ seq }) => Number(seq))).toEqual([1]);
    expect(second).toMatchObject({ hasMore: false, end: undefined });
  });

  it("is searched in the other order, too", async () => {
    const first = await page({ order: "asc" });
    expect(first.rows.map(({ seq }) => Number(seq))).toEqual([1]);
    expect(first).toMatchObject({ hasMore: true, end: String(MOST_SEARCHED) });
  });

  it("needs no search behind a full page", async () => {
    const full = await page({ types: [COMMON] });
    expect(full.rows.map(({ seq }) => Number(seq))).toEqual([COUNT - 1, COUNT - 2]);
    expect(full).toMatchObject({ hasMore: true, end: undefined });
  });
});

it("a rare type is found through its index", async () => {
  const values: ReadValue[] = [PLATFORM];
  const query = { platformId: PLATFORM, types: ["BULK_UPLOAD.FAILED"], subject: undefined };
  const bounds = { after: undefined, before: undefined, since: undefined, until: undefined };
  const walk = walkEvents({ ...query, ...bounds, order: "desc", limit: 2 }, values);
  const { rows } = await place.asSuperuser(async (client) => {
    await client.query("analyze events");
    return client.query(`explain ${walk}`, values);
  });
  expect(rows.map((row) => row["QUERY PLAN"]).join("\n")).toContain("events_rare_type");
});

it("the events of a command are those next to each other", async () => {
  const { rows } = await place.asSuperuser((client) =>
    client.query("select seq::int4 from events_of_command($1, $2)", [PLATFORM, 3]),
  );
  expect(rows.map(({ seq }) => seq)).toEqual([7, 8, 9]);
});
