/** Servers with different clocks, or a clock that is set back: the platform's time never goes back. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { createManualClock } from "../../test/kit/manual-clock.ts";
import { ask, openSmallPlatform, smallEngine, startJob } from "../../test/kit/small-commands.ts";
import { createTestDatabase, type TestDatabase } from "../../test/kit/test-database.ts";
import { type Database, openDatabase } from "../postgres/database.ts";
import { silentLog } from "../std/log.ts";
import type { ClaimedJob } from "./command.ts";

const START_MS = Date.UTC(2025, 9, 13);
const LEASE_MS = 5_000;
const HOUR_MS = 3_600_000;

let place: TestDatabase;
let database: Database;

beforeAll(async () => {
  place = await createTestDatabase();
  database = openDatabase({ address: place.address, log: silentLog });
});

afterAll(async () => {
  await database.close();
  await place.drop();
});

/** A server with this time, and the jobs that it leased at commit. */
function server(nowMs: number) {
  const clock = createManualClock(nowMs);
  const engine = smallEngine({ database, clock, jobLeaseMs: LEASE_MS });
  const jobs: ClaimedJob[] = [];
  engine.onCommitted({
    dueJobs: (due) => jobs.push(...due),
    newEvents: () => undefined,
  });
  return { engine, jobs };
}

async function runAtOf(id: string): Promise<number> {
  const rows = await database.reads.cells(
    {
      name: "run-at",
      text: "select floor(extract(epoch from run_at) * 1000) from jobs where id = $1::uuid",
    },
    [id],
  );
  return Number(rows[0]?.[0]);
}

it("a job that is due immediately is leased at commit by a server whose clock is behind", async () => {
  const ahead = server(START_MS + HOUR_MS);
  const behind = server(START_MS);
  const platformId = await openSmallPlatform(ahead.engine);
  const order = ask(platformId, { command: startJob, input: { inMs: 0 } });
  await ahead.engine.submit(order);
  const { body: id } = await behind.engine.submit(order);
  const platformTime = START_MS + HOUR_MS;
  expect(behind.jobs).toMatchObject([
    { id, attempts: 1, platformTime, leasedUntil: platformTime + LEASE_MS },
  ]);
  expect(await runAtOf(id)).toBe(START_MS + LEASE_MS);
  await Promise.all([ahead.engine.close(), behind.engine.close()]);
});
