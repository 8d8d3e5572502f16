/** How long the fault tests go on: a bounded run by default, many more rounds under CHAOS=long. */
const IS_LONG = process.env.CHAOS === "long";

/** The bounded number, or that many times more. */
export function rounds(bounded: number): number {
  return IS_LONG ? bounded * 20 : bounded;
}

/** Limit for a test that takes `seconds` in the bounded run on a quiet machine. */
export function limitMs(seconds: number): number {
  return seconds * 1000 * (IS_LONG ? 40 : 4);
}

/** Prints what a run counted, when figures are wanted. */
export function figures(name: string, counted: Readonly<Record<string, unknown>>): void {
  if (process.env.CHAOS === undefined) return;
  process.stdout.write(`figures: ${name} ${JSON.stringify(counted)}\n`);
}
