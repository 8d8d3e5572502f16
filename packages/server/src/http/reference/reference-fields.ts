import { isNode, type SchemaNode } from "../../validation/schema.ts";
import { html, type Markup, nothing, prose } from "../hosted/markup.ts";
import type { OpenApiDocument } from "./openapi-document.ts";

const MAX_DEPTH = 4;

export interface FieldOptions {
  /** Lists the fields of every variant of a union; otherwise a union of several variants is one row. */
  readonly withVariants?: boolean;
}

/** The fields of a request or an answer as table rows; nested fields have a dotted path. */
function fieldRows(
  document: OpenApiDocument,
  schema: SchemaNode,
  options: FieldOptions = {},
): readonly Markup[] {
  const rows: Markup[] = [];
  const target = { document, rows, withVariants: options.withVariants === true };
  addFields(target, { schema, path: "", depth: 0 });
  return rows;
}

/** The fields as a table; empty without fields. */
export function fieldTable(
  document: OpenApiDocument,
  schema: SchemaNode,
  options: FieldOptions = {},
): Markup {
  const rows = fieldRows(document, schema, options);
  if (rows.length === 0) return nothing;
  return html`<div class="scroll" tabindex="0"><table>
<thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
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
    // A named union is shown once, in the section of forms.
    if (unionNameOf(target.document, property) !== undefined) continue;
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
    const { type, properties } = follow(target.document, variant);
    // A variant that is not an object only constrains the fields beside it.
    if (type !== "object" || !isNode(properties)) continue;
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
  const union = unionNameOf(document, row.property);
  return html`<tr><th scope="row">${fieldName(row.field)}${row.required ? REQUIRED : nothing}</th>
<td>${typeText(document, row.property)}</td>
<td>${typeof description === "string" ? prose(description) : nothing}${limits(shape)}
${union === undefined ? nothing : formLink(union)}</td></tr>`;
}

/** A long path may wrap after a dot only. */
function fieldName(path: string): Markup {
  const parts = path.split(".").map((part, index) => html`${index === 0 ? "" : DOT}${part}`);
  return html`<code>${parts}</code>`;
}

const DOT: Markup = { html: ".<wbr>" };

export const REQUIRED: Markup = html` <span class="required">required</span>`;

/** The type of a value in one or two words. */
export function typeText(document: OpenApiDocument, schema: SchemaNode): string {
  const shape = follow(document, schema);
  const variants = variantsOf(shape);
  if (variants.length > 0 && typeof shape.type !== "string") {
    const names = new Set(variants.map((variant) => typeText(document, variant)));
    return [...names].join(" or ");
  }
  const { type, format, items } = shape;
  if (isNode(items)) return `array of ${typeText(document, items)}`;
  if (typeof type !== "string") return Array.isArray(shape.enum) ? "string" : "any";
  return typeof format === "string" ? `${type} (${format})` : type;
}

/** The constraints of a schema that are shown: accepted values, range, length, default. */
export function limits(shape: SchemaNode): Markup {
  const notes: Markup[] = [];
  const values = literalsOf(shape);
  if (values.length > 0) notes.push(html`One of ${commaList(values)}.`);
  if (typeof shape.const === "string") notes.push(html`Always <code>${shape.const}</code>.`);
  const itemValues = isNode(shape.items) ? literalsOf(shape.items) : [];
  if (itemValues.length > 0) notes.push(html`Items are ${commaList(itemValues)}.`);
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

/** The variants of a union, or the parts of an `allOf`. */
export function variantsOf(shape: SchemaNode): readonly SchemaNode[] {
  const variants = shape.anyOf ?? shape.oneOf ?? shape.allOf;
  return Array.isArray(variants) ? variants.filter(isNode) : [];
}

/** The names of the components that are unions. */
export function namedUnions(document: OpenApiDocument): readonly string[] {
  return Object.entries(document.components.schemas).flatMap(([name, schema]) =>
    hasForms(document, schema) ? [name] : [],
  );
}

function hasForms(document: OpenApiDocument, schema: SchemaNode): boolean {
  const forms = variantsOf(schema).filter((form) => isNode(follow(document, form).properties));
  return forms.length > 1 && !isNode(schema.properties);
}

/** The name of the union that a field holds, if it has one. */
function unionNameOf(document: OpenApiDocument, schema: SchemaNode): string | undefined {
  const { $ref, allOf } = schema;
  if (typeof $ref === "string") {
    return hasForms(document, follow(document, schema)) ? nameIn($ref) : undefined;
  }
  const [only] = Array.isArray(allOf) ? allOf.filter(isNode) : [];
  return only === undefined ? undefined : unionNameOf(document, only);
}

function formLink(name: string): Markup {
  return html`<p>One of the forms of <a href="#${formAnchor(name)}">${name}</a>.</p>`;
}

export function formAnchor(name: string): string {
  return `form-${name}`;
}

/** The last segment of a reference. */
export function nameIn($ref: string): string {
  return $ref.slice($ref.lastIndexOf("/") + 1);
}

/** The schema that a reference points to. */
export function follow(document: OpenApiDocument, schema: SchemaNode): SchemaNode {
  const { $ref } = schema;
  if (typeof $ref !== "string") return schema;
  return document.components.schemas[nameIn($ref)] ?? schema;
}
