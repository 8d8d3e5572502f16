import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  fillPlatforms,
  moveMoney,
  openAccounts,
  openTestEngine,
  PLATFORM_IDS,
  testSealer,
} from "../../test/kit/bookkeeping.ts";
import { chanceFrom } from "../../test/kit/chance.ts";
import { editsOf, nameOf, OTHER_ID } from "../../test/kit/edits.ts";
import { sampleOf } from "../../test/kit/sample.ts";
import { type CellEdit, openTampering, type Tampering } from "../../test/kit/tamper.ts";
import {
  createTestDatabase,
  isDistributed,
  type TestDatabase,
} from "../../test/kit/test-database.ts";
import { type Database, openDatabase } from "../postgres/database.ts";
import { createSealer } from "../secrets/sealing.ts";
import { Fault } from "../std/errors.ts";
import { silentLog } from "../std/log.ts";
import { type VerifyReport, verifyPlatforms } from "./verify-platform.ts";
import { commandWalk, readEnd, readerOn, takeWhile, walk } from "./verify-rows.ts";

const SEED = 20_260_101;
const EDITS = sampleOf(Array.from({ length: 200 }, (_, edit) => edit));
const [A, B] = PLATFORM_IDS;

let place: TestDatabase;
let database: Database;
let checker: pg.Client;

beforeAll(async () => {
  place = await createTestDatabase();
  database = openDatabase({ address: place.address, log: silentLog });
  checker = new pg.Client(place.address);
  await checker.connect();
  await fillPlatforms(database, chanceFrom(SEED));
});

afterAll(async () => {
  await checker.end();
  await database.close();
  await place.drop();
});

function verify(): Promise<VerifyReport> {
  return verifyPlatforms({ client: checker, sealer: testSealer });
}

async function countsOf(...selects: readonly string[]): Promise<readonly number[]> {
  const text = `select ${selects.map((select) => `(select count(*) from ${select})`).join(", ")}`;
  const found = await database.withClient((client) =>
    client.query<string[]>({ text, rowMode: "array" }),
  );
  return (found.rows[0] ?? []).map(Number);
}

describe("untouched platforms", () => {
  it("add up, and every row of them was read", async () => {
    const report = await verify();
    expect(report.problems).toEqual([]);
    expect(report).toMatchObject({ ok: true, platforms: 2, problemCount: 0 });
    expect([report.commands, report.entries, report.events, report.accounts]).toEqual(
      await countsOf("command_log", "ledger_entries", "events", "ledger_accounts"),
    );
  });

  it("are of the sorts that can go wrong: sealed, keyed, refused, of many postings and events", async () => {
    const sorts = await countsOf(
      "command_log where answer_sealed",
      "command_log where idempotency_key is null",
      "command_log where status >= 400",
      "command_log where clock_offset_ms > 0",
      "ledger_entries where posting > 0",
      "ledger_accounts where held_minor > 0",
    );
    for (const count of sorts) expect(count).toBeGreaterThan(0);
    expect((await verify()).commands).toBeGreaterThan(200);
  });

  it("still add up once answers were dropped after their retention", async () => {
    await database.withClient((client) =>
      client.query(
        "update command_log set answer = null, idempotency_digest = null where seq % 7 = 0",
      ),
    );
    expect((await verify()).problems).toEqual([]);
  });

  it("report sealed answers that do not open under the present key separately", async () => {
    const stranger = createSealer({ current: { id: "0badc0de", key: Buffer.alloc(32, 7) } });
    const report = await database.withClient((client) =>
      verifyPlatforms({ client, sealer: stranger }),
    );
    const what = "its sealed answer does not open under the master key";
    expect(report.problems[0]).toMatchObject({ table: "command_log", what });
  });

  it("are compared with what the caller's statements find on each of them", async () => {
    const never = "select 'a', 'b', 'c' where $1::uuid is null";
    const always = "select 'jobs', 'job of ' || $1::uuid, 'is not waited for'";
    const { ok, problems } = await verifyPlatforms({
      client: checker,
      reconciliations: [never, always],
    });
    expect(ok).toBe(false);
    expect(problems).toEqual(
      PLATFORM_IDS.map((platformId) => ({
        platformId,
        table: "jobs",
        row: `job of ${platformId}`,
        what: "is not waited for",
      })),
    );
  });

  it("are read to the end with every page size", async () => {
    const [commands = 0] = await countsOf(`command_log where platform_id = '${A}'`);
    for (const pageRows of [1, 7, commands - 1, commands, commands + 1]) {
      const reader = readerOn(checker);
      const end = await readEnd(reader, A, commandWalk);
      const rows = walk(reader, { platformId: A, of: { ...commandWalk, pageRows }, end });
      const seqs: bigint[] = [];
      await takeWhile(
        rows,
        () => true,
        ({ seq }) => seqs.push(seq),
      );
      expect(seqs).toEqual(Array.from({ length: commands }, (_, index) => BigInt(index + 1)));
    }
  });

  it("cannot be verified over a closed connection", async () => {
    const gone = new pg.Client(place.address);
    await gone.connect();
    await gone.end();
    await expect(verifyPlatforms({ client: gone })).rejects.toThrow(Fault);
  });

  it("leave nothing open behind the check", async () => {
    const state = await database.withClient(async (client) => {
      await client.query("set timezone = 'Asia/Tokyo'; set enable_sort = on");
      await verifyPlatforms({ client });
      const text =
        "select pg_current_xact_id_if_assigned() is null as none, current_setting('transaction_read_only') as ro, " +
        "current_setting('timezone') as zone, current_setting('enable_sort') as sort";
      return (await client.query(text)).rows[0];
    });
    expect(state).toEqual({ none: "t", ro: "off", zone: "Asia/Tokyo", sort: "on" });
  });
});

