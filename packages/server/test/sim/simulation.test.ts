import { afterAll, beforeAll, expect, it } from "vitest";
import { reconciliations } from "../../src/audit/reconciliation.sql.ts";
import { verifyPlatforms } from "../../src/audit/verify-platform.ts";
import { openDatabase } from "../../src/postgres/database.ts";
import { silentLog } from "../../src/std/log.ts";
import { testSealer } from "../kit/bookkeeping.ts";
import { createTestDatabase, type TestDatabase } from "../kit/test-database.ts";
import type { QuoteState } from "./quote-states.ts";
import { type SimReport, simulate } from "./simulation.ts";
import type { Tally } from "./verdict.ts";

/** `SIM_SEEDS=500` runs more seeds; `SIM_FIRST_SEED=17 SIM_SEEDS=1` repeats one. `npm test` runs the seed of its sample. */
const { TEST_SAMPLE: sample = "all", SIM_SEEDS, SIM_FIRST_SEED } = process.env;
/** Of the twenty that the full suite runs. */
const SEEDS = 16;
const isSample = sample !== "all";
const COUNT = Number(SIM_SEEDS ?? (isSample ? 1 : 3));
const FIRST = Number(SIM_FIRST_SEED ?? (isSample ? 1 + (Number(sample) % SEEDS) : 1));
/** So many meet each verdict, but for a rare one. */
const isWhole = COUNT >= 20;
const MOST_FURTHER = 20;
/** One or two seeds may miss any verdict; three have met some of each kind. */
const SOME = 3;
const KINDS_OF_STEP = 8;
const QUOTE_ENDS: readonly QuoteState[] = [
  "expired",
  "arrived",
  "mispaid, repaid",
  "mispaid, stuck",
  "declined, repaid",
  "declined, stuck",
  "returned, repaid",
  "returned, stuck",
  "called off, repaid",
  "called off, stuck",
];
/** Verdicts on orders about agents that the runs must include. */
const AGENT_ANSWERS: readonly string[] = [
  ...["PERMISSION", "PAUSED", "ACCOUNT_NOT_ALLOWED", "PER_TRANSACTION_LIMIT"],
  ...["PAYEE_NOT_ALLOWED", "FUNDING_ACCOUNT_NOT_ALLOWED"],
  ...["DAILY_TRANSACTION_LIMIT", "DAILY_LIMIT", "MONTHLY_LIMIT"],
  ...["UNAUTHORIZED", "FAILED INSUFFICIENT_BALANCE", "QUOTE_NOT_FOUND", "QUOTE_EXPIRED"],
  ...["TRANSFER_OUT", "TRANSFER_IN", "EXECUTE_QUOTE"].flatMap((type) =>
    ["PENDING_APPROVAL", "APPROVED", "FAILED later"].map((answer) => `${type}: ${answer}`),
  ),
  ...["approve: APPROVED", "approve: CONFLICT", "reject: REJECTED", "reject: CONFLICT", "EXPIRED"],
  ...["redeem-code: OK", "redeem-code: INVALID_INPUT", "redeem-code: REFERENCE_NOT_FOUND"],
];
const OPENED = ["OK", "USER_NOT_FOUND", "INVALID_CURRENCY"];
const ENDED = ["OK", "CONFLICT", "REFERENCE_NOT_FOUND"];
const AFTER_OTHERS: readonly string[] = [
  ...["INSUFFICIENT_BALANCE", "ACCOUNT_FROZEN", "SELF_PAYMENT", "REFERENCE_NOT_FOUND"],
  ...["USER_NOT_READY", "INVALID_CURRENCY", "INVALID_INPUT", "AMOUNT_OUT_OF_RANGE"],
];
const SCHEDULE_ACTS: readonly string[] = [
  ...["pause-schedule", "resume-schedule", "skip-run", "end-schedule", "run-schedule"],
];

interface Covered {
  readonly of: (report: SimReport) => Iterable<[string, number]>;
  readonly wanted: readonly string[];
}

