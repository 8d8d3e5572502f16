import type { Method } from "./retry.ts";

/** A part of a path that is a credential: errors and notices redact it. */
export interface SecretPart {
  readonly secret: string;
}

type PathPart = string | SecretPart;

export function secretPart(secret: string): SecretPart {
  return { secret };
}

/** One call, independent of its HTTP request. */
export interface Call {
  readonly method: Method;
  /** The path segments, not encoded. */
  readonly path: readonly PathPart[];
  readonly query?: object | undefined;
  readonly body?: object | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The answer has its items in `data`. */
  readonly isList?: boolean;
  /** The server decides the call and undoes it. */
  readonly isDryRun?: boolean;
}

/** The request carries the owner's signature, which is valid for one request. */
export function isSigned({ headers }: Call): boolean {
  return headers !== undefined && "service-wallet-signature" in headers;
}

/** The URL, and its path with credentials redacted. */
export function targetOf(call: Call): { readonly target: string; readonly path: string } {
  let path = "";
  let shown = "";
  for (const part of call.path) {
    const isSecret = typeof part === "object" && part !== null;
    const text = partText(isSecret ? part.secret : part);
    path += `/${text}`;
    shown += isSecret ? "/{code}" : `/${text}`;
  }
  const query = call.isDryRun === true ? { ...call.query, dryRun: true } : call.query;
  return { target: path + queryText(query), path: shown };
}

/** Settings that all calls of a client share. */
export interface Sender {
  /** Absent for the exchange of a device code, the only call without credentials. */
  readonly authorization: string | undefined;
  /** Asks the server to refuse fields of a body that it does not know. */
  readonly isStrict: boolean;
}

/** Sends no cookies, and returns a redirect as an answer: this API uses neither. */
export function requestInit(
  { authorization, isStrict }: Sender,
  call: Call,
  key: string | undefined,
): RequestInit {
  const headers = new Headers({ accept: "application/json" });
  for (const [name, value] of Object.entries(call.headers ?? {})) setHeader(headers, name, value);
  if (authorization !== undefined) setHeader(headers, "authorization", authorization);
  if (key !== undefined) setHeader(headers, "idempotency-key", key);
  const init: RequestInit = {
    method: call.method,
    headers,
    redirect: "manual",
    credentials: "omit",
  };
  if (call.body === undefined) return init;
  // `fetch` generates the boundary of a form and sets the content type.
  if (call.body instanceof FormData) return { ...init, body: call.body };
  headers.set("content-type", "application/json");
  if (isStrict) headers.set("prefer", "handling=strict");
  return { ...init, body: JSON.stringify(call.body) };
}

/** Replaces the error of `fetch`, which would contain the value, possibly a secret. */
function setHeader(headers: Headers, name: string, value: string): void {
  try {
    headers.set(name, value);
  } catch {
    throw new TypeError(`the value for the header ${name} is none that HTTP can carry`);
  }
}

function queryText(query: object | undefined): string {
  const parts = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (typeof one === "object" && one !== null) appendMembers(parts, name, one);
      else if (one !== undefined && one !== null) parts.append(name, String(one));
    }
  }
  const text = parts.toString();
  return text === "" ? "" : `?${text}`;
}

/** `metadata[orderId]=17` */
function appendMembers(parts: URLSearchParams, name: string, members: object): void {
  for (const [key, value] of Object.entries(members))
    parts.append(`${name}[${key}]`, String(value));
}

/** Percent-encodes a segment. A segment that would change the path, such as `..`, is refused. */
function partText(part: string): string {
  if (typeof part !== "string" || part === "" || part === "." || part === "..") {
    throw new TypeError(`${JSON.stringify(part)} cannot be an id`);
  }
  return encodeURIComponent(part);
}
