/**
 * Which tests a run makes of those that are generated from a list, such as that of the operations. `npm test` draws TEST_SAMPLE from 0
 * to 3 and makes every fourth of a list, beginning with that one: the four samples are the whole list, and a number repeats its
 * sample. Without TEST_SAMPLE, and with `all`, a run makes all of them.
 */
const EVERY = 4;

export function sampleOf<Case>(cases: readonly Case[]): readonly Case[] {
  const { TEST_SAMPLE: sample = "all" } = process.env;
  if (sample === "all") return cases;
  const first = Number(sample);
  if (!/^\d$/.test(sample) || first >= EVERY)
    throw new Error(`TEST_SAMPLE is "${sample}": set it to 0, 1, 2, 3 or all`);
  return cases.filter((_, index) => index % EVERY === first);
}
