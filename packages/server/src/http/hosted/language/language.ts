/** What a page says in one language: texts, names, dates and amounts. */
import { getCurrency } from "../../../money/currency.ts";
import type { Money } from "../../../money/money.ts";
import { present } from "../../../std/assert.ts";
import { html, type Markup } from "../markup.ts";
import type { Catalogue, TextKey } from "./catalogue.ts";
import { type CountryNames, countryNames } from "./country-names.ts";

/** Values for the placeholders `{name}` of a text. Numbers are formatted in the language; `count` chooses the plural. */
type Values = Readonly<Record<string, string | number>>;

export interface Language {
  readonly tag: string;
  readonly countries: CountryNames;
  /** January to December. */
  readonly months: readonly string[];
  text(key: TextKey, values?: Values): string;
  /** The text as markup; its placeholders may take markup. */
  markup(key: TextKey, values: Readonly<Record<string, Markup | string>>): Markup;
  /** The label of a value that people choose from a list. */
  label(value: string): string;
  amount(money: Money): string;
  /** A moment, in UTC. */
  moment(at: number): string;
  /** `a, b or c`. */
  anyOf(items: readonly string[]): string;
}

/** `region` is a country code or 419, by which numbers and dates are written; undefined for the language's own. */
export function createLanguage(catalogue: Catalogue, region: string | undefined): Language {
  const { tag, texts, labels } = catalogue;
  const locale = region === undefined ? tag : `${tag}-${region}`;
  const number = (value: number) => new Intl.NumberFormat(locale).format(value);

  function template(key: TextKey, count: number | undefined): string {
    const entry = texts[key];
    if (typeof entry === "string") return entry;
    const isOne = count !== undefined && new Intl.PluralRules(tag).select(count) === "one";
    return isOne ? entry.one : entry.other;
  }

  return {
    tag,
    countries: countryNames(catalogue),
    get months() {
      const names = new Intl.DateTimeFormat(locale, { month: "long", timeZone: "UTC" });
      return Array.from({ length: 12 }, (_, month) => names.format(Date.UTC(2000, month, 1)));
    },
    text(key, values = {}) {
      const count = values.count;
      return filled(template(key, typeof count === "number" ? count : undefined), (name) => {
        const value = present(values[name], `the value of ${name} in ${key}`);
        return typeof value === "number" ? number(value) : value;
      });
    },
    markup(key, values) {
      const parts = template(key, undefined).split(PLACE);
      return html`${parts.map((part, index) => {
        // Every second part is the name of a placeholder.
        const shown =
          index % 2 === 0 ? part : present(values[part], `the value of ${part} in ${key}`);
        return typeof shown === "string" ? html`${shown}` : shown;
      })}`;
    },
    label: (value) =>
      present(
        Object.hasOwn(labels, value) ? labels[value as keyof typeof labels] : undefined,
        `a label of ${value}`,
      ),
    amount({ minor, currency }) {
      const { decimals } = getCurrency(currency);
      const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
      const written = new Intl.NumberFormat(locale, digits).format(
        toDecimal(minor, decimals) as `${number}`,
      );
      return `${written} ${currency}`;
    },
    moment: (at) =>
      new Intl.DateTimeFormat(locale, {
        year: "numeric",
        month: "long",
        day: "numeric",
        hour: "2-digit",
        minute: "2-digit",
        hourCycle: "h23",
        timeZone: "UTC",
        timeZoneName: "short",
      }).format(at),
    anyOf: (items) => new Intl.ListFormat(tag, { type: "disjunction" }).format(items),
  };
}

const PLACE = /\{(\w+)\}/;

function filled(text: string, toValue: (name: string) => string): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => toValue(name));
}

/** Decimal text, which `Intl.NumberFormat` formats without rounding. */
function toDecimal(minor: bigint, decimals: number): string {
  const digits = (minor < 0n ? -minor : minor).toString().padStart(decimals + 1, "0");
  const at = digits.length - decimals;
  return `${minor < 0n ? "-" : ""}${digits.slice(0, at)}.${digits.slice(at)}`;
}
