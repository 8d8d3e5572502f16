import type { FieldError } from "../../../engine/refusal.ts";
import { isCalendarDate } from "../../../std/calendar/calendar-date.ts";
import { isCountryCode } from "../../../std/countries.ts";
import { isEmailAddress } from "../../../std/email-address.ts";
import { isJsonObject, type JsonObject } from "../../../std/json.ts";
import {
  type FieldRule,
  NOT_BLANK,
  type TextField,
  type TextFormat,
  type TextShape,
} from "./field-rules.ts";

export type Report = (error: FieldError) => void;

/**
 * Validates the fields that the rules name, reports every fault, and returns the valid fields. Other members are dropped;
 * only own properties are read.
 */
export function checkFields(
  input: JsonObject,
  { rules, path }: { readonly rules: readonly FieldRule[]; readonly path: string },
  report: Report,
): JsonObject {
  const sound: [name: string, value: string | JsonObject][] = [];
  for (const rule of rules) {
    const field = `${path}.${rule.name}`;
    const value = memberOf(input, rule.name);
    if (value === undefined) {
      if (rule.required) report(missing(field, rule));
      continue;
    }
    const checked = checkField(value, { rule, field }, report);
    if (checked !== undefined) sound.push([rule.name, checked]);
  }
  return Object.fromEntries(sound);
}

function checkField(
  value: unknown,
  { rule, field }: { readonly rule: FieldRule; readonly field: string },
  report: Report,
): string | JsonObject | undefined {
  if (rule.kind === "object") {
    if (isJsonObject(value)) return checkFields(value, { rules: rule.fields, path: field }, report);
    report({ field, message: "must be an object" });
    return undefined;
  }
  if (typeof value !== "string") {
    report({ field, message: "must be a string", ...withConstraint(rule) });
    return undefined;
  }
  const text = rule.isSpaced === true ? value.replace(/[ -]/g, "") : value;
  const message = faultOf(text, rule);
  if (message === undefined) return text;
  report({ field, message, ...withConstraint(rule) });
  return undefined;
}

/** The fault of a text as a message; undefined when it is valid. */
function faultOf(value: string, shape: TextShape): string | undefined {
  if (UNPRINTABLE.test(value)) return "must not contain control characters";
  const { pattern, complaint, values, format } = shape;
  const { minLength = 0, maxLength = Number.MAX_SAFE_INTEGER } = shape;
  const length = charactersIn(value);
  if (length < minLength || length > maxLength) return lengthMessage(minLength, maxLength);
  if (pattern !== undefined && !compiled(pattern).test(value)) {
    return complaint ?? (pattern === NOT_BLANK ? "must not be blank" : FORM_UNKNOWN);
  }
  if (values !== undefined && !values.includes(value)) {
    return `must be one of ${values.join(", ")}`;
  }
  return format === undefined ? undefined : formatFault(value, format);
}

function formatFault(text: string, format: TextFormat): string | undefined {
  switch (format) {
    case "date":
      return isCalendarDate(text) ? undefined : "must be a calendar date, YYYY-MM-DD";
    case "email":
      return isEmailAddress(text) ? undefined : "must be an email address";
    case "iso3166-1-alpha-2":
      return isCountryCode(text) ? undefined : "must be a country code of two capital letters";
  }
}

function missing(field: string, rule: FieldRule): FieldError {
  return { field, message: "is required", ...(rule.kind === "text" ? withConstraint(rule) : {}) };
}

function withConstraint(rule: TextField): { readonly constraint?: JsonObject } {
  const { pattern, minLength, maxLength, values, format } = rule;
  const demands = { format, pattern, enum: values, minLength, maxLength };
  const stated = Object.entries(demands).filter(([, demand]) => demand !== undefined);
  return stated.length === 0 ? {} : { constraint: Object.fromEntries(stated) as JsonObject };
}

/** An object's own member; undefined when there is none, so an inherited name such as `constructor` never counts. */
export function memberOf(input: JsonObject, name: string): unknown {
  return Object.hasOwn(input, name) ? input[name] : undefined;
}

/** Control characters, which a database text cannot always hold, and halves of surrogate pairs, which are no text. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;

/** Characters as JSON Schema counts them: a surrogate pair is one. */
function charactersIn(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

function lengthMessage(least: number, most: number): string {
  if (least === most) return `must be ${most} characters long`;
  return least === 0
    ? `must be at most ${most} characters long`
    : `must be ${least} to ${most} characters long`;
}

const FORM_UNKNOWN = "does not have the required form";

const patterns = new Map<string, RegExp>();

function compiled(pattern: string): RegExp {
  const known = patterns.get(pattern);
  if (known !== undefined) return known;
  const fresh = new RegExp(pattern, "u");
  patterns.set(pattern, fresh);
  return fresh;
}
