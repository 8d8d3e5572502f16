/** Rates in the JSON document of an `HTTP` source. The digits of its numbers are kept: no value goes through a floating-point number. */
import type { ObservedValue } from "../domain/prices/rate-sources/observed-rates.ts";
import type { ReadDocument } from "../domain/prices/rate-sources/rate-documents.port.ts";
import type { SourceSettings } from "../domain/prices/rate-sources/rate-source.ts";
import { isDateTime } from "../validation/formats.ts";
import { textsAt } from "./json-digits.ts";

/** A JSON pointer: reference tokens after slashes, in which `~0` is a tilde and `~1` a slash. */
export const POINTER = "^(?:/(?:[^~/]|~[01])*)+$";

export function readJsonRates(
  text: string,
  { pairs = [], asOfPointer }: SourceSettings,
  digest: string,
): ReadDocument {
  if (!isSound(text)) {
    return { kind: "failed", code: "NOT_JSON", message: "The document is no JSON." };
  }
  const pointers = pairs.map(({ pointer }) => pointer);
  const texts = textsAt(text, asOfPointer === undefined ? pointers : [...pointers, asOfPointer]);
  const asOf = asOfPointer === undefined ? null : momentOf(texts.get(asOfPointer));
  if (asOf === undefined) {
    const message = `What stands at ${asOfPointer} is no time: a date and time with its zone, or seconds or milliseconds since 1970.`;
    return { kind: "failed", code: "AS_OF", message };
  }
  const values = pairs.map(({ base, quote, pointer, invert = false }): ObservedValue => {
    const value = texts.get(pointer);
    return invert ? { base: quote, quote: base, value } : { base, quote, value };
  });
  return { kind: "values", asOf, digest, values };
}

function isSound(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** In milliseconds. A whole number of up to eleven digits counts seconds, a longer one milliseconds. */
function momentOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (isDateTime(text)) return Date.parse(text.toUpperCase());
  const [, digits = ""] = /^([0-9]{1,13})(?:\.[0-9]{1,9})?$/.exec(text) ?? [];
  if (digits === "") return undefined;
  return digits.length <= 11 ? Number(digits) * 1_000 : Number(digits);
}
