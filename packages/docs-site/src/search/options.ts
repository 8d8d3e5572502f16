/** How the index is made and asked: the builder and the browser must agree. */
import type { Options } from "minisearch";

export interface SearchEntry {
  readonly id: number;
  readonly title: string;
  /** What kind of page it is, and where it stands. */
  readonly place: string;
  readonly href: string;
  /** Ids, paths, codes and names of fields. */
  readonly names: string;
  /** What else it is called. */
  readonly known: string;
  readonly text: string;
  /** A factor of the rank. */
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

/** `customerId` is found by itself and by its parts. */
export function words(text: string): string[] {
  const whole = text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
  const parts = whole.flatMap((word) => {
    const split = word.split(/(?<=[a-z0-9])(?=[A-Z])/);
    return split.length > 1 ? [word, ...split] : split;
  });
  return parts;
}

/** Words that say nothing about what is looked for. */
const EMPTY = new Set(
  "a an and are as at be by can do does for from get how i if in is it its my of on or that the this to what when which with".split(
    " ",
  ),
);

/** Words that people type, and those that the pages have. */
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

/** Lower case, without the s of a plural, and one word for what has several. */
export function stem(term: string): string | null {
  const word = singular(term.toLowerCase());
  return EMPTY.has(word) ? null : (SYNONYMS[word] ?? word);
}

function singular(word: string): string {
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  return word.length > 3 && /[^su]s$/.test(word) ? word.slice(0, -1) : word;
}
