/**
 * The fields of a body that its schema does not name, and that the operation therefore does not read. A union without a tag
 * takes the fields of all of its branches. What a schema leaves open, such as a record with names of the caller's own, has no
 * unknown fields; neither has a tagged union whose tag is not valid, which is refused anyway.
 */
import type { FieldError } from "../engine/refusal.ts";
import { clip, isReservedName, MAX_ERRORS } from "./json-body.ts";
import { nearestName } from "./nearest-name.ts";
import { documentKeyword, isNode, type SchemaNode } from "./schema.ts";

/** How many ignored fields one answer names. */
export const MOST_IGNORED = 20;

export interface IgnoredField {
  /** Names joined by dots; they are the caller's own. */
  readonly path: string;
  readonly nearest: string | undefined;
}

export interface IgnoredFinder {
  find(body: unknown): readonly IgnoredField[];
  /** A copy of the body without the ignored fields. */
  without(body: unknown): unknown;
  /** The faults of names that JavaScript reserves, in the parts of a body where names are the caller's: the value has lost those members. */
  reservedFaults(body: unknown): readonly FieldError[];
}

type Shape =
  | { readonly kind: "open" }
  | { readonly kind: "members"; readonly members: ReadonlyMap<string, Shape> }
  | { readonly kind: "items"; readonly item: Shape }
  | {
      readonly kind: "tagged";
      readonly tag: string;
      readonly variants: ReadonlyMap<string, Shape>;
    };

export function createIgnoredFinder(schema: unknown): IgnoredFinder {
  const shape = shapeOf(schema);
  return {
    find(body) {
      if (shape.kind === "open") return NONE;
      const found: IgnoredField[] = [];
      collect({ shape, value: body, path: "" }, found);
      return found;
    },
    without: (body) => known(shape, body),
    reservedFaults(body) {
      const errors: FieldError[] = [];
      collectReserved({ shape, value: body, path: "" }, errors);
      return errors;
    },
  };
}

const NO_FIELD = "is no field of this call";
export const UNKNOWN_FIELD = "unknown field";

/** Whether the message is that of an ignored field, whose name is the caller's own. */
export function isOfIgnored(message: unknown): boolean {
  if (typeof message !== "string") return false;
  return message.startsWith(NO_FIELD) || message.startsWith(`${UNKNOWN_FIELD} \``);
}

/** The ignored fields as faults, for a request whose caller asked for strict handling. */
export function ignoredFaults(fields: readonly IgnoredField[]): readonly FieldError[] {
  return fields.map(({ path, nearest }) => {
    const field = clip(path);
    if (nearest === undefined) return { field, message: NO_FIELD };
    const message = `${NO_FIELD}; did you mean ${nearest}?`;
    return { field, message, nearest: [nearest] };
  });
}

/** The ignored fields as faults, for a platform that refuses unknown fields. */
export function unknownFaults(fields: readonly IgnoredField[]): readonly FieldError[] {
  return fields.map(({ path, nearest }) => {
    const field = clip(path);
    const unknown = `${UNKNOWN_FIELD} \`${field}\``;
    if (nearest === undefined) return { field, message: unknown };
    return { field, message: `${unknown}; did you mean \`${nearest}\`?`, nearest: [nearest] };
  });
}

const NONE: readonly IgnoredField[] = [];
const OPEN: Shape = { kind: "open" };

interface Place {
  readonly shape: Shape;
  readonly value: unknown;
  readonly path: string;
}

function collectReserved({ shape, value, path }: Place, errors: FieldError[]): void {
  if (typeof value !== "object" || value === null || errors.length >= MAX_ERRORS) return;
  const members = Array.isArray(value)
    ? undefined
    : membersFor(shape, value as Readonly<Record<string, unknown>>);
  for (const [name, member] of Object.entries(value)) {
    const inner = join(path, name);
    const item = shape.kind === "items" ? shape.item : OPEN;
    const known = members === undefined ? item : members.get(name);
    if (known === undefined) continue;
    if (members === undefined && isReservedName(name) && errors.length < MAX_ERRORS) {
      errors.push({ field: clip(inner), message: "is a reserved name: choose another one" });
    } else collectReserved({ shape: known, value: member, path: inner }, errors);
  }
}

