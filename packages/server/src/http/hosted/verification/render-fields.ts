/** The fields of the verification forms as markup: label, hint, fault and control of each. */
import type { Option } from "../language/country-names.ts";
import type { Language } from "../language/language.ts";
import { html, type Markup, nothing } from "../markup.ts";
import {
  checkboxName,
  countryName,
  DATE_PARTS,
  datePartName,
  dateParts,
  type Faults,
  type FormField,
  MOST_COUNTRIES,
  type Typed,
  typedCountries,
} from "./form-fields.ts";

/** The entered values and their faults. */
export interface Filled {
  readonly typed: Typed;
  readonly faults: Faults;
}

export function renderFields(
  fields: readonly FormField[],
  filled: Filled,
  language: Language,
): readonly Markup[] {
  const firstFault = fields.find(({ name }) => filled.faults.has(name))?.name;
  const names = fields.some(({ kind }) => kind === "countries") ? [countryList(language)] : [];
  return [
    ...fields.map((field) =>
      renderField(field, filled, { language, isFirstFault: field.name === firstFault }),
    ),
    ...names,
  ];
}

/** The list of faults, each linked to its field; empty when there are none. */
export function faultList(
  fields: readonly Pick<FormField, "name" | "label" | "kind">[],
  { faults }: Pick<Filled, "faults">,
  language: Language,
): Markup {
  const items = fields.flatMap((field) => {
    const text = faults.get(field.name);
    if (text === undefined) return [];
    const label = language.text(field.label);
    // Some messages name the field already.
    const words = text.includes(label) ? text : language.text("labelled", { label, text });
    return [html`<li><a href="#${firstControl(field)}">${words}</a></li>`];
  });
  if (items.length === 0) return nothing;
  return html`<div class="notice bad" role="alert"><p><strong>${language.text("pleaseCorrect")}</strong></p><ul>${items}</ul></div>`;
}

function idOf(name: string): string {
  return `f-${name.replaceAll(".", "-")}`;
}

/** The control to which the message about a fault links. */
function firstControl({ name, kind }: Pick<FormField, "name" | "kind">): string {
  if (kind === "date") return idOf(datePartName(name, "day"));
  return idOf(kind === "countries" ? countryName(name, 1) : name);
}

interface Place {
  readonly language: Language;
  readonly isFirstFault: boolean;
}

function renderField(field: FormField, filled: Filled, place: Place): Markup {
  const { language, isFirstFault } = place;
  const id = idOf(field.name);
  const fault = filled.faults.get(field.name);
  const label =
    field.isOptional === true
      ? language.text("optional", { label: language.text(field.label) })
      : language.text(field.label);
  const notes = [
    ...(field.hint === undefined ? [] : [`${id}-hint`]),
    ...(fault === undefined ? [] : [`${id}-error`]),
  ];
  const words = html`${field.hint === undefined ? nothing : html`<p class="hint" id="${id}-hint">${language.text(field.hint)}</p>`}
${fault === undefined ? nothing : html`<p class="error" id="${id}-error">${fault}</p>`}`;
  const described = notes.length === 0 ? nothing : html` aria-describedby="${notes.join(" ")}"`;
  const faulty = fault === undefined ? nothing : html` aria-invalid="true"`;
  const focus = isFirstFault ? html` autofocus` : nothing;
  if (isGroup(field)) {
    const controls = groupControls(field, filled.typed, { language, state: faulty, focus });
    return html`<fieldset id="${id}"${described}><legend>${label}</legend>${words}
${controls}</fieldset>`;
  }
  const given = filled.typed.get(field.name) ?? "";
  const state = html`${described}${faulty}${focus}`;
  return html`<div class="field"><label for="${id}">${label}</label>
${words}${control(field, { id, given, state, language })}</div>`;
}

type Group = Extract<FormField, { kind: "choices" | "date" | "countries" }>;

function isGroup(field: FormField): field is Group {
  return field.kind === "choices" || field.kind === "date" || field.kind === "countries";
}

interface GroupPlace {
  readonly language: Language;
  /** Attributes of every control in the group. */
  readonly state: Markup;
  /** Attributes of the first control only. */
  readonly focus: Markup;
}

function groupControls(field: Group, typed: Typed, place: GroupPlace): Markup {
  switch (field.kind) {
    case "choices":
      return html`${field.values.map((value) => box(field.name, value, { typed, language: place.language }))}`;
    case "date":
      return dateControls(field, typed, place);
    case "countries":
      return countryControls(field, typed, place);
  }
}

function box(
  field: string,
  value: string,
  { typed, language }: { readonly typed: Typed; readonly language: Language },
): Markup {
  const name = checkboxName(field, value);
  const id = idOf(name);
  return html`<p class="box"><input type="checkbox" id="${id}" name="${name}" value="on"${typed.has(name) ? html` checked` : nothing}>
<label for="${id}">${language.label(value)}</label></p>`;
}

