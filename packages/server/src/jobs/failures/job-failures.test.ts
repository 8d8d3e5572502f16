/** A job that fails again and again is told, and nothing waits for it. */
import { describe, expect, it } from "vitest";
import { newGate } from "../../../test/kit/gate.ts";
import { createManualClock } from "../../../test/kit/manual-clock.ts";
import { soon } from "../../../test/kit/soon.ts";
import type { ClaimedJob } from "../../engine/command.ts";
import { silentLog } from "../../std/log.ts";
import { createJobWorker, type JobResult, jobWorkerDefaults } from "../due-jobs.ts";
import type { HeldOptions } from "../job-store.ts";
import { JobFailures } from "./job-failures.ts";

const jobOf = (id: string, platformId = "p"): ClaimedJob => ({
  platformId,
  id,
  kind: "note",
  payload: {},
  attempts: 1,
  platformTime: 0,
  leasedUntil: 5_000,
});

const MINUTE_MS = 60_000;

describe("failures of a job", () => {
  it("are told from the tenth in a row on, with the first time and the last reason", () => {
    const failures = new JobFailures();
    for (let count = 1; count <= 9; count++) failures.note(jobOf("a"), new Error("away"), count);
    expect([failures.told(9), failures.isFailing("a")]).toEqual([{ count: 0, jobs: [] }, false]);
    failures.note(jobOf("a"), new Error("x".repeat(1_000)), 10);
    expect(failures.told(10)).toEqual({
      count: 1,
      jobs: [
        {
          platformId: "p",
          id: "a",
          kind: "note",
          failures: 10,
          since: 1,
          error: "x".repeat(300),
        },
      ],
    });
    expect([failures.failingOf("p"), failures.failingOf("q")]).toEqual([["a"], []]);
  });

  it("are over when it did not fail", () => {
    const failures = new JobFailures();
    for (let count = 0; count < 12; count++) failures.note(jobOf("a"), new Error("away"), 0);
    failures.forget("a");
    for (let count = 0; count < 9; count++) failures.note(jobOf("a"), new Error("away"), 0);
    expect([failures.told(0).count, failures.failingOf("p")]).toEqual([0, []]);
  });

  it("that are old are not told: another server has ended the job", () => {
    const failures = new JobFailures();
    for (let count = 0; count < 10; count++) failures.note(jobOf("a"), new Error("away"), 0);
    expect(failures.told(15 * MINUTE_MS).count).toBe(1);
    expect(failures.told(15 * MINUTE_MS + 1).count).toBe(0);
  });

  it("are counted for all and listed for the hundred that fail longest", () => {
    const failures = new JobFailures();
    for (let job = 0; job < 130; job++)
      for (let count = 0; count < 10; count++)
        failures.note(jobOf(`${job}`), new Error("away"), 1_000 - job);
    const { count, jobs } = failures.told(1_000);
    expect([count, jobs.length, jobs[0]?.id, jobs.at(-1)?.id]).toEqual([130, 100, "129", "30"]);
  });

  it("are remembered of ten thousand jobs", () => {
    const failures = new JobFailures();
    for (let count = 0; count < 10; count++) failures.note(jobOf("a"), new Error("away"), 0);
    for (let job = 0; job < 10_000; job++) failures.note(jobOf(`${job}`), new Error("away"), 0);
    expect(failures.isFailing("a")).toBe(false);
  });
});

/** A store with one job, which is due whenever it is not leased, and counts as held while it is. */
function workerOf(run: (job: ClaimedJob) => Promise<JobResult>) {
  const clock = createManualClock(0);
  let isLeased = false;
  const worker = createJobWorker({
    ...jobWorkerDefaults,
    store: {
      claimNext: async () => ({ jobs: [], fullUpTo: undefined }),
      claim: async () => {
        if (isLeased) return [];
        isLeased = true;
        return [jobOf("a")];
      },
      release: async () => undefined,
      hasHeldJob: async ({ except }: HeldOptions) => isLeased && !except.includes("a"),
    },
    clock,
    log: silentLog,
    runners: { note: run },
  });
  const again = () => {
    isLeased = false;
  };
  return { worker, clock, again };
}

it("a drain waits for a job up to its tenth failure, and not beyond", async () => {
  const gate = newGate();
  let runs = 0;
  const { worker, clock, again } = workerOf(async () => {
    runs++;
    if (runs === 11) await gate.passed;
    throw new Error("away");
  });
  for (let failure = 1; failure <= 10; failure++) {
    again();
    const drained = worker.drain("p").catch(() => "late");
    // The patience of the drain, and its pause until it looks again.
    const timers = failure < 10 ? 2 : 0;
    await soon(() => expect([runs, clock.pendingTimers]).toEqual([failure, timers]));
    await clock.advance(20_000);
    expect([failure, await drained]).toEqual([failure, failure < 10 ? "late" : undefined]);
  }
  again();
  await worker.drain("p");
  expect([runs, worker.underway(), worker.failing().count]).toEqual([11, 1, 1]);
  gate.open();
  await worker.stop();
});
