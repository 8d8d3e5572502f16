import { expect, it } from "vitest";
import { createManualClock } from "../../test/kit/manual-clock.ts";
import { silentLog } from "../std/log.ts";
import { createJobWorker, jobWorkerDefaults } from "./due-jobs.ts";

const jobOf = (id: string) => ({
  platformId: "p",
  id,
  kind: "note",
  payload: {},
  attempts: 1,
  platformTime: 0,
  leasedUntil: 5_000,
});

it("what the last callers commit while a server stops is run, and nothing after them", async () => {
  const ran: string[] = [];
  const worker = createJobWorker({
    ...jobWorkerDefaults,
    store: {
      claimNext: async () => ({ jobs: [], fullUpTo: undefined }),
      claim: async () => [],
      release: async () => undefined,
      hasHeldJob: async () => false,
    },
    clock: createManualClock(0),
    log: silentLog,
    runners: {
      async note({ id }) {
        ran.push(id);
        return { kind: "done" };
      },
    },
    // The second waits for the first.
    maxUnderway: 1,
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
