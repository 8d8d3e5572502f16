/**
 * The agents' operations as tools of the Model Context Protocol, one tool per operation, of the same name. A tool's
 * arguments are the operation's path, query and body fields in one object. A call becomes the HTTP request that the
 * agent could have sent.
 */
import type { TSchema } from "typebox";
import {
  isNode,
  propertiesOf,
  requiredOf,
  type SchemaNode,
  withoutIds,
} from "../../validation/schema.ts";
import { pathNames } from "../reference/openapi.ts";
import { type Operation, takesKey, versionPath } from "../request/operation.ts";

export interface Tool<C> {
  readonly operation: Operation<C>;
  readonly name: string;
  readonly description: string;
  readonly inputSchema: SchemaNode & { readonly type: "object" };
}

/** The HTTP request of a tool call. */
export interface ToolRequest {
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload?: string;
}

export type Arguments = Readonly<Record<string, unknown>>;

const KEY: SchemaNode = {
  type: "string",
  minLength: 1,
  maxLength: 255,
  description: "Makes it safe to call again: the same key and arguments give the first answer.",
};

export function toTool<C>(operation: Operation<C>): Tool<C> {
  const { id, summary, description, path, headers = [] } = operation;
  const properties: Record<string, unknown> = {};
  const required: string[] = [];
  for (const name of pathNames(path)) {
    properties[name] = { type: "string" };
    required.push(name);
  }
  for (const schema of [operation.query, operation.body]) {
    if (schema === undefined) continue;
    Object.assign(properties, plain(propertiesOf(schema)));
    required.push(...requiredFields(schema));
  }
  for (const header of headers) {
    properties[argumentOf(header.name)] = { type: "string", description: header.description };
  }
  if (takesKey(operation)) properties.idempotencyKey = KEY;
  return {
    operation,
    name: id,
    description: description === undefined ? `${summary}.` : `${summary}. ${description}`,
    inputSchema: { type: "object", properties, required },
  };
}

/**
 * The faults of path and query arguments. They are checked before they become text, because `null` and `"null"` would
 * then be equal.
 */
export function faultsIn<C>({ operation }: Tool<C>, given: Arguments): readonly string[] {
  const { path, headers = [], query } = operation;
  const missing = pathNames(path)
    .filter((name) => given[name] === undefined || given[name] === "")
    .map((name) => `${name} is missing`);
  // In a URL these values would change the path.
  const unsafe = pathNames(path)
    .filter((name) => given[name] === "." || given[name] === "..")
    .map((name) => `${name} is not an id`);
  const texts = [...pathNames(path), ...headers.map(({ name }) => argumentOf(name))];
  if (takesKey(operation)) texts.push("idempotencyKey");
  const notText = texts
    .filter((name) => given[name] !== undefined && typeof given[name] !== "string")
    .map((name) => `${name} must be text`);
  const badQuery = query === undefined ? [] : queryFaults(query, given);
  return [...missing, ...unsafe, ...notText, ...badQuery];
}

function queryFaults(query: TSchema, given: Arguments): readonly string[] {
  const properties = propertiesOf(query);
  const faults: string[] = [];
  for (const [name, value] of Object.entries(pick(query, given))) {
    const { type } = properties[name] as SchemaNode;
    const wanted = QUERY_TYPES[String(type)] ?? TEXT;
    if (typeof value !== wanted.type) faults.push(`${name} must be ${wanted.words}`);
  }
  return faults;
}

const TEXT = { type: "string", words: "text" };
/** Argument types by the parameter's schema type; every other type, such as a list, is text. */
const QUERY_TYPES: Readonly<Record<string, typeof TEXT>> = {
  integer: { type: "number", words: "a number" },
  boolean: { type: "boolean", words: "true or false" },
};

export function toRequest<C>({ operation }: Tool<C>, given: Arguments): ToolRequest {
  const { method, path, query, body, headers = [] } = operation;
  const url = path.replaceAll(/\{([^}]+)\}/g, (_, name: string) =>
    encodeURIComponent(String(given[name])),
  );
  const sent: Record<string, string> = {};
  if (given.idempotencyKey !== undefined) sent["idempotency-key"] = String(given.idempotencyKey);
  for (const { name } of headers) {
    const value = given[argumentOf(name)];
    if (value !== undefined) sent[name.toLowerCase()] = String(value);
  }
  const target = `${versionPath}${url}${queryText(query, given)}`;
  if (body === undefined) return { method, url: target, headers: sent };
  const payload = JSON.stringify(pick(body, given));
  return { method, url: target, headers: { ...sent, "content-type": "application/json" }, payload };
}

function queryText(query: TSchema | undefined, given: Arguments): string {
  if (query === undefined) return "";
  const parts = new URLSearchParams();
  for (const [name, value] of Object.entries(pick(query, given))) {
    parts.append(name, typeof value === "string" ? value : JSON.stringify(value));
  }
  return parts.size === 0 ? "" : `?${parts}`;
}

function pick(schema: TSchema, given: Arguments): Arguments {
  const names = Object.keys(propertiesOf(schema));
  const kept = names.filter((name) => Object.hasOwn(given, name) && given[name] !== undefined);
  return Object.fromEntries(kept.map((name) => [name, given[name]]));
}

/** Required fields without a default. */
function requiredFields(schema: TSchema): readonly string[] {
  const properties = propertiesOf(schema);
  return [...requiredOf(schema)].filter((name) => !("default" in (properties[name] ?? {})));
}

/** `Service-Wallet-Signature` becomes `serviceWalletSignature`. */
function argumentOf(header: string): string {
  const [first = "", ...rest] = header.split("-");
  return first.toLowerCase() + rest.join("");
}

/** A schema as plain JSON Schema, without keywords of OpenAPI and of our own. */
function plain(node: unknown): unknown {
  return withoutOwn(withoutIds(node));
}

function withoutOwn(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutOwn);
  if (!isNode(node)) return node;
  const isTagged = Array.isArray(node.oneOf);
  const members = Object.entries(node).filter(
    ([key]) => !key.startsWith("x-") && !(isTagged && key === "discriminator"),
  );
  return Object.fromEntries(members.map(([key, value]) => [key, withoutOwn(value)]));
}
