import type { TSchema } from "typebox";
import { type FieldError, Refusal } from "../../engine/refusal.ts";
import { badText, clip, isBadText } from "../../validation/json-body.ts";
import { nearestName } from "../../validation/nearest-name.ts";
import { propertiesOf } from "../../validation/schema.ts";

/**
 * Parses a query string into the value that the schema describes. Text that cannot be converted stays text and fails
 * the schema.
 */
export type QueryReader = (url: string) => ReadQuery;

export interface ReadQuery {
  readonly value: Readonly<Record<string, unknown>>;
  /** Faults that the schema cannot see: unknown and repeated parameters, and text with control characters. */
  readonly errors: readonly FieldError[];
}

type Kind = "text" | "integer" | "number" | "boolean" | "members";

interface Parameter {
  readonly kind: Kind;
  readonly repeatable: boolean;
}

/**
 * A parameter that the schema does not name is an error, because an ignored filter answers another question. A list may be
 * repeated or separated by commas; any other parameter must come once. Without a schema every parameter is unknown.
 */
export function createQueryReader(schema?: TSchema): QueryReader {
  const parameters = new Map<string, Parameter>();
  for (const [name, property] of Object.entries(schema ? propertiesOf(schema) : {})) {
    parameters.set(name, toParameter(property));
  }
  return (url) => {
    const query: Record<string, unknown> = {};
    const errors: FieldError[] = [];
    const unknown = new Set<string>();
    const mark = url.indexOf("?");
    if (mark === -1) return { value: query, errors };
    for (const pair of url.slice(mark + 1).split("&")) {
      const equals = pair.indexOf("=");
      const name = decode(equals === -1 ? pair : pair.slice(0, equals));
      if (name === "") continue;
      const member = memberOf(name, parameters);
      if (member !== undefined) {
        const text = decode(equals === -1 ? "" : pair.slice(equals + 1));
        if (isBadText(text)) addOnce(errors, badText(name));
        addMember(query, { name, ...member, value: text }, errors);
        continue;
      }
      const parameter = parameters.get(name);
      if (parameter?.kind === "members") {
        addOnce(errors, { field: name, message: `is given with a key, as ${name}[key]=value` });
        continue;
      }
      if (parameter === undefined) {
        if (unknown.size < MOST_UNKNOWN && !unknown.has(name)) {
          unknown.add(name);
          addOnce(errors, unknownParameter(name, parameters));
        }
        continue;
      }
      const text = decode(equals === -1 ? "" : pair.slice(equals + 1));
      if (isBadText(text)) addOnce(errors, badText(name));
      for (const part of parameter.repeatable ? text.split(",") : [text]) {
        add(query, { name, value: toValue(parameter.kind, part), parameter }, errors);
      }
    }
    return { value: query, errors };
  };
}

interface Member {
  readonly of: string;
  readonly key: string;
}

/** `metadata[orderId]` of the parameter `metadata`, which has members. */
function memberOf(name: string, known: ReadonlyMap<string, Parameter>): Member | undefined {
  const [, of = "", key = ""] = /^(\w+)\[([^\]]*)\]$/.exec(name) ?? [];
  return known.get(of)?.kind === "members" ? { of, key } : undefined;
}

function addMember(
  query: Record<string, unknown>,
  { name, of, key, value }: Member & { readonly name: string; readonly value: string },
  errors: FieldError[],
): void {
  const before = Object.entries((query[of] as object | undefined) ?? {});
  if (before.some(([known]) => known === key))
    addOnce(errors, { field: name, message: "must not be given more than once" });
  // A key such as `__proto__` becomes a member, which the schema judges.
  query[of] = Object.fromEntries([...before, [key, value]]);
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

/** How many unknown parameters one answer names: each is compared with the known ones. */
const MOST_UNKNOWN = 20;

function unknownParameter(name: string, known: ReadonlyMap<string, Parameter>): FieldError {
  if (isBadText(name))
    return { field: "query", message: "names a parameter with control characters" };
  const field = clip(name);
  if (known.size === 0) return { field, message: "is no parameter of this call; it takes none" };
  const nearest = nearestName(name, known.keys());
  if (nearest === undefined) {
    const all = [...known.keys()].join(", ");
    return { field, message: `is no parameter of this call; it takes ${all}` };
  }
  const message = `is no parameter of this call; did you mean ${nearest}?`;
  return { field, message, nearest: [nearest] };
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
  return { kind: type === "object" ? "members" : "text", repeatable: false };
}

/** As many digits as a number can have; the schema limits the value. */
const INTEGER = /^(?:0|-?[1-9][0-9]{0,307})$/;
const DECIMAL = /^-?(?:0|[1-9][0-9]{0,15})(?:\.[0-9]{1,15})?$/;

function toValue(kind: Kind, text: string): unknown {
  switch (kind) {
    case "text":
    case "members":
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
