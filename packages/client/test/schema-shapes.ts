/** Shapes of the operations in the API's OpenAPI document. */
import type { Member, Members, Shape } from "./shapes.ts";
import { textOf } from "./shapes.ts";

/** As much of a schema as the document uses and a type can say. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean;
  readonly readOnly?: boolean;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

interface Body {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Spoken {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Body>>;
}

export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Spoken>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
  };
}

export interface Operation {
  readonly id: string;
  /** `GET /tokens/~`: each id of the path is a tilde. */
  readonly request: string;
  readonly query: Shape;
  readonly headers: readonly string[];
  readonly body: Shape | undefined;
  /** Of every status that is a success. */
  readonly answers: readonly Shape[];
}

export function operationsOf(document: ApiDocument): readonly Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, spoken]) => {
      const parameters = (spoken.parameters ?? []).map((one) => parameterOf(document, one));
      const query = parameters.filter((one) => one.in === "query");
      const headers = parameters.filter((one) => one.in === "header").map((one) => one.name);
      const successes = Object.entries(spoken.responses).filter(([status]) => /^2/.test(status));
      return {
        id: spoken.operationId,
        request: `${method.toUpperCase()} ${path.replaceAll(/\{[^}]+\}/g, "~")}`,
        query: { kind: "object", members: membersOfQuery(document, query), isOpen: false },
        headers,
        body: spoken.requestBody && bodyOf(reader(document, "request"), spoken.requestBody),
        answers: successes.map(([, body]) => bodyOf(reader(document, "answer"), body)),
      };
    }),
  );
}

function parameterOf(document: ApiDocument, given: Parameter): Parameter {
  const name = given.$ref?.split("/").at(-1);
  return name === undefined ? given : (document.components.parameters[name] ?? given);
}

function membersOfQuery(document: ApiDocument, parameters: readonly Parameter[]): Members {
  const read = reader(document, "request");
  const member = (one: Parameter): Member => ({
    isRequired: one.required === true,
    shape: read(one.schema),
  });
  return Object.fromEntries(parameters.map((one) => [one.name, member(one)]));
}

function bodyOf(read: (schema: Schema) => Shape, body: Body): Shape {
  const [content] = Object.values(body.content ?? {});
  return content === undefined ? { kind: "nothing" } : read(content.schema);
}

/** Members that are in answers alone are none of a request. */
function reader(document: ApiDocument, side: "request" | "answer"): (schema: Schema) => Shape {
  const read = (schema: Schema): Shape => {
    const name = schema.$ref?.split("/").at(-1);
    if (name !== undefined) {
      const named = document.components.schemas[name];
      if (named === undefined) throw new Error(`${name} is not in the document`);
      return { ...read(named), name };
    }
    const parts = partsOf(schema);
    if (parts.length > 0) return choiceOf(parts);
    const shape = plainShape(schema);
    const types = [schema.type ?? []].flat();
    return types.includes("null") && types.length > 1 ? { ...shape, isNullable: true } : shape;
  };

  const choiceOf = (parts: readonly Schema[]): Shape => {
    const isNull = (part: Schema) => part.type === "null";
    const variants = parts.filter((part) => !isNull(part)).map(read);
    const [only] = variants;
    const shape: Shape =
      variants.length === 1 && only !== undefined ? only : { kind: "choice", variants };
    return parts.some(isNull) ? { ...shape, isNullable: true } : shape;
  };

  const plainShape = (schema: Schema): Shape => {
    const type = [schema.type ?? []].flat().find((one) => one !== "null");
    const words = schema.const === undefined ? schema.enum : [schema.const];
    if (words !== undefined) return textOf(words.map(String));
    if (type === "string") return schema.format === "binary" ? { kind: "file" } : textOf([]);
    if (type === "integer" || type === "number") return { kind: "number" };
    if (type === "boolean") return { kind: "boolean" };
    if (type === "array") return { kind: "list", items: read(schema.items ?? {}) };
    return type === "object" || schema.properties !== undefined
      ? objectOf(schema)
      : { kind: "anything" };
  };

  const objectOf = (schema: Schema): Shape => {
    const { properties = {}, additionalProperties, required = [] } = schema;
    const [pattern] = Object.values(schema.patternProperties ?? {});
    const members = Object.entries(properties)
      .filter(([, member]) => side === "answer" || member.readOnly !== true)
      .map(([name, member]) => {
        return [name, { isRequired: required.includes(name), shape: read(member) }] as const;
      });
    const isOpen = additionalProperties === true;
    if (pattern !== undefined) return { kind: "record", values: read(pattern) };
    if (isOpen && members.length === 0) return { kind: "record", values: { kind: "anything" } };
    return { kind: "object", members: Object.fromEntries(members), isOpen };
  };

  return read;
}

/** Beside members of its own, a schema's parts only narrow it: one of three has to be there. */
function partsOf(schema: Schema): readonly Schema[] {
  if (schema.properties !== undefined) return [];
  return schema.allOf ?? schema.oneOf ?? schema.anyOf ?? [];
}
