/**
 * Which tests a run makes of those that are generated from a list, such as that of the operations. `npm test` draws TEST_SAMPLE from 0
 * to 63. Of a list of more than 100 cases it makes every sixteenth, beginning with TEST_SAMPLE modulo 16; of a shorter list every fourth,
 * beginning with TEST_SAMPLE modulo 4. The samples together are the whole list, and a number repeats its sample. Without TEST_SAMPLE, and
 * with `all`, a run makes all of them.
 */
export const SAMPLES = 64;
const EVERY_OF_LONG = 16;
const EVERY_OF_SHORT = 4;
const LARGE = 100;

/** Undefined for all. */
function sampleNumber(): number | undefined {
  const { TEST_SAMPLE: sample = "all" } = process.env;
  if (sample === "all") return undefined;
  const number = Number(sample);
  if (!/^\d\d?$/.test(sample) || number >= SAMPLES)
    throw new Error(
      `TEST_SAMPLE is "${sample}": set it to a number from 0 to ${SAMPLES - 1}, or to all`,
    );
  return number;
}

export function sampleOf<Case>(cases: readonly Case[]): readonly Case[] {
  const number = sampleNumber();
  if (number === undefined) return cases;
  const every = cases.length > LARGE ? EVERY_OF_LONG : EVERY_OF_SHORT;
  return cases.filter((_, index) => index % every === number % every);
}

/**
 * Every fourth cell of a row, beginning with another one in each row, so that four rows together have all columns. The first column depends on
 * the part of TEST_SAMPLE that draws no list, so a case that is drawn in every fourth or sixteenth sample meets all columns in turn.
 */
export function sampleOfRow<Cell>(cells: readonly Cell[], row: number): readonly Cell[] {
  const number = sampleNumber();
  if (number === undefined) return cells;
  const first = (Math.floor(number / EVERY_OF_LONG) + row) % EVERY_OF_SHORT;
  return cells.filter((_, index) => index % EVERY_OF_SHORT === first);
}
