import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newGate } from "../../test/kit/gate.ts";
import { createManualClock, type ManualClock } from "../../test/kit/manual-clock.ts";
import { onOne } from "../../test/kit/on-one.ts";
import {
  ask,
  endJob,
  openSmallPlatform,
  smallEngine,
  startJob,
} from "../../test/kit/small-commands.ts";
import { soon } from "../../test/kit/soon.ts";
import { createTestDatabase, type TestDatabase } from "../../test/kit/test-database.ts";
import type { ClaimedJob } from "../engine/command.ts";
import type { Engine } from "../engine/engine.ts";
import { type Database, openDatabase } from "../postgres/database.ts";
import { pause } from "../std/clock.ts";
import { Fault } from "../std/errors.ts";
import { silentLog } from "../std/log.ts";
import {
  createJobWorker,
  type JobResult,
  type JobWorker,
  type JobWorkerOptions,
} from "./due-jobs.ts";
import { createJobStore, type JobStore } from "./job-store.ts";

const START_MS = Date.UTC(2025, 9, 13);
const LEASE_MS = 5_000;
const POLL_MS = 250;

let place: TestDatabase;
let database: Database;
let clock: ManualClock;
let engine: Engine;
let store: JobStore;
let platformId: string;
const workers: JobWorker[] = [];

beforeAll(async () => {
  place = await createTestDatabase();
  database = openDatabase({ address: place.address, log: silentLog });
  store = createJobStore(database);
});

beforeEach(async () => {
  clock = createManualClock(START_MS);
  engine = smallEngine({ database, clock, jobLeaseMs: LEASE_MS });
  platformId = await openSmallPlatform(engine);
  await place.asSuperuser((client) => client.query("delete from jobs"));
});

afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.stop();
  await engine.close();
});

afterAll(async () => {
  await database.close();
  await place.drop();
});

type Run = (job: ClaimedJob) => Promise<JobResult>;

interface Watched {
  readonly worker: JobWorker;
  readonly jobs: ClaimedJob[];
}

/** A worker that notes what it runs; a job is done unless `run` says otherwise. */
function watch(run: Run = finish, change: Partial<JobWorkerOptions> = {}): Watched {
  const jobs: ClaimedJob[] = [];
  const worker = createJobWorker({
    store,
    clock,
    log: silentLog,
    runners: {
      count: (job) => {
        jobs.push(job);
        return run(job);
      },
    },
    leaseMs: LEASE_MS,
    pollMs: POLL_MS,
    maxUnderway: 16,
    ...change,
  });
  workers.push(worker);
  return { worker, jobs };
}

async function finish(job: ClaimedJob): Promise<JobResult> {
  await engine.submit(ask(job.platformId, { command: endJob, input: { jobId: job.id } }));
  return { kind: "done" };
}

async function schedule(inMs: number): Promise<string> {
  const { body } = await engine.submit(ask(platformId, { command: startJob, input: { inMs } }));
  return body;
}

/** Moves the clock on, while somebody waits for it, until all is over. */
async function movedUntil(over: Promise<unknown>): Promise<void> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  void over.then(end, end);
  while (!isOver) {
    await clock.advance(clock.pendingTimers > 0 ? 1 : 0);
    await roundTrip();
  }
  await over;
}

/** Between steps of the clock, so that no lease and no patience ends before a busy database has answered. */
async function roundTrip(): Promise<void> {
  await database.reads.cells({ name: "look", text: "select 1" }, []);
}

async function jobsLeft(): Promise<readonly { attempts: number; waitMs: number }[]> {
  const rows = await database.reads.cells(
    {
      name: "jobs-left",
      text: "select attempts, floor(extract(epoch from run_at) * 1000) from jobs where platform_id = $1::uuid",
    },
    [platformId],
  );
  return rows.map(([attempts, runAt]) => ({
    attempts: Number(attempts),
    waitMs: Number(runAt) - clock.now(),
  }));
}

