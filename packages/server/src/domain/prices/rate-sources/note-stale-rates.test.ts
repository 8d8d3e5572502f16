/** When it is told that the rates of a source are too old, and by which job. */
import { expect, it } from "vitest";
import { DECIDED_AT, rowsOf } from "../../../../test/kit/decide-alone.ts";
import { decided, written } from "../../../../test/kit/decided.ts";
import { PLATFORM } from "../../../../test/kit/payment-rows.ts";
import { source } from "../../../../test/kit/rate-rows.ts";
import { noteStaleRates as command } from "./note-stale-rates.ts";
import { type RateSource, rateSources } from "./rate-source.ts";

const JOB = "019a4f00-0000-7000-8000-0000000000c1";
const OTHER_JOB = "019a4f00-0000-7000-8000-0000000000c2";

/** A source whose oldest rate is of so many milliseconds ago. */
function noted(ageMs: number, change: Partial<RateSource> = {}) {
  const asOf = (age: number) => new Date(DECIDED_AT - age).toISOString();
  const rates = [
    { base: "GBP", quote: "USD", rate: "1.3", asOf: asOf(0) },
    { base: "EUR", quote: "USD", rate: "1.1", asOf: asOf(ageMs) },
  ];
  const before = { ...source, maxAgeMinutes: 15, rates, staleJobId: JOB, ...change };
  const input = { sourceId: source.id, jobId: JOB };
  const tables = [rowsOf(rateSources, before)];
  const { output: again, world } = decided({ command, input, platformId: PLATFORM, tables });
  return {
    again,
    row: written(world, rateSources).map(({ staleJobId, staleSince }) => ({
      staleJobId,
      staleSince,
    })),
    emitted: world.events.map(({ type }) => type),
    cancelled: world.cancelledJobs,
  };
}

const MAX_AGE_MS = 15 * 60_000;
const ended = { again: undefined, emitted: [], cancelled: [JOB] };

it("is told once, when the oldest rate is older than the source allows", () => {
  expect(noted(MAX_AGE_MS + 1)).toEqual({
    ...ended,
    row: [{ staleJobId: null, staleSince: DECIDED_AT }],
    emitted: ["RATE_SOURCE.STALE"],
  });
});

it("is looked at again when it will be so, while it is not", () => {
  expect(noted(MAX_AGE_MS)).toEqual({ again: 1, row: [], emitted: [], cancelled: [] });
});

it("is not told by a job that another one has replaced", () => {
  const replaced = { staleJobId: OTHER_JOB };
  expect(noted(MAX_AGE_MS + 1, replaced)).toEqual({ ...ended, row: [] });
  expect(noted(0, replaced)).toEqual({ ...ended, row: [] });
});

it("is not told of a source without rates", () => {
  const row = [{ staleJobId: null, staleSince: null }];
  expect(noted(0, { rates: [] })).toEqual({ ...ended, row });
});
