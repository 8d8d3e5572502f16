import { expect, it } from "vitest";
import { createManualClock } from "../../test/kit/manual-clock.ts";
import { silentLog } from "../std/log.ts";
import { createJobWorker, type JobRunner, type JobWorker, jobWorkerDefaults } from "./due-jobs.ts";

const jobOf = (id: string) => ({
  platformId: "p",
  id,
  kind: "note",
  payload: {},
  attempts: 1,
  platformTime: 0,
  leasedUntil: 5_000,
});

/** Runs one job at a time, the others wait for it. */
function workerWith(note: JobRunner): JobWorker {
  return createJobWorker({
    ...jobWorkerDefaults,
    store: {
      claimNext: async () => ({ jobs: [], fullUpTo: undefined }),
      claim: async () => [],
      release: async () => undefined,
      hasHeldJob: async () => false,
    },
    clock: createManualClock(0),
    log: silentLog,
    runners: { note },
    maxUnderway: 1,
  });
}

it("what the last callers commit while a server stops is run, and nothing after them", async () => {
  const ran: string[] = [];
  const worker = workerWith(async ({ id }) => {
    ran.push(id);
    return { kind: "done" };
  });
  let leave: () => void = () => undefined;
  const callers = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const stopped = worker.stop(callers);
  worker.hint([jobOf("a"), jobOf("b")]);
  leave();
  await stopped;
  worker.hint([jobOf("late")]);
  expect([ran, worker.underway()]).toEqual([["a", "b"], 0]);
});

it("jobs that are committed faster than they are run wait in bounded numbers", async () => {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const ran: string[] = [];
  const worker = workerWith(async ({ id }) => {
    await ended;
    ran.push(id);
    return { kind: "done" };
  });
  const hint = (name: string) => {
    worker.hint(Array.from({ length: 100 }, (_, index) => jobOf(`${name}${index}`)));
    return worker.underway();
  };
  // Eight wait for each that may run, and one of the first eight runs.
  expect([hint("a"), hint("b"), hint("c")]).toEqual([8, 9, 9]);
  end();
  await worker.stop();
  expect([ran.length, ran.at(-1)]).toEqual([9, "b0"]);
});
