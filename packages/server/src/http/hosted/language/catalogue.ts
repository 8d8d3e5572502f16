/** The languages of the hosted pages. Another one is a file of texts and an entry here. */
import { englishLabels, englishTexts } from "./english.ts";
import { portugueseLabels, portugueseTexts } from "./portuguese.ts";
import { spanishLabels, spanishTexts } from "./spanish.ts";

/** One text by the plural category of `count`; `other` is used for every category without a text. */
export interface Plural {
  readonly one: string;
  readonly other: string;
}

export type TextKey = keyof typeof englishTexts;

/** Texts by key. A text with plural forms has them in every catalogue. */
export type Texts = {
  readonly [Key in TextKey]: (typeof englishTexts)[Key] extends string ? string : Plural;
};

export type Labels = { readonly [Value in keyof typeof englishLabels]: string };

export interface Catalogue {
  /** The BCP 47 tag of the language, which is the `lang` of its pages. */
  readonly tag: string;
  /** The name of the language in the language itself. */
  readonly name: string;
  readonly texts: Texts;
  readonly labels: Labels;
}

export const english: Catalogue = {
  tag: "en",
  name: "English",
  texts: englishTexts,
  labels: englishLabels,
};

/** The first catalogue is the default for visitors whose browser asks for none of the languages. */
export type Catalogues = readonly [Catalogue, ...Catalogue[]];

export const catalogues: Catalogues = [
  english,
  { tag: "es", name: "Español", texts: spanishTexts, labels: spanishLabels },
  { tag: "pt", name: "Português", texts: portugueseTexts, labels: portugueseLabels },
];
