import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../test/kit/test-database.ts";
import { internalAccounts } from "../domain/accounts/internal/internal-account.ts";
import { type Database, openDatabase } from "../postgres/database.ts";
import { LONGEST_LEAD_MS, lowestIdAt } from "../std/ids.ts";
import { silentLog } from "../std/log.ts";
import { type Condition, listPage, tableSource } from "./list-query.ts";
import { type TotalsFilter, totalQuery } from "./list-totals.ts";

const PLATFORM = "018f0000-0000-7000-8000-00000000000a";
const DAY_MS = 86_400_000;
const MONDAY = 20_000 * DAY_MS;
const TUESDAY = MONDAY + DAY_MS;
const WEDNESDAY = TUESDAY + DAY_MS;

const { counted } = internalAccounts;
const list = { name: internalAccounts.name, counted: counted ?? { by: [] } };

describe("the days of a time filter", () => {
  const asked = (...filters: readonly TotalsFilter[]) => totalQuery(list, filters, "from rows");

  it("are summed when the filter starts and ends at midnight", () => {
    const whole = asked({ from: MONDAY }, { to: WEDNESDAY - 1 });
    expect(whole?.countsRows).toBe(false);
    expect(whole?.text([])).toContain("n.day >= 20000 and n.day < 20002");
    expect(asked({ from: MONDAY })?.countsRows).toBe(false);
    expect(asked({ to: WEDNESDAY - 1 })?.countsRows).toBe(false);
    expect(asked()?.countsRows).toBe(false);
  });

  it("are counted at an end that is a millisecond off", () => {
    expect(asked({ from: MONDAY - 1 })?.countsRows).toBe(true);
    expect(asked({ from: MONDAY + 1 })?.countsRows).toBe(true);
    expect(asked({ to: WEDNESDAY })?.countsRows).toBe(true);
    expect(asked({ to: WEDNESDAY - 2 })?.countsRows).toBe(true);
  });

  it("are not used when the filter contains no whole day", () => {
    expect(asked({ from: MONDAY + 1 }, { to: WEDNESDAY - 2 })).toBeUndefined();
    expect(asked({ from: TUESDAY }, { to: MONDAY })).toBeUndefined();
  });

  it("are the intersection of all filters", () => {
    expect(asked({ from: MONDAY }, { from: TUESDAY })?.text([])).toContain("n.day >= 20001");
  });
});

describe("rows on both sides of midnight", () => {
  let place: TestDatabase;
  let database: Database;

  beforeAll(async () => {
    place = await createTestDatabase();
    database = openDatabase({ address: place.address, log: silentLog });
    await insert(MONDAY, MONDAY);
    await insert(TUESDAY - 1, TUESDAY - 1);
    // The time of an id may be later than that of its row.
    await insert(TUESDAY - 2, TUESDAY - 2 + LONGEST_LEAD_MS);
    await insert(TUESDAY, TUESDAY + 1);
    await insert(WEDNESDAY, WEDNESDAY);
    await place.asSuperuser((client) =>
      client.query(
        "insert into list_totals values " +
          "($1, 'internal_accounts', 20000, 'platform USD INTERNAL_FIAT', 3), " +
          "($1, 'internal_accounts', 20001, 'platform USD INTERNAL_FIAT', 1), " +
          "($1, 'internal_accounts', 20002, 'platform USD INTERNAL_FIAT', 1)",
        [PLATFORM],
      ),
    );
  });

  afterAll(async () => {
    await database.close();
    await place.drop();
  });

  function insert(createdAt: number, idAt: number): Promise<unknown> {
    return place.asSuperuser((client) =>
      client.query(
        "insert into internal_accounts (platform_id, id, type, status, currency, is_simulated, created_at) " +
          "values ($1, $2, 'INTERNAL_FIAT', 'ACTIVE', 'USD', true, to_timestamp($3::int8 / 1000.0))",
        [PLATFORM, lowestIdAt(idAt), createdAt],
      ),
    );
  }

  it.each([
    [undefined, undefined, 5],
    [MONDAY, undefined, 5],
    [MONDAY + 1, undefined, 4],
    [TUESDAY - 2, undefined, 4],
    [TUESDAY - 1, undefined, 3],
    [TUESDAY, undefined, 2],
    [TUESDAY + 1, undefined, 1],
    [undefined, TUESDAY - 3, 1],
    [undefined, TUESDAY - 2, 2],
    [undefined, TUESDAY - 1, 3],
    [undefined, TUESDAY, 4],
    [TUESDAY - 1, WEDNESDAY - 1, 2],
    [TUESDAY - 1, WEDNESDAY, 3],
    [MONDAY + 1, TUESDAY - 1, 2],
  ])("are counted correctly from %i to %i", async (from, to, count) => {
    const conditions: Condition[] = [];
    const time = (ms: number) => new Date(ms).toISOString();
    if (from !== undefined) {
      const sql = "t.created_at >= ?::timestamptz";
      conditions.push({ sql, value: time(from), totalsFilter: { from } });
    }
    if (to !== undefined) {
      const sql = "t.created_at <= ?::timestamptz";
      conditions.push({ sql, value: time(to), totalsFilter: { to } });
    }
    const query = { platformId: PLATFORM, conditions, after: undefined };
    const accounts = tableSource(internalAccounts);
    const first = await listPage(database.reads, accounts, { ...query, limit: 1 });
    const all = await listPage(database.reads, accounts, { ...query, limit: 100 });
    expect([first.totalCount, all.rows.length]).toEqual([count, count]);
  });
});
