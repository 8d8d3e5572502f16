/** Rates in the JSON document of an `HTTP` source. The digits of its numbers are kept: no value goes through a floating-point number. */
import type { ObservedValue } from "../../domain/rate-sources/observed-rates.ts";
import type { ReadDocument } from "../../domain/rate-sources/rate-documents.port.ts";
import type { SourceSettings } from "../../domain/rate-sources/rate-source.ts";
import type { Json } from "../../std/json.ts";
import { isDateTime } from "../../validation/formats.ts";

/** A JSON pointer: reference tokens after slashes, in which `~0` is a tilde and `~1` a slash. */
export const POINTER = "^(?:/(?:[^~/]|~[01])*)+$";

export function readJsonRates(
  text: string,
  { pairs = [], asOfPointer }: SourceSettings,
  digest: string,
): ReadDocument {
  const document = parseWithNumbersAsText(text);
  if (document === undefined) {
    return { kind: "failed", code: "NOT_JSON", message: "The document is no JSON." };
  }
  const asOf = asOfPointer === undefined ? null : momentOf(textAt(document, asOfPointer));
  if (asOf === undefined) {
    const message = `What stands at ${asOfPointer} is no time: a date and time with its zone, or seconds or milliseconds since 1970.`;
    return { kind: "failed", code: "AS_OF", message };
  }
  const values = pairs.map(({ base, quote, pointer, invert = false }): ObservedValue => {
    const value = textAt(document, pointer);
    return invert ? { base: quote, quote: base, value } : { base, quote, value };
  });
  return { kind: "values", asOf, digest, values };
}

/** A string, or a number outside of strings. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?[0-9][0-9.eE+-]*/g;

/** The document, in which every number is a string of its digits; undefined when it is no JSON. */
function parseWithNumbersAsText(text: string): Json | undefined {
  try {
    // In sound JSON digits stand in strings and numbers alone, so the tokens are those of the grammar.
    JSON.parse(text);
    return JSON.parse(text.replace(TOKEN, (token) => (token[0] === '"' ? token : `"${token}"`)));
  } catch {
    return undefined;
  }
}

/** The text or number at a pointer; undefined for anything else. */
function textAt(document: Json, pointer: string): string | undefined {
  let value: Json | undefined = document;
  for (const token of pointer.split("/").slice(1)) {
    value = memberOf(value, token.replaceAll("~1", "/").replaceAll("~0", "~"));
    if (value === undefined) return undefined;
  }
  return typeof value === "string" ? value : undefined;
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  if (Array.isArray(value))
    return /^(?:0|[1-9][0-9]{0,6})$/.test(name) ? value[Number(name)] : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  return Object.hasOwn(value, name) ? (value as { readonly [key: string]: Json })[name] : undefined;
}

/** In milliseconds. A whole number of up to eleven digits counts seconds, a longer one milliseconds. */
function momentOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (isDateTime(text)) return Date.parse(text.toUpperCase());
  const [, digits = ""] = /^([0-9]{1,13})(?:\.[0-9]{1,9})?$/.exec(text) ?? [];
  if (digits === "") return undefined;
  return digits.length <= 11 ? Number(digits) * 1_000 : Number(digits);
}
