/**
 * The words that an object is found by. Case, accents and marks do not matter: both sides are folded. A word is stored whole, so a query
 * finds it by its beginning; a name of several words is stored as one term besides.
 */

export const searchFields = [
  "id",
  "name",
  "reference",
  "platformCustomerId",
  "description",
  "umaAddress",
  "email",
  "phoneNumber",
  "lastFour",
  "platformAccountId",
  "amount",
  "bankReference",
] as const;

export type SearchField = (typeof searchFields)[number];

export interface Term {
  readonly field: SearchField;
  readonly text: string;
  /** Personal data: found only by callers who may see it. */
  readonly isPersonal: boolean;
}

/** Longer words are cut, and found by their beginning. */
const MOST_CHARS = 48;
/** The most words of one text. */
const MOST_WORDS = 12;

const BEYOND_ASCII = /[\u0080-\uffff]/;

export function fold(text: string): string {
  // The fast path for most texts of payments; the other one takes ten times as long.
  if (!BEYOND_ASCII.test(text)) return text.toLowerCase().trim();
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase().trim();
}

const cut = (word: string) => [...word].slice(0, MOST_CHARS).join("");
const EDGES = /^[^\p{L}\p{N}$#]+|[^\p{L}\p{N}]+$/gu;

/** One word that needs no trimming, such as a reference. */
const PLAIN_WORD = /^[a-z0-9]{1,48}$/;

export function wordsOf(folded: string): readonly string[] {
  if (PLAIN_WORD.test(folded)) return [folded];
  const words = folded.split(/\s+/).map((word) => cut(word.replaceAll(EDGES, "")));
  return [...new Set(words.filter((word) => word !== ""))].slice(0, MOST_WORDS);
}

/** An address is found with its leading `$` and without. */
export function withoutSign(word: string): string {
  return word.startsWith("$") ? word.slice(1) : word;
}

/** Texts that may be absent, by field. */
export type Texts = Readonly<Partial<Record<SearchField, readonly (string | null | undefined)[]>>>;

const PERSONAL: ReadonlySet<SearchField> = new Set([
  "name",
  "description",
  "umaAddress",
  "email",
  "phoneNumber",
]);

/** Each term once, under its first field. */
export function termsOf(texts: Texts): readonly Term[] {
  const found = new Map<string, Term>();
  for (const [name, values = []] of Object.entries(texts)) {
    const field = name as SearchField;
    const isPersonal = PERSONAL.has(field);
    for (const value of values) {
      for (const text of value == null ? [] : termTexts(field, value)) {
        const key = `${isPersonal} ${text}`;
        if (!found.has(key)) found.set(key, { field, text, isPersonal });
      }
    }
  }
  return [...found.values()];
}

function termTexts(field: SearchField, value: string): readonly string[] {
  if (field === "amount") return [value];
  if (field === "phoneNumber") return phoneTerms(value);
  const folded = fold(value);
  const words = wordsOf(folded).map(withoutSign);
  if (field !== "name" || words.length < 2) return words;
  const parts = words.flatMap((word) => word.split(/[^\p{L}\p{N}]+/u));
  return [...words, ...parts.filter((part) => part !== ""), cut(words.join(" "))];
}

/** The digits that a number has without the prefix of its country. */
const LOCAL_DIGITS = [10, 9, 8, 7];

/** All digits, and the last ones, so that a number is found with the prefix of its country and without it. */
function phoneTerms(text: string): readonly string[] {
  const digits = text.replaceAll(/\D/g, "");
  const local = LOCAL_DIGITS.filter((count) => count < digits.length);
  return [digits, ...local.map((count) => digits.slice(-count))].filter((term) => term !== "");
}

/** The term of an exact amount: without zeros at its end, so that it fits however many a caller types. */
export function amountTerm(decimal: string, currency: string): string {
  return `#${plainDecimal(decimal)} ${currency.toLowerCase()}`;
}

export function plainDecimal(decimal: string): string {
  const [whole = "", fraction = ""] = decimal.split(".");
  const digits = whole.replace(/^0+(?=\d)/, "");
  let end = fraction.length;
  while (fraction[end - 1] === "0") end -= 1;
  return end === 0 ? digits : `${digits}.${fraction.slice(0, end)}`;
}
