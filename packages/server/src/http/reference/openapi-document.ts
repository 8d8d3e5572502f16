import type { SchemaNode } from "../../validation/schema.ts";

/** The parts of an OpenAPI 3.1 document that this server writes and reads. */
export interface OpenApiDocument {
  readonly openapi: "3.1.0";
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
    readonly license: { readonly name: string; readonly identifier: string };
  };
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly tags: readonly DocumentedTag[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: DocumentedWebhook }>>;
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, SchemaNode>>;
    readonly parameters: Readonly<Record<string, DocumentedParameter>>;
    readonly headers: Readonly<Record<string, SchemaNode>>;
    readonly responses: Readonly<Record<string, DocumentedAnswer>>;
    readonly schemas: Readonly<Record<string, SchemaNode>>;
  };
}

export interface DocumentedTag {
  readonly name: string;
  readonly description?: string;
}

export interface Ref {
  readonly $ref: string;
}

export interface DocumentedOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly (DocumentedParameter | Ref)[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Readonly<Record<string, DocumentedContent>>;
  };
  readonly responses: Readonly<Record<string, DocumentedAnswer | Ref>>;
  readonly "x-permission"?: string;
  readonly "x-agent-permission"?: string;
  readonly "x-capability"?: string;
  readonly "x-sandbox-only"?: true;
  /** The types of the events that a successful call leads to. */
  readonly "x-events"?: readonly string[];
}

export interface DocumentedWebhook {
  readonly summary: string;
  readonly description: string;
  readonly security: readonly [];
  readonly parameters: readonly Ref[];
  readonly requestBody: {
    readonly required: true;
    readonly content: Readonly<Record<string, DocumentedContent>>;
  };
  readonly responses: Readonly<Record<string, DocumentedAnswer | Ref>>;
}

export interface DocumentedParameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly description?: string;
  readonly schema: SchemaNode;
  readonly example?: unknown;
}

export interface DocumentedContent {
  readonly schema: SchemaNode;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

export interface DocumentedAnswer {
  readonly description: string;
  readonly headers: Readonly<Record<string, Ref>>;
  readonly content?: Readonly<Record<string, DocumentedContent>>;
}

export function isRef(node: object): node is Ref {
  return "$ref" in node && typeof node.$ref === "string";
}
