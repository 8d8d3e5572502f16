/** The fields of the verification forms: label, parser and error message of each. */

import { isCalendarDate } from "../../../std/calendar/calendar-date.ts";
import { isCountryCode } from "../../../std/countries.ts";
import { html, type Markup, nothing } from "../markup.ts";
import { countryOptions, labelOf, type Option } from "./labels.ts";

type Kind =
  | { readonly kind: "text"; readonly longest: number }
  | { readonly kind: "date" }
  | { readonly kind: "country" }
  | { readonly kind: "countries" }
  | { readonly kind: "percent" }
  | { readonly kind: "choice"; readonly values: readonly string[] }
  | { readonly kind: "choices"; readonly values: readonly string[] };

export type FormField = Kind & {
  /** The field's path in the request body of the API. */
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  /** The value of the HTML attribute `autocomplete`. */
  readonly autocomplete?: string;
  readonly isOptional?: boolean;
  /** The stored value is not shown, so an empty field does not clear it. */
  readonly isKeptWhenEmpty?: boolean;
  /** Checks a well-formed value. */
  readonly check?: (value: string) => string | undefined;
};

export type Typed = ReadonlyMap<string, string>;
export type Faults = ReadonlyMap<string, string>;
export type Value = string | number | readonly string[];

export interface ReadFields {
  /** Empty fields are absent. */
  readonly values: ReadonlyMap<string, Value>;
  readonly faults: Faults;
}

/** Parses all fields, or collects every fault. */
export function readFields(fields: readonly FormField[], typed: Typed): ReadFields {
  const values = new Map<string, Value>();
  const faults = new Map<string, string>();
  for (const field of fields) {
    const read = readField(field, typed);
    if (read === undefined) {
      if (field.isOptional !== true) faults.set(field.name, absent(field));
    } else if ("fault" in read) faults.set(field.name, read.fault);
    else values.set(field.name, read.value);
  }
  return { values, faults };
}

/** Checkboxes are named `<field>.<value>`, because a form may hold each name only once. */
export function checkboxName(field: string, value: string): string {
  return `${field}.${value}`;
}

type Read = { readonly value: Value } | { readonly fault: string } | undefined;

function readField(field: FormField, typed: Typed): Read {
  if (field.kind === "choices") {
    const ticked = field.values.filter((value) => typed.has(checkboxName(field.name, value)));
    return ticked.length === 0 ? undefined : { value: ticked };
  }
  const text = (typed.get(field.name) ?? "").trim();
  if (text === "") return undefined;
  const read = readText(field, text);
  const fault = "fault" in read ? read.fault : field.check?.(text);
  return fault === undefined ? read : { fault };
}

function readText(
  field: Exclude<FormField, { kind: "choices" }>,
  text: string,
): { readonly value: Value } | { readonly fault: string } {
  switch (field.kind) {
    case "text":
      return [...text].length <= field.longest
        ? { value: text }
        : { fault: `Use at most ${field.longest} characters.` };
    case "date":
      return isCalendarDate(text)
        ? { value: text }
        : { fault: "Enter a day that exists, as year-month-day, such as 1990-12-31." };
    case "country":
      return isCountryCode(text) ? { value: text } : { fault: "Choose a country of the list." };
    case "countries":
      return readCountries(text);
    case "percent":
      return /^\d{1,3}$/.test(text) && Number(text) <= 100
        ? { value: Number(text) }
        : { fault: "Enter a whole number from 0 to 100." };
    case "choice":
      return field.values.includes(text) ? { value: text } : { fault: "Choose one of the list." };
  }
}

const MOST_COUNTRIES = 300;

function readCountries(text: string) {
  const codes = [
    ...new Set(
      text
        .split(/[\s,;]+/)
        .filter(Boolean)
        .map(latinUpperCase),
    ),
  ];
  const isSound = codes.length <= MOST_COUNTRIES && codes.every(isCountryCode);
  if (isSound) return { value: codes };
  return { fault: "Enter two-letter country codes with commas between them, such as US, MX." };
}

/** Converts only Latin letters: `toUpperCase` turns a single ß into SS, which would be read as a country. */
function latinUpperCase(text: string): string {
  return /^[a-z]+$/i.test(text) ? text.toUpperCase() : text;
}

