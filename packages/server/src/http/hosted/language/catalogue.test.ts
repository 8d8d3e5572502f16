import { describe, expect, it } from "vitest";
import { ownerRoles } from "../../../domain/customers/beneficial-owners/beneficial-owner.ts";
import { businessFields, idTypes } from "../../../domain/customers/customer-fields.ts";
import {
  documentSides,
  documentTypes,
  PLATFORM_LOGO,
} from "../../../domain/customers/documents/document-types.ts";
import { countryCodes } from "../../../std/countries.ts";
import { type Catalogue, catalogues, english } from "./catalogue.ts";
import { countryNames } from "./country-names.ts";
import { createLanguage } from "./language.ts";

const placesIn = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted();

function textsOf({ texts, labels }: Catalogue): [key: string, text: string][] {
  return [...Object.entries(texts), ...Object.entries(labels)].flatMap(([key, entry]) =>
    typeof entry === "string"
      ? [[key, entry] as [string, string]]
      : Object.entries(entry).map(([form, text]) => [`${key}.${form}`, text] as [string, string]),
  );
}

const others = catalogues.filter((catalogue) => catalogue !== english);

describe.each(others)("the catalogue $tag", (catalogue) => {
  it("has each key, with the same places, and no text of another language by mistake", () => {
    const own = new Map(textsOf(catalogue));
    const ours = textsOf(english);
    expect([...own.keys()].toSorted()).toEqual(ours.map(([key]) => key).toSorted());
    const same: string[] = [];
    for (const [key, text] of ours) {
      expect([key, placesIn(own.get(key) ?? "")]).toEqual([key, placesIn(text)]);
      if (own.get(key) === text && /\p{L}{3}/u.test(text.replaceAll(/\{\w+\}/g, "")))
        same.push(key);
    }
    expect(same.filter((key) => !SAME.has(key))).toEqual([]);
  });

  it("has no blank text, no double space and no place that is not closed", () => {
    for (const [key, text] of textsOf(catalogue)) {
      expect([key, text.trim() === text && text !== "" && !/ {2}/.test(text)]).toEqual([key, true]);
      expect([key, /[{}]/.test(text.replaceAll(/\{\w+\}/g, ""))]).toEqual([key, false]);
    }
  });
});

/** Spelt alike in two of the languages. */
const SAME = new Set(["errorTitle", "link", "labelled"]);

it("has a label for each value that a form offers", () => {
  const choices = ["entityType", "businessType"].flatMap((name) => {
    const field = businessFields.find((one) => one.name === name);
    return field?.form === "choice" ? field.values : [];
  });
  const values = [
    ...choices,
    ...idTypes,
    ...ownerRoles,
    ...documentSides,
    ...documentTypes.filter((type) => type !== PLATFORM_LOGO),
  ];
  expect(choices.length).toBeGreaterThan(25);
  for (const catalogue of catalogues) {
    const language = createLanguage(catalogue, undefined);
    for (const value of values) expect(language.label(value)).not.toBe("");
  }
});

describe("names of countries", () => {
  it.each(catalogues)("are there for each code, sorted, and lead back to it: $tag", (catalogue) => {
    const { options, codeOf, nameOf } = countryNames(catalogue);
    expect(options.map(({ value }) => value).toSorted()).toEqual([...countryCodes].toSorted());
    const sorted = options
      .map(({ words }) => words)
      .toSorted(new Intl.Collator(catalogue.tag).compare);
    expect(options.map(({ words }) => words)).toEqual(sorted);
    for (const { value, words } of options) {
      expect(words).not.toBe(value);
      expect([codeOf(words), codeOf(words.toUpperCase()), codeOf(value)]).toEqual([
        value,
        value,
        value,
      ]);
      expect(nameOf(value)).toBe(words);
    }
    for (const text of ["", "x", "XX", "ß", "constructor"]) expect(codeOf(text)).toBeUndefined();
  });
});

describe("what a language writes", () => {
  const inEnglish = createLanguage(english, undefined);
  it("has plurals, numbers, amounts and moments", () => {
    expect(inEnglish.text("tooLong", { count: 1 })).toBe("Use at most 1 character.");
    expect(inEnglish.text("tooLong", { count: 1_000 })).toBe("Use at most 1,000 characters.");
    expect(inEnglish.amount({ minor: 900_719_925_474_099_301n, currency: "USD" })).toBe(
      "9,007,199,254,740,993.01 USD",
    );
    expect(inEnglish.amount({ minor: 5n, currency: "USD" })).toBe("0.05 USD");
    expect(inEnglish.moment(Date.UTC(2100, 0, 2, 3, 4))).toBe("January 2, 2100 at 03:04 UTC");
    expect(inEnglish.months.slice(0, 2)).toEqual(["January", "February"]);
  });

  it("is written as the region writes it", () => {
    const [, spanish] = catalogues;
    const amountIn = (region: string) =>
      createLanguage(spanish as Catalogue, region).amount({ minor: 1_234_567n, currency: "EUR" });
    expect([amountIn("ES"), amountIn("MX")]).toEqual(["12.345,67 EUR", "12,345.67 EUR"]);
  });

  it("puts values into their places once, as text", () => {
    expect(inEnglish.text("invitedBy", { name: "{name}" })).toBe(
      "{name} would like to send you money",
    );
    const { html } = inEnglish.markup("from", { address: "<b>" });
    expect(html).toBe("From &lt;b&gt;");
    expect(() => inEnglish.text("invitedBy")).toThrow("name");
  });
});
