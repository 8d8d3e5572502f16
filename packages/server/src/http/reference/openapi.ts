import type { TSchema } from "typebox";
import { propertiesOf, requiredOf, type SchemaNode } from "../../validation/schema.ts";
import type { WebhookNote } from "../../wire/events/webhooks.ts";
import { valueListSchemas } from "../../wire/value-lists.ts";
import {
  type Access,
  type AnswerNote,
  type Operation,
  takesKey,
  versionPath,
} from "../request/operation.ts";
import type { FormNote } from "../upload/form.ts";
import type {
  DocumentedAnswer,
  DocumentedOperation,
  DocumentedParameter,
  DocumentedTag,
  OpenApiDocument,
  Ref,
} from "./openapi-document.ts";
import {
  bodyHeaders,
  errorSchema,
  fieldErrorSchema,
  refusalsOf,
  toErrorAnswers,
  toStalledAnswer,
} from "./openapi-errors.ts";
import { createSchemaCollector, type SchemaCollector } from "./openapi-schemas.ts";
import {
  apiDescription,
  consoleDescription,
  consoleSecurity,
  securitySchemes,
  sharedHeaders,
  sharedParameters,
} from "./openapi-shared.ts";
import { documentWebhooks } from "./openapi-webhooks.ts";
import { exampleOf, hasNoExample } from "./schema-example.ts";

/** The texts of the document besides the operations. */
export interface ReferenceNotes {
  /** Introductions by the name of the tag. */
  readonly tags: Readonly<Record<string, string>>;
  readonly webhooks: readonly WebhookNote[];
}

/** Builds the OpenAPI 3.1 document; operations keep their order. */
export function buildOpenApi<C>(
  operations: readonly Operation<C>[],
  options: ReferenceNotes & {
    readonly publicUrl: string;
    readonly version: string;
    /** The document of the console's own operations. */
    readonly isConsole?: boolean;
  },
): OpenApiDocument {
  const schemas = createSchemaCollector();
  const responses: Record<string, DocumentedAnswer> = {};
  const paths: Record<string, Record<string, DocumentedOperation>> = {};
  for (const operation of operations) {
    const methods = paths[operation.path] ?? {};
    methods[operation.method.toLowerCase()] = document(operation, schemas, responses);
    paths[operation.path] = methods;
  }
  return {
    openapi: "3.1.0",
    info: {
      title: options.isConsole === true ? "Florin console" : "Florin",
      version: options.version,
      description: options.isConsole === true ? consoleDescription : apiDescription,
      license: { name: "Apache License 2.0", identifier: "Apache-2.0" },
    },
    servers: [
      {
        url: options.publicUrl + (options.isConsole === true ? "/console/api" : versionPath),
        description: "This deployment.",
      },
    ],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => toTag(name, options.tags)),
    paths,
    webhooks: documentWebhooks(options.webhooks, { schemas, responses }),
    components: {
      securitySchemes: options.isConsole === true ? consoleSecurity : securitySchemes,
      parameters: sharedParameters,
      headers: sharedHeaders,
      responses,
      schemas: {
        Error: errorSchema,
        FieldError: fieldErrorSchema,
        ...valueListSchemas,
        ...schemas.components,
      },
    },
  };
}

function toTag(name: string, notes: ReferenceNotes["tags"]): DocumentedTag {
  const description = notes[name];
  return description === undefined ? { name } : { name, description };
}

const SECURITY: Readonly<Record<Access, readonly Readonly<Record<string, readonly string[]>>[]>> = {
  VIEW: [{ basicAuth: [] }],
  TRANSACT: [{ basicAuth: [] }],
  MANAGE: [{ basicAuth: [] }],
  AGENT: [{ bearerAuth: [] }],
  PERSON: [{ session: [] }],
  PUBLIC: [],
};

function document<C>(
  operation: Operation<C>,
  schemas: SchemaCollector,
  responses: Record<string, DocumentedAnswer>,
): DocumentedOperation {
  const { id, tag, summary, description, access, capability, sandboxOnly } = operation;
  const requestBody = toRequestBody(operation, schemas);
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    security: SECURITY[access],
    ...permissionOf(operation),
    ...(access === "PERSON" && capability !== undefined ? { "x-capability": capability } : {}),
    ...(sandboxOnly === true ? { "x-sandbox-only": true as const } : {}),
    ...eventsOf(operation),
    parameters: toParameters(operation, schemas),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: {
      ...toAnswers(operation, schemas),
      ...toErrorAnswers(refusalsOf(operation), responses),
      ...(requestBody === undefined ? {} : toStalledAnswer(responses)),
    },
  };
}

function permissionOf<C>({
  access,
  agentPermission,
}: Operation<C>): Pick<DocumentedOperation, "x-permission" | "x-agent-permission"> {
  if (access === "PUBLIC" || access === "PERSON") return {};
  if (access !== "AGENT") return { "x-permission": access };
  return agentPermission === undefined ? {} : { "x-agent-permission": agentPermission };
}

/** The event types without duplicates: the lists of one operation may overlap. */
function eventsOf<C>({ events }: Operation<C>): Pick<DocumentedOperation, "x-events"> {
  return events === undefined ? {} : { "x-events": [...new Set(events)] };
}

