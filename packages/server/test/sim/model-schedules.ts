/** The model's schedules: the verdicts on orders about them, the days that have a run, and how each run ended. */
import { expect } from "vitest";
import { present } from "../../src/std/assert.ts";
import type { Payment } from "./bulk-orders.ts";
import type { Model } from "./model.ts";
import type { ItemRow, Queue } from "./model-batches.ts";
import type { MadePayment } from "./model-bulk.ts";
import { DUE_HOUR, type ScheduleOrder } from "./schedule-orders.ts";
import { count, type Tally, type Verdict } from "./verdict.ts";

interface ModelSchedule {
  readonly payment: Payment;
  status: "ACTIVE" | "PAUSED" | "ENDED";
  /** Null unless ACTIVE. */
  nextAt: number | null;
  /** The latest due time that ran or was skipped. */
  lastDue: number;
  /** The days that still have a run. */
  left: number;
  /** Of the rule and of calls. */
  runs: number;
  /** Runs of the rule that the model knows. */
  ofRule: number;
  ofCalls: number;
  skipped: number;
  failed: number;
}

/** A row of a run. */
export interface RunRow extends Omit<ItemRow, "batchId"> {
  readonly scheduleId: string;
  readonly trigger: string;
  readonly dueAt: number;
}

interface Made {
  readonly id: string;
  readonly status: string;
  readonly nextAt?: number | null;
  readonly transaction?: MadePayment;
}

const DAY_MS = 86_400_000;
const NO_MEMBERS = "- - -";
const NEW = { lastDue: 0 };

export class ModelSchedules {
  readonly all = new Map<string, ModelSchedule>();
  readonly met: Tally = new Map();
  readonly #model: Model;

  constructor(model: Model) {
    this.#model = model;
  }

  /** Whether a due time has passed without a run. */
  isDue({ nextAt }: ModelSchedule, now: number): boolean {
    return nextAt !== null && nextAt <= now;
  }

  verdicts(order: ScheduleOrder): readonly Verdict[] {
    if (order.kind === "create-schedule") {
      const found = this.#model.bulk.paymentVerdicts(order.payment);
      return [...new Set(found.map((one) => (one === "INSUFFICIENT_BALANCE" ? "OK" : one)))];
    }
    const schedule = this.all.get(order.scheduleId);
    if (schedule === undefined) return ["REFERENCE_NOT_FOUND"];
    const { status, payment } = schedule;
    switch (order.kind) {
      case "pause-schedule":
      case "skip-run":
        return [status === "ACTIVE" ? "OK" : "CONFLICT"];
      case "resume-schedule":
        return [status === "PAUSED" ? "OK" : "CONFLICT"];
      case "end-schedule":
        return [status === "ENDED" ? "CONFLICT" : "OK"];
      case "run-schedule":
        return status === "ENDED" ? ["CONFLICT"] : this.#model.bulk.paymentVerdicts(payment);
    }
  }

  apply(order: ScheduleOrder, made: Made): void {
    if (order.kind === "create-schedule") {
      const { payment, days: left } = order;
      const none = { lastDue: 0, runs: 0, ofRule: 0, ofCalls: 0, skipped: 0, failed: 0 };
      const nextAt = this.#nextDue(made);
      this.all.set(made.id, { payment, status: "ACTIVE", nextAt, left, ...none });
      return;
    }
    const schedule = present(this.all.get(order.scheduleId), "a schedule");
    switch (order.kind) {
      case "pause-schedule":
        Object.assign(schedule, { status: "PAUSED", nextAt: null });
        break;
      case "resume-schedule":
        Object.assign(schedule, { status: "ACTIVE", nextAt: this.#nextDue(made, schedule) });
        break;
      case "end-schedule":
        Object.assign(schedule, { status: "ENDED", nextAt: null });
        break;
      case "skip-run":
        schedule.skipped += 1;
        pass(schedule);
        break;
      case "run-schedule": {
        schedule.runs += 1;
        schedule.ofCalls += 1;
        const transaction = present(made.transaction, "the payment of a run");
        this.#model.bulk.pay(schedule.payment, transaction, NO_MEMBERS);
        return;
      }
    }
    expect([made.status, made.nextAt], "the schedule that was answered").toEqual([
      schedule.status,
      schedule.nextAt,
    ]);
  }

  /** The due time that was answered is the first one after the moment of the order, and after those that ran or were skipped. */
  #nextDue({ status, nextAt }: Made, { lastDue }: { readonly lastDue: number } = NEW): number {
    const at = present(nextAt ?? undefined, "the next due time");
    const { earliest, latest } = this.#model.time;
    expect([status, at % DAY_MS]).toEqual(["ACTIVE", DUE_HOUR * 3_600_000]);
    expect(at, "a due time that is not past").toBeGreaterThan(Math.max(earliest, lastDue));
    expect(at - DAY_MS, "the first due time").toBeLessThanOrEqual(Math.max(latest, lastDue));
    return at;
  }

  note({ kind }: ScheduleOrder, verdict: Verdict): void {
    count(this.met, `${kind}: ${verdict}`);
  }

  /** The runs of rules since the last check; `rows` are all runs, those of a schedule by their due times. */
  queues(rows: readonly RunRow[], now: number): readonly Queue[] {
    const of = (id: string) => rows.filter(({ scheduleId }) => scheduleId === id);
    expect(rows.filter(({ scheduleId }) => !this.all.has(scheduleId))).toEqual([]);
    return [...this.all].map(([id, schedule]) => {
      const ofRule = of(id).filter(
        ({ trigger, status }) => trigger === "RULE" && status !== "SKIPPED",
      );
      const fresh = ofRule.slice(schedule.ofRule);
      for (const { dueAt } of fresh) {
        expect(dueAt, `the due time of a run of ${id}`).toBe(schedule.nextAt);
        expect(dueAt, "a run is not early").toBeLessThanOrEqual(now);
        pass(schedule);
      }
      schedule.ofRule = ofRule.length;
      schedule.runs += fresh.length;
      const counted = [of(id).filter(({ trigger }) => trigger === "CALL"), of(id)];
      const { ofCalls, skipped } = schedule;
      expect(counted.map(({ length }) => length)).toEqual([
        ofCalls,
        ofRule.length + ofCalls + skipped,
      ]);
      return {
        name: `schedule ${id}`,
        news: fresh.map((row) => ({ row, payment: schedule.payment, members: NO_MEMBERS })),
        ran: ({ status, code }) => {
          if (status === "REFUSED") schedule.failed += 1;
          count(this.met, `run: ${status === "REFUSED" ? code : "OK"}`);
        },
      };
    });
  }

  shownOf(id: string): readonly string[] {
    const { status, runs, nextAt } = present(this.all.get(id), "a schedule");
    return [status, String(runs), nextAt === null ? "" : String(nextAt)];
  }
}

/** The next day's due time, or the end. */
function pass(schedule: ModelSchedule): void {
  schedule.left -= 1;
  schedule.lastDue = present(schedule.nextAt ?? undefined, "a due time");
  const isOver = schedule.left === 0;
  const nextAt = isOver ? null : schedule.lastDue + DAY_MS;
  Object.assign(schedule, { status: isOver ? "ENDED" : "ACTIVE", nextAt });
}