function absent({ kind, label }: FormField): string {
  switch (kind) {
    case "country":
    case "choice":
      return `Choose: ${label}.`;
    case "choices":
      return "Choose at least one.";
    case "text":
    case "date":
    case "countries":
    case "percent":
      return `Enter: ${label}.`;
  }
}

/** The entered values and their faults. */
export interface Filled {
  readonly typed: Typed;
  readonly faults: Faults;
}

export function renderFields(fields: readonly FormField[], filled: Filled): readonly Markup[] {
  const firstFault = fields.find(({ name }) => filled.faults.has(name))?.name;
  return fields.map((field) => renderField(field, filled, field.name === firstFault));
}

/** The list of faults, each linked to its field; empty when there are none. */
export function faultList(fields: readonly FormField[], { faults }: Filled): Markup {
  const items = fields.flatMap(({ name, label }) => {
    const fault = faults.get(name);
    if (fault === undefined) return [];
    // Some messages name the field already.
    const words = fault.includes(label) ? fault : `${label}: ${fault}`;
    return [html`<li><a href="#${idOf(name)}">${words}</a></li>`];
  });
  if (items.length === 0) return nothing;
  return html`<div class="notice" role="alert"><p><strong>Please correct this:</strong></p><ul>${items}</ul></div>`;
}

function idOf(name: string): string {
  return `f-${name.replaceAll(".", "-")}`;
}

function renderField(field: FormField, { typed, faults }: Filled, isFirstFault: boolean): Markup {
  const id = idOf(field.name);
  const fault = faults.get(field.name);
  const hint = hintOf(field);
  const notes = [
    ...(fault === undefined ? [] : [`${id}-error`]),
    ...(hint === undefined ? [] : [`${id}-hint`]),
  ];
  const words = html`${hint === undefined ? nothing : html`<p class="soft" id="${id}-hint">${hint}</p>`}
${fault === undefined ? nothing : html`<p class="error" id="${id}-error">${fault}</p>`}`;
  const label = html`${field.label}${field.isOptional === true ? " (optional)" : ""}`;
  const described = notes.length === 0 ? nothing : html` aria-describedby="${notes.join(" ")}"`;
  const state = html`${described}${fault === undefined ? nothing : html` aria-invalid="true"`}${isFirstFault ? html` autofocus` : nothing}`;
  if (field.kind === "choices") {
    return html`<fieldset id="${id}"${described}><legend>${label}</legend>${words}
${field.values.map((value) => box(field.name, value, typed))}</fieldset>`;
  }
  return html`<label for="${id}">${label}</label>
${words}${control(field, { id, given: typed.get(field.name) ?? "", state })}`;
}

function box(field: string, value: string, typed: Typed): Markup {
  const name = checkboxName(field, value);
  const id = idOf(name);
  return html`<p class="box"><input type="checkbox" id="${id}" name="${name}" value="on"${typed.has(name) ? html` checked` : nothing}>
<label for="${id}">${labelOf(value)}</label></p>`;
}

function hintOf({ kind, hint }: FormField): string | undefined {
  if (hint !== undefined) return hint;
  if (kind === "date") return "Year-month-day, such as 1990-12-31.";
  if (kind === "countries") return "Two-letter codes with commas between them, such as US, MX.";
  return undefined;
}

interface Control {
  readonly id: string;
  readonly given: string;
  readonly state: Markup;
}

function control(field: FormField, { id, given, state }: Control): Markup {
  const fill = html` autocomplete="${field.autocomplete ?? "off"}"`;
  const required = field.isOptional === true ? nothing : html` required`;
  if (field.kind === "country" || field.kind === "choice") {
    const options: readonly Option[] =
      field.kind === "country"
        ? countryOptions
        : field.values.map((value) => ({ value, words: labelOf(value) }));
    return html`<select id="${id}" name="${field.name}"${fill}${required}${state}>
<option value=""></option>${options.map((option) => optionMarkup(option, given))}</select>`;
  }
  const numeric = field.kind === "percent" ? html` inputmode="numeric"` : nothing;
  return html`<input type="text" id="${id}" name="${field.name}" value="${given}"${numeric}${fill}${required}${state} spellcheck="false">`;
}

function optionMarkup({ value, words }: Option, given: string): Markup {
  return html`<option value="${value}"${value === given ? html` selected` : nothing}>${words}</option>`;
}
