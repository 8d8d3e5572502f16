/**
 * Decides which parts of a value may be kept: the properties that its schema declares and does not mark as sensitive, when they have a type
 * that the schema allows. Everything else is replaced, and so are the names of undeclared properties, because a secret may be anywhere in
 * an invalid request.
 */
import {
  documentKeyword,
  isNode,
  type SchemaNode,
  sensitiveKeyword,
} from "../../validation/schema.ts";

export const REDACTED = "[redacted]";

/** Returns a redacted copy. */
export type Redact = (value: unknown) => unknown;

const redactAll: Redact = () => REDACTED;

const made = new WeakMap<object, Redact>();

/** The redaction of a schema, made once for each schema. */
export function redactorOf(schema: unknown): Redact {
  if (!isNode(schema)) return redactAll;
  const known = made.get(schema);
  if (known !== undefined) return known;
  // A recursive schema finds this entry while its redaction is being made.
  let redact: Redact = redactAll;
  made.set(schema, (value) => redact(value));
  redact = makeRedactor(schema);
  made.set(schema, redact);
  return redact;
}

function makeRedactor(schema: SchemaNode): Redact {
  const shown = schema[documentKeyword];
  if (schema[sensitiveKeyword] === true) return redactAll;
  if (isNode(shown)) return redactorOf(shown);
  const { oneOf, anyOf, allOf } = schema;
  if (Array.isArray(allOf)) return ofAll(allOf.map(redactorOf));
  // A union beside `properties` only says which of the properties are required.
  if (isNode(schema.properties)) return ofObject(mergedProperties([schema]));
  if (Array.isArray(oneOf)) return ofUnion(schema, oneOf);
  if (Array.isArray(anyOf)) return ofAlternatives(anyOf);
  if (schema.type === "array") return ofArray(schema.items);
  return ofScalar(schema);
}

/** The properties that several schemas declare, each with the redaction of every schema that declares it. */
function mergedProperties(schemas: readonly unknown[]): ReadonlyMap<string, readonly Redact[]> {
  const merged = new Map<string, Redact[]>();
  for (const schema of schemas) {
    if (!isNode(schema) || !isNode(schema.properties)) continue;
    for (const [name, property] of Object.entries(schema.properties)) {
      merged.set(name, [...(merged.get(name) ?? []), redactorOf(property)]);
    }
  }
  return merged;
}

/** All parts describe one object: a property is kept when each part that declares it keeps it. */
function ofAll(redactors: readonly Redact[]): Redact {
  return (value) => {
    if (!isNode(value)) return REDACTED;
    const parts = redactors.map((redact) => redact(value)).filter(isNode);
    const kept: Record<string, unknown> = {};
    let undeclared = 0;
    for (const name of Object.keys(value)) {
      const declared = parts.filter((part) => Object.hasOwn(part, name));
      const [first] = declared;
      if (name === REDACTED || first === undefined) undeclared += 1;
      else kept[name] = declared.some((part) => part[name] === REDACTED) ? REDACTED : first[name];
    }
    if (undeclared > 0) kept[REDACTED] = undeclared;
    return kept;
  };
}

function ofObject(properties: ReadonlyMap<string, readonly Redact[]>): Redact {
  return (value) => {
    if (!isNode(value)) return REDACTED;
    const kept: Record<string, unknown> = {};
    let undeclared = 0;
    for (const name of Object.keys(value)) {
      const redactors = properties.get(name);
      if (redactors === undefined) undeclared += 1;
      else kept[name] = keptByAny(redactors, value[name]);
    }
    if (undeclared > 0) kept[REDACTED] = undeclared;
    return kept;
  };
}

/** Redacts a property that any schema marks as sensitive. Otherwise the first schema that keeps anything of it decides. */
function keptByAny(redactors: readonly Redact[], value: unknown): unknown {
  if (redactors.includes(redactAll)) return REDACTED;
  for (const redact of redactors) {
    const kept = redact(value);
    if (kept !== REDACTED) return kept;
  }
  return REDACTED;
}

/** Applies the variant that the tag names. Without a valid tag everything is redacted. */
function ofUnion({ discriminator }: SchemaNode, variants: readonly unknown[]): Redact {
  const tag = isNode(discriminator) ? discriminator.propertyName : undefined;
  if (typeof tag !== "string") return ofAlternatives(variants);
  const byTag = new Map<unknown, Redact>();
  for (const variant of variants) {
    for (const value of tagsOf(variant, tag)) byTag.set(value, redactorOf(variant));
  }
  return (value) => (isNode(value) ? (byTag.get(value[tag]) ?? redactAll)(value) : REDACTED);
}

function tagsOf(variant: unknown, tag: string): readonly unknown[] {
  const property = isNode(variant) && isNode(variant.properties) ? variant.properties[tag] : {};
  if (!isNode(property)) return [];
  return Array.isArray(property.enum) ? property.enum : [property.const];
}

/** Without a tag a value may be of any variant. */
function ofAlternatives(variants: readonly unknown[]): Redact {
  const objects = mergedProperties(variants);
  const ofObjects = ofObject(objects);
  const others = variants.filter((variant) => !(isNode(variant) && isNode(variant.properties)));
  const redactors = others.map(redactorOf);
  return (value) => {
    if (objects.size > 0 && isNode(value)) return ofObjects(value);
    return keptByAny(redactors, value);
  };
}

function ofArray(items: unknown): Redact {
  const redact = redactorOf(items);
  return (value) => (Array.isArray(value) ? value.map(redact) : REDACTED);
}

/** A text, a number or a boolean, when the schema declares its type. */
function ofScalar({ type, enum: values, const: only }: SchemaNode): Redact {
  const listed = Array.isArray(values) ? values : only === undefined ? undefined : [only];
  if (listed !== undefined) {
    const allowed = new Set<unknown>(listed);
    return (value) => (allowed.has(value) ? value : REDACTED);
  }
  const types = new Set<unknown>([type].flat());
  if (types.has("integer")) types.add("number");
  return (value) => (types.has(value === null ? "null" : typeof value) ? scalar(value) : REDACTED);
}

function scalar(value: unknown): unknown {
  return typeof value === "object" && value !== null ? REDACTED : value;
}

/** Whether a schema marks anything as sensitive. */
export function marksSecrets(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.some(marksSecrets);
  if (!isNode(schema)) return false;
  return schema[sensitiveKeyword] === true || Object.values(schema).some(marksSecrets);
}
