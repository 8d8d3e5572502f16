import { afterAll, beforeAll, expect, it } from "vitest";
import { testSealer } from "../../test/kit/bookkeeping.ts";
import { createManualClock } from "../../test/kit/manual-clock.ts";
import { ask, openAccount, openSmallPlatform, smallEngine } from "../../test/kit/small-commands.ts";
import { createTestDatabase, type TestDatabase } from "../../test/kit/test-database.ts";
import { type Log, silentLog } from "../std/log.ts";
import { type Database, openDatabase } from "../storage/database.ts";
import type { Submission } from "./command.ts";
import type { Pending } from "./decide.ts";
import { engineDefaults } from "./engine.ts";
import { createLanes, type Lanes } from "./lanes.ts";
import { PlatformState } from "./platform-state.ts";
import { BatchRunner } from "./run-batch.ts";

const START_MS = Date.UTC(2025, 9, 13);
const PATIENCE_MS = 1_000;

let place: TestDatabase;
let database: Database;
let lanes: Lanes;
let platformId: string;
const errors: unknown[] = [];
const log: Log = { ...silentLog, error: (...said) => void errors.push(said) };

beforeAll(async () => {
  place = await createTestDatabase();
  database = openDatabase({ address: place.address, log: silentLog });
  lanes = createLanes({ database, count: 1 });
  const engine = smallEngine({ database });
  platformId = await openSmallPlatform(engine);
  await engine.close();
});
afterAll(async () => {
  await lanes.close();
  await database.close();
  await place.drop();
});

/** A batch of commands that have waited so long; what becomes of each. */
async function run(waitedMs: readonly number[]): Promise<readonly string[]> {
  const clock = createManualClock(START_MS);
  const runner = new BatchRunner({
    ...engineDefaults,
    database,
    clock,
    log,
    sealer: testSealer,
    renderEvent: () => "{}",
    renderRefusal: ({ code, status }) => ({ status, body: code }),
    constraintRefusals: {},
    patienceMs: PATIENCE_MS,
    lanes,
    listeners: [],
    steady: () => undefined,
  });
  const outcomes = new Map<number, string>();
  const pendings = waitedMs.map((ms, index): Pending => {
    const submission = ask(platformId, { command: openAccount, input: null });
    return {
      submission: submission as unknown as Submission<unknown, unknown>,
      idempotencyDigest: null,
      enqueuedAt: START_MS - ms,
      forced: undefined,
      resolve: () => void outcomes.set(index, "done"),
      reject: (error) => void outcomes.set(index, (error as Error).message),
    };
  });
  const platform = new PlatformState(platformId, 100);
  await runner.run(platform, { pendings, predecessor: undefined });
  if (platform.lane !== undefined) lanes.giveBack(platform.lane);
  return waitedMs.map((_, index) => outcomes.get(index) ?? "nothing");
}

it("a batch is run for the one that came last, whatever the first one has waited", async () => {
  expect(await run([PATIENCE_MS + 1, 10])).toEqual(["done", "done"]);
});

it("a batch that comes too late for all of them is no fault of the database", async () => {
  const late = "too many commands waited before it";
  expect(await run([PATIENCE_MS + 2, PATIENCE_MS + 1])).toEqual([late, late]);
  expect(errors).toEqual([]);
});
