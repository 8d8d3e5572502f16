/** The names of countries in the language of a page. */
import { countryCodes, isCountryCode } from "../../../std/countries.ts";
import type { Catalogue } from "./catalogue.ts";

export interface Option {
  readonly value: string;
  readonly words: string;
}

export interface CountryNames {
  /** Sorted by name, as the language sorts. */
  readonly options: readonly Option[];
  nameOf(code: string): string;
  /** The country with this code, or with this name in any case, with or without accents; undefined for any other text. */
  codeOf(text: string): string | undefined;
}

/** Cached by catalogue, of which there are a few. */
const known = new WeakMap<Catalogue, CountryNames>();

export function countryNames(catalogue: Catalogue): CountryNames {
  const found = known.get(catalogue) ?? createNames(catalogue);
  known.set(catalogue, found);
  return found;
}

function createNames({ tag }: Catalogue): CountryNames {
  const names = new Intl.DisplayNames([tag], { type: "region", fallback: "code" });
  // `of` throws at text that is no code.
  const nameOf = (code: string) => (isCountryCode(code) ? names.of(code) : undefined) ?? code;
  const { compare } = new Intl.Collator(tag);
  const options = countryCodes
    .map((value) => ({ value, words: nameOf(value) }))
    .sort((left, right) => compare(left.words, right.words));
  const codes = new Map(options.map(({ value, words }) => [folded(words), value]));
  return {
    options,
    nameOf,
    codeOf(text) {
      // Only Latin letters become upper case: `toUpperCase` turns a single ß into SS, which would be read as a country.
      const code = /^[a-z]{2}$/i.test(text) ? text.toUpperCase() : "";
      return isCountryCode(code) ? code : codes.get(folded(text));
    },
  };
}

function folded(name: string): string {
  return name
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[\s\u2019'.,-]+/g, " ")
    .trim()
    .toLowerCase();
}