describe("a job that is due when it is committed", () => {
  it("comes from the engine at once, leased to this process", async () => {
    const { worker, jobs } = watch();
    engine.onCommitted({
      dueJobs: (due) => worker.hint(due),
      newEvents: () => undefined,
    });
    const id = await schedule(0);
    await soon(async () => expect(await jobsLeft()).toEqual([]));
    expect(jobs).toMatchObject([{ id, platformId, attempts: 1, payload: { n: 1 } }]);
  });

  it("is passed over by others until the lease ends, and is then theirs", async () => {
    const { worker, jobs } = watch();
    await schedule(0);
    const drained = worker.drain(platformId);
    for (let waited = 0; waited < LEASE_MS; waited += POLL_MS) {
      expect(jobs).toEqual([]);
      await clock.advance(POLL_MS);
    }
    await movedUntil(drained);
    expect(jobs).toMatchObject([{ attempts: 2 }]);
    expect(await jobsLeft()).toEqual([]);
  });
});

describe("a job that is due later", () => {
  it("is found by looking, when it is due and not before", async () => {
    const { worker, jobs } = watch();
    worker.start();
    await schedule(2_000);
    await clock.advance(2_000 - POLL_MS);
    expect(jobs).toEqual([]);
    await soon(async () => {
      await clock.advance(POLL_MS);
      expect(jobs).toMatchObject([{ attempts: 1 }]);
    });
    expect(jobs[0]?.platformTime).toBeGreaterThanOrEqual(START_MS + 2_000);
  });

  it.each([
    [100, [250, 1_350, 2_450]],
    [8_000, [250, 10_250, 20_250]],
  ])(
    "is looked for less often while looking takes %d ms, but not for long",
    async (tookMs, expected) => {
      const looks: number[] = [];
      const slow: JobStore = {
        ...store,
        async claimNext() {
          looks.push(clock.now() - START_MS);
          await pause(clock, tookMs);
          throw new Fault("nothing was found in time");
        },
      };
      watch(finish, { store: slow }).worker.start();
      while (looks.length < expected.length) await clock.advance(50);
      expect(looks).toEqual(expected);
      await clock.advance(tookMs);
    },
  );

  it("is taken with all others at one scan, a portion at a time", async () => {
    const limits: number[] = [];
    const counting: JobStore = {
      ...store,
      claimNext(options) {
        limits.push(options.limit);
        return store.claimNext(options);
      },
    };
    const { worker, jobs } = watch(finish, { store: counting, maxUnderway: 1_024 });
    await Promise.all(Array.from({ length: 300 }, () => schedule(100)));
    worker.start();
    await clock.advance(POLL_MS);
    await soon(async () => expect(await jobsLeft()).toEqual([]));
    expect(jobs).toHaveLength(300);
    expect(limits).toEqual([128, 128, 128]);
  });

  it("is taken by one of two workers", async () => {
    const [one, two] = [watch(), watch()];
    for (let index = 0; index < 20; index++) await schedule(1_000);
    await clock.advance(1_000);
    await movedUntil(Promise.all([one.worker.drain(platformId), two.worker.drain(platformId)]));
    const ids = [...one.jobs, ...two.jobs].map(({ id }) => id);
    expect(ids).toHaveLength(20);
    expect(new Set(ids).size).toBe(20);
    expect(await jobsLeft()).toEqual([]);
  });
});

