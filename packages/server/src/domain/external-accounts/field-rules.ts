/** What a text must look like. A pattern implies its length; `minLength` and `maxLength` count characters. */
export interface TextShape {
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly values?: readonly string[];
  readonly format?: TextFormat;
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

export function matching(pattern: string): TextShape {
  return { pattern };
}

export function oneOf(...values: readonly string[]): TextShape {
  return { values };
}

/** Text with a visible character: blanks alone are no name. */
export function filled(maxLength: number): TextShape {
  return { pattern: NOT_BLANK, minLength: 1, maxLength };
}

export const NOT_BLANK = "\\S";

/** Exactly so many digits, or a number of digits in a range. */
export function digits(least: number, most = least): TextShape {
  return matching(least === most ? `^[0-9]{${least}}$` : `^[0-9]{${least},${most}}$`);
}

export const NAME = filled(255);
/** Text for which no scheme defines a length; it is bounded nevertheless. */
export const FREE_TEXT: TextShape = { maxLength: 255 };
export const ACCOUNT_NUMBER = filled(34);
export const SWIFT_CODE = matching("^[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$");
export const ANY_IBAN = matching("^[A-Z]{2}[0-9]{2}[A-Za-z0-9]{11,30}$");
export const PHONE = matching("^\\+[0-9]{6,14}$");
export const COUNTRY: TextShape = { pattern: "^[A-Z]{2}$", format: "iso3166-1-alpha-2" };
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
