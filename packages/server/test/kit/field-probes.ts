/** Invalid values for each field of a request body, derived from the schema in the served OpenAPI document. */
import { present } from "../../src/std/assert.ts";

type Schema = Readonly<Record<string, unknown>>;

export interface Probe {
  /** Path of the invalid field, joined by dots. */
  readonly field: string;
  readonly why: string;
  readonly body: unknown;
}

interface Document {
  readonly paths: Record<string, Record<string, { readonly requestBody?: unknown } | undefined>>;
  readonly components: { readonly schemas: Record<string, Schema> };
}

export interface ServedSchemas {
  /** The schema of an operation's body with resolved references; undefined without a body. */
  bodyOf(operation: { readonly method: string; readonly path: string }): Schema | undefined;
}

export async function servedSchemas(baseUrl: string): Promise<ServedSchemas> {
  const document = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as Document;

  function resolve(node: unknown): unknown {
    if (Array.isArray(node)) return node.map(resolve);
    if (!isSchema(node)) return node;
    if (typeof node.$ref === "string") {
      return resolve(
        present(document.components.schemas[node.$ref.split("/").at(-1) ?? ""], node.$ref),
      );
    }
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, resolve(value)]));
  }

  return {
    bodyOf({ method, path }) {
      const operation = document.paths[path]?.[method.toLowerCase()];
      const content = operation?.requestBody as
        | { readonly content: Record<string, { readonly schema: unknown }> }
        | undefined;
      const schema = resolve(content?.content["application/json"]?.schema);
      return isSchema(schema) ? schema : undefined;
    },
  };
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Bodies with one invalid field each, for each field and each constraint of the schema. */
export function probesOf(schema: Schema, valid: unknown): readonly Probe[] {
  return probesAt(variantOf(schema, valid), { path: [], valid });
}

/** The variant of a union that the valid body selects. */
function variantOf(schema: Schema, valid: unknown): Schema {
  if (!Array.isArray(schema.oneOf) || !isSchema(valid)) return schema;
  const tag = (schema.discriminator as { readonly propertyName: string } | undefined)?.propertyName;
  const variants = schema.oneOf as readonly {
    readonly properties: Record<string, Schema>;
    readonly required: readonly string[];
  }[];
  const named = variants.find(({ properties, required }) =>
    tag === undefined
      ? required.every((name) => name in valid)
      : properties[tag]?.const === valid[tag],
  );
  return present(named, `a variant for ${JSON.stringify(valid)}`);
}

interface Place {
  readonly path: readonly string[];
  readonly valid: unknown;
}

function probesAt(schema: Schema, { path, valid }: Place): readonly Probe[] {
  const probes: Probe[] = [];
  const required = Array.isArray(schema.required) ? schema.required : [];
  for (const [name, property] of Object.entries(
    (schema.properties ?? {}) as Record<string, Schema>,
  )) {
    const here = [...path, name];
    const field = here.join(".");
    for (const [why, value] of wrongValues(property)) {
      probes.push({ field, why, body: withValue(valid, here, value) });
    }
    if (required.includes(name)) {
      const body = withValue(valid, here, undefined);
      if (hasParent(valid, here)) probes.push({ field, why: "missing", body });
    }
    // Nested unions are not probed.
    if (property.type === "object" && property.oneOf === undefined) {
      probes.push(...probesAt(property, { path: here, valid }));
    }
    if (property.type === "array" && isSchema(property.items)) {
      for (const [why, value] of wrongValues(property.items)) {
        probes.push({ field, why: `an item is ${why}`, body: withValue(valid, here, [value]) });
      }
    }
  }
  return probes;
}

const OF_EACH_TYPE: readonly (readonly [type: string, value: unknown])[] = [
  ["null", null],
  ["boolean", true],
  ["integer", 7],
  ["number", 7.5],
  ["string", "7"],
  ["array", []],
  ["object", {}],
];

function* wrongValues(schema: Schema): Generator<readonly [why: string, value: unknown]> {
  const type =
    typeof schema.type === "string"
      ? schema.type
      : Array.isArray(schema.enum)
        ? "string"
        : undefined;
  if (type === undefined) return;
  for (const [other, value] of OF_EACH_TYPE) {
    if (other !== type && !(type === "number" && other === "integer"))
      yield [`of type ${other}`, value];
  }
  if (Array.isArray(schema.enum)) {
    yield ["not one of the known values", "NO_SUCH_VALUE"];
    const [first] = schema.enum;
    if (typeof first === "string") yield ["in lower case", `${first.toLowerCase()}x`.slice(0, -1)];
    return;
  }
  yield* outOfBounds(schema);
}

function* outOfBounds(schema: Schema): Generator<readonly [why: string, value: unknown]> {
  const { minLength, maxLength, minItems, minimum, maximum, pattern, format } = schema;
  if (typeof maxLength === "number") yield ["too long", "a".repeat(maxLength + 1)];
  if (typeof minLength === "number" && minLength > 0) yield ["too short", ""];
  if (typeof minItems === "number" && minItems > 0) yield ["without items", []];
  if (typeof minimum === "number") yield ["too small", minimum - 1];
  if (typeof maximum === "number") yield ["too large", maximum + 1];
  if (typeof pattern === "string") yield ["of another form", pattern === "\\S" ? " " : "!"];
  if (typeof format === "string") yield [`no ${format}`, "?"];
  if (schema.uniqueItems === true && isSchema(schema.items) && Array.isArray(schema.items.enum)) {
    const [first] = schema.items.enum;
    yield ["with an item twice", [first, first]];
  }
}

function hasParent(root: unknown, path: readonly string[]): boolean {
  let node = root;
  for (const name of path.slice(0, -1)) {
    if (!isSchema(node)) return false;
    node = node[name];
  }
  return isSchema(node);
}

/** A copy of `root` with the value at `path`; missing objects on the path are created. */
export function withValue(root: unknown, path: readonly string[], value: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  if (Array.isArray(root))
    return root.with(Number(name), withValue(root[Number(name)], rest, value));
  const node = isSchema(root) ? root : {};
  return { ...node, [name]: withValue(node[name], rest, value) };
}
