/** What a text must look like. A pattern implies its length; `minLength` and `maxLength` count characters. */
export interface TextShape {
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly values?: readonly string[];
  readonly format?: TextFormat;
  /** The complaint about a text that does not match the pattern. */
  readonly complaint?: string;
  /** Spaces and hyphens are accepted and removed; the pattern applies to what remains. */
  readonly isSpaced?: true;
}

export type TextFormat = "date" | "email" | "iso3166-1-alpha-2";

export type FieldRule = TextField | ObjectField;

export interface TextField extends TextShape {
  readonly kind: "text";
  readonly name: string;
  readonly required: boolean;
}

export interface ObjectField {
  readonly kind: "object";
  readonly name: string;
  readonly required: boolean;
  readonly fields: readonly FieldRule[];
}

export function needed(name: string, shape: TextShape = NAME): TextField {
  return { kind: "text", name, required: true, ...shape };
}

export function optional(name: string, shape: TextShape = FREE_TEXT): TextField {
  return { kind: "text", name, required: false, ...shape };
}

/** The same field, required. */
export function asNeeded(rule: FieldRule): FieldRule {
  return { ...rule, required: true };
}

export function matching(pattern: string, complaint: string): TextShape {
  return { pattern, complaint };
}

/** Text that people write in groups: accepted with spaces and hyphens, stored without them. */
export function spaced(shape: TextShape): TextShape {
  return { ...shape, isSpaced: true };
}

/** The pattern, with spaces and hyphens also allowed before, between and after its characters. */
export function spacedPattern(pattern: string): string {
  const characters = pattern.slice(1, -1).matchAll(/(\[[^\]]+\]|\\.|.)(\{[\d,]+\})?/g);
  const parts = [...characters].map(([, character = "", count = ""]) =>
    count === "" ? `${character}[ -]*` : `(?:${character}[ -]*)${count}`,
  );
  return `^[ -]*${parts.join("")}$`;
}

export function oneOf(...values: readonly string[]): TextShape {
  return { values };
}

/** Text with a visible character: blanks alone are no name. */
export function filled(maxLength: number): TextShape {
  return { pattern: NOT_BLANK, minLength: 1, maxLength };
}

export const NOT_BLANK = "\\S";

/** Text of `least` to `most` digits; of exactly `least` when `most` is absent. */
export function digits(least: number, most = least): TextShape {
  if (least === most) return matching(`^[0-9]{${least}}$`, `must be ${least} digits`);
  return matching(`^[0-9]{${least},${most}}$`, `must be ${least} to ${most} digits`);
}

export const NAME = filled(255);
/** Text for which no scheme defines a length; it is bounded nevertheless. */
export const FREE_TEXT: TextShape = { maxLength: 255 };
export const ACCOUNT_NUMBER = filled(34);
export const SWIFT_CODE = matching(
  "^[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$",
  "must be a SWIFT code of 8 or 11 capital letters and digits, such as DEUTDEFF",
);
export const ANY_IBAN = spaced(
  matching(
    "^[A-Z]{2}[0-9]{2}[A-Za-z0-9]{11,30}$",
    "must be an IBAN: a country in two capital letters, two check digits, then 11 to 30 letters and digits",
  ),
);
/** An IBAN of a country whose account numbers consist of digits only. */
export function ibanOf(country: string, count: number): TextShape {
  const complaint = `must be an IBAN of ${country}: ${country} and ${count} digits`;
  return spaced(matching(`^${country}[0-9]{${count}}$`, complaint));
}

export const PHONE = spaced(
  matching("^\\+[0-9]{6,14}$", "must be + and 6 to 14 digits, such as +14155550123"),
);
export const COUNTRY: TextShape = {
  pattern: "^[A-Z]{2}$",
  complaint: "must be a country code of two capital letters",
  format: "iso3166-1-alpha-2",
};
export const BANK_ACCOUNT_KIND = oneOf("CHECKING", "SAVINGS");

export const ADDRESS: ObjectField = {
  kind: "object",
  name: "address",
  required: false,
  fields: [
    needed("line1"),
    optional("line2"),
    optional("city"),
    optional("state"),
    needed("postalCode"),
    needed("country", COUNTRY),
  ],
};
