import { describe, expect, it } from "vitest";
import { judge, type Measurements, median } from "./goals.ts";
import { type Figures, figuresOf, shuffled } from "./load-phase.ts";
import { table } from "./report.ts";

const at = (perSecond: number, p99Ms = 10): Figures => ({
  perSecond,
  p99Ms,
  p50Ms: 5,
  maxMs: 50,
  count: 1_000,
});

const completed = (...figures: readonly number[]) =>
  figures.map((completedPerSecond) => ({ completedPerSecond, acceptedPerSecond: 0, count: 0 }));

const executed = (...figures: readonly number[]) =>
  figures.map((perSecond) => ({ created: at(7_000), executed: at(perSecond) }));

const good: Measurements = {
  accepted64: [at(10_000), at(5_000, 20), at(8_000, 300)],
  accepted256: [at(10_000)],
  hot64: [at(9_000), at(9_000), at(7_200)],
  booked64: [at(10_000)],
  bookedHot64: [at(9_000)],
  batchOfOne64: [at(2_000), at(5_000), at(800)],
  batchOfOne256: [at(2_000)],
  completed64: completed(6_000),
  completed256: completed(6_000),
  besideCompleted64: [at(10_000)],
  besideCompleted256: [at(10_000)],
  besideQuotes64: [at(12_000), at(7_500), at(8_000)],
  quotes64: executed(8_000, 5_000, 4_000),
  single: at(900),
  storedTransactions: 1_000_000,
  fresh64: [at(6_300)],
  besideFresh64: [at(7_000)],
  stored64: [at(4_500)],
  besideStored64: [at(5_000)],
  startMs: 5_000,
  restMegabytes: 250,
  restAfterLoadMegabytes: 400,
  isVerified: true,
};

const missed = (change: Partial<Measurements>) =>
  judge({ ...good, ...change })
    .filter(({ isMet }) => !isMet)
    .map(({ goal }) => goal);

describe("the goals of a run", () => {
  it("are met at their bounds", () => {
    expect(missed({})).toEqual([]);
  });

  it.each<[string, Partial<Measurements>]>([
    ["accepted at 64 / batch of 1", { batchOfOne64: [at(2_001), at(5_000), at(800)] }],
    ["accepted at 256 / batch of 1", { batchOfOne256: [at(2_001)] }],
    ["completed / accepted at 64", { completed64: completed(5_999) }],
    ["completed / accepted at 256", { completed256: completed(5_999) }],
    ["completed / accepted at 256", { besideCompleted256: [at(10_001)] }],
    ["cost of executing a quote / a transfer, 64", { quotes64: executed(8_000, 4_999, 4_000) }],
    ["book transfers to one account / uniform", { bookedHot64: [at(8_999)] }],
    ["one hot account / uniform", { hot64: [at(8_999), at(9_000), at(7_199)] }],
    ["new database / full", { fresh64: [at(6_299)] }],
    ["with 1,000,000 stored / new database", { stored64: [at(4_499)] }],
    ["p99 at 64, ms", { accepted64: [at(10_000, 20.1), at(5_000, 10), at(8_000, 300)] }],
    ["start on a used directory, s", { startMs: 5_001 }],
    ["resident memory at rest, MB", { restMegabytes: 251 }],
    ["resident memory at rest, MB", { restMegabytes: undefined }],
    ["books and log verified afterwards", { isVerified: false }],
  ])("miss %s when it falls short", (goal, change) => {
    expect(missed(change)).toEqual([goal]);
  });

  it("are missed when a figure is absent", () => {
    expect(missed({ batchOfOne64: [] })).toEqual(["accepted at 64 / batch of 1"]);
    expect(missed({ stored64: [] })).toEqual(["with 1,000,000 stored / new database"]);
  });
});

describe("a median", () => {
  it("is the middle value, or the mean of the middle two", () => {
    expect([median([3, 1, 2]), median([4, 1, 2, 3]), median([7])]).toEqual([2, 2.5, 7]);
  });
});

describe("a load's figures", () => {
  const clean = {
    sent: 2,
    ok: 2,
    byStatus: { 201: 2 },
    lost: 0,
    warmupNotOk: 0,
    perSecond: 2,
    p50Ms: 1,
    p90Ms: 1,
    p99Ms: 1,
    maxMs: 1,
    seconds: 1,
    measuredFrom: 0,
  };

  it.each([
    [{ ok: 1, byStatus: { 201: 1, 429: 1 } }],
    [{ ok: 1, lost: 1 }],
    [{ warmupNotOk: 1 }],
    [{ sent: 0, ok: 0 }],
  ])("are void with %j", (change) => {
    expect(figuresOf(clean).count).toBe(2);
    expect(() => figuresOf({ ...clean, ...change })).toThrow("requests");
  });
});

describe("the figures of a server that is slow on purpose", () => {
  const turnedAway = {
    sent: 3,
    ok: 2,
    byStatus: { 201: 2, 503: 1 },
    lost: 0,
    warmupNotOk: 4,
    perSecond: 2,
    p50Ms: 1,
    p90Ms: 1,
    p99Ms: 1,
    maxMs: 1,
    seconds: 1,
    measuredFrom: 0,
  };

  it("count what was accepted and forgive only being busy", () => {
    expect(figuresOf(turnedAway, true).count).toBe(2);
    expect(() => figuresOf(turnedAway)).toThrow("requests");
    expect(() => figuresOf({ ...turnedAway, byStatus: { 201: 2, 500: 1 } }, true)).toThrow("500");
    expect(() => figuresOf({ ...turnedAway, lost: 1, sent: 4 }, true)).toThrow("lost");
  });
});

describe("the order of sources", () => {
  it("holds each of them once and is the same in every run", () => {
    const items = Array.from({ length: 1_000 }, (_, n) => n);
    const order = shuffled(items);
    expect(order).not.toEqual(items);
    expect([...order].sort((a, b) => a - b)).toEqual(items);
    expect(shuffled(items)).toEqual(order);
  });
});

describe("a table", () => {
  it("aligns its columns", () => {
    expect(table([["a", "per second"], ["longer", "1"], ["b"]])).toBe(
      "a        per second\nlonger            1\nb",
    );
  });
});