function toRequestBody<C>(
  { body, form, shownBody, bodyOptional, requestExample }: Operation<C>,
  schemas: SchemaCollector,
): DocumentedOperation["requestBody"] {
  if (form !== undefined) {
    const schema = schemas.place(formSchema(form));
    const example = requestExample ?? exampleOf(schema);
    return { required: true, content: { "multipart/form-data": { schema, example } } };
  }
  const shown = shownBody ?? body;
  if (shown === undefined) return undefined;
  const example = requestExample ?? exampleOf(shown);
  return {
    required: bodyOptional !== true,
    content: { "application/json": { schema: schemas.place(shown), example } },
  };
}

/** The schema of a form, including its file. */
function formSchema({ fields, file }: FormNote): SchemaNode {
  const { description, maxBytes } = file;
  return {
    type: "object",
    required: ["file", ...requiredOf(fields)],
    properties: {
      file: {
        type: "string",
        format: "binary",
        description: `${description} At most ${maxBytes / 1024 ** 2} MB.`,
        example: "(the bytes of the file)",
      },
      ...propertiesOf(fields),
    },
  };
}

function toParameters<C>(
  operation: Operation<C>,
  schemas: SchemaCollector,
): readonly (DocumentedParameter | Ref)[] {
  const parameters: (DocumentedParameter | Ref)[] = [];
  for (const name of pathNames(operation.path)) {
    const schema =
      operation.params === undefined ? undefined : propertiesOf(operation.params)[name];
    const documented = toParameter(name, schema ?? PLAIN_TEXT, schemas);
    parameters.push({ ...documented, in: "path", required: true });
  }
  if (operation.query !== undefined) {
    const required = requiredOf(operation.query);
    for (const [name, schema] of Object.entries(propertiesOf(operation.query))) {
      const isRequired = required.has(name) && !("default" in schema);
      const documented = toParameter(name, schema, schemas);
      const style = typeOf(schema) === "object" ? MEMBER_STYLE : {};
      parameters.push({ ...documented, ...style, in: "query", required: isRequired });
    }
  }
  for (const header of operation.headers ?? []) {
    parameters.push({
      name: header.name,
      in: "header",
      required: header.required === true,
      description: header.description,
      schema: PLAIN_TEXT,
      ...(header.example === undefined ? {} : { example: header.example }),
    });
  }
  if (operation.body !== undefined) parameters.push({ $ref: "#/components/parameters/Prefer" });
  if (takesKey(operation)) {
    parameters.push({ $ref: "#/components/parameters/IdempotencyKey" });
  }
  parameters.push({ $ref: "#/components/parameters/RequestId" });
  return parameters;
}

const PLAIN_TEXT = { type: "string" };
const typeOf = (schema: TSchema) => (schema as { readonly type?: unknown }).type;
/** `metadata[orderId]=17` */
const MEMBER_STYLE = { style: "deepObject", explode: true };

function toParameter(
  name: string,
  schema: TSchema | SchemaNode,
  schemas: SchemaCollector,
): Pick<DocumentedParameter, "name" | "description" | "schema" | "example"> {
  const { description, examples: _, ...rest } = schema as Readonly<Record<string, unknown>>;
  return {
    name,
    ...(typeof description === "string" ? { description } : {}),
    schema: schemas.place(rest),
    ...(hasNoExample(schema) ? {} : { example: exampleOf(schema) }),
  };
}

export function pathNames(path: string): readonly string[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = ""]) => name);
}

function toAnswers<C>(
  operation: Operation<C>,
  schemas: SchemaCollector,
): Record<string, DocumentedAnswer> {
  return Object.fromEntries(
    Object.entries(operation.answers).map(([status, note]) => [
      status,
      toAnswer(note, {
        schemas,
        canReplay: takesKey(operation),
        hasBody: operation.body !== undefined,
      }),
    ]),
  );
}

/** A body that is not JSON. */
function textOf(
  contentType: string,
  { example }: AnswerNote,
): NonNullable<DocumentedAnswer["content"]> {
  return {
    [contentType]: { schema: { type: "string" }, ...(example === undefined ? {} : { example }) },
  };
}

function toAnswer(
  note: AnswerNote,
  {
    schemas,
    canReplay,
    hasBody,
  }: {
    readonly schemas: SchemaCollector;
    readonly canReplay: boolean;
    readonly hasBody: boolean;
  },
): DocumentedAnswer {
  const headers: Record<string, Ref> = {
    "X-Request-Id": { $ref: "#/components/headers/RequestId" },
  };
  if (canReplay) headers["Idempotent-Replayed"] = { $ref: "#/components/headers/Replayed" };
  if (hasBody) Object.assign(headers, bodyHeaders);
  const { description, schema, contentType } = note;
  const csv =
    note.csv === undefined ? {} : { "text/csv": { schema: PLAIN_TEXT, example: note.csv } };
  if (contentType !== undefined)
    return { description, headers, content: { ...csv, ...textOf(contentType, note) } };
  if (schema === undefined) return { description, headers };
  const example = note.example ?? exampleOf(schema);
  return {
    description,
    headers,
    content: {
      ...csv,
      "application/json": { schema: schemas.place(schema), example },
    },
  };
}
