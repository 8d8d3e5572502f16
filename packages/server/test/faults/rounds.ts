/** The length of the fault tests: bounded by default, many more rounds with CHAOS=long. */
const IS_LONG = process.env.CHAOS === "long";

/** The bounded number of rounds; with CHAOS=long 20 times as many, or CHAOS_ROUNDS of them. */
export function rounds(bounded: number): number {
  return IS_LONG ? Number(process.env.CHAOS_ROUNDS ?? bounded * 20) : bounded;
}

/** The seed of a test's chances. A long run that is made in pieces gives each piece another CHAOS_SEED. */
export function seedOf(usual: number): number {
  return Number(process.env.CHAOS_SEED ?? usual);
}

/** The time limit of a test that takes `seconds` in the bounded run on an idle machine. */
export function limitMs(seconds: number): number {
  return seconds * 1000 * (IS_LONG ? 40 : 4);
}

export function figures(name: string, counted: Readonly<Record<string, unknown>>): void {
  if (process.env.CHAOS === undefined) return;
  process.stdout.write(`figures: ${name} ${JSON.stringify(counted)}\n`);
}
