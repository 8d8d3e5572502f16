/**
 * Which tests a run makes of those that are generated from a list, such as that of the operations. `npm test` draws TEST_SAMPLE from 0
 * to 7. Of a list of more than 100 cases it makes every eighth, beginning with that one; of a shorter list every fourth, beginning with
 * TEST_SAMPLE modulo 4. The eight samples together are the whole list, and a number repeats its sample. Without TEST_SAMPLE, and with
 * `all`, a run makes all of them.
 */
const SAMPLES = 8;
const LARGE = 100;

export function sampleOf<Case>(cases: readonly Case[]): readonly Case[] {
  const { TEST_SAMPLE: sample = "all" } = process.env;
  if (sample === "all") return cases;
  const number = Number(sample);
  if (!/^\d$/.test(sample) || number >= SAMPLES)
    throw new Error(`TEST_SAMPLE is "${sample}": set it to a number from 0 to 7, or to all`);
  const every = cases.length > LARGE ? SAMPLES : SAMPLES / 2;
  return cases.filter((_, index) => index % every === number % every);
}
