/** What the runs of a schedule decide: at their time, late, refused, tried again, and beside a call. */
import { describe, expect, it } from "vitest";
import {
  DECIDED_AT,
  refusalOf,
  rowsOf,
  type TableRows,
  worldFor,
} from "../../../../test/kit/decide-alone.ts";
import { customer, internal, PLATFORM, platform } from "../../../../test/kit/payment-rows.ts";
import type { Command } from "../../../engine/command.ts";
import { ledgerAccounts, newInternalLedgerAccount } from "../../../ledger/chart.ts";
import { internalAccounts } from "../../accounts/internal/internal-account.ts";
import { customers } from "../../customers/customer.ts";
import { platforms } from "../../platform.ts";
import { updateSchedule } from "./create-schedule.ts";
import { type PaymentSchedule, paymentSchedules, scheduleRuns } from "./payment-schedule.ts";
import { newRun, retryRun, runNow, runSchedule } from "./run-schedule.ts";
import { endSchedule, pauseSchedule, resumeSchedule, skipRun } from "./schedule-commands.ts";
import type { RecurringRule } from "./schedule-rule.ts";

const OTHER = "018f0000-0000-7000-8000-0000000000d9";
const ID = "018f0000-0000-7000-8000-0000000000e1";
const JOB = "018f0000-0000-7000-8000-0000000000e2";
const DAY_MS = 86_400_000;
const rails = () => undefined;

/** Each day at 00:00 UTC, due now. */
const schedule: PaymentSchedule = {
  id: ID,
  name: "Savings",
  template: { kind: "BOOK", sourceId: internal.id, destinationId: OTHER, minor: "700" },
  currency: internal.currency,
  asker: null,
  rule: {
    every: "DAY",
    interval: 1,
    time: "00:00",
    timeZone: "UTC",
    holidays: "NONE",
    adjust: "NONE",
    from: "2026-11-20",
  },
  retry: null,
  status: "ACTIVE",
  isStopped: false,
  nextAt: DECIDED_AT,
  jobId: JOB,
  passed: 1,
  lastDueAt: DECIDED_AT - DAY_MS,
  runs: 1,
  lastRun: null,
  createdAt: DECIDED_AT - 2 * DAY_MS,
  updatedAt: DECIDED_AT - DAY_MS,
};

interface State {
  readonly schedule?: Partial<PaymentSchedule>;
  readonly balanceMinor?: bigint;
  readonly environment?: "SANDBOX" | "PRODUCTION";
  readonly at?: number;
  readonly more?: readonly TableRows[];
}

function worldOf<Input, Output>(command: Command<Input, Output>, input: Input, state: State) {
  const { balanceMinor = 700n, environment = "SANDBOX", at = DECIDED_AT, more = [] } = state;
  const ledger = newInternalLedgerAccount(internal.id, internal.currency, internal.createdAt);
  const tables = [
    rowsOf(platforms, { ...platform, environment }),
    rowsOf(customers, customer),
    rowsOf(internalAccounts, internal, { ...internal, id: OTHER }),
    rowsOf(ledgerAccounts, { ...ledger, balanceMinor }, { ...ledger, id: OTHER }),
    rowsOf(paymentSchedules, { ...schedule, ...state.schedule }),
    ...more,
  ];
  return worldFor({ command, input, platformId: PLATFORM, tables, at });
}

const DUE = { scheduleId: ID, dueAt: DECIDED_AT, jobId: JOB, rails };

/** Decides the run that is due. */
function runDue(state: State = {}) {
  const world = worldOf(runSchedule, DUE, state);
  const isOver = runSchedule.decide(world, DUE);
  const after = world.get(paymentSchedules.ref(ID));
  return { isOver, after, last: after.lastRun };
}

