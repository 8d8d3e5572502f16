/** The fields of the verification forms: their kinds, and what is read from them. */
import { isCalendarDate } from "../../../std/calendar/calendar-date.ts";
import { isCountryCode } from "../../../std/countries.ts";
import type { TextKey } from "../language/catalogue.ts";
import type { Language } from "../language/language.ts";

export type Kind =
  | { readonly kind: "text"; readonly longest: number }
  /** A day, a month and a year. */
  | { readonly kind: "date" }
  | { readonly kind: "country" }
  /** One field a country. */
  | { readonly kind: "countries" }
  | { readonly kind: "percent" }
  | { readonly kind: "choice"; readonly values: readonly string[] }
  | { readonly kind: "choices"; readonly values: readonly string[] };

export type FormField = Kind & {
  /** The field's path in the request body of the API. */
  readonly name: string;
  readonly label: TextKey;
  readonly hint?: TextKey;
  /** The value of the HTML attribute `autocomplete`. */
  readonly autocomplete?: string;
  readonly isOptional?: boolean;
  /** The stored value is not shown, so an empty field does not clear it. */
  readonly isKeptWhenEmpty?: boolean;
  /** Checks a well-formed value. */
  readonly check?: (value: string) => TextKey | undefined;
};

export type Typed = ReadonlyMap<string, string>;
/** The fault of each field, in words. */
export type Faults = ReadonlyMap<string, string>;
export type Value = string | number | readonly string[];

export interface ReadFields {
  /** Empty fields are absent. */
  readonly values: ReadonlyMap<string, Value>;
  readonly faults: Faults;
}

/** Parses all fields, or collects every fault. */
export function readFields(
  fields: readonly FormField[],
  typed: Typed,
  language: Language,
): ReadFields {
  const values = new Map<string, Value>();
  const faults = new Map<string, string>();
  for (const field of fields) {
    const read = readField(field, typed, language);
    if (read === undefined) {
      if (field.isOptional !== true) faults.set(field.name, absent(field, language));
    } else if ("fault" in read) faults.set(field.name, read.fault);
    else values.set(field.name, read.value);
  }
  return { values, faults };
}

/** Checkboxes are named `<field>.<value>`, because a form may hold each name only once. */
export function checkboxName(field: string, value: string): string {
  return `${field}.${value}`;
}

export const DATE_PARTS = ["day", "month", "year"] as const;
type DatePart = (typeof DATE_PARTS)[number];

export function datePartName(field: string, part: DatePart): string {
  return `${field}.${part}`;
}

/** The typed parts of a date, or the parts of a stored one. */
export function dateParts(field: string, typed: Typed): Readonly<Record<DatePart, string>> {
  const [year = "", month = "", day = ""] = (typed.get(field) ?? "").split("-");
  const part = (name: DatePart, stored: string) =>
    (typed.get(datePartName(field, name)) ?? stored).trim();
  return {
    day: part("day", day.replace(/^0/, "")),
    month: part("month", month.replace(/^0/, "")),
    year: part("year", year),
  };
}

/** Enough for every country. */
export const MOST_COUNTRIES = 300;

export function countryName(field: string, number: number): string {
  return `${field}.${number}`;
}

/** The typed entries of a list of countries, or the names of the stored ones, in order; empty entries are kept. */
export function typedCountries(field: string, typed: Typed, language: Language): string[] {
  const stored = typed.get(field);
  if (stored !== undefined) {
    return stored.split(", ").filter(Boolean).map(language.countries.nameOf);
  }
  const given: string[] = [];
  for (let number = 1; number <= MOST_COUNTRIES; number += 1) {
    const text = typed.get(countryName(field, number));
    if (text === undefined) break;
    given.push(text.trim());
  }
  return given;
}

type Read = { readonly value: Value } | { readonly fault: string } | undefined;

function readField(field: FormField, typed: Typed, language: Language): Read {
  if (field.kind === "choices") {
    const ticked = field.values.filter((value) => typed.has(checkboxName(field.name, value)));
    return ticked.length === 0 ? undefined : { value: ticked };
  }
  if (field.kind === "countries") return readCountries(field.name, typed, language);
  const text = field.kind === "date" ? typedDate(field.name, typed) : typed.get(field.name)?.trim();
  if (text === undefined || text === "") return undefined;
  const read = readText(field, text, language);
  if ("fault" in read) return read;
  const fault = field.check?.(text);
  return fault === undefined ? read : { fault: language.text(fault) };
}

type OneText = Exclude<FormField, { kind: "choices" | "countries" }>;

function readText(
  field: OneText,
  text: string,
  language: Language,
): { readonly value: Value } | { readonly fault: string } {
  const judged = (isSound: boolean, fault: TextKey, value: Value = text) =>
    isSound ? { value } : { fault: language.text(fault) };
  switch (field.kind) {
    case "text":
      return [...text].length <= field.longest
        ? { value: text }
        : { fault: language.text("tooLong", { count: field.longest }) };
    case "date":
      // A date that lacks a part has an empty one between its hyphens.
      if (/^-|--|-$/.test(text)) return { fault: language.text("partOfDate") };
      return judged(isCalendarDate(text), "noSuchDay");
    case "country":
      return judged(isCountryCode(text), "chooseCountry");
    case "percent":
      return judged(/^\d{1,3}$/.test(text) && Number(text) <= 100, "wholePercent", Number(text));
    case "choice":
      return judged(field.values.includes(text), "chooseOfList");
  }
}

/** Year, month and day with hyphens between them; empty when no part was typed. */
function typedDate(field: string, typed: Typed): string {
  const { day, month, year } = dateParts(field, typed);
  if (day + month + year === "") return "";
  const twoDigits = (part: string) => (/^\d$/.test(part) ? `0${part}` : part);
  return `${year}-${twoDigits(month)}-${twoDigits(day)}`;
}

function readCountries(field: string, typed: Typed, language: Language): Read {
  const given = typedCountries(field, typed, language).filter((text) => text !== "");
  if (given.length === 0) return undefined;
  const codes = given.map((text) => language.countries.codeOf(text));
  const unknown = given.find((_, index) => codes[index] === undefined);
  if (unknown !== undefined) {
    return { fault: language.text("countryUnknown", { text: unknown.slice(0, 60) }) };
  }
  return { value: [...new Set(codes.filter((code) => code !== undefined))] };
}

function absent({ kind, label }: FormField, language: Language): string {
  switch (kind) {
    case "country":
    case "choice":
      return language.text("chooseField", { label: language.text(label) });
    case "choices":
      return language.text("chooseOne");
    case "date":
      return language.text("partOfDate");
    case "text":
    case "countries":
    case "percent":
      return language.text("enterField", { label: language.text(label) });
  }
}
