/** Numbers that look random and follow from a seed, so that a demo with the same settings asks for the same payments. */
export interface Chance {
  /** At least 0, below 1. */
  next(): number;
  /** A whole number of the range, both ends included. */
  between(least: number, most: number): number;
  pick<Item>(items: readonly Item[]): Item;
  isOneIn(count: number): boolean;
  digits(count: number): string;
}

const STEP = 0x6d2b79f5;
const TWO_TO_32 = 4_294_967_296;

/** The generator "mulberry32": 32 bits of state, which is enough for what nobody has to guess. */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  function next(): number {
    state = (state + STEP) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / TWO_TO_32;
  }
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return {
    next,
    between,
    pick<Item>(items: readonly Item[]): Item {
      return items[between(0, items.length - 1)] as Item;
    },
    isOneIn: (count) => next() * count < 1,
    digits: (count) => Array.from({ length: count }, () => between(0, 9)).join(""),
  };
}
