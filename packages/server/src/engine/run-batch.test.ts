import { afterAll, beforeAll, expect, it } from "vitest";
import { testSealer } from "../../test/kit/bookkeeping.ts";
import { createManualClock } from "../../test/kit/manual-clock.ts";
import {
  type Ask,
  ask,
  claimName,
  openAccount,
  openSmallPlatform,
  smallEngine,
} from "../../test/kit/small-commands.ts";
import { createTestDatabase, type TestDatabase } from "../../test/kit/test-database.ts";
import { type Database, openDatabase } from "../postgres/database.ts";
import { type Log, silentLog } from "../std/log.ts";
import { createLanes, type Lanes } from "./cache/lanes.ts";
import { PlatformState } from "./cache/platform-state.ts";
import type { Pending } from "./decide.ts";
import { engineDefaults } from "./engine.ts";
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

interface Waiting {
  readonly submission: Pending["submission"];
  readonly waitedMs: number;
}

/** The outcome of each command of a batch, and the number of batches that are still marked as recovering. */
async function run(waiting: readonly Waiting[]) {
  const clock = createManualClock(START_MS);
  const runner = new BatchRunner({
    ...engineDefaults,
    database,
    clock,
    log,
    sealer: testSealer,
    renderEvent: () => "{}",
    renderRefusal: ({ code, status }) => ({ status, body: code }),
    constraintRefusals: { directory_pkey: "UMA_ADDRESS_EXISTS" },
    patienceMs: PATIENCE_MS,
    lanes,
    listeners: [],
    onLostCommits: () => undefined,
    onSent: () => undefined,
    onTrouble: () => undefined,
  });
  const outcomes = new Map<number, string>();
  const pendings = waiting.map(
    ({ submission, waitedMs }, index): Pending => ({
      submission,
      idempotencyDigest: null,
      enqueuedAt: START_MS - waitedMs,
      forced: undefined,
      resolve: ({ status }) => void outcomes.set(index, String(status)),
      reject: (error) => void outcomes.set(index, (error as Error).message),
    }),
  );
  const platform = new PlatformState(platformId, 100);
  await runner.run(platform, { pendings, predecessor: undefined });
  if (platform.lane !== undefined) lanes.giveBack(platform.lane);
  const ended = waiting.map((_, index) => outcomes.get(index) ?? "nothing");
  return { ended, recovering: platform.recovering.size };
}

function waiting<Input>(asked: Ask<Input>, waitedMs = 0): Waiting {
  const submission = ask(platformId, asked);
  return { submission: submission as unknown as Pending["submission"], waitedMs };
}

const opening = (waitedMs: number) => waiting({ command: openAccount, input: null }, waitedMs);
const claiming = (handle: string) => waiting({ command: claimName, input: { handle } });

it("a batch has the deadline of its latest command, however long the first one has waited", async () => {
  expect(await run([opening(PATIENCE_MS + 1), opening(10)])).toEqual({
    ended: ["200", "200"],
    recovering: 0,
  });
});

it("a batch after the deadline of all its commands is not reported as a fault of the database", async () => {
  const late = "too many commands waited before it";
  const { ended } = await run([opening(PATIENCE_MS + 2), opening(PATIENCE_MS + 1)]);
  expect(ended).toEqual([late, late]);
  expect(errors).toEqual([]);
});

it("a batch that is retried command by command leaves nothing marked as recovering", async () => {
  expect(await run([claiming("a-name")])).toEqual({ ended: ["200"], recovering: 0 });
  expect(await run([opening(0), claiming("a-name"), opening(0), claiming("a-name")])).toEqual({
    ended: ["200", "409", "200", "409"],
    recovering: 0,
  });
});