describe("a job that is not done", () => {
  it("runs again after the delay that it returned", async () => {
    const { worker, jobs } = watch(async (job) =>
      job.attempts < 3 ? { kind: "again", inMs: 700 } : finish(job),
    );
    await schedule(1);
    await clock.advance(1);
    await worker.drain(platformId);
    expect(await jobsLeft()).toEqual([{ attempts: 1, waitMs: 700 }]);
    await clock.advance(699);
    await worker.drain(platformId);
    expect(jobs).toHaveLength(1);
    for (let round = 0; round < 2; round++) {
      await clock.advance(700);
      await worker.drain(platformId);
    }
    expect(jobs.map(({ attempts }) => attempts)).toEqual([1, 2, 3]);
    expect(await jobsLeft()).toEqual([]);
  });

  it("waits longer after each failure, up to a minute", async () => {
    const { worker } = watch(() => Promise.reject(new Error("the rail is down")));
    await schedule(1);
    await clock.advance(1);
    const waits: number[] = [];
    for (let failures = 0; failures < 8; failures++) {
      await worker.drain(platformId);
      const [left] = await jobsLeft();
      waits.push(left?.waitMs ?? 0);
      await clock.advance(left?.waitMs ?? 0);
    }
    expect(waits).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
  });

  it("waits by its consecutive failures, not by its number of claims", async () => {
    const fails = [false, false, false, false, true, true, false, true];
    const { worker } = watch(async () => {
      if (fails.shift() === true) throw new Error("the rail is down");
      return { kind: "again", inMs: 1_000 };
    });
    await schedule(1);
    await clock.advance(1);
    const waits: number[] = [];
    while (fails.length > 0) {
      await worker.drain(platformId);
      const [left] = await jobsLeft();
      waits.push(left?.waitMs ?? 0);
      await clock.advance(left?.waitMs ?? 0);
    }
    expect(waits).toEqual([1_000, 1_000, 1_000, 1_000, 2_000, 4_000, 1_000, 2_000]);
  });

  it("runs again after the delay that it returned, also when its lease ran out and it was claimed again", async () => {
    const gate = newGate();
    let looks = 0;
    let claims = 0;
    const counting: JobStore = {
      ...store,
      async claimNext(options) {
        const portion = await store.claimNext(options);
        looks += 1;
        claims += portion.jobs.length;
        return portion;
      },
    };
    const { worker, jobs } = watch(
      () => gate.passed.then(() => ({ kind: "again", inMs: 30_000 })),
      { store: counting },
    );
    worker.start();
    await schedule(1);
    // Time stands still while a scan is under way.
    for (let scan = 1; claims < 2; scan++) {
      await clock.advance(POLL_MS);
      await soon(() => expect(looks).toBe(scan));
    }
    expect(looks).toBe(1 + LEASE_MS / POLL_MS);
    gate.open();
    await soon(async () => expect(await jobsLeft()).toEqual([{ attempts: 2, waitMs: 30_000 }]));
    expect(jobs).toHaveLength(1);
  });

  it("of an unknown kind is kept", async () => {
    const { worker } = watch();
    await schedule(1);
    await place.asSuperuser((client) => client.query("update jobs set kind = 'of old'"));
    await clock.advance(1);
    await worker.drain(platformId);
    expect(await jobsLeft()).toHaveLength(1);
  });
});

onOne("a job that is claimed again while its end is recorded still ends", async () => {
  const jobId = await schedule(1_000);
  let ended: Promise<unknown> = Promise.resolve();
  await place.asSuperuser(async (client) => {
    await client.query("begin");
    await client.query("update jobs set run_at = run_at + interval '1 second' where id = $1", [
      jobId,
    ]);
    ended = engine.submit(ask(platformId, { command: endJob, input: { jobId } }));
    const waiting =
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    for (let found = 0; found === 0; ) found = (await client.query(waiting)).rowCount ?? 0;
    await client.query("commit");
  });
  await ended;
  expect(await jobsLeft()).toEqual([]);
});

