/**
 * Carries out checks of the books that operators ask for: what `florin verify` does, by one server at a time, under a lease. Findings are
 * stored after each platform or workspace; if the server is killed, another one resumes after the last stored one.
 *
 * Bounds: one run of the deployment and one connection. After each slice of the log the worker rests for as long as the slice took, so
 * payments have the processor at least half of the time. Like the command, it reads the balances of a platform in one transaction. A run
 * that fails a few times at one place ends FAILED.
 */

import { OVERDUE_PAYMENTS, reconciliations } from "../../audit/reconciliation.sql.ts";
import type { ApprovalChecks } from "../../audit/verify-approvals.ts";
import {
  type VerifiedTo,
  type VerifyProgress,
  type VerifyReport,
  verifyPlatforms,
} from "../../audit/verify-platform.ts";
import type { RequestedRun } from "../../domain/platforms/system/verify-run.ts";
import {
  cancelRunStep,
  decodeLeased,
  endRunStep,
  freeRunStep,
  holdRunStep,
  insertRunSteps,
  type LeasedRun,
  moveRunStep,
  type RunLease,
  takeRunStep,
} from "../../domain/platforms/system/verify-runs.sql.ts";
import type { Database } from "../../postgres/database.ts";
import { createSerialLane, type SerialLane } from "../../postgres/serial-lane.ts";
import type { Sealer } from "../../secrets/sealing.ts";
import { type Cancel, type Clock, pause } from "../../std/clock.ts";
import { messageOf } from "../../std/errors.ts";
import { randomIds } from "../../std/ids.ts";
import type { Log } from "../../std/log.ts";

export interface VerifyWorker {
  /** Adds a run and begins it; false when another one is under way. Adding the same run again changes nothing. */
  begin(run: RequestedRun): Promise<boolean>;
  /** Ends a run; false when it is not under way. */
  cancel(id: string): Promise<boolean>;
  start(): void;
  stop(): Promise<void>;
  /** Carries out the runs that are requested now. Never rejects. */
  runOnce(): Promise<void>;
}

export interface VerifyWorkerTools {
  readonly database: Pick<Database, "openLane" | "withClient">;
  readonly sealer: Sealer;
  readonly approvals: ApprovalChecks;
  readonly clock: Clock;
  readonly log: Log;
}

const SCAN_EVERY_MS = 5_000;
const LEASE_MS = 30_000;
/** How often the lease is renewed, and how soon a cancelled run stops. */
const HOLD_EVERY_MS = 2_000;
/** Bounds the rest: after a change of the clock or a suspended machine, a slice seems to have taken long. */
const LONGEST_REST_MS = 5_000;
const MOST_ATTEMPTS = 5;

/** Stops a run between two slices: it was cancelled, another server has it, or this one stops. */
class RunLeft extends Error {}

export function createVerifyWorker(tools: VerifyWorkerTools): VerifyWorker {
  const { database, clock, log } = tools;
  const lane = createSerialLane(database, "verify");
  const leaseId = randomIds().next(clock.now());
  let isStopped = false;
  let underway: Promise<void> | undefined;
  let cancelScan: Cancel | undefined;

  const leaseNow = (): RunLease => {
    const now = clock.now();
    return { leaseId, now, until: now + LEASE_MS };
  };
  const carrying: Carrying = { ...tools, lane, leaseNow, isStopped: () => isStopped };

  async function runDue(): Promise<void> {
    try {
      const run = decodeLeased(await lane.run(takeRunStep(leaseNow())));
      if (run !== undefined) await carryOut(run, carrying);
    } catch (error) {
      log.warn({ err: messageOf(error) }, "a check of the books was interrupted");
    }
  }

  function runOnce(): Promise<void> {
    underway ??= runDue().finally(() => {
      underway = undefined;
    });
    return underway;
  }

  function scanLater(): void {
    if (isStopped) return;
    cancelScan = clock.after(SCAN_EVERY_MS, () => void runOnce().then(scanLater));
  }

  return {
    async begin(run) {
      const { count } = await lane.run(...insertRunSteps(run));
      if (count > 0 && !isStopped) void runOnce();
      return count > 0;
    },
    cancel: async (id) => (await lane.run(cancelRunStep(id, clock.now()))).count > 0,
    start: scanLater,
    runOnce,
    async stop() {
      isStopped = true;
      cancelScan?.();
      await underway;
      await lane.close();
    },
  };
}

interface Carrying extends VerifyWorkerTools {
  readonly lane: SerialLane;
  readonly leaseNow: () => RunLease;
  readonly isStopped: () => boolean;
}

async function carryOut(run: LeasedRun, carrying: Carrying): Promise<void> {
  const { lane, leaseNow, isStopped } = carrying;
  if (run.attempts > MOST_ATTEMPTS) {
    const failure = "The check failed several times at one place; the log of the server says why.";
    await lane.run(endRunStep(run.id, leaseNow(), { state: "FAILED", failure }));
    return;
  }
  const confirm = async (changed: Promise<{ readonly count: number }>) => {
    if ((await changed).count === 0) throw new RunLeft("the run has ended or has moved");
  };
  try {
    await verifyRun(run, {
      ...carrying,
      refuseStopped() {
        if (isStopped()) throw new RunLeft("the server stops");
      },
      hold: ({ commands }) => confirm(lane.run(holdRunStep(run.id, leaseNow(), commands))),
      move: (verified) => confirm(lane.run(moveRunStep(leaseNow(), toStored(run.id, verified)))),
    });
    await lane.run(endRunStep(run.id, leaseNow(), { state: "DONE", failure: null }));
  } catch (error) {
    if (!(error instanceof RunLeft)) throw error;
    if (isStopped()) await lane.run(freeRunStep(run.id, leaseNow()));
  }
}

interface RunHooks extends VerifyWorkerTools {
  refuseStopped(): void;
  hold(progress: VerifyProgress): Promise<void>;
  move(verified: VerifiedTo): Promise<void>;
}

async function verifyRun(run: LeasedRun, hooks: RunHooks): Promise<void> {
  const { database, sealer, approvals, clock } = hooks;
  let sliceAt = clock.now();
  let heldAt = sliceAt;
  const { counts, problems } = run;
  const report: VerifyReport = {
    ...counts,
    ok: counts.problemCount === 0,
    problems: problems.map((place) => ({ ...place, what: "" })),
  };
  await database.withClient((client) =>
    verifyPlatforms({
      client,
      sealer,
      reconciliations,
      approvals,
      overdue: { text: OVERDUE_PAYMENTS, now: clock.now() },
      from: { platformId: run.position, report },
      async onVerified(verified) {
        hooks.refuseStopped();
        await hooks.move(verified);
        heldAt = clock.now();
      },
      async breathe(progress) {
        hooks.refuseStopped();
        await pause(clock, Math.min(Math.max(clock.now() - sliceAt, 1), LONGEST_REST_MS));
        sliceAt = clock.now();
        if (sliceAt - heldAt < HOLD_EVERY_MS) return;
        await hooks.hold(progress);
        heldAt = sliceAt;
      },
    }),
  );
}

function toStored(
  id: string,
  { platformId: position, report }: VerifiedTo,
): Omit<LeasedRun, "attempts"> {
  const { ok: _, problems, ...counts } = report;
  const places = problems.map(({ platformId, table, row }) => ({ platformId, table, row }));
  return { id, position, counts, problems: places };
}
