import { afterEach, describe, expect, it, vi } from "vitest";
import { sampleOf } from "./kit/sample.ts";

const SHORT = ["a", "b", "c", "d", "e", "f"];
const LONG = Array.from({ length: 101 }, (_, index) => index);
const SAMPLES = ["0", "1", "2", "3", "4", "5", "6", "7"];

afterEach(() => vi.unstubAllEnvs());

function sample<Case>(cases: readonly Case[], which: string | undefined): readonly Case[] {
  vi.stubEnv("TEST_SAMPLE", which);
  return sampleOf(cases);
}

describe("the samples", () => {
  it("are every fourth of a short list", () => {
    const samples = SAMPLES.map((which) => sample(SHORT, which));
    expect(samples).toEqual([
      ["a", "e"],
      ["b", "f"],
      ["c"],
      ["d"],
      ["a", "e"],
      ["b", "f"],
      ["c"],
      ["d"],
    ]);
  });

  it("are every eighth of a long list, and together the whole list", () => {
    const samples = SAMPLES.map((which) => sample(LONG, which));
    expect(samples.map(({ length }) => length)).toEqual([13, 13, 13, 13, 13, 12, 12, 12]);
    expect(samples.flat().toSorted((left, right) => left - right)).toEqual(LONG);
  });
});

it.each([undefined, "all"])("is everything for %s", (which) => {
  expect(sample(SHORT, which)).toEqual(SHORT);
  expect(sample(LONG, which)).toEqual(LONG);
});

it.each(["8", "-1", "", "1.0", "ALL"])("is refused for %j", (which) => {
  expect(() => sample(SHORT, which)).toThrow(`TEST_SAMPLE is "${which}"`);
});
