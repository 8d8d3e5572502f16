import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createManualClock } from "../../test/kit/manual-clock.ts";
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
import type { Actor } from "./command.ts";
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

describe("a command of a worker", () => {
  const worker = { kind: "worker", id: "test" } as const;

  /** A platform with two calls in quick succession, and a clock that stands still. */
  async function openFrequent() {
    await engine.close();
    const clock = createManualClock(Date.UTC(2026, 0, 1));
    let behindMs = 0;
    const setBack = (ms: number) => {
      behindMs = ms;
    };
    const shown = { now: () => clock.now() - behindMs, after: clock.after };
    engine = smallEngine({ database, clock: shown, laneCount: 1 });
    const platformId = await openSmallPlatform(engine);
    const { body } = await engine.submit(ask(platformId, { command: openAccount, input: null }));
    const input = { accountId: body, minor: 1n };
    const asked = ask(platformId, { command: deposit, input });
    const pay = (actor: Actor = asked.actor) => engine.submit({ ...asked, actor });
    await pay();
    await pay();
    const before = engine.gauges.batches();
    return { clock, setBack, pay, batches: () => engine.gauges.batches() - before };
  }

  it("waits for the next call while calls come in quick succession, and is committed with it", async () => {
    const { pay, batches } = await openFrequent();
    const recorded = pay(worker);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(batches()).toBe(0);
    expect((await Promise.all([pay(), recorded])).map(({ body }) => body)).toEqual(["3", "4"]);
    expect(batches()).toBe(1);
  });

  it.each([
    ["", 0],
    [", also when the clock is set back meanwhile", 3_600_000],
  ])("waits two milliseconds at most%s", async (_, backMs) => {
    const { clock, setBack, pay, batches } = await openFrequent();
    const recorded = pay(worker);
    await clock.advance(0);
    setBack(backMs);
    await clock.advance(1);
    expect(batches()).toBe(0);
    await clock.advance(1);
    expect((await recorded).body).toBe("3");
    expect(batches()).toBe(1);
  });

  it("waits for each next call anew", async () => {
    const { clock, pay, batches } = await openFrequent();
    const first = pay(worker);
    await clock.advance(0);
    await clock.advance(1);
    await Promise.all([pay(), first]);
    const second = pay(worker);
    await clock.advance(0);
    await clock.advance(1);
    expect(batches()).toBe(1);
    await Promise.all([pay(), second]);
    expect(batches()).toBe(2);
  });

  it("waits for nothing when the last call was long ago", async () => {
    const { clock, pay } = await openFrequent();
    await clock.advance(11);
    expect((await pay(worker)).body).toBe("3");
  });
});
