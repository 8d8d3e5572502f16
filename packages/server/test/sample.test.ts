import { afterEach, expect, it, vi } from "vitest";
import { sampleOf } from "./kit/sample.ts";

const CASES = ["a", "b", "c", "d", "e", "f"];

afterEach(() => vi.unstubAllEnvs());

function sample(which: string | undefined): readonly string[] {
  vi.stubEnv("TEST_SAMPLE", which);
  return sampleOf(CASES);
}

it("is every fourth, and the four samples are the whole list", () => {
  const samples = ["0", "1", "2", "3"].map(sample);
  expect(samples).toEqual([["a", "e"], ["b", "f"], ["c"], ["d"]]);
  expect(samples.flat().toSorted()).toEqual(CASES);
});

it.each([undefined, "all"])("is everything for %s", (which) => {
  expect(sample(which)).toEqual(CASES);
});

it.each(["4", "-1", "", "1.0", "ALL"])("is refused for %j", (which) => {
  expect(() => sample(which)).toThrow(`TEST_SAMPLE is "${which}"`);
});
