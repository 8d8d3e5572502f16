/**
 * References that a payer may have meant: those with right check digits that differ from a word of the text by one character more, less or
 * other, or by two neighbours that changed places. The check digits leave about one of a hundred variants, so that few are looked up.
 *
 * Only for suggestions to people. Money is matched by `referencesIn` alone.
 */
import { referencesIn } from "./payment-reference.ts";

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** The lengths of a memo and of an RF reference. */
const LENGTHS = [16, 20] as const;
/** The most words of a text that are tried: each has some five hundred variants. */
const MOST_TRIED = 6;
/** A reference that is spoken in groups of four has at most five words. */
const MOST_WORDS = 5;

/** The references within one edit of a word of the text, exact ones left out. */
export function nearReferences(text: string): readonly string[] {
  const exact = new Set(referencesIn(text));
  const found = new Set<string>();
  for (const written of candidatesIn(text)) {
    for (const variant of variantsOf(written)) {
      for (const reference of wholeReference(variant)) {
        if (!exact.has(reference)) found.add(reference);
      }
    }
  }
  return [...found];
}

/** A reference that is the whole variant, so that no longer word hides another one. */
function wholeReference(variant: string): readonly string[] {
  return referencesIn(variant).filter((reference) => reference === variant);
}

/** Words, and neighbouring words put together, that have the length and nearly the beginning of a reference. */
function candidatesIn(text: string): readonly string[] {
  const words = text
    .toUpperCase()
    .replace(/[./-]/g, "")
    .split(/[^0-9A-Z]+/)
    .filter((word) => word !== "");
  const found = new Set<string>();
  for (let from = 0; from < words.length && found.size < MOST_TRIED; from++) {
    let joined = "";
    for (const word of words.slice(from, from + MOST_WORDS)) {
      joined += word;
      if (joined.length > LENGTHS[1] + 1) break;
      if (isPlausible(joined)) found.add(readAsDigits(joined));
    }
  }
  return [...found].slice(0, MOST_TRIED);
}

function isPlausible(word: string): boolean {
  const [memo, rf] = LENGTHS;
  const isNear = (length: number) => Math.abs(word.length - length) <= 1;
  return (isNear(memo) && isNearlyMemo(word)) || (isNear(rf) && isNearlyRf(word));
}

/** `FL` with at most one edit. */
function isNearlyMemo(word: string): boolean {
  return /^(?:F|.?[L1I]|.F)/.test(word);
}

/** `RF`, two digits and `FL`, of which one character may be wrong or missing. */
function isNearlyRf(word: string): boolean {
  return /^(?:RF|R\d|F\d|FR|.F\d|R.\d)/.test(word);
}

/** Behind the letters of the beginning, O, I and L stand for the digits that they look like. */
function readAsDigits(word: string): string {
  const begin = word.length > LENGTHS[0] + 1 ? 6 : 2;
  return word.slice(0, begin) + word.slice(begin).replace(/O/g, "0").replace(/[IL]/g, "1");
}

function* variantsOf(word: string): Generator<string> {
  for (const length of LENGTHS) {
    if (word.length === length) {
      for (let at = 0; at < length; at++) {
        yield* placed(word, at, at + 1);
        if (at + 1 < length) yield swapped(word, at);
      }
    }
    if (word.length === length - 1) {
      for (let at = 0; at <= word.length; at++) yield* placed(word, at, at);
    }
    if (word.length === length + 1) {
      for (let at = 0; at < word.length; at++) yield word.slice(0, at) + word.slice(at + 1);
    }
  }
}

/** Each character of a reference in place of those from one position to another. */
function* placed(word: string, from: number, to: number): Generator<string> {
  const [before, after] = [word.slice(0, from), word.slice(to)];
  // The L of `FL` is none of the alphabet.
  for (const character of `${ALPHABET}L`) yield before + character + after;
}

function swapped(word: string, at: number): string {
  return word.slice(0, at) + (word[at + 1] ?? "") + (word[at] ?? "") + word.slice(at + 2);
}
