/**
 * How many calls a day are logged. As the rows of the day come close to the limit, reads that succeeded are thinned first, then
 * changes that succeeded, then refusals; at the limit nothing more is logged. Several servers share the limit: each knows the
 * rows of the others as of its last write, so together they exceed it by what they write in a second.
 */
import type { CallKind } from "../../domain/reading/request-logs/request-log.port.ts";
import { dayOf } from "../../std/clock.ts";
import { createRateThinning } from "../prices/rate-thinning.ts";

export interface DailyBudget {
  /** How many calls the log entry of this call represents; 0 when it is not logged. */
  take(kind: CallKind, at: number): number;
  /** Takes the number of the day's rows in the database, from all servers, and how many of ours are not written yet. */
  learn(day: string, rowCount: number, unwritten: number): void;
}

interface Stage {
  /** The stage applies below this share of the limit. */
  readonly share: number;
  readonly oneIn: Readonly<Record<CallKind, number>>;
}

const STAGES: readonly Stage[] = [
  { share: 0.8, oneIn: { READ: 1, CHANGE: 1, REFUSAL: 1 } },
  { share: 0.9, oneIn: { READ: 10, CHANGE: 1, REFUSAL: 1 } },
  { share: 0.95, oneIn: { READ: 100, CHANGE: 10, REFUSAL: 1 } },
  { share: 1, oneIn: { READ: 1_000, CHANGE: 100, REFUSAL: 10 } },
];

const DAY_MS = 86_400_000;

export function createDailyBudget(rowsPerDay: number): DailyBudget {
  let day = "";
  let dayBegins = 0;
  let rows = 0;
  const skipped: Record<CallKind, number> = { READ: 0, CHANGE: 0, REFUSAL: 0 };
  // Without this, a high rate would use up a day's rows in minutes.
  const oneInAtThisRate = createRateThinning();

  return {
    take(kind, at) {
      if (at < dayBegins || at >= dayBegins + DAY_MS) {
        dayBegins = at - (at % DAY_MS);
        day = dayOf(at);
        rows = 0;
      }
      const stage = STAGES.find(({ share }) => rows < share * rowsPerDay);
      if (stage === undefined) return 0;
      const oneIn = Math.max(stage.oneIn[kind], kind === "REFUSAL" ? 1 : oneInAtThisRate(at));
      const stands = skipped[kind] + 1;
      skipped[kind] = stands < oneIn ? stands : 0;
      if (stands < oneIn) return 0;
      rows += 1;
      return stands;
    },
    learn(learned, rowCount, unwritten) {
      if (day === "") {
        day = learned;
        dayBegins = Date.parse(learned);
      }
      if (learned === day) rows = rowCount + unwritten;
    },
  };
}
