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
import { silentLog } from "../std/log.ts";
import { type Database, openDatabase } from "../storage/database.ts";
import type { Engine } from "./engine.ts";
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
    return { asked, report: await verifyPlatforms({ client, leftForOneMoment: 10 }) };
  } finally {
    await client.end();
  }
}

const isPageOf = (table: string) => (one: Asked) => one.text.includes(` from ${table} where `);
const isSnapshot = ({ text }: Asked) => text.startsWith("begin isolation level repeatable read");

it("a platform is read ahead without a hold on old rows, and at one moment in the end", async () => {
  const { asked, report } = await verifyWhile(async () => undefined);
  expect(report.problems).toEqual([]);
  const first = asked.findIndex(isSnapshot);
  const ahead = asked.slice(0, first);
  for (const table of ["command_log", "ledger_entries", "events"]) {
    expect(ahead.filter(isPageOf(table)).length).toBeGreaterThan(0);
  }
  expect(ahead.filter(({ held }) => held)).toEqual([]);
  expect(asked.slice(first).some(({ held }) => held)).toBe(true);
});

it("what is written between any two statements is in one of the rounds, new accounts too", async () => {
  const before = await verifyWhile(async () => undefined);
  const accounts: Account[] = [];
  const { asked, report } = await verifyWhile(async (nth) => {
    if (nth % 6 === 1) accounts.push(...(await openAccounts(engine, A)));
    for (const account of accounts.slice(-1)) {
      await moveMoney(engine, { platformId: A, account, kind: "fund", minor: 5n });
    }
  });
  expect(report.problems).toEqual([]);
  expect(report.commands).toBeGreaterThan(before.report.commands + accounts.length);
  // More than one round of the platform to which is written, and one moment for each of the two.
  const ahead = asked.slice(0, asked.findIndex(isSnapshot));
  expect(ahead.filter(isPageOf("ledger_accounts")).length).toBeGreaterThan(1);
  expect(asked.filter(isSnapshot)).toHaveLength([A, B].length);
});

it("a platform to which more is written than is read comes to its end", async () => {
  let accounts = await openAccounts(engine, A);
  for (let more = 0; more < 5; more++) {
    accounts = [...accounts, ...(await openAccounts(engine, A))];
  }
  const { asked, report } = await verifyWhile(async () => {
    for (let round = 0; round < 5; round++) {
      const funds = accounts.map((account) =>
        moveMoney(engine, { platformId: A, account, kind: "fund", minor: 5n }),
      );
      await Promise.all(funds);
    }
  });
  expect(report.problems).toEqual([]);
  expect(asked.length).toBeLessThan(200);
});
