/** Which periods are statements of a month, when a period is over, and what an order and its job write. */
import { describe, expect, it } from "vitest";
import { refusalOf, rowsOf, worldFor } from "../../../../test/kit/decide-alone.ts";
import { internal, PLATFORM, platform } from "../../../../test/kit/payment-rows.ts";
import { platforms } from "../../platform.ts";
import { internalAccounts } from "../internal/internal-account.ts";
import { createStatement, recordStatement } from "./create-statement.ts";
import { momentsOfPeriod, monthlyNumber, type Statement, statements } from "./statement.ts";

describe("the number of a month's statement", () => {
  it.each([
    ["2026-10-01", "2026-10-31", "2026-08-15T12:00:00Z", "UTC", 3],
    ["2026-08-01", "2026-08-31", "2026-08-15T12:00:00Z", "UTC", 1],
    ["2026-07-01", "2026-07-31", "2026-08-15T12:00:00Z", "UTC", null],
    ["2027-01-01", "2027-01-31", "2026-12-31T23:59:59Z", "UTC", 2],
    ["2024-02-01", "2024-02-29", "2024-02-10T00:00:00Z", "UTC", 1],
    ["2024-02-01", "2024-02-28", "2024-02-10T00:00:00Z", "UTC", null],
    ["2026-02-01", "2026-02-28", "2024-02-10T00:00:00Z", "UTC", 25],
    ["2026-10-02", "2026-10-31", "2026-08-15T12:00:00Z", "UTC", null],
    ["2026-10-01", "2026-10-30", "2026-08-15T12:00:00Z", "UTC", null],
    ["2026-09-01", "2026-10-31", "2026-08-15T12:00:00Z", "UTC", null],
    ["2025-10-01", "2026-10-31", "2025-08-15T12:00:00Z", "UTC", null],
    // An hour before the month ends in UTC, the next one has begun in Berlin.
    ["2026-10-01", "2026-10-31", "2026-08-31T22:30:00Z", "UTC", 3],
    ["2026-10-01", "2026-10-31", "2026-08-31T22:30:00Z", "Europe/Berlin", 2],
    ["2026-10-01", "2026-10-31", "2026-09-01T02:00:00Z", "America/New_York", 3],
  ] as const)(
    "of %s to %s, for an account of %s in %s, is %s",
    (fromDate, toDate, created, zone, number) => {
      expect(monthlyNumber({ fromDate, toDate, zone }, Date.parse(created))).toBe(number);
    },
  );
});