/** A day, a month by name, and a year. */
function dateControls(field: Group, typed: Typed, { language, state, focus }: GroupPlace): Markup {
  const given = dateParts(field.name, typed);
  const required = field.isOptional === true ? nothing : html` required`;
  const months = language.months.map((words, index) => ({ value: String(index + 1), words }));
  const parts = DATE_PARTS.map((part) => {
    const name = datePartName(field.name, part);
    const id = idOf(name);
    const fill = html` autocomplete="${field.autocomplete === undefined ? "off" : `${field.autocomplete}-${part}`}"`;
    const attributes = html`${fill}${required}${state}${part === "day" ? focus : nothing}`;
    const input =
      part === "month"
        ? select({ id, name, options: months, given: given.month, attributes })
        : html`<input type="text" id="${id}" name="${name}" value="${given[part]}" inputmode="numeric" maxlength="${part === "day" ? 2 : 4}"${attributes}>`;
    return html`<div class="part ${part}"><label for="${id}">${language.text(part)}</label>${input}</div>`;
  });
  return html`<div class="date">${parts}</div>`;
}

const COUNTRY_LIST = "countries";
/** The number of country fields that a form begins with, and that its button adds. */
const COUNTRY_FIELDS = 3;

/** A first submit button, which the Enter key presses. Without it, Enter would press the button that adds countries. */
export function defaultButton(fields: readonly FormField[], words: string): Markup {
  if (!fields.some(({ kind }) => kind === "countries")) return nothing;
  return html`<button type="submit" class="hidden" tabindex="-1" aria-hidden="true">${words}</button>`;
}

/** The name of the button that adds fields to the form instead of sending it. */
export const MORE_COUNTRIES = "more-countries";

function countryControls(
  field: Group,
  typed: Typed,
  { language, state, focus }: GroupPlace,
): Markup {
  const given = typedCountries(field.name, typed, language);
  const wanted = typed.has(MORE_COUNTRIES) ? given.length + COUNTRY_FIELDS : given.length + 1;
  const count = Math.min(MOST_COUNTRIES, Math.max(COUNTRY_FIELDS, wanted));
  const isGrown = typed.has(MORE_COUNTRIES);
  const focused = isGrown ? given.indexOf("") : 0;
  const at = focused === -1 ? given.length : focused;
  const fields = Array.from({ length: count }, (_, index) => {
    const name = countryName(field.name, index + 1);
    const id = idOf(name);
    const label = language.text("country", { number: index + 1 });
    return html`<p class="country"><label class="hidden" for="${id}">${label}</label>
<input type="text" id="${id}" name="${name}" value="${given[index] ?? ""}" list="${COUNTRY_LIST}" autocomplete="off" spellcheck="false"${state}${index === at ? (isGrown ? html` autofocus` : focus) : nothing}></p>`;
  });
  if (count === MOST_COUNTRIES) return html`${fields}`;
  return html`${fields}
<p><button type="submit" class="second" name="${MORE_COUNTRIES}" value="1" formnovalidate>${language.text("moreCountries")}</button></p>`;
}

function countryList({ countries }: Language): Markup {
  return html`<datalist id="${COUNTRY_LIST}">${countries.options.map(({ words }) => html`<option value="${words}"></option>`)}</datalist>`;
}

interface Control {
  readonly id: string;
  readonly given: string;
  readonly state: Markup;
  readonly language: Language;
}

function control(
  field: Exclude<FormField, Group>,
  { id, given, state, language }: Control,
): Markup {
  const fill = html` autocomplete="${field.autocomplete ?? "off"}"`;
  const required = field.isOptional === true ? nothing : html` required`;
  const attributes = html`${fill}${required}${state}`;
  const { name } = field;
  if (field.kind === "country") {
    return select({ id, name, options: language.countries.options, given, attributes });
  }
  if (field.kind === "choice") {
    const options = field.values.map((value) => ({ value, words: language.label(value) }));
    return select({ id, name, options, given, attributes });
  }
  const numeric = field.kind === "percent" ? html` inputmode="numeric" class="short"` : nothing;
  return html`<input type="text" id="${id}" name="${name}" value="${given}"${numeric}${attributes} spellcheck="false">`;
}

function select(of: {
  readonly id: string;
  readonly name: string;
  readonly options: readonly Option[];
  readonly given: string;
  readonly attributes: Markup;
}): Markup {
  const options = of.options.map(
    ({ value, words }) =>
      html`<option value="${value}"${value === of.given ? html` selected` : nothing}>${words}</option>`,
  );
  return html`<select id="${of.id}" name="${of.name}"${of.attributes}>
<option value=""></option>${options}</select>`;
}
