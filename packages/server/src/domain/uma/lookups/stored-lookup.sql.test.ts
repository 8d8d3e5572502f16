/** The table of answers to lookups, as two servers use it, and its sweep. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../test/kit/test-database.ts";
import { createSweeper } from "../../../jobs/sweep.ts";
import { type Database, openDatabase } from "../../../postgres/database.ts";
import { createSealer, SealBroken, toMasterKey } from "../../../secrets/sealing.ts";
import { type Clock, systemClock } from "../../../std/clock.ts";
import { createLog } from "../../../std/log.ts";
import {
  createStoredLookups,
  type StoredLookups,
  UMA_LOOKUP_KEPT_MS,
} from "./stored-lookup.sql.ts";

const NOW = Date.UTC(2026, 10, 29, 12, 0, 0, 123);
const [BANK, WALLET] = [1, 2].map((last) => `019a4f00-0000-7000-8000-00000000000${last}`) as [
  string,
  string,
];
const ID = "019a4f00-0000-7000-8000-0000000000aa";
const RECEIVER = "$bob@vasp.example";
const lookup = { receiver: RECEIVER, ownDomain: "bank.example", body: '{"callback":"ü"}' };
const sealer = createSealer({ current: toMasterKey("0123456789abcdef".repeat(4), "test") });
const log = createLog("silent");

let own: TestDatabase;
let database: Database;
let one: StoredLookups;
let other: StoredLookups;
const at = (ms: number): Clock => ({ ...systemClock, now: () => ms });
const openAt = (ms: number) => createStoredLookups(database, { sealer, clock: at(ms) });
beforeAll(async () => {
  own = await createTestDatabase();
  database = openDatabase({ address: { connectionStrings: [own.url] }, log });
  [one, other] = [openAt(NOW), openAt(NOW)];
});
afterAll(async () => {
  await Promise.all([one.close(), other.close()]);
  await database.close();
  await own.drop();
});
const query = (text: string, values: readonly unknown[] = []) =>
  database.withClient((client) => client.query(text, [...values]));
beforeEach(() => query("delete from uma_lookups").then(() => undefined));

it("an answer is found by every server, for its platform, id and receiver alone", async () => {
  await one.put(BANK, ID, lookup);
  expect(await other.find(BANK, ID, RECEIVER)).toEqual(lookup);
  expect(await other.find(WALLET, ID, RECEIVER)).toBeUndefined();
  expect(await other.find(BANK, ID, "$eve@vasp.example")).toBeUndefined();
  expect(await other.find(BANK, WALLET, RECEIVER)).toBeUndefined();
});

it("the later of two answers with one id stays", async () => {
  await one.put(BANK, ID, lookup);
  await other.put(BANK, ID, { ...lookup, body: "{}" });
  expect(await one.find(BANK, ID, RECEIVER)).toEqual({ ...lookup, body: "{}" });
});

it("an answer is sealed for its row", async () => {
  await one.put(BANK, ID, lookup);
  const { rows } = await query("select sealed from uma_lookups");
  expect(rows[0].sealed.toString("latin1")).not.toContain("bob");
  expect(rows[0].sealed.toString("latin1")).not.toContain("callback");
  await query("update uma_lookups set platform_id = $1", [WALLET]);
  await expect(one.find(WALLET, ID, RECEIVER)).rejects.toThrow(SealBroken);
});

it("a row is swept a day after its lookup, and not before", async () => {
  const [old, young] = [openAt(NOW - UMA_LOOKUP_KEPT_MS - 1), openAt(NOW - UMA_LOOKUP_KEPT_MS + 1)];
  await old.put(BANK, ID, lookup);
  await young.put(WALLET, ID, lookup);
  await Promise.all([old.close(), young.close()]);
  const days = { requestLogDays: 7, attemptDays: 30 };
  const sweeper = createSweeper({ ...days, database, clock: at(NOW), log });
  expect(await sweeper.runOnce()).toBe(1);
  expect(await one.find(BANK, ID, RECEIVER)).toBeUndefined();
  expect(await one.find(WALLET, ID, RECEIVER)).toEqual(lookup);
});
