/**
 * Parses the text of a request body.
 *
 * `JSON.parse` accepts too much: it has no bounds, it keeps the last of two equal keys, and it turns `1e2` and
 * `9000000000000000.4` into whole numbers. So the text is scanned first (json-scan.ts), then parsed, then the members of the
 * value are counted: fewer members than in the text mean a duplicate key.
 */
import { isUtf8 } from "node:buffer";
import { type FieldError, invalidFields, Refusal } from "../engine/refusal.ts";
import type { JsonObject } from "../std/json.ts";
import { findJsonFault } from "./json-fault.ts";
import { type JsonScan, scanJson } from "./json-scan.ts";

const MAX_DEPTH = 32;

export interface ParsedBody {
  readonly value: unknown;
  /** The value with all names that were sent, reserved ones too. Used for the digest of the request, and to report the ignored fields. */
  readonly sent: unknown;
  /**
   * The value with 0.5 in place of every whole number that was not written as plain digits, so that it fails where the
   * schema requires an integer. Undefined when there is no such number, which is the usual case.
   */
  readonly strict: unknown;
  /** The fields whose text PostgreSQL cannot store; they are reported with the other field errors. */
  readonly badTexts: readonly FieldError[];
}

export function parseJsonBody(bytes: Buffer): ParsedBody {
  if (!isUtf8(bytes)) throw unreadable("The body is not valid UTF-8.");
  const text = bytes.toString("utf8");
  const scan = scanJson(text, MAX_DEPTH);
  if (scan.tooDeep) throw unreadable(`The body is nested more than ${MAX_DEPTH} levels deep.`);
  const value = parse(text);
  const found: Found = { members: 0, reservedNames: false };
  walk(value, found);
  if (found.members !== scan.members) throw unreadable("The body names a field twice.");
  return {
    value,
    sent: found.reservedNames ? parse(text) : value,
    strict: scan.unplainNumbers.length === 0 ? undefined : toStrict(text, scan),
    badTexts: scan.escapes ? badTextsIn(value) : NONE,
  };
}

const NONE: readonly FieldError[] = [];

/** For a body without a schema: only unstorable text refuses it. */
export function parseStorableJson(bytes: Buffer): Pick<ParsedBody, "value" | "strict"> {
  const { value, strict, badTexts } = parseJsonBody(bytes);
  if (badTexts.length > 0) throw invalidFields(badTexts);
  return { value, strict };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const { line, column, isAtEnd } = findJsonFault(text);
    const place = `line ${line}, column ${column}`;
    throw unreadable(
      isAtEnd
        ? `The body is not valid JSON: it ends too early, at ${place}.`
        : `The body is not valid JSON at ${place}.`,
      { line, column },
    );
  }
}

interface Found {
  members: number;
  reservedNames: boolean;
}

/** Names that have a meaning in JavaScript. */
export function isReservedName(name: string): boolean {
  return name === "__proto__" || name === "constructor";
}

/** Counts the members of all objects and removes those with a reserved name. */
function walk(value: unknown, found: Found): void {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) walk(item, found);
    return;
  }
  const members = value as Record<string, unknown>;
  for (const key of Object.keys(members)) {
    found.members += 1;
    walk(members[key], found);
    if (isReservedName(key)) {
      delete members[key];
      found.reservedNames = true;
    }
  }
}

function badTextsIn(value: unknown): readonly FieldError[] {
  const errors: FieldError[] = [];
  collectBadText(value, "", errors);
  return errors;
}

/** The maximum number of fields in one answer. */
export const MAX_ERRORS = 100;

function collectBadText(value: unknown, field: string, errors: FieldError[]): void {
  if (errors.length >= MAX_ERRORS) return;
  if (typeof value === "string") {
    if (isBadText(value)) errors.push(badText(field));
  } else if (typeof value === "object" && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      if (isBadText(key)) errors.push(badText(field));
      else collectBadText(member, field === "" ? key : `${field}.${key}`, errors);
    }
  }
}

/** The error for a text with characters that cannot be stored. */
export function badText(field: string): FieldError {
  return {
    field: field === "" ? "body" : clip(field),
    message: "must not contain control characters or broken surrogate pairs",
  };
}

const MAX_FIELD_LENGTH = 200;

/** A field's path may consist of names that the caller chose; an answer repeats only a bounded part of it. */
export function clip(field: string): string {
  return field.length <= MAX_FIELD_LENGTH ? field : `${field.slice(0, MAX_FIELD_LENGTH)}…`;
}

/** Control characters (tab and line ends aside) and lone surrogates: PostgreSQL and many receivers refuse them. */
export function isBadText(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d) return true;
    if (code < 0xd800 || code > 0xdfff) continue;
    const next = text.charCodeAt(index + 1);
    if (code > 0xdbff || !(next >= 0xdc00 && next <= 0xdfff)) return true;
    index += 1;
  }
  return false;
}

function toStrict(text: string, { unplainNumbers }: JsonScan): unknown {
  let strict = "";
  let from = 0;
  for (let index = 0; index < unplainNumbers.length; index += 2) {
    const start = unplainNumbers[index] ?? 0;
    const end = unplainNumbers[index + 1] ?? 0;
    if (!Number.isInteger(Number(text.slice(start, end)))) continue;
    strict += `${text.slice(from, start)}0.5`;
    from = end;
  }
  return from === 0 ? undefined : JSON.parse(strict + text.slice(from));
}

function unreadable(message: string, details?: JsonObject): Refusal {
  return new Refusal("INVALID_REQUEST_FORMAT", details, message);
}