function collect({ shape, value, path }: Place, found: IgnoredField[]): void {
  if (found.length >= MOST_IGNORED || typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    if (shape.kind !== "items") return;
    for (const [index, item] of value.entries()) {
      if (found.length >= MOST_IGNORED) return;
      collect({ shape: shape.item, value: item, path: join(path, String(index)) }, found);
    }
    return;
  }
  const members = membersFor(shape, value as Readonly<Record<string, unknown>>);
  if (members === undefined) return;
  for (const [name, member] of Object.entries(value)) {
    const known = members.get(name);
    const inner = join(path, name);
    if (known !== undefined) collect({ shape: known, value: member, path: inner }, found);
    else if (found.length < MOST_IGNORED) {
      found.push({ path: inner, nearest: nearestName(name, members.keys()) });
    }
  }
}

function known(shape: Shape, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    return shape.kind === "items" ? value.map((item) => known(shape.item, item)) : value;
  }
  const members = membersFor(shape, value as Readonly<Record<string, unknown>>);
  if (members === undefined) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const inner = members.get(name);
      return inner === undefined ? [] : [[name, known(inner, member)]];
    }),
  );
}

function membersFor(
  shape: Shape,
  value: Readonly<Record<string, unknown>>,
): ReadonlyMap<string, Shape> | undefined {
  if (shape.kind === "members") return shape.members;
  if (shape.kind !== "tagged") return undefined;
  const tag = value[shape.tag];
  const variant = typeof tag === "string" ? shape.variants.get(tag) : undefined;
  return variant?.kind === "members" ? variant.members : undefined;
}

function join(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

function shapeOf(schema: unknown): Shape {
  if (!isNode(schema)) return OPEN;
  if (isNode(schema[documentKeyword])) return shapeOf(schema[documentKeyword]);
  const { discriminator, oneOf, anyOf, properties, items } = schema;
  if (isNode(discriminator)) return taggedShape(String(discriminator.propertyName), oneOf);
  if (isNode(properties)) {
    const entries = Object.entries(properties).map(
      ([name, property]) => [name, shapeOf(property)] as const,
    );
    return { kind: "members", members: new Map(entries) };
  }
  if (isNode(items)) return { kind: "items", item: shapeOf(items) };
  const branches = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : [];
  return (
    branches.filter(holdsMembers).map(shapeOf).reduce<Shape | undefined>(merge, undefined) ?? OPEN
  );
}

/** Plain values have no fields that could be unknown. */
function holdsMembers(branch: unknown): boolean {
  return isNode(branch) && (branch.type === "object" || branch.type === "array");
}

function taggedShape(tag: string, variants: unknown): Shape {
  const known = new Map<string, Shape>();
  for (const variant of Array.isArray(variants) ? variants : []) {
    const shape = shapeOf(variant);
    for (const value of tagValues(variant, tag)) known.set(value, shape);
  }
  return { kind: "tagged", tag, variants: known };
}

function tagValues(variant: SchemaNode, tag: string): readonly string[] {
  const property = isNode(variant.properties) ? variant.properties[tag] : undefined;
  if (!isNode(property)) return [];
  const values = Array.isArray(property.enum) ? property.enum : [property.const];
  return values.map(String);
}

function merge(one: Shape | undefined, other: Shape): Shape {
  if (one === undefined) return other;
  if (one.kind !== "members" || other.kind !== "members") return OPEN;
  const members = new Map(one.members);
  for (const [name, shape] of other.members) members.set(name, merge(members.get(name), shape));
  return { kind: "members", members };
}
