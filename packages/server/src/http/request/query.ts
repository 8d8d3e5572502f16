import type { TSchema } from "typebox";
import { type FieldError, Refusal } from "../../engine/refusal.ts";
import { badText, isBadText } from "../../validation/json-body.ts";
import { propertiesOf } from "../../validation/schema.ts";

/**
 * Parses a query string into the value that the schema describes. Text that cannot be converted stays text and fails
 * the schema.
 */
export type QueryReader = (url: string) => ReadQuery;

export interface ReadQuery {
  readonly value: Readonly<Record<string, unknown>>;
  /** Faults that the schema cannot see: repeated parameters and text with control characters. */
  readonly errors: readonly FieldError[];
}

type Kind = "text" | "integer" | "number" | "boolean";

interface Parameter {
  readonly kind: Kind;
  readonly repeatable: boolean;
}

/** Ignores parameters that are not in the schema. A parameter that is not a list must occur once. */
export function createQueryReader(schema: TSchema): QueryReader {
  const parameters = new Map<string, Parameter>();
  for (const [name, property] of Object.entries(propertiesOf(schema))) {
    parameters.set(name, toParameter(property));
  }
  return (url) => {
    const query: Record<string, unknown> = {};
    const errors: FieldError[] = [];
    const mark = url.indexOf("?");
    if (mark === -1) return { value: query, errors };
    for (const pair of url.slice(mark + 1).split("&")) {
      const equals = pair.indexOf("=");
      const name = decode(equals === -1 ? pair : pair.slice(0, equals));
      const parameter = parameters.get(name);
      if (parameter === undefined) continue;
      const text = decode(equals === -1 ? "" : pair.slice(equals + 1));
      if (isBadText(text)) addOnce(errors, badText(name));
      add(query, { name, value: toValue(parameter.kind, text), parameter }, errors);
    }
    return { value: query, errors };
  };
}

function add(
  query: Record<string, unknown>,
  { name, value, parameter }: { name: string; value: unknown; parameter: Parameter },
  errors: FieldError[],
): void {
  if (parameter.repeatable) {
    const values = query[name];
    if (Array.isArray(values)) values.push(value);
    else query[name] = [value];
  } else if (Object.hasOwn(query, name)) {
    addOnce(errors, { field: name, message: "must not be given more than once" });
  } else {
    query[name] = value;
  }
}

/** One fault per parameter, however often it was sent, so that the number of faults is bounded by the schema. */
function addOnce(errors: FieldError[], fault: FieldError): void {
  if (!errors.some(({ field }) => field === fault.field)) errors.push(fault);
}

function toParameter(property: TSchema): Parameter {
  const { type, items } = property as { readonly type?: unknown; readonly items?: TSchema };
  if (type === "array" && items !== undefined) {
    return { kind: toParameter(items).kind, repeatable: true };
  }
  if (type === "integer" || type === "number" || type === "boolean") {
    return { kind: type, repeatable: false };
  }
  return { kind: "text", repeatable: false };
}

/** As many digits as a number can have; the schema limits the value. */
const INTEGER = /^(?:0|-?[1-9][0-9]{0,307})$/;
const DECIMAL = /^-?(?:0|[1-9][0-9]{0,15})(?:\.[0-9]{1,15})?$/;

function toValue(kind: Kind, text: string): unknown {
  switch (kind) {
    case "text":
      return text;
    case "integer":
      return INTEGER.test(text) ? Number(text) : text;
    case "number":
      return DECIMAL.test(text) ? Number(text) : text;
    case "boolean":
      return text === "true" ? true : text === "false" ? false : text;
  }
}

function decode(text: string): string {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
  if (!spaced.includes("%")) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    throw new Refusal(
      "INVALID_REQUEST_FORMAT",
      undefined,
      "The query is not correctly percent-encoded.",
    );
  }
}
