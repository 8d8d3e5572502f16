import { html, type Markup, nothing, prose } from "./markup.ts";
import type { OpenApiDocument } from "./openapi-document.ts";
import { isNode, type SchemaNode } from "./schema.ts";

const MAX_DEPTH = 4;

export interface FieldOptions {
  /** Lists the fields of every variant of a union; otherwise a union of several is one row. */
  readonly withVariants?: boolean;
}

/** The fields of a request or an answer as table rows, nested ones by their dotted path. */
export function fieldRows(
  document: OpenApiDocument,
  schema: SchemaNode,
  options: FieldOptions = {},
): readonly Markup[] {
  const rows: Markup[] = [];
  const target = { document, rows, withVariants: options.withVariants === true };
  addFields(target, { schema, path: "", depth: 0 });
  return rows;
}

interface Target {
  readonly document: OpenApiDocument;
  readonly rows: Markup[];
  readonly withVariants: boolean;
}

interface Place {
  readonly schema: SchemaNode;
  readonly path: string;
  readonly depth: number;
}

function addFields(target: Target, { schema, path, depth }: Place): void {
  const shape = follow(target.document, schema);
  if (depth > MAX_DEPTH) return;
  const { properties, items } = shape;
  if (isNode(items)) addFields(target, { schema: items, path: `${path}[]`, depth });
  if (isNode(properties)) addProperties(target, { schema: shape, path, depth });
  addVariants(target, { schema: shape, path, depth });
}

function addProperties(target: Target, { schema, path, depth }: Place): void {
  const required = Array.isArray(schema.required) ? schema.required : [];
  for (const [name, property] of Object.entries(schema.properties as SchemaNode)) {
    if (!isNode(property)) continue;
    const field = path === "" ? name : `${path}.${name}`;
    const row = { field, property, required: required.includes(name) };
    target.rows.push(fieldRow(target.document, row));
    addFields(target, { schema: property, path: field, depth: depth + 1 });
  }
}

function addVariants(target: Target, { schema, path, depth }: Place): void {
  const variants = variantsOf(schema).filter(({ type }) => type !== "null");
  const [only] = variants;
  if (variants.length === 1 && only !== undefined) {
    addFields(target, { schema: only, path, depth });
    return;
  }
  if (!target.withVariants) return;
  const { discriminator } = schema;
  const tag = isNode(discriminator) ? String(discriminator.propertyName) : undefined;
  for (const variant of variants) {
    const { properties } = follow(target.document, variant);
    if (!isNode(properties)) continue;
    const literal = tag === undefined ? undefined : properties[tag];
    const name = isNode(literal) ? literal.const : undefined;
    target.rows.push(variantRow(path, tag, name));
    addFields(target, { schema: variant, path, depth });
  }
}

function variantRow(path: string, tag: string | undefined, name: unknown): Markup {
  const field = path === "" ? tag : `${path}.${tag}`;
  const title =
    tag === undefined || typeof name !== "string"
      ? html`Or`
      : html`When <code>${field}</code> is <code>${name}</code>`;
  return html`<tr><th class="variant" scope="rowgroup" colspan="3">${title}</th></tr>`;
}

function fieldRow(
  document: OpenApiDocument,
  row: { readonly field: string; readonly property: SchemaNode; readonly required: boolean },
): Markup {
  const shape = follow(document, row.property);
  const description = row.property.description ?? shape.description;
  return html`<tr><th scope="row"><code>${row.field}</code>${row.required ? REQUIRED : nothing}</th>
<td>${typeText(document, row.property)}</td>
<td>${typeof description === "string" ? prose(description) : nothing}${limits(shape)}</td></tr>`;
}

export const REQUIRED: Markup = html` <span class="required">required</span>`;

/** What kind of value it is, in a word or two. */
export function typeText(document: OpenApiDocument, schema: SchemaNode): string {
  const shape = follow(document, schema);
  const variants = variantsOf(shape);
  if (variants.length > 0) {
    const names = new Set(variants.map((variant) => typeText(document, variant)));
    return [...names].join(" or ");
  }
  const { type, format, items } = shape;
  if (isNode(items)) return `array of ${typeText(document, items)}`;
  if (typeof type !== "string") return Array.isArray(shape.enum) ? "string" : "any";
  return typeof format === "string" ? `${type} (${format})` : type;
}

/** The rules of a schema that are worth reading: accepted values, range, length, default. */
export function limits(shape: SchemaNode): Markup {
  const notes: Markup[] = [];
  const values = literalsOf(shape);
  if (values.length > 0) notes.push(html`One of ${commaList(values)}.`);
  for (const [keyword, label] of LIMITS) {
    const value = shape[keyword];
    if (typeof value === "number" || typeof value === "string") {
      notes.push(html`${label} <code>${String(value)}</code>.`);
    }
  }
  if ("default" in shape) notes.push(html`Default <code>${JSON.stringify(shape.default)}</code>.`);
  if (notes.length === 0) return nothing;
  return html`<p class="limits">${notes.flatMap((note) => [note, html` `])}</p>`;
}

const LIMITS = [
  ["minimum", "At least"],
  ["maximum", "At most"],
  ["minLength", "Shortest"],
  ["maxLength", "Longest"],
  ["pattern", "Form"],
] as const;

function literalsOf(shape: SchemaNode): readonly string[] {
  const own = shape.enum;
  if (Array.isArray(own)) return own.map(String);
  return variantsOf(shape).flatMap((variant) =>
    typeof variant.const === "string" ? [variant.const] : [],
  );
}

function commaList(values: readonly string[]): readonly Markup[] {
  return values.flatMap((value, index) => [html`${index === 0 ? "" : ", "}<code>${value}</code>`]);
}

function variantsOf(shape: SchemaNode): readonly SchemaNode[] {
  const variants = shape.anyOf ?? shape.oneOf;
  return Array.isArray(variants) ? variants.filter(isNode) : [];
}

/** The schema that a reference stands for. */
export function follow(document: OpenApiDocument, schema: SchemaNode): SchemaNode {
  const { $ref } = schema;
  if (typeof $ref !== "string") return schema;
  return document.components.schemas[$ref.slice($ref.lastIndexOf("/") + 1)] ?? schema;
}