/** What twenty seeds must have met. */
const COVERED: readonly Covered[] = [
  { of: ({ quotes }) => quotes, wanted: QUOTE_ENDS },
  {
    of: ({ bookTransfers }) => bookTransfers,
    wanted: ["OK", "INSUFFICIENT_BALANCE", "SELF_PAYMENT", "USER_NOT_READY"],
  },
  { of: ({ refunds }) => refunds, wanted: ["OK", "CONFLICT", "AMOUNT_OUT_OF_RANGE"] },
  {
    of: ({ holds }) => holds,
    wanted: [
      ...["create-hold: OK", "create-hold: INSUFFICIENT_BALANCE", "create-hold: INVALID_INPUT"],
      ...["capture-hold: OK", "capture-hold: CONFLICT", "capture-hold: AMOUNT_OUT_OF_RANGE"],
      ...["create-hold: ACCOUNT_FROZEN", "capture-hold: ACCOUNT_FROZEN"],
      ...["release-hold: OK", "release-hold: CONFLICT", "EXPIRED"],
    ],
  },
  {
    of: ({ bulk }) => bulk,
    wanted: ["book-legs: OK", ...AFTER_OTHERS.map((code) => `book-legs: ${code} after others`)],
  },
  {
    of: ({ ownAccounts }) => ownAccounts,
    wanted: [
      ...OPENED.map((code) => `open-account: ${code}`),
      ...ENDED.flatMap((code) => [`rename-account: ${code}`, `close-account: ${code}`]),
      "closed after use",
    ],
  },
  {
    of: ({ batches }) => batches,
    wanted: [
      ...["ALL_OR_NOTHING: OK", "ALL_OR_NOTHING: INSUFFICIENT_BALANCE"],
      ...["REFERENCE_NOT_FOUND", "INSUFFICIENT_BALANCE", "SELF_PAYMENT"].map(
        (code) => `ALL_OR_NOTHING: ${code} after others`,
      ),
      ...["INDEPENDENT: OK", "INDEPENDENT: INSUFFICIENT_BALANCE"],
      ...["item: OK", "item: INSUFFICIENT_BALANCE", "item: REFERENCE_NOT_FOUND"],
      ...["item: SELF_PAYMENT", "item: AMOUNT_OUT_OF_RANGE", "item: INVALID_INPUT"],
      ...["cancel-batch: OK", "cancel-batch: CONFLICT"],
    ],
  },
  {
    of: ({ schedules }) => schedules,
    wanted: [
      ...["OK", "REFERENCE_NOT_FOUND", "SELF_PAYMENT"].map((code) => `create-schedule: ${code}`),
      ...SCHEDULE_ACTS.flatMap((act) => [`${act}: OK`, `${act}: CONFLICT`]),
      ...["run: OK", "run: INSUFFICIENT_BALANCE"],
    ],
  },
  { of: agentAnswers, wanted: AGENT_ANSWERS },
];

/** Each answer, and the same without the order that it answers. */
function agentAnswers({ agents }: SimReport): Iterable<[string, number]> {
  return [...agents.met].flatMap(([answer, times]): readonly [string, number][] => {
    const bare = answer.replace(/^.*: /, "");
    return bare === answer
      ? [[answer, times]]
      : [
          [answer, times],
          [bare, times],
        ];
  });
}

function missed(): readonly string[] {
  return COVERED.flatMap(({ of, wanted }) => {
    const met = tallyOf(of);
    return wanted.filter((verdict) => !met.has(verdict));
  });
}

const seeds = Array.from({ length: COUNT }, (_, index) => FIRST + index);

let place: TestDatabase;
const reports: SimReport[] = [];

beforeAll(async () => {
  place = await createTestDatabase();
});

afterAll(() => place.drop());

it.each(seeds)("seed %i: database and model agree, and all payments become final", async (seed) => {
  reports.push(await simulate(seed, place));
});

/**
 * Which verdicts a seed meets depends on how its clients and kills fall in time. So a verdict that the seeds have missed is looked for in a
 * few more; one that no order can meet any more is missed by those too.
 */
it("covers the verdicts of every noun, in further seeds where these have missed one", async () => {
  if (!isWhole) return;
  const past = FIRST + COUNT;
  for (let seed = past; missed().length > 0 && seed < past + MOST_FURTHER; seed += 1) {
    reports.push(await simulate(seed, place));
  }
  expect(missed()).toEqual([]);
}, 300_000);

it("leaves books and logs that verify, for all seeds", async () => {
  const database = openDatabase({ address: place.address, log: silentLog });
  const report = await database.withClient((client) =>
    verifyPlatforms({ client, sealer: testSealer, reconciliations }),
  );
  await database.close();
  expect(report.problems).toEqual([]);
  expect(report.platforms).toBe(reports.length);
});

it("covers all kinds of steps, and moves money", () => {
  const kinds = tallyOf(({ steps }) => steps);
  if (isWhole) expect(kinds.size).toBe(KINDS_OF_STEP);
  const payments = reports.reduce((sum, report) => sum + report.payments, 0);
  expect(payments).toBeGreaterThan(reports.length * 5);
});

it("covers the usual verdicts with a few seeds", () => {
  if (COUNT < SOME) return;
  expect([...tallyOf(({ bookTransfers }) => bookTransfers).keys()]).toContain("OK");
  // Three seeds may refuse each of their refunds.
  expect(tallyOf(({ refunds }) => refunds).size).toBeGreaterThan(0);
  expect([...tallyOf(({ holds }) => holds).keys()]).toContain("create-hold: OK");
  expect(tallyOf(({ bulk }) => bulk).size).toBeGreaterThan(1);
  expect([...tallyOf(({ ownAccounts }) => ownAccounts).keys()]).toContain("open-account: OK");
  expect([...tallyOf(({ batches }) => batches).keys()].join()).toContain("item: OK");
  expect([...tallyOf(({ schedules }) => schedules).keys()]).toContain("create-schedule: OK");
});

it("answers agents mostly with exactly one possible verdict", () => {
  const all = reports.reduce((sum, { agents }) => sum + agents.answers, 0);
  const certain = reports.reduce((sum, { agents }) => sum + agents.certain, 0);
  if (COUNT >= SOME) expect(certain / all).toBeGreaterThan(0.95);
  expect(all).toBeGreaterThan(0);
});

/** How often each verdict occurred in all runs. */
function tallyOf(part: (report: SimReport) => Iterable<[string, number]>): Tally {
  const all: Tally = new Map();
  for (const report of reports)
    for (const [verdict, times] of part(report)) add(all, verdict, times);
  return all;
}

function add(tally: Tally, verdict: string, times: number): void {
  tally.set(verdict, (tally.get(verdict) ?? 0) + times);
}
