import { isNode } from "../../validation/schema.ts";

const MAX_DEPTH = 8;

/** An example value of a schema: its own example if it has one, else a minimal value of its type. */
export function exampleOf(schema: unknown, depth = 0): unknown {
  if (!isNode(schema) || depth > MAX_DEPTH) return null;
  if ("example" in schema) return schema.example;
  const { examples, enum: values, anyOf, oneOf, allOf } = schema;
  if (Array.isArray(examples) && examples.length > 0) return examples[0];
  if ("default" in schema) return schema.default;
  if ("const" in schema) return schema.const;
  if (Array.isArray(values)) return values[0];
  const variants = anyOf ?? oneOf ?? allOf;
  if (Array.isArray(variants)) return exampleOf(firstVariant(variants), depth + 1);
  return ofType(schema, depth);
}

/** True for `examples: []`: only the server makes valid values, so it would refuse any example. */
export function hasNoExample(schema: unknown): boolean {
  return isNode(schema) && Array.isArray(schema.examples) && schema.examples.length === 0;
}

function firstVariant(variants: readonly unknown[]): unknown {
  return variants.find((variant) => isNode(variant) && variant.type !== "null");
}

function ofType(schema: Readonly<Record<string, unknown>>, depth: number): unknown {
  switch (schema.type) {
    case "object":
      return ofObject(schema.properties, depth);
    case "array":
      return "items" in schema ? [exampleOf(schema.items, depth + 1)] : [];
    case "integer":
    case "number":
      return typeof schema.minimum === "number" ? schema.minimum : 1;
    case "boolean":
      return true;
    case "string":
      return ofFormat(schema.format);
    default:
      return null;
  }
}

function ofObject(properties: unknown, depth: number): unknown {
  if (!isNode(properties)) return {};
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([, member]) => !hasNoExample(member))
      .map(([name, member]) => [name, exampleOf(member, depth + 1)]),
  );
}

const FORMATS: Readonly<Record<string, string>> = {
  "date-time": "2025-10-13T09:30:00Z",
  date: "1990-05-17",
  email: "ada@example.com",
  uri: "https://example.com/hooks",
  uuid: "019a2f6e-7c1b-7d3e-8a44-5b2f9c0d1e6f",
};

function ofFormat(format: unknown): string {
  return (typeof format === "string" ? FORMATS[format] : undefined) ?? "text";
}
