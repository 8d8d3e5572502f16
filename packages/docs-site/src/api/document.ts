/** The OpenAPI document as the pages read it. */

export type Schema = Readonly<Record<string, unknown>>;

export interface ApiDocument {
  readonly info: { readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: DocumentedEvent }>>;
  readonly components: {
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly headers: Readonly<Record<string, { readonly description: string }>>;
    readonly responses: Readonly<Record<string, Answer>>;
    readonly schemas: Readonly<Record<string, Schema>>;
  };
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: unknown;
}

export interface Content {
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

export interface Answer {
  readonly description: string;
  readonly content?: Readonly<Record<string, Content>>;
}

interface Ref {
  readonly $ref: string;
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security: readonly Schema[];
  readonly parameters: readonly (Parameter | Ref)[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Readonly<Record<string, Content>>;
  };
  readonly responses: Readonly<Record<string, Answer | Ref>>;
  readonly "x-permission"?: string;
  readonly "x-agent-permission"?: string;
  readonly "x-sandbox-only"?: true;
  readonly "x-events"?: readonly string[];
}

export interface DocumentedEvent {
  readonly description: string;
  readonly parameters: readonly Ref[];
  readonly requestBody: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, Answer | Ref>>;
}

export interface Operation {
  readonly id: string;
  readonly tag: string;
  readonly title: string;
  readonly description: string | undefined;
  readonly method: string;
  readonly path: string;
  readonly caller: "TOKEN" | "AGENT" | "ANYONE";
  readonly permission: string | undefined;
  readonly isSandboxOnly: boolean;
  readonly events: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly body:
    | { readonly type: string; readonly isRequired: boolean; readonly content: Content }
    | undefined;
  readonly answers: readonly NumberedAnswer[];
  readonly refusals: readonly Refusal[];
}

export interface NumberedAnswer extends Answer {
  readonly status: string;
}

export interface Refusal {
  readonly code: string;
  readonly status: number;
}

export function readOperations(document: ApiDocument): readonly Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, found]) =>
      toOperation(document, { path, method, found }),
    ),
  );
}

function toOperation(
  document: ApiDocument,
  { path, method, found }: { path: string; method: string; found: DocumentedOperation },
): Operation {
  const [[type, content] = []] = Object.entries(found.requestBody?.content ?? {});
  const answers = Object.entries(found.responses).map(([status, answer]) => ({
    status,
    ...(isRef(answer) ? resolve<Answer>(document, answer) : answer),
  }));
  return {
    id: found.operationId,
    tag: found.tags[0] ?? "",
    title: found.summary,
    description: found.description,
    method: method.toUpperCase(),
    path,
    caller: callerOf(found),
    permission: found["x-permission"] ?? found["x-agent-permission"],
    isSandboxOnly: found["x-sandbox-only"] === true,
    events: found["x-events"] ?? [],
    parameters: found.parameters.map((one) =>
      isRef(one) ? resolve<Parameter>(document, one) : one,
    ),
    body:
      type === undefined || content === undefined
        ? undefined
        : { type, isRequired: found.requestBody?.required === true, content },
    answers: answers.filter(({ status }) => Number(status) < 400),
    refusals: answers.filter(({ status }) => Number(status) >= 400).flatMap(toRefusals),
  };
}

function callerOf({ security }: DocumentedOperation): Operation["caller"] {
  if (security.length === 0) return "ANYONE";
  return security.some((scheme) => "bearerAuth" in scheme) ? "AGENT" : "TOKEN";
}

/** The error codes of one status, which share one answer of the document. */
function toRefusals({ status, content }: NumberedAnswer): readonly Refusal[] {
  const examples = Object.keys(content?.["application/json"]?.examples ?? {});
  return examples.map((code) => ({ code, status: Number(status) }));
}

export function isNode(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isRef(value: object): value is Ref {
  return "$ref" in value;
}

/** The last part of a reference. */
export function nameIn(reference: string): string {
  return reference.slice(reference.lastIndexOf("/") + 1);
}

/** The component that a schema refers to, if it is a reference. */
export function refOf(schema: Schema): string | undefined {
  if (typeof schema.$ref === "string") return nameIn(schema.$ref);
  const [only, ...others] = Array.isArray(schema.allOf) ? schema.allOf.filter(isNode) : [];
  return only === undefined || others.length > 0 ? undefined : refOf(only);
}

function resolve<Found>(document: ApiDocument, { $ref }: Ref): Found {
  const found = $ref
    .slice(2)
    .split("/")
    .reduce<unknown>((node, part) => (isNode(node) ? node[part] : undefined), document);
  if (!isNode(found)) throw new Error(`the document has nothing at ${$ref}`);
  return found as Found;
}

/** Resolves a reference and merges the members beside it. */
export function follow(document: ApiDocument, schema: Schema): Schema {
  const { $ref, ...beside } = schema;
  if (typeof $ref === "string")
    return { ...follow(document, resolve(document, { $ref })), ...beside };
  const [only, ...others] = Array.isArray(schema.allOf) ? schema.allOf.filter(isNode) : [];
  if (only === undefined || others.length > 0) return schema;
  const { allOf: _, ...rest } = schema;
  return { ...follow(document, only), ...rest };
}

/** The variants of a union, without those that only constrain sibling fields. */
export function formsOf(document: ApiDocument, schema: Schema): readonly Schema[] {
  const forms = schema.oneOf ?? schema.anyOf;
  if (!Array.isArray(forms)) return [];
  return forms.filter(isNode).filter((form) => follow(document, form).type !== undefined);
}
