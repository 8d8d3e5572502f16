/** The table of accepted messages, as two servers use it, and its sweep. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../test/kit/test-database.ts";
import { createSweeper } from "../../../jobs/sweep.ts";
import { type Database, openDatabase } from "../../../postgres/database.ts";
import { systemClock } from "../../../std/clock.ts";
import { silentLog } from "../../../std/log.ts";
import { createUmaNonces, type UmaNonces } from "./uma-nonce.sql.ts";
import { type SignedMessage, UMA_NONCE_KEPT_MS } from "./uma-nonce.ts";

const NOW = Date.UTC(2026, 10, 29, 12, 0, 0);
const BANK = "019a4f00-0000-7000-8000-000000000001";
const WALLET = "019a4f00-0000-7000-8000-000000000002";

let own: TestDatabase;
let database: Database;
let one: UmaNonces;
let other: UmaNonces;
beforeAll(async () => {
  own = await createTestDatabase();
  database = openDatabase({ address: own.address, log: silentLog });
  one = createUmaNonces(database, systemClock);
  other = createUmaNonces(database, systemClock);
});
afterAll(async () => {
  await one.close();
  await other.close();
  await database.close();
  await own.drop();
});

const message = (text: string, signedAt = NOW): SignedMessage => ({
  kind: "lookup",
  domain: "vasp.example",
  text,
  signedAt,
});

it("a message is accepted once on all servers, and once by each platform", async () => {
  const asked = [one, other, one, other].map((each) => each.use(BANK, message("a|1|2")));
  expect((await Promise.all(asked)).filter(Boolean)).toHaveLength(1);
  expect(await other.use(BANK, message("a|1|2"))).toBe(false);
  expect(await other.use(BANK, message("a|1|3"))).toBe(true);
  expect(await other.use(WALLET, message("a|1|2"))).toBe(true);
});

it("a row is swept 15 minutes after the time of its message, and not before", async () => {
  await one.use(BANK, message("old", NOW - UMA_NONCE_KEPT_MS - 1));
  await one.use(BANK, message("young", NOW - UMA_NONCE_KEPT_MS + 1));
  const swept = createSweeper({
    requestLogDays: 7,
    attemptDays: 30,
    database,
    clock: { ...systemClock, now: () => NOW },
    log: silentLog,
  });
  expect(await swept.runOnce()).toBe(1);
  expect(await one.use(BANK, message("young"))).toBe(false);
  expect(await one.use(BANK, message("old"))).toBe(true);
});
