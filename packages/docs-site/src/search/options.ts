/** Options of the search index, shared because the builder and the browser must agree. */
import type { Options } from "minisearch";

export interface SearchEntry {
  readonly id: number;
  readonly title: string;
  /** The kind of page and its place in the site. */
  readonly place: string;
  readonly href: string;
  /** Operation ids, paths, codes and field names. */
  readonly names: string;
  /** Other names for it. */
  readonly known: string;
  readonly text: string;
  /** Multiplies the rank of the entry. */
  readonly weight: number;
}

export const searchOptions: Options<SearchEntry> = {
  fields: ["title", "names", "known", "text"],
  storeFields: ["title", "place", "href", "weight"],
  tokenize: words,
  processTerm: stem,
  searchOptions: {
    prefix: (term) => term.length > 2,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    boost: { title: 6, known: 5, names: 2 },
    combineWith: "OR",
    boostDocument: (_id, _term, stored) => Number(stored?.weight ?? 1),
  },
};

/** Splits a text into words. `customerId` yields itself and its parts. */
export function words(text: string): string[] {
  const whole = text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
  const parts = whole.flatMap((word) => {
    const split = word.split(/(?<=[a-z0-9])(?=[A-Z])/);
    return split.length > 1 ? [word, ...split] : split;
  });
  return parts;
}

/** Stop words. */
const EMPTY = new Set(
  "a an and are as at be by can do does for from get how i if in is it its my of on or that the this to what when which with".split(
    " ",
  ),
);

/** Maps words that people type to the words that the pages use. */
const SYNONYMS: Readonly<Record<string, string>> = {
  add: "create",
  auth: "authentication",
  authenticate: "authentication",
  change: "update",
  invite: "invitation",
  login: "authentication",
  make: "create",
  new: "create",
  paginate: "pagination",
  paging: "pagination",
  remove: "delete",
};

/** Converts a word to lower case and singular, and replaces a synonym. Returns null for a stop word. */
export function stem(term: string): string | null {
  const word = singular(term.toLowerCase());
  return EMPTY.has(word) ? null : (SYNONYMS[word] ?? word);
}

function singular(word: string): string {
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  return word.length > 3 && /[^su]s$/.test(word) ? word.slice(0, -1) : word;
}