describe("drain", () => {
  it("runs the jobs that its jobs schedule", async () => {
    let following = 5;
    const { worker, jobs } = watch(async (job) => {
      if (following-- > 0) {
        const at = clock.now();
        await schedule(1);
        await clock.advance(1);
        expect(clock.now()).toBeGreaterThan(at);
      }
      return finish(job);
    });
    await schedule(1);
    await clock.advance(1);
    await worker.drain(platformId);
    expect(jobs).toHaveLength(6);
    expect(await jobsLeft()).toEqual([]);
  });

  it("leaves other platforms alone", async () => {
    const { worker, jobs } = watch();
    await schedule(1);
    await clock.advance(1);
    await worker.drain(await openSmallPlatform(engine));
    expect(jobs).toEqual([]);
  });

  it("waits for jobs of another process, and for those that they schedule", async () => {
    const gate = newGate();
    const other = watch((job) => gate.passed.then(() => schedule(0)).then(() => finish(job)));
    const { worker, jobs } = watch();
    engine.onCommitted({ dueJobs: (due) => worker.hint(due), newEvents: () => undefined });
    await schedule(1);
    await clock.advance(1);
    const others = other.worker.drain(platformId);
    await soon(async () => expect(other.jobs).toHaveLength(1));
    let isDrained = false;
    const drained = worker.drain(platformId).then(() => {
      isDrained = true;
    });
    for (let looks = 0; looks < 20; looks++) {
      await clock.advance(20);
      await roundTrip();
    }
    expect(isDrained).toBe(false);
    gate.open();
    await movedUntil(Promise.all([others, drained]));
    expect(jobs).toHaveLength(1);
    expect(await jobsLeft()).toEqual([]);
  });

  it("does not wait for what another process gave back", async () => {
    const other = watch(async () => ({ kind: "again", inMs: 1_000 }));
    const { worker, jobs } = watch();
    await schedule(1);
    await clock.advance(1);
    await other.worker.drain(platformId);
    await worker.drain(platformId);
    expect(jobs).toEqual([]);
    expect(await jobsLeft()).toEqual([{ attempts: 1, waitMs: 1_000 }]);
  });

  it("stops waiting for a job that does not end", async () => {
    const gate = newGate();
    const { worker, jobs } = watch((job) => gate.passed.then(() => finish(job)));
    await schedule(1);
    await clock.advance(1);
    const drained = expect(worker.drain(platformId)).rejects.toBeInstanceOf(Fault);
    await soon(async () => expect(jobs).toHaveLength(1));
    await clock.advance(20_000);
    await drained;
    gate.open();
  });

  it("gives up when work keeps coming", async () => {
    const { worker } = watch(async (job) => {
      await schedule(1);
      await clock.advance(1_000);
      return finish(job);
    });
    await schedule(1);
    await clock.advance(1);
    await expect(worker.drain(platformId)).rejects.toBeInstanceOf(Fault);
  });
});

describe("bounds and the end", () => {
  it("run no more at once than allowed, and all in the end", async () => {
    let atOnce = 0;
    let most = 0;
    const { worker, jobs } = watch(
      async (job) => {
        most = Math.max(most, ++atOnce);
        const result = await finish(job);
        atOnce--;
        return result;
      },
      { maxUnderway: 3 },
    );
    engine.onCommitted({
      dueJobs: (due) => worker.hint(due),
      newEvents: () => undefined,
    });
    await Promise.all(Array.from({ length: 20 }, () => schedule(0)));
    await worker.drain(platformId);
    expect(most).toBe(3);
    expect(jobs).toHaveLength(20);
  });

  it("stop waits for running jobs, and starts no new ones", async () => {
    const gate = newGate();
    const { worker, jobs } = watch(async (job) => {
      await gate.passed;
      return finish(job);
    });
    engine.onCommitted({
      dueJobs: (due) => worker.hint(due),
      newEvents: () => undefined,
    });
    await schedule(0);
    await soon(() => expect(worker.underway()).toBe(1));
    let isStopped = false;
    const stopped = worker.stop().then(() => {
      isStopped = true;
    });
    await schedule(0);
    expect([isStopped, jobs.length]).toEqual([false, 1]);
    gate.open();
    await stopped;
    expect(worker.underway()).toBe(0);
    expect(await jobsLeft()).toHaveLength(1);
  });

  it("stop waits for a look that is under way, and for what it found", async () => {
    const gate = newGate();
    let isLooking = false;
    const slow: JobStore = {
      ...store,
      async claimNext(options) {
        const found = await store.claimNext(options);
        isLooking = true;
        await gate.passed;
        return found;
      },
    };
    const { worker, jobs } = watch(finish, { store: slow });
    worker.start();
    await schedule(1);
    await clock.advance(POLL_MS);
    await soon(() => expect(isLooking).toBe(true));
    let isStopped = false;
    const stopped = worker.stop().then(() => {
      isStopped = true;
    });
    await clock.advance(0);
    expect(isStopped).toBe(false);
    gate.open();
    await stopped;
    expect([jobs.length, worker.underway()]).toEqual([1, 0]);
    expect(await jobsLeft()).toEqual([]);
  });
});