describe("the moments of a period", () => {
  it.each([
    ["UTC", "2026-11-20", "2026-11-20T00:00:00Z", "2026-11-21T00:00:00Z"],
    ["Europe/Berlin", "2026-11-20", "2026-11-19T23:00:00Z", "2026-11-20T23:00:00Z"],
    ["Asia/Kathmandu", "2026-11-20", "2026-11-19T18:15:00Z", "2026-11-20T18:15:00Z"],
    // Days of 23 and of 25 hours.
    ["Europe/Berlin", "2026-03-29", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"],
    ["Europe/Berlin", "2026-10-25", "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z"],
    ["America/New_York", "2026-11-01", "2026-11-01T04:00:00Z", "2026-11-02T05:00:00Z"],
  ])("of a day in %s, %s", (zone, day, from, to) => {
    const moments = momentsOfPeriod({ fromDate: day, toDate: day, zone });
    expect(moments).toEqual({ from: Date.parse(from), to: Date.parse(to) });
  });

  it("of days that follow each other leave no gap", () => {
    const zone = "Europe/Berlin";
    const whole = momentsOfPeriod({ fromDate: "2026-10-24", toDate: "2026-10-26", zone });
    const days = ["2026-10-24", "2026-10-25", "2026-10-26"].map((day) =>
      momentsOfPeriod({ fromDate: day, toDate: day, zone }),
    );
    expect(days.map(({ from }) => from)).toEqual([whole.from, days[0]?.to, days[1]?.to]);
    expect(days[2]?.to).toBe(whole.to);
  });
});

describe("an order of a statement", () => {
  const order = {
    accountId: internal.id,
    fromDate: "2026-11-20",
    toDate: "2026-11-20",
    format: "CSV",
  } as const;

  function ordered(at: string, { zone = "UTC", change = {}, isThere = true } = {}) {
    const input = { ...order, ...change };
    const world = worldFor({
      command: createStatement,
      input,
      platformId: PLATFORM,
      at: Date.parse(at),
      tables: [
        rowsOf(platforms, { ...platform, statementTimeZone: zone }),
        rowsOf(internalAccounts, ...(isThere ? [internal] : [])),
      ],
    });
    let statement: Statement | undefined;
    const refusal = refusalOf(world, () => {
      statement = createStatement.decide(world, input);
    });
    return { refusal, statement, jobs: world.jobs };
  }

  it.each([
    ["UTC", "2026-11-20T23:59:59.999Z", false],
    ["UTC", "2026-11-21T00:00:00.000Z", true],
    ["Europe/Berlin", "2026-11-20T22:59:59.999Z", false],
    ["Europe/Berlin", "2026-11-20T23:00:00.000Z", true],
    ["America/New_York", "2026-11-21T04:59:59.999Z", false],
    ["America/New_York", "2026-11-21T05:00:00.000Z", true],
    ["Pacific/Kiritimati", "2026-11-20T10:00:00.000Z", true],
  ])("in %s at %s is taken: %s", (zone, at, isTaken) => {
    const { refusal, statement } = ordered(at, { zone });
    if (isTaken) {
      expect(statement).toMatchObject({ zone, state: "PENDING", currency: "USD", number: null });
    } else {
      expect(refusal).toMatchObject({
        code: "INVALID_INPUT",
        details: { field: "to", reason: `must be a day that is over, in ${zone}` },
      });
    }
  });

  it("refuses an unknown account before a period that is not over", () => {
    expect(ordered("2026-11-20T00:00:00Z", { isThere: false }).refusal?.code).toBe(
      "REFERENCE_NOT_FOUND",
    );
  });

  it("has no figures yet, and a job that makes them", () => {
    const { statement, jobs } = ordered("2026-12-01T00:00:00Z", {
      change: { fromDate: "2026-11-01", toDate: "2026-11-30" },
    });
    expect(statement).toMatchObject({
      ...{ format: "CSV", fromDate: "2026-11-01", toDate: "2026-11-30", number: 1 },
      ...{ firstVersion: null, lastVersion: null, openingMinor: null, closingMinor: null },
      ...{ inMinor: null, outMinor: null, sha256: null },
    });
    expect(jobs).toMatchObject([
      {
        kind: "make-statement",
        payload: { statementId: statement?.id },
        dueAt: Date.parse("2026-12-01T00:00:00Z"),
      },
    ]);
  });
});

describe("the figures of a statement", () => {
  const pending: Statement = {
    id: "018f0000-0000-7000-8000-0000000000b1",
    accountId: internal.id,
    currency: "USD",
    format: "JSON",
    fromDate: "2026-11-20",
    toDate: "2026-11-20",
    zone: "UTC",
    number: null,
    state: "PENDING",
    firstVersion: null,
    lastVersion: null,
    openingMinor: null,
    closingMinor: null,
    inMinor: null,
    outMinor: null,
    sha256: null,
    createdAt: 0,
  };
  const figures = {
    firstVersion: 3n,
    lastVersion: 4n,
    openingMinor: 10n,
    closingMinor: 12n,
    inMinor: 5n,
    outMinor: 3n,
  };
  const JOB = "018f0000-0000-7000-8000-0000000000b2";

  function recorded(before: Statement) {
    const input = { statementId: pending.id, jobId: JOB, sha256: "ab", ...figures };
    const tables = [rowsOf(statements, before)];
    const world = worldFor({ command: recordStatement, input, platformId: PLATFORM, tables });
    return { after: recordStatement.decide(world, input), cancelled: world.cancelledJobs };
  }

  it("make it ready, and end its job", () => {
    expect(recorded(pending)).toEqual({
      after: { ...pending, ...figures, sha256: "ab", state: "READY" },
      cancelled: [JOB],
    });
  });

  it("change nothing of one that is ready, and end the job that made it once more", () => {
    const ready: Statement = { ...pending, ...figures, inMinor: 6n, sha256: "cd", state: "READY" };
    expect(recorded(ready)).toEqual({ after: ready, cancelled: [JOB] });
  });
});
