import type { CompletedFigures, Figures } from "./load-phase.ts";
import type { QuoteFigures } from "./quote-phase.ts";

/** The figures of a run. Lists have one figure per round; figures that are compared are measured seconds apart. */
export interface Measurements {
  readonly accepted64: readonly Figures[];
  readonly accepted256: readonly Figures[];
  readonly hot64: readonly Figures[];
  /** Book transfers spread over all accounts, and all to one account. */
  readonly booked64: readonly Figures[];
  readonly bookedHot64: readonly Figures[];
  readonly batchOfOne64: readonly Figures[];
  readonly batchOfOne256: readonly Figures[];
  readonly completed64: readonly CompletedFigures[];
  readonly completed256: readonly CompletedFigures[];
  /** Transfers accepted immediately before the completions. */
  readonly besideCompleted64: readonly Figures[];
  readonly besideCompleted256: readonly Figures[];
  readonly quotes64: readonly QuoteFigures[];
  /** Transfers accepted immediately before the quotes. */
  readonly besideQuotes64: readonly Figures[];
  readonly single: Figures;
  readonly storedTransactions: number;
  /** The first loads of a new database, and loads of the full one that alternate with them. */
  readonly fresh64: readonly Figures[];
  readonly besideFresh64: readonly Figures[];
  /** Loads of the full database, and alternating loads of a new one with as many accounts. */
  readonly stored64: readonly Figures[];
  readonly besideStored64: readonly Figures[];
  readonly startMs: number;
  readonly restMegabytes: number | undefined;
  readonly restAfterLoadMegabytes: number | undefined;
  readonly isVerified: boolean;
}

export interface Verdict {
  readonly goal: string;
  readonly figure: number | undefined;
  readonly wanted: string;
  readonly isMet: boolean;
}

/** The median; for an even number of values the mean of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  if (!Number.isInteger(middle)) return upper;
  return ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

export function perSecond(rounds: readonly Figures[]): number {
  return median(rates(rounds));
}

export function completedPerSecond(rounds: readonly CompletedFigures[]): number {
  return median(completedRates(rounds));
}

export function p99Ms(rounds: readonly Figures[]): number {
  return median(rounds.map((round) => round.p99Ms));
}

/** The median of the ratios of pairs, which are measured seconds apart, so that drift of the machine cancels out. */
function ratio(above: readonly number[], below: readonly number[]): number {
  if (above.length !== below.length) return Number.NaN;
  return median(above.map((figure, n) => figure / (below[n] ?? Number.NaN)));
}

const rates = (rounds: readonly Figures[]) => rounds.map((round) => round.perSecond);

const completedRates = (rounds: readonly CompletedFigures[]) =>
  rounds.map((round) => round.completedPerSecond);

/** The bound for "no slower" is below 1, because two figures of the same load differ by this much. */
const NOISE = 0.9;

/** Checks the goals. Most are ratios within one run, which are comparable between machines. */
export function judge(m: Measurements): readonly Verdict[] {
  const accepted64 = rates(m.accepted64);
  return [
    atLeast("accepted at 64 / batch of 1", ratio(accepted64, rates(m.batchOfOne64)), 5),
    atLeast("accepted at 256 / batch of 1", ratio(rates(m.accepted256), rates(m.batchOfOne256)), 5),
    atLeast(
      "completed / accepted at 64",
      ratio(completedRates(m.completed64), rates(m.besideCompleted64)),
      0.6,
    ),
    atLeast(
      "completed / accepted at 256",
      ratio(completedRates(m.completed256), rates(m.besideCompleted256)),
      0.6,
    ),
    atMost(
      "cost of executing a quote / a transfer, 64",
      ratio(rates(m.besideQuotes64), rates(m.quotes64.map(({ executed }) => executed))),
      1.5,
    ),
    atLeast("one hot account / uniform", ratio(rates(m.hot64), accepted64), 0.9),
    atLeast(
      "book transfers to one account / uniform",
      ratio(rates(m.bookedHot64), rates(m.booked64)),
      0.9,
    ),
    atLeast("new database / full", ratio(rates(m.fresh64), rates(m.besideFresh64)), NOISE),
    atLeast(
      `with ${m.storedTransactions.toLocaleString("en")} stored / new database`,
      ratio(rates(m.stored64), rates(m.besideStored64)),
      0.9,
    ),
    atMost("p99 at 64, ms", p99Ms(m.accepted64), 20),
    atMost("start on a used directory, s", m.startMs / 1000, 5),
    atMost("resident memory at rest, MB", m.restMegabytes, 250),
    {
      goal: "books and log verified afterwards",
      figure: undefined,
      wanted: "yes",
      isMet: m.isVerified,
    },
  ];
}

function atLeast(goal: string, figure: number, least: number): Verdict {
  return { goal, figure, wanted: `>= ${least}`, isMet: figure >= least };
}

function atMost(goal: string, figure: number | undefined, most: number): Verdict {
  return { goal, figure, wanted: `<= ${most}`, isMet: figure !== undefined && figure <= most };
}