describe("a run that is due", () => {
  it("pays, and the next due time follows", () => {
    const { isOver, after, last } = runDue();
    expect(isOver).toBe(true);
    expect(last).toMatchObject({ dueAt: DECIDED_AT, status: "CREATED" });
    expect(last?.transactionId).toBeDefined();
    expect(after).toMatchObject({ status: "ACTIVE", nextAt: DECIDED_AT + DAY_MS, runs: 2 });
    expect(after.jobId).not.toBe(JOB);
  });

  it("is not made a second time by a job that runs again", () => {
    const { isOver, after } = runDue({ schedule: { nextAt: DECIDED_AT + DAY_MS } });
    expect([isOver, after.runs, after.lastRun]).toEqual([true, 1, null]);
  });

  it("is not made of a due time that has a row, which an earlier version waited for again", () => {
    const { isOver, after } = runDue({ schedule: { lastDueAt: DECIDED_AT } });
    expect([isOver, after.runs, after.lastRun, after.nextAt]).toEqual([
      true,
      1,
      null,
      DECIDED_AT + DAY_MS,
    ]);
  });

  it("waits for its time where the clock was set back", () => {
    const { isOver, after } = runDue({ at: DECIDED_AT - 1 });
    expect([isOver, after.jobId, after.lastRun]).toEqual([false, JOB, null]);
  });

  it("is refused with the code of the call, and the next one stays", () => {
    const { after, last } = runDue({ balanceMinor: 699n });
    expect(last).toMatchObject({ status: "REFUSED", error: { code: "INSUFFICIENT_BALANCE" } });
    expect([after.nextAt, after.runs]).toEqual([DECIDED_AT + DAY_MS, 2]);
  });

  it.each([
    ["SANDBOX", 20 * DAY_MS, "CREATED", 2],
    ["PRODUCTION", DAY_MS, "CREATED", 2],
    ["PRODUCTION", DAY_MS + 1, "MISSED", 1],
  ] as const)("in %s, %i ms late, is %s", (environment, lateMs, status, runs) => {
    const { after, last } = runDue({ environment, at: DECIDED_AT + lateMs });
    expect([last?.status, after.runs, after.nextAt]).toEqual([status, runs, DECIDED_AT + DAY_MS]);
  });

  it("is the last one that the count allows", () => {
    const rule = { ...schedule.rule, count: 2 };
    const { after } = runDue({ schedule: { rule } });
    expect(after).toMatchObject({ status: "ENDED", nextAt: null, jobId: null, isStopped: false });
  });
});

describe("a run that the balance refuses", () => {
  const retry = { times: 1, everyMinutes: 10 };
  const retryAt = DECIDED_AT + 600_000;

  function retried(state: State) {
    const waiting = {
      ...newRun(worldOf(runSchedule, DUE, {}), schedule, { dueAt: DECIDED_AT, trigger: "RULE" }),
      status: "WAITING",
      attempts: 1,
      retryAt,
    } as const;
    const input = { scheduleId: ID, runId: waiting.id, jobId: JOB, rails };
    const more = [rowsOf(scheduleRuns, waiting)];
    const world = worldOf(retryRun, input, {
      at: retryAt,
      ...state,
      schedule: { retry, ...state.schedule },
      more,
    });
    const isOver = retryRun.decide(world, input);
    return { isOver, run: world.get(scheduleRuns.ref(waiting.id)) };
  }

  it("waits where the schedule tries again, and only for the balance", () => {
    expect(runDue({ balanceMinor: 0n, schedule: { retry } }).last).toMatchObject({
      status: "WAITING",
      retryAt,
    });
    const template = { ...schedule.template, minor: "9000000" };
    const tooMuch = runDue({ schedule: { retry, template } }).last;
    expect([tooMuch?.status, tooMuch?.error?.code]).toEqual(["REFUSED", "AMOUNT_OUT_OF_RANGE"]);
  });

  it("pays once the money is there", () => {
    expect(retried({}).run).toMatchObject({
      status: "CREATED",
      attempts: 2,
      error: null,
      retryAt: null,
    });
  });

  it("is given up after so many times", () => {
    expect(retried({ balanceMinor: 0n }).run).toMatchObject({ status: "REFUSED", attempts: 2 });
    const more = { retry: { times: 2, everyMinutes: 10 } };
    expect(retried({ balanceMinor: 0n, schedule: more }).run).toMatchObject({ status: "WAITING" });
  });

  it("is not tried again before its time, after a pause, or after the end by a call", () => {
    expect(retried({ at: retryAt - 1 }).isOver).toBe(false);
    const paused = { status: "PAUSED", nextAt: null, jobId: null } as const;
    expect(retried({ schedule: paused }).run.status).toBe("REFUSED");
    const ended = { status: "ENDED", nextAt: null, jobId: null } as const;
    expect(retried({ schedule: { ...ended, isStopped: true } }).run.status).toBe("REFUSED");
    expect(retried({ schedule: ended }).run.status).toBe("CREATED");
  });
});

