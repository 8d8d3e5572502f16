import { afterEach, describe, expect, it } from "vitest";
import { createManualClock } from "../../test/kit/manual-clock.ts";
import { pause } from "../std/clock.ts";
import { Fault } from "../std/errors.ts";
import { silentLog } from "../std/log.ts";
import { createJobWorker, type JobWorker } from "./due-jobs.ts";
import type { JobStore, Portion, ScanOptions } from "./job-store.ts";

const START_MS = Date.UTC(2026, 0, 1);
const POLL_MS = 250;

interface Scan {
  readonly at: number;
  readonly from: number | undefined;
}

type Answer = (options: ScanOptions) => { readonly tookMs: number; readonly portion?: Portion };

const NOTHING: Portion = { jobs: [], fullUpTo: undefined };

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** The looks of a worker on a database that answers so, in milliseconds from the start. */
async function looksOf(
  answer: Answer,
  { untilMs = 0, runMs = 0, maxUnderway = 1_024, idlePollMs = POLL_MS, stirredAtMs = -1 },
): Promise<Scan[]> {
  const clock = createManualClock(START_MS);
  const looks: Scan[] = [];
  let isOver = false;
  const store: JobStore = {
    async claimNext(options) {
      const { now, from } = options;
      looks.push({ at: now - START_MS, from: from === undefined ? from : from - START_MS });
      const { tookMs, portion = NOTHING } = isOver ? { tookMs: 0 } : answer(options);
      if (tookMs > 0) await pause(clock, tookMs);
      return portion;
    },
    claim: () => Promise.resolve([]),
    release: () => Promise.resolve(),
    hasHeldJob: () => Promise.resolve(false),
  };
  const worker: JobWorker = createJobWorker({
    store,
    clock,
    log: silentLog,
    runners: { count: () => pause(clock, runMs).then(() => ({ kind: "done" })) },
    leaseMs: 5_000,
    pollMs: POLL_MS,
    idlePollMs,
    maxUnderway,
  });
  worker.start();
  while (clock.now() < START_MS + untilMs) {
    await clock.advance(10);
    if (clock.now() === START_MS + stirredAtMs) worker.stir();
  }
  isOver = true;
  ends.push(async () => {
    const stopped = worker.stop();
    await clock.advance(60_000);
    await stopped;
  });
  return looks;
}

/** So many jobs that are due from a time on, a millisecond apart. Behind a full portion there may be more. */
function jobsFrom(
  dueSince: number,
  { count, isFull = true }: { readonly count: number; readonly isFull?: boolean },
): Portion {
  const jobs = Array.from({ length: count }, (_, n) => ({
    platformId: "p",
    id: `${dueSince}/${n}`,
    kind: "count",
    payload: {},
    attempts: 1,
    platformTime: dueSince + n,
    leasedUntil: dueSince + 5_000,
  }));
  return { jobs, fullUpTo: isFull ? dueSince + count - 1 : undefined };
}

describe("looks for due jobs", () => {
  it("go on from one another while one from the start takes long, which comes again after a rest", async () => {
    const looks = await looksOf(({ from }) => ({ tookMs: from === undefined ? 100 : 0 }), {
      untilMs: 1_600,
    });
    expect(looks).toEqual([
      { at: 250, from: undefined },
      { at: 600, from: -750 },
      { at: 850, from: -400 },
      { at: 1_100, from: -150 },
      { at: 1_350, from: undefined },
    ]);
  });

  it("begin each portion where the one before ended", async () => {
    const due = START_MS - 5_000;
    const found = [
      jobsFrom(due, { count: 128 }),
      jobsFrom(due + 127, { count: 128 }),
      jobsFrom(due + 300, { count: 3, isFull: false }),
    ];
    const looks = await looksOf(() => ({ tookMs: 0, portion: found.shift() ?? NOTHING }), {
      untilMs: POLL_MS,
    });
    expect(looks.map(({ from }) => from)).toEqual([undefined, -4_873, -4_746]);
  });

  it("pass over portions of which other servers have claimed all, and end where they do not get on", async () => {
    const due = START_MS - 5_000;
    const claimed = (from: number) => ({ ...jobsFrom(from, { count: 128 }), jobs: [] });
    const found = [claimed(due), claimed(due + 127), { jobs: [], fullUpTo: due + 254 }];
    const looks = await looksOf(() => ({ tookMs: 0, portion: found.shift() ?? NOTHING }), {
      untilMs: POLL_MS,
    });
    expect(looks.map(({ from }) => from)).toEqual([undefined, -4_873, -4_746]);
  });

  it("leave what there was no room for to the next one", async () => {
    const due = START_MS - 5_000;
    const found = [jobsFrom(due, { count: 4 }), jobsFrom(due + 10, { count: 2, isFull: false })];
    const looks = await looksOf(
      () => ({ tookMs: found.length === 2 ? 100 : 0, portion: found.shift() ?? NOTHING }),
      { untilMs: 600, runMs: 100, maxUnderway: 4 },
    );
    expect(looks).toEqual([
      { at: 250, from: undefined },
      { at: 600, from: -5_997 },
    ]);
  });

  describe("of an idle server", () => {
    const at = (looks: readonly Scan[]) => looks.map(({ at }) => at);
    const idle = { idlePollMs: 1_500, untilMs: 6_000 };

    it("become rarer down to the longest pause", async () => {
      const looks = await looksOf(() => ({ tookMs: 0 }), idle);
      expect(at(looks)).toEqual([250, 750, 1_750, 3_250, 4_750]);
    });

    it("come often again after a commit, and after a scan that found jobs", async () => {
      const stirred = await looksOf(() => ({ tookMs: 0 }), { ...idle, stirredAtMs: 2_000 });
      expect(at(stirred)).toEqual([250, 750, 1_750, 2_250, 2_750, 3_750, 5_250]);
      const found = [NOTHING, NOTHING, jobsFrom(START_MS + 1_000, { count: 1, isFull: false })];
      const looks = await looksOf(() => ({ tookMs: 0, portion: found.shift() ?? NOTHING }), idle);
      expect(at(looks)).toEqual([250, 750, 1_750, 2_000, 2_500, 3_500, 5_000]);
    });

    it("come when the next job becomes due, but not in quick succession", async () => {
      const next = [0, 0, 2_300, 2_310].map((at) =>
        at === 0 ? NOTHING : { ...NOTHING, nextAt: START_MS + at },
      );
      const looks = await looksOf(() => ({ tookMs: 0, portion: next.shift() ?? NOTHING }), idle);
      expect(at(looks)).toEqual([250, 750, 1_750, 2_300, 2_550, 4_050, 5_550]);
    });
  });

  it("that fail rest, and are made again from the same time", async () => {
    let isFirst = true;
    const looks = await looksOf(
      () => {
        if (!isFirst) throw new Fault("not now");
        isFirst = false;
        return { tookMs: 200 };
      },
      { untilMs: 1_300 },
    );
    expect(looks.map(({ from }) => from)).toEqual([undefined, -750, -750, -750]);
  });
});
