/** Converts a schema to the field list of a reference page. */
import type { Field, FieldGroup } from "../blocks/blocks.ts";
import { type ApiDocument, follow, formsOf, isNode, refOf, type Schema } from "./document.ts";

export interface FieldReader {
  readonly document: ApiDocument;
  /** The address of each object's description. Fields of these objects are linked to and not repeated. */
  readonly homes: ReadonlyMap<string, string>;
  readonly side: "REQUEST" | "ANSWER";
}

const MAX_DEPTH = 6;
/** A union with at least this many variants is described once; requests link to it, too. */
const MANY_FORMS = 10;
/** A longer pattern is left out, because the description is easier to read. */
const LONGEST_PATTERN = 40;

export function fieldGroups(reader: FieldReader, schema: Schema, depth = 0): readonly FieldGroup[] {
  const shape = follow(reader.document, schema);
  if (depth > MAX_DEPTH) return [];
  if (isNode(shape.items)) return fieldGroups(reader, shape.items, depth);
  const groups: FieldGroup[] = [];
  if (isNode(shape.properties)) {
    const fields = fieldsOf(reader, shape, depth);
    if (fields.length > 0) groups.push({ title: undefined, fields });
  }
  const forms = formsOf(reader.document, shape).filter((form) => !isNull(form));
  const [only, ...others] = forms;
  if (only !== undefined && others.length === 0)
    return [...groups, ...fieldGroups(reader, only, depth)];
  for (const form of forms) {
    const formShape = follow(reader.document, form);
    if (!isNode(formShape.properties)) continue;
    const fields = fieldsOf(reader, formShape, depth);
    groups.push({ title: titleOf(shape, formShape), fields });
  }
  return groups;
}

function isNull(schema: Schema): boolean {
  return schema.type === "null";
}

function titleOf(union: Schema, form: Schema): string {
  const tag = isNode(union.discriminator) ? String(union.discriminator.propertyName) : undefined;
  const literal = tag !== undefined && isNode(form.properties) ? form.properties[tag] : undefined;
  const value = isNode(literal) ? literal.const : undefined;
  return tag === undefined || value === undefined ? "Or" : `When \`${tag}\` is \`${value}\``;
}

function fieldsOf(reader: FieldReader, shape: Schema, depth: number): readonly Field[] {
  const required = Array.isArray(shape.required) ? shape.required : [];
  return Object.entries(shape.properties as Schema).flatMap(([name, property]) => {
    if (!isNode(property)) return [];
    const known = follow(reader.document, property);
    if (reader.side === "REQUEST" && known.readOnly === true) return [];
    if (reader.side === "ANSWER" && known.writeOnly === true) return [];
    return [
      toField(reader, { name, schema: property, depth, isRequired: required.includes(name) }),
    ];
  });
}

interface Place {
  readonly name: string;
  readonly schema: Schema;
  readonly depth: number;
  readonly isRequired: boolean;
}

function toField(reader: FieldReader, { name, schema, depth, isRequired }: Place): Field {
  const { document } = reader;
  const shape = follow(document, schema);
  const description = schema.description ?? shape.description;
  const home = homeOf(reader, schema);
  return {
    name,
    type: typeText(document, schema),
    isRequired,
    says: typeof description === "string" ? description : "",
    notes: [...limitsOf(document, shape), ...(home === undefined ? [] : [home])],
    groups: home === undefined ? fieldGroups(reader, schema, depth + 1) : [],
  };
}

/** A link to the description of the field's object, or undefined when its fields are shown here. */
function homeOf({ document, homes, side }: FieldReader, schema: Schema): string | undefined {
  const shape = follow(document, schema);
  const named = refOf(schema) ?? (isNode(shape.items) ? refOf(shape.items) : undefined);
  const href = named === undefined ? undefined : homes.get(named);
  if (named === undefined || href === undefined) return undefined;
  const component = document.components.schemas[named] ?? {};
  if (side === "REQUEST" && formsOf(document, component).length < MANY_FORMS) return undefined;
  return `See [${named}](${href}).`;
}

/** The name of a value's type, in one or two words. */
export function typeText(document: ApiDocument, schema: Schema): string {
  const shape = follow(document, schema);
  const { type, format, items } = shape;
  if (isNode(items)) return `array of ${typeText(document, items)}`;
  const forms = formsOf(document, shape);
  if (forms.length > 0 && typeof type !== "string") {
    return [...new Set(forms.map((form) => typeText(document, form)))].join(" or ");
  }
  if (Array.isArray(type)) return type.join(" or ");
  if (typeof type !== "string") return Array.isArray(shape.enum) ? "string" : "any";
  const isPlain = typeof format !== "string" || format === "int64";
  return isPlain ? type : `${type}, ${FORMATS[format] ?? format}`;
}

const FORMATS: Readonly<Record<string, string>> = {
  "date-time": "date and time",
  "iso3166-1-alpha-2": "country code",
};

/** The constraints of a schema that are useful to a reader, one sentence each. */
export function limitsOf(document: ApiDocument, shape: Schema): readonly string[] {
  const items = isNode(shape.items) ? follow(document, shape.items) : {};
  const list = shape["x-values"] ?? items["x-values"];
  const notes: string[] = [];
  if (typeof list === "string") notes.push(`A value of [${list}](${valuesHref(list)}).`);
  const values = literalsOf(document, shape);
  if (values.length > 0) notes.push(`One of ${codeList(values)}.`);
  const itemValues = literalsOf(document, items);
  if (itemValues.length > 0) notes.push(`Items are ${codeList(itemValues)}.`);
  if (typeof shape.const === "string") notes.push(`Always \`${shape.const}\`.`);
  for (const [keyword, label] of LIMITS) {
    const value = shape[keyword];
    if (typeof value === "number" && value !== 0) notes.push(label(value.toLocaleString("en")));
  }
  const { pattern } = shape;
  if (typeof pattern === "string" && isTelling(pattern)) {
    notes.push(`Form \`${pattern}\`.`);
  }
  if ("default" in shape) notes.push(`Default \`${JSON.stringify(shape.default)}\`.`);
  return notes;
}

/** Whether a pattern is useful to a reader: not just some text, and not spaces between all characters, which the description covers. */
function isTelling(pattern: string): boolean {
  return pattern !== "\\S" && !pattern.includes("[ -]*") && pattern.length <= LONGEST_PATTERN;
}

const LIMITS = [
  ["minimum", (value: string) => `At least ${value}.`],
  ["maximum", (value: string) => `At most ${value}.`],
  ["maxLength", (value: string) => `At most ${value} characters.`],
  ["maxItems", (value: string) => `At most ${value} items.`],
] as const;

export function valuesHref(list: string): string {
  return list === "RefusalCode" ? "/docs/errors" : `/docs/reference/values#${list}`;
}

function literalsOf(document: ApiDocument, shape: Schema): readonly string[] {
  if (Array.isArray(shape.enum)) return shape.enum.map(String);
  return formsOf(document, shape).flatMap((form) =>
    typeof form.const === "string" ? [form.const] : [],
  );
}

export function codeList(values: readonly string[]): string {
  return values.map((value) => `\`${value}\``).join(", ");
}
