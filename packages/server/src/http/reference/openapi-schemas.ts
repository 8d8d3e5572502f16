import { assert } from "../../std/assert.ts";
import { canonicalJson } from "../../std/json.ts";
import {
  documentKeyword,
  isNode,
  literalKeywords,
  type SchemaNode,
} from "../../validation/schema.ts";

/** Moves schemas with an `$id` to `components/schemas`, once each, and replaces them by references. */
export interface SchemaCollector {
  place(schema: unknown): SchemaNode;
  readonly components: Readonly<Record<string, SchemaNode>>;
}

export function createSchemaCollector(): SchemaCollector {
  const components: Record<string, SchemaNode> = {};
  /** References by schema. A schema occurs in many operations, and its copy contains copies of all schemas in it. */
  const references = new Map<SchemaNode, SchemaNode>();

  function place(schema: unknown): SchemaNode {
    assert(isNode(schema), "a schema is an object");
    const reference = references.get(schema);
    if (reference !== undefined) return { ...reference };
    const shown = schema[documentKeyword];
    if (isNode(shown)) return place(shown);
    const { $id, ...rest } = schema;
    const copy = copyNode(rest);
    if (typeof $id !== "string") return copy;
    const known = components[$id];
    assert(
      known === undefined || canonicalJson(known) === canonicalJson(copy),
      `two different schemas are called ${$id}`,
    );
    components[$id] = copy;
    references.set(schema, { $ref: `#/components/schemas/${$id}` });
    return { $ref: `#/components/schemas/${$id}` };
  }

  function copyNode(node: SchemaNode): SchemaNode {
    const copy: Record<string, unknown> = { ...missingStringType(node) };
    for (const [key, value] of Object.entries(node)) {
      if (literalKeywords.has(key)) copy[key] = value;
      else if (MEMBERS.has(key) && isNode(value)) copy[key] = placeMembers(value);
      else if (Array.isArray(value)) copy[key] = value.map((item: unknown) => placeAny(item));
      else copy[key] = placeAny(value);
    }
    if (exceedsInt32(node)) copy.format = "int64";
    return copy;
  }

  function placeMembers(members: SchemaNode): SchemaNode {
    return Object.fromEntries(
      Object.entries(members).map(([name, member]) => [name, placeAny(member)]),
    );
  }

  function placeAny(value: unknown): unknown {
    return isNode(value) ? place(value) : value;
  }

  return { place, components };
}

/** Keywords whose keys are property names, not keywords. */
const MEMBERS: ReadonlySet<string> = new Set(["properties", "patternProperties"]);

/** Adds the type to an enum of strings: client generators read a schema without a type as any value. */
function missingStringType({ type, enum: values }: SchemaNode): SchemaNode {
  const isText = Array.isArray(values) && values.every((value) => typeof value === "string");
  return type === undefined && isText ? { type: "string" } : {};
}

const LARGEST_INT32 = 2 ** 31 - 1;

/** True for an integer that does not fit 32 bits, the size that client generators assume. */
function exceedsInt32({ type, format, maximum }: SchemaNode): boolean {
  if (type !== "integer" || format !== undefined) return false;
  return typeof maximum !== "number" || maximum > LARGEST_INT32;
}
