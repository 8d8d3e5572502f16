import { isDeepStrictEqual } from "node:util";
import Type, { type Static, type TSchema } from "typebox";
import type { IdKind } from "../domain/id-kinds.ts";
import type { RefusalCode } from "../engine/refusal.ts";
import { MAX_AMOUNT } from "../money/money.ts";

/** The annotation that gives a field a refusal code of its own when its type or range is wrong. */
export const refusalKeyword = "x-refusal";

/** The annotation with the error message for a text that does not match its `pattern`. */
export const complaintKeyword = "x-complaint";

/** The annotation that lists the kinds of ids that a field takes, so that an error can name an id of another kind. */
export const idKindsKeyword = "x-id-kinds";

/** The annotation with the name in `components/schemas` of the open enum of a text. */
export const valuesKeyword = "x-values";

/** The annotation of a secret: its value is kept in no log. */
export const sensitiveKeyword = "x-sensitive";

/** Options of a value that the request log must not keep: a credential, a proof, a key, a code, a link that gives access. */
export const sensitive = { [sensitiveKeyword]: true } as const;

/** The schema that the reference shows for a value that the operation validates itself. */
export const documentKeyword = "x-document";

/** An amount in a request: a whole number of the smallest unit, below 2^53, so a JSON number holds it exactly. */
export function requestAmount(
  options: { readonly maximum?: number; readonly description?: string } = {},
) {
  const code: RefusalCode = "INVALID_AMOUNT";
  return Type.Integer({
    minimum: 1,
    maximum: options.maximum ?? MAX_AMOUNT,
    description: options.description ?? "Whole number of the currency's smallest unit.",
    [refusalKeyword]: code,
  });
}

/** A text with a pattern, and the error message that explains its form. */
export function formedText(
  pattern: string,
  complaint: string,
  options: {
    readonly minLength?: number;
    readonly maxLength?: number;
    readonly description?: string;
    readonly examples?: readonly string[];
    readonly idKinds?: readonly IdKind[];
  } = {},
) {
  const { idKinds, ...rest } = options;
  const kinds = idKinds === undefined ? {} : { [idKindsKeyword]: idKinds };
  return Type.String({ ...rest, ...kinds, pattern, [complaintKeyword]: complaint });
}

/**
 * A union with a tag field. Only the variant that the tag names is checked and its errors reported. Without a valid tag,
 * the errors of the members that all variants share are reported; every variant must require the field and give it a `const` or an `enum`.
 */
export function taggedUnion<const Variants extends readonly TSchema[]>(
  tag: string,
  variants: readonly [...Variants],
  options: { readonly $id?: string; readonly description?: string } = {},
) {
  return Type.Unsafe<Static<Variants[number]>>({
    ...options,
    type: "object",
    required: [tag],
    discriminator: { propertyName: tag },
    oneOf: [...variants],
  });
}

/** Any JSON schema node, as far as we look into it. */
export type SchemaNode = Readonly<Record<string, unknown>>;

export function isNode(value: unknown): value is SchemaNode {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The properties of an object schema, in the order in which they were written. */
export function propertiesOf(schema: TSchema): Readonly<Record<string, TSchema>> {
  const { properties } = schema as { readonly properties?: Readonly<Record<string, TSchema>> };
  return properties ?? {};
}

export function requiredOf(schema: TSchema): ReadonlySet<string> {
  const { required } = schema as { readonly required?: readonly string[] };
  return new Set(required ?? []);
}

/** Keywords whose value is a literal and never a schema. */
export const literalKeywords: ReadonlySet<string> = new Set([
  "const",
  "enum",
  "default",
  "examples",
  "example",
  "required",
  "discriminator",
]);

/** A copy for the validator without `$id`: shared schemas are inlined, so their ids would be duplicates. */
export function withoutIds(node: unknown): unknown {
  return mapNodes(node, ({ $id, ...rest }) => rest);
}

/**
 * A copy for the validator, in which a tagged union itself has the members that all of its variants share, so that they are validated
 * whatever the tag. With a valid tag their errors are found twice, and reported once.
 */
export function sharedMembersFirst(node: unknown): unknown {
  return mapNodes(node, (schema) => {
    if (schema.discriminator === undefined || !Array.isArray(schema.oneOf)) return schema;
    const [first, ...others] = (schema.oneOf as readonly TSchema[]).map((variant) => ({
      properties: propertiesOf(variant),
      required: requiredOf(variant),
    }));
    if (first === undefined) return schema;
    const shared = Object.entries(first.properties).filter(([name, property]) =>
      others.every(({ properties }) =>
        isDeepStrictEqual(rulesOf(properties[name]), rulesOf(property)),
      ),
    );
    const required = shared
      .map(([name]) => name)
      .filter((name) => [first, ...others].every((variant) => variant.required.has(name)));
    const tags = Array.isArray(schema.required) ? schema.required : [];
    return {
      ...schema,
      properties: Object.fromEntries(shared),
      required: [...tags, ...required],
    };
  });
}

function rulesOf(property: TSchema | undefined): SchemaNode {
  return { ...property, description: undefined };
}

/**
 * A copy for the validator, which looks into an array only when it is not too long: finding the items that differ among a hundred
 * thousand takes minutes, and the answer would name a hundred of them at most. A fault in an item brings one more error, of the keyword
 * `if`.
 */
export function lengthsFirst(node: unknown): unknown {
  return mapNodes(node, (schema) => {
    const { maxItems, items, uniqueItems, ...rest } = schema;
    if (typeof maxItems !== "number" || items === undefined) return schema;
    const content = uniqueItems === undefined ? { items } : { items, uniqueItems };
    return { ...rest, maxItems, if: { minItems: maxItems + 1 }, else: content };
  });
}

/** A copy with `change` applied to every node, the inner ones first. */
function mapNodes(node: unknown, change: (node: SchemaNode) => SchemaNode): unknown {
  if (Array.isArray(node)) return node.map((item) => mapNodes(item, change));
  if (!isNode(node)) return node;
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(node)) {
    copy[key] = literalKeywords.has(key)
      ? value
      : key === "properties"
        ? mapMembers(value, change)
        : mapNodes(value, change);
  }
  return change(copy);
}

/** Under `properties` the keys are names of fields, not keywords. */
function mapMembers(members: unknown, change: (node: SchemaNode) => SchemaNode): unknown {
  if (!isNode(members)) return members;
  return Object.fromEntries(
    Object.entries(members).map(([name, member]) => [name, mapNodes(member, change)]),
  );
}
