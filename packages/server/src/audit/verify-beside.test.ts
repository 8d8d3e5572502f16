import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  type Account,
  fillPlatforms,
  moveMoney,
  openAccounts,
  openTestEngine,
  PLATFORM_IDS,
} from "../../test/kit/bookkeeping.ts";
import { chanceFrom } from "../../test/kit/chance.ts";
import { createTestDatabase, type TestDatabase } from "../../test/kit/test-database.ts";
import type { Engine } from "../engine/engine.ts";
import { type Database, openDatabase } from "../postgres/database.ts";
import { silentLog } from "../std/log.ts";
import { verifyPlatforms } from "./verify-platform.ts";

const [A, B] = PLATFORM_IDS;

let place: TestDatabase;
let database: Database;
let engine: Engine;

beforeAll(async () => {
  place = await createTestDatabase();
  database = openDatabase({ address: place.address, log: silentLog });
  await fillPlatforms(database, chanceFrom(20_261_123));
  engine = openTestEngine(database);
});

afterAll(async () => {
  await engine.close();
  await database.close();
  await place.drop();
});

interface Asked {
  readonly text: string;
  /** Whether the check kept old versions of rows from going, just before it asked this. */
  readonly held: boolean;
}

/** Checks all platforms; before each of its statements `meanwhile` happens. */
async function verifyWhile(meanwhile: (nth: number) => Promise<unknown>) {
  const client = new pg.Client(place.address);
  await client.connect();
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  const holds = "select backend_xmin is not null as held from pg_stat_activity where pid = $1";
  const asked: Asked[] = [];
  const ask = client.query.bind(client);
  Object.assign(client, {
    query: async (statement: { readonly text: string }) => {
      const state = await database.withClient((other) => other.query(holds, [rows[0]?.pid]));
      asked.push({ text: statement.text, held: state.rows[0]?.held === "t" });
      await meanwhile(asked.length);
      return ask(statement);
    },
  });
  try {
    return { asked, report: await verifyPlatforms({ client, reconciliations: [STATEMENT] }) };
  } finally {
    await client.end();
  }
}

const STATEMENT = "select 'a', 'b', 'c' where $1::uuid is null";
const HISTORY = ["command_log", "ledger_entries", "events"];

const isPageOf = (table: string) => (one: Asked) =>
  one.text.includes(` from ${table} where `) && one.text.includes(" <= ");
const isSnapshot = ({ text }: Asked) => text.startsWith("begin isolation level repeatable read");
const fundAll = (accounts: readonly Account[]) =>
  Promise.all(
    accounts.map((account) =>
      moveMoney(engine, { platformId: A, account, kind: "fund", minor: 5n }),
    ),
  );

it("append-only tables are read without holding old row versions, tables that change are read in one snapshot", async () => {
  const { asked, report } = await verifyWhile(async () => undefined);
  expect(report.problems).toEqual([]);
  expect(asked.filter(isSnapshot)).toHaveLength([A, B].length);
  for (const table of HISTORY) {
    const pages = asked.filter(isPageOf(table));
    expect([table, pages.length > 0, pages.some(({ held }) => held)]).toEqual([table, true, false]);
  }
  for (const { held } of asked.filter(isPageOf("ledger_accounts"))) expect(held).toBe(true);
  for (const { held } of asked.filter(({ text }) => text === STATEMENT)) expect(held).toBe(true);
});

it("writes between any two statements do not disturb it, also of new accounts", async () => {
  const before = await verifyWhile(async () => undefined);
  const accounts: Account[] = [];
  const { asked, report } = await verifyWhile(async (nth) => {
    if (nth % 4 === 1) accounts.push(...(await openAccounts(engine, A)));
    await fundAll(accounts);
  });
  expect(report.problems).toEqual([]);
  expect(report.commands).toBeGreaterThan(before.report.commands);
  expect((await verifyWhile(async () => undefined)).report.commands).toBeGreaterThan(
    report.commands,
  );
  // However much is written meanwhile, nothing more is asked for it.
  expect(asked.length).toBe(before.asked.length);
});
