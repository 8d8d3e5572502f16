/** Chooses the language of a page: by `?lang=`, then by `Accept-Language`, then the first catalogue. */
import { isCountryCode } from "../../../std/countries.ts";
import type { Catalogue, Catalogues } from "./catalogue.ts";
import { createLanguage, type Language } from "./language.ts";

export interface Chosen {
  readonly language: Language;
  /** `?lang=` in its shortest form, which the links of the page keep; undefined when the browser's setting decided. */
  readonly asked: string | undefined;
}

interface Wish {
  readonly catalogue: Catalogue;
  readonly region?: string | undefined;
}

/** A browser sends a handful; the rest of a longer header is not read. */
const MOST_TAGS = 20;

export function chooseLanguage(
  catalogues: Catalogues,
  { lang, acceptLanguage }: { readonly lang: string | null; readonly acceptLanguage: string },
): Chosen {
  const asked = lang === null ? undefined : wishOf(catalogues, lang);
  const offered = asked === undefined ? catalogues : ([asked.catalogue] as const);
  const { catalogue, region } = preferred(offered, acceptLanguage) ?? { catalogue: offered[0] };
  return {
    language: createLanguage(catalogue, asked?.region ?? region),
    asked: asked === undefined ? undefined : tagOf(asked),
  };
}

/** The catalogue for a language tag, and the region whose formats of numbers and dates the tag names. */
function wishOf(catalogues: readonly Catalogue[], tag: string): Wish | undefined {
  const exact = catalogues.find((one) => one.tag.toLowerCase() === tag.toLowerCase());
  if (exact !== undefined) return { catalogue: exact, region: undefined };
  const [language = "", ...rest] = tag.split("-", 4);
  const catalogue = catalogues.find((one) => one.tag === language.toLowerCase());
  if (catalogue === undefined) return undefined;
  const region = rest.map((part) => part.toUpperCase()).find(isRegion);
  return { catalogue, region };
}

function tagOf({ catalogue, region }: Wish): string {
  return region === undefined ? catalogue.tag : `${catalogue.tag}-${region}`;
}

/** A country, or Latin America. */
function isRegion(part: string): boolean {
  return isCountryCode(part) || part === "419";
}

function preferred(catalogues: readonly Catalogue[], acceptLanguage: string): Wish | undefined {
  const wishes = acceptLanguage.split(",", MOST_TAGS).flatMap((item) => {
    const [tag = "", ...parameters] = item.split(";", 2).map((part) => part.trim());
    const wish = wishOf(catalogues, tag);
    const weight = weightOf(parameters[0]);
    return wish === undefined || weight === 0 ? [] : [{ wish, weight }];
  });
  return wishes.toSorted((left, right) => right.weight - left.weight)[0]?.wish;
}

const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i;

/** The `q` weight: 1 when there is none, 0 when it is malformed. */
function weightOf(parameter: string | undefined): number {
  if (parameter === undefined) return 1;
  return Number(WEIGHT.exec(parameter)?.[1] ?? 0);
}