it("a platform adds up while commands go on being written", async () => {
  const busy = await createTestDatabase();
  const own = openDatabase({ address: busy.address, log: silentLog });
  const engine = openTestEngine(own);
  const accounts = await openAccounts(engine, A);
  const fund = () =>
    accounts.map((account) =>
      moveMoney(engine, { platformId: A, account, kind: "fund", minor: 5n }),
    );
  let isDone = false;
  const writing = (async () => {
    while (!isDone) await Promise.all(fund());
  })();
  const seen: number[] = [];
  for (let round = 0; round < 5; round++) {
    const report = await own.withClient((client) => verifyPlatforms({ client }));
    expect(report.problems).toEqual([]);
    seen.push(report.commands);
  }
  isDone = true;
  await writing;
  await engine.close();
  await own.close();
  await busy.drop();
  expect(seen.at(-1)).toBeGreaterThan(seen[0] ?? 0);
});

describe.runIf(!isDistributed())("a change behind the engine's back", () => {
  let tampering: Tampering;
  let finish: () => void;
  let superuser: Promise<void>;

  beforeAll(async () => {
    tampering = await new Promise<Tampering>((ready, failed) => {
      superuser = place.asSuperuser(async (client: pg.Client) => {
        const opened = await openTampering(client);
        await new Promise<void>((resolve) => {
          finish = resolve;
          ready(opened);
        });
      });
      superuser.catch(failed);
    });
  });

  afterAll(async () => {
    finish();
    await superuser;
  });

  it.each(sampleOf(editsOf(A)))(
    "in $table, $what, is found and named first",
    async ({ table, sql, where, reported }) => {
      const row = await tampering.rowWhere(table, where);
      const report = await tampering.during(table, sql, verify);
      const [first] = report.problems;
      expect(report.ok).toBe(false);
      expect([first?.table, first?.row, first?.platformId]).toEqual([...reported(row), A]);
    },
  );

  it.each([`platform_id = '${OTHER_ID}'`, `id = '${OTHER_ID}'`, "currency = 'XXX'", "deleted"])(
    "in ledger_accounts, %s, is found at the account's first entry and named with it",
    async (set) => {
      const where = `platform_id = '${A}' and kind = 'internal' and version > 2`;
      const { id } = await tampering.rowWhere("ledger_accounts", where);
      const verb =
        set === "deleted" ? "delete from ledger_accounts" : `update ledger_accounts set ${set}`;
      const report = await tampering.during(
        "ledger_accounts",
        `${verb} where id = '${id}'`,
        verify,
      );
      expect(report.problems[0]).toMatchObject({ table: "ledger_entries", platformId: A });
      expect(report.problems[0]?.what).toContain(id);
      const rows = report.problems
        .filter(({ table }) => table === "ledger_accounts")
        .map(({ row }) => row);
      expect(rows).toContain(`account ${id}`);
    },
  );

  it(`in any single cell is found, ${EDITS.length} times of ${EDITS.length}, and its row is named`, async () => {
    const missed: unknown[] = [];
    const columns = new Set<string>();
    for (const number of EDITS) {
      await tampering.duringAny(chanceFrom(SEED + 1 + number), async (edit) => {
        columns.add(`${edit.table}.${edit.column}`);
        const report = await verify();
        if (!isNamed(report, edit)) missed.push({ edit, problems: report.problems });
      });
    }
    expect(missed).toEqual([]);
    expect(columns.size).toBeGreaterThan(EDITS.length / 5);
  });

  it("is reported for its own platform only", async () => {
    const sql = `update events set body = body || ' ' where platform_id = '${B}' and seq = 9`;
    const report = await tampering.during("events", sql, verify);
    expect(report.problems.map(({ platformId }) => platformId)).toEqual([B]);
    expect(report.platforms).toBe(2);
  });

  it("that invents a platform is reported under its id", async () => {
    const sql = `insert into platform_heads (platform_id, seq) values ('${OTHER_ID}', 3)`;
    const report = await tampering.during("platform_heads", sql, verify);
    expect(report.problems[0]).toMatchObject({ platformId: OTHER_ID, table: "platform_heads" });
  });

  it("that spoils many rows is reported with the first of them and the number of the rest", async () => {
    const sql = "update ledger_entries set balance_after_minor = balance_after_minor + version";
    const report = await tampering.during("ledger_entries", sql, verify);
    expect(report.problems).toHaveLength(20);
    expect(report.problemCount).toBeGreaterThan(20);
    expect(report.problems[0]).toMatchObject({ platformId: A, row: "command 2, line 0" });
  });

  it("that moves money between two accounts and keeps every sum is still found", async () => {
    const ends = `select min(id::text)::uuid as one, max(id::text)::uuid as two from ledger_accounts where platform_id = '${A}' and kind = 'internal' and currency = 'USD'`;
    const sql =
      "update ledger_accounts a set balance_minor = a.balance_minor + case when a.id = x.one then -1 else 1 end " +
      `from (${ends}) x where a.platform_id = '${A}' and a.id in (x.one, x.two)`;
    const report = await tampering.during("ledger_accounts", sql, verify);
    expect(report.problems.map(({ table }) => table)).toEqual([
      "ledger_accounts",
      "ledger_accounts",
    ]);
  });
});

/** Whether a report names the row that was changed, as it was or as it is, or the command whose rows it is among. */
function isNamed(report: VerifyReport, { table, before, after }: CellEdit): boolean {
  const wanted = new Set(
    [before, after].flatMap((row) => [nameOf(table, row), `command ${row.command_seq}`]),
  );
  return report.problems.some(
    (problem) => problem.table.split(", ").includes(table) && wanted.has(problem.row),
  );
}
