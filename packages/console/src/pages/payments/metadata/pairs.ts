/** The keys and values of metadata while they are edited. The value of the form field is their JSON. */
export type Pair = readonly [key: string, value: string];

export interface PairFault {
  /** The place of the pair. */
  readonly at: number;
  readonly kind: "noKey" | "badKey" | "twice" | "longValue";
}

export const MOST_PAIRS = 20;
export const LONGEST_VALUE = 500;
const KEY = /^[A-Za-z0-9_.-]{1,40}$/;
/** Names that JavaScript gives a meaning of their own; the API refuses them. */
const RESERVED: ReadonlySet<string> = new Set(["__proto__", "constructor"]);

const EMPTY: Pair = ["", ""];

/** One empty pair where there is none, to type into. */
export function textOf(metadata: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(metadata);
  return JSON.stringify(pairs.length === 0 ? [EMPTY] : pairs);
}

export function pairsIn(text: string): readonly Pair[] {
  return text === "" ? [EMPTY] : (JSON.parse(text) as readonly Pair[]);
}

export function withPair(pairs: readonly Pair[], at: number, pair: Pair): string {
  return JSON.stringify(pairs.map((old, place) => (place === at ? pair : old)));
}

export function withoutPair(pairs: readonly Pair[], at: number): string {
  const left = pairs.filter((_, place) => place !== at);
  return JSON.stringify(left.length === 0 ? [EMPTY] : left);
}

export function withOneMore(pairs: readonly Pair[]): string {
  return JSON.stringify([...pairs, EMPTY]);
}

/** The first fault. A pair with neither key nor value is none. */
export function faultIn(pairs: readonly Pair[]): PairFault | undefined {
  const seen = new Set<string>();
  for (const [at, [key, value]] of pairs.entries()) {
    if (key === "" && value === "") continue;
    if (key === "") return { at, kind: "noKey" };
    if (!KEY.test(key) || RESERVED.has(key)) return { at, kind: "badKey" };
    if (seen.has(key)) return { at, kind: "twice" };
    if (value.length > LONGEST_VALUE) return { at, kind: "longValue" };
    seen.add(key);
  }
  return undefined;
}

export function metadataIn(pairs: readonly Pair[]): Readonly<Record<string, string>> {
  return Object.fromEntries(pairs.filter(([key]) => key !== ""));
}
