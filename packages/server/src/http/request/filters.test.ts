import { expect, it } from "vitest";
import { LONGEST_LEAD_MS, lowestIdAt } from "../../std/ids.ts";
import { createdConditions } from "./filters.ts";

const MIDNIGHT = Date.UTC(2026, 0, 5);

const said = (after: string | undefined, before: string | undefined) =>
  createdConditions(after, before).map((condition) => condition?.totalsFilter);

it("a time filter uses whole milliseconds", () => {
  const from = { from: MIDNIGHT };
  const to = { to: MIDNIGHT };
  expect(said("2026-01-05T00:00:00Z", "2026-01-05T00:00:00Z")).toEqual([from, from, to, to]);
  expect(said("2026-01-05T02:00:00.000+02:00", undefined)).toEqual([from, from]);
  expect(said(undefined, undefined)).toEqual([]);
});

it("includes rows whose id is ahead of their time by up to the longest lead", () => {
  const [, below] = createdConditions(undefined, "2026-01-05T00:00:00Z");
  expect(below?.sql).toBe("t.id < ?::uuid");
  const furthest = `${lowestIdAt(MIDNIGHT + LONGEST_LEAD_MS).slice(0, 14)}7fff-bfff-ffffffffffff`;
  expect([furthest < String(below?.value), below?.value]).toEqual([
    true,
    lowestIdAt(MIDNIGHT + LONGEST_LEAD_MS + 1),
  ]);
});

it("rounds a finer time up at the start of a range and down at its end", () => {
  const finer = "2026-01-05T00:00:00.00001Z";
  const after = { from: MIDNIGHT + 1 };
  const until = { to: MIDNIGHT };
  expect(said(finer, finer)).toEqual([after, after, until, until]);
  const [since] = createdConditions(finer, undefined);
  expect(since).toMatchObject({
    sql: "t.created_at > ?::timestamptz",
    value: new Date(MIDNIGHT).toISOString(),
  });
});