describe("calls", () => {
  const input = { scheduleId: ID };

  it("a run at once leaves the due times as they are", () => {
    const now = { scheduleId: ID, rails };
    const world = worldOf(runNow, now, {});
    const { schedule: after, run } = runNow.decide(world, now);
    expect(run).toMatchObject({ trigger: "CALL", status: "CREATED", dueAt: DECIDED_AT });
    expect(after).toMatchObject({ nextAt: DECIDED_AT, jobId: JOB, passed: 1, runs: 2 });
    const poor = worldOf(runNow, now, { balanceMinor: 0n });
    expect(refusalOf(poor, () => runNow.decide(poor, now))?.code).toBe("INSUFFICIENT_BALANCE");
  });

  it("a skipped run is part of the count", () => {
    const world = worldOf(skipRun, input, { schedule: { rule: { ...schedule.rule, count: 3 } } });
    const after = skipRun.decide(world, input);
    expect(after).toMatchObject({ nextAt: DECIDED_AT + DAY_MS, passed: 2, runs: 1 });
    expect(after.lastRun?.status).toBe("SKIPPED");
  });

  it("a pause ends the wait, and a resumption leaves out what passed", () => {
    const world = worldOf(pauseSchedule, input, {});
    expect(pauseSchedule.decide(world, input)).toMatchObject({ status: "PAUSED", jobId: null });
    const paused = { status: "PAUSED", nextAt: null, jobId: null } as const;
    const later = worldOf(resumeSchedule, input, { schedule: paused, at: DECIDED_AT + 5 * DAY_MS });
    expect(resumeSchedule.decide(later, input)).toMatchObject({
      status: "ACTIVE",
      nextAt: DECIDED_AT + 6 * DAY_MS,
      passed: 1,
    });
  });

  it.each<readonly [string, (skipped: PaymentSchedule) => PaymentSchedule | undefined]>([
    [
      "a pause and a resumption",
      (skipped) => {
        const paused = { ...skipped, status: "PAUSED", nextAt: null, jobId: null } as const;
        return resumeSchedule.decide(worldOf(resumeSchedule, input, { schedule: paused }), input);
      },
    ],
    [
      "the same rule, given anew",
      (skipped) => {
        const { from: _, ...rule } = schedule.rule as RecurringRule;
        const change = { scheduleId: ID, change: { rule }, rails };
        const world = worldOf(updateSchedule, change, { schedule: skipped });
        return updateSchedule.decide(world, change).after;
      },
    ],
  ])("a run that was skipped ahead of its time stays skipped after %s", (_what, change) => {
    const ahead = { nextAt: DECIDED_AT + DAY_MS };
    const skipped = skipRun.decide(worldOf(skipRun, input, { schedule: ahead }), input);
    expect(skipped.nextAt).toBe(DECIDED_AT + 2 * DAY_MS);
    expect(change(skipped)).toMatchObject({
      status: "ACTIVE",
      nextAt: DECIDED_AT + 2 * DAY_MS,
    });
  });

  it("a single due time that was skipped cannot be asked for again", () => {
    const at = new Date(DECIDED_AT + DAY_MS).toISOString();
    const skipped = { status: "PAUSED", nextAt: null, jobId: null } as const;
    const change = { scheduleId: ID, change: { rule: { at } }, rails };
    const state = { schedule: { ...skipped, lastDueAt: DECIDED_AT + DAY_MS } };
    const world = worldOf(updateSchedule, change, state);
    expect(refusalOf(world, () => updateSchedule.decide(world, change))).toMatchObject({
      code: "INVALID_INPUT",
      details: { field: "rule.at", reason: "had its run, or was skipped" },
    });
  });

  it.each([
    [pauseSchedule, "PAUSED", "The schedule is PAUSED; only an ACTIVE schedule can be paused."],
    [resumeSchedule, "ACTIVE", "The schedule is ACTIVE; only a PAUSED schedule can be resumed."],
    [skipRun, "ENDED", "The schedule is ENDED; only an ACTIVE schedule can be skipped."],
    [
      endSchedule,
      "ENDED",
      "The schedule is ENDED; only an ACTIVE or PAUSED schedule can be ended.",
    ],
  ] as const)("%o is refused of a schedule that is %s", (command, status, message) => {
    const world = worldOf(command, input, { schedule: { status } });
    expect(refusalOf(world, () => command.decide(world, input))?.message).toBe(message);
  });
});
