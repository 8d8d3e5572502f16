import { existsSync } from "node:fs";
import { afterEach, describe, expect, it, vi } from "vitest";
import { drawnStories, storiesLeftOut } from "./kit/drawn-stories.ts";
import { SAMPLES as COUNT, sampleOf, sampleOfRow } from "./kit/sample.ts";

const SHORT = ["a", "b", "c", "d", "e", "f"];
const LONG = Array.from({ length: 101 }, (_, index) => index);
const SAMPLES = Array.from({ length: COUNT }, (_, number) => String(number));
const HERE = new URL("../", import.meta.url);

afterEach(() => vi.unstubAllEnvs());

function sample<Case>(cases: readonly Case[], which: string | undefined): readonly Case[] {
  vi.stubEnv("TEST_SAMPLE", which);
  return sampleOf(cases);
}

describe("the samples", () => {
  it("are every fourth of a short list", () => {
    const samples = SAMPLES.map((which) => sample(SHORT, which));
    const quarters = [["a", "e"], ["b", "f"], ["c"], ["d"]];
    expect(samples).toEqual(SAMPLES.map((which) => quarters[Number(which) % 4]));
  });

  it("are every sixteenth of a long list, and together the whole list", () => {
    const samples = SAMPLES.map((which) => sample(LONG, which));
    expect(new Set(samples.map(({ length }) => length))).toEqual(new Set([7, 6]));
    const [first, ...repeated] = [0, 16, 32, 48].map((from) => samples.slice(from, from + 16));
    expect(first?.flat().toSorted((left, right) => left - right)).toEqual(LONG);
    for (const again of repeated) expect(again).toEqual(first);
  });

  it("are in each row another quarter of its cells, and in four rows all cells", () => {
    vi.stubEnv("TEST_SAMPLE", "17");
    const rows = [0, 1, 2, 3, 4].map((row) => sampleOfRow(SHORT, row));
    expect(rows).toEqual([["b", "f"], ["c"], ["d"], ["a", "e"], ["b", "f"]]);
    vi.stubEnv("TEST_SAMPLE", "all");
    expect(sampleOfRow(SHORT, 3)).toEqual(SHORT);
  });

  it("are all cells of each row of each case, once for every time that the case is drawn", () => {
    const met = new Map<string, string[]>();
    for (const which of SAMPLES) {
      vi.stubEnv("TEST_SAMPLE", which);
      for (const [place, one] of sampleOf(LONG).entries())
        met.set(`${one}`, [...(met.get(`${one}`) ?? []), ...sampleOfRow(SHORT, place)]);
    }
    expect(met.size).toBe(LONG.length);
    for (const cells of met.values()) expect(cells.toSorted()).toEqual(SHORT);
  });
});

it.each([undefined, "all"])("is everything for %s", (which) => {
  expect(sample(SHORT, which)).toEqual(SHORT);
  expect(sample(LONG, which)).toEqual(LONG);
});

it.each(["64", "-1", "", "1.0", "ALL", "100"])("is refused for %j", (which) => {
  expect(() => sample(SHORT, which)).toThrow(`TEST_SAMPLE is "${which}"`);
});

describe("the drawn stories", () => {
  const fileOf = (name: string) => `packages/server/test/stories/${name}.test.ts`;
  const all = Object.keys(drawnStories).map(fileOf);

  it("are left out but for an eighth, and eight samples together make all", () => {
    const made = ["0", "1", "2", "3", "4", "5", "6", "7"].map((which) => {
      const leftOut = new Set(storiesLeftOut(which));
      return all.filter((file) => !leftOut.has(file));
    });
    expect(made.flat().toSorted()).toEqual(all.toSorted());
    for (const files of made) expect(Math.abs(files.length - all.length / 8)).toBeLessThan(1);
    expect(storiesLeftOut("13")).toEqual(storiesLeftOut("5"));
    expect(storiesLeftOut("all")).toEqual([]);
  });

  it.each(Object.entries(drawnStories))("%s has tests that run each time", (name, holders) => {
    expect(existsSync(new URL(`test/stories/${name}.test.ts`, HERE))).toBe(true);
    expect(holders.length).toBeGreaterThan(0);
    for (const holder of holders) {
      expect([holder, existsSync(new URL(`${holder}.test.ts`, HERE))]).toEqual([holder, true]);
      expect(Object.keys(drawnStories)).not.toContain(holder.replace("test/stories/", ""));
      expect(holder).not.toMatch(/\.long$|^test\/(faults|races|browser|guides)\//);
    }
  });
});
