import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  ask,
  deposit,
  openAccount,
  openSmallPlatform,
  smallEngine,
} from "../../test/kit/small-commands.ts";
import { createTestDatabase, type TestDatabase } from "../../test/kit/test-database.ts";
import { verifyPlatforms } from "../audit/verify-platform.ts";
import { type Database, openDatabase } from "../postgres/database.ts";
import { silentLog } from "../std/log.ts";
import type { Engine } from "./engine.ts";

let place: TestDatabase;
let database: Database;
let engine: Engine;

beforeAll(async () => {
  place = await createTestDatabase();
});

beforeEach(() => {
  database = openDatabase({ address: place.address, log: silentLog });
  engine = smallEngine({ database, laneCount: 1 });
});

afterEach(async () => {
  const report = await database.withClient((client) => verifyPlatforms({ client }));
  await engine.close();
  await database.close();
  expect(report.problems).toEqual([]);
});

afterAll(() => place.drop());

/** A platform whose rows are cached, so that its commands queue without a prefetch. */
async function openPayer(): Promise<() => Promise<unknown>> {
  const platformId = await openSmallPlatform(engine);
  const { body } = await engine.submit(ask(platformId, { command: openAccount, input: null }));
  const input = { accountId: body, minor: 1n };
  const pay = () => engine.submit(ask(platformId, { command: deposit, input }));
  await pay();
  return pay;
}

const times = (count: number, pay: () => Promise<unknown>) =>
  Promise.all(Array.from({ length: count }, pay));

describe("the commands that wait for one lane", () => {
  it("go into two batches, so that one is decided while the other commits", async () => {
    const pay = await openPayer();
    const before = engine.gauges.batches();
    await times(60, pay);
    expect(engine.gauges.batches() - before).toBeGreaterThan(1);
  });

  it("go into one batch while another platform waits for a lane", async () => {
    const [pay, other] = [await openPayer(), await openPayer()];
    const before = engine.gauges.batches();
    const first = times(60, pay).then(() => engine.gauges.batches() - before);
    await Promise.all([first, times(60, other)]);
    expect(await first).toBe(1);
  });

  it("go into one batch when they are few", async () => {
    const pay = await openPayer();
    const before = engine.gauges.batches();
    await times(16, pay);
    expect(engine.gauges.batches() - before).toBe(1);
  });
});
