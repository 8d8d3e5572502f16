import type { Method } from "./retry.ts";

/** A part of a path that acts as a credential: errors and notices do not show it. */
export interface SecretPart {
  readonly secret: string;
}

type PathPart = string | SecretPart;

export function secretPart(secret: string): SecretPart {
  return { secret };
}

/** One call, before it is made into an HTTP request. */
export interface Call {
  readonly method: Method;
  /** The parts between the slashes, not encoded. */
  readonly path: readonly PathPart[];
  readonly query?: object | undefined;
  readonly body?: object | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The answer has its items in `data`. */
  readonly isList?: boolean;
}

/** It carries the owner's signature, which is good for one request. */
export function isSigned({ headers }: Call): boolean {
  return headers !== undefined && "service-wallet-signature" in headers;
}

/** Where the call goes, as it stands in the URL, and its path as it may be shown. */
export function targetOf(call: Call): { readonly target: string; readonly path: string } {
  let path = "";
  let shown = "";
  for (const part of call.path) {
    const isSecret = typeof part === "object" && part !== null;
    const text = partText(isSecret ? part.secret : part);
    path += `/${text}`;
    shown += isSecret ? "/{code}" : `/${text}`;
  }
  return { target: path + queryText(call.query), path: shown };
}

/** What is the same in every call of a client. */
export interface Sender {
  /** Absent for the one call that needs none. */
  readonly authorization: string | undefined;
  /** Asks the server to refuse fields of a body that it does not know. */
  readonly isStrict: boolean;
}

/** Cookies are never sent, and a redirect is an answer: neither belongs to this API. */
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
  // The boundary of a form is made, and named in its type, as it is sent.
  if (call.body instanceof FormData) return { ...init, body: call.body };
  headers.set("content-type", "application/json");
  if (isStrict) headers.set("prefer", "handling=strict");
  return { ...init, body: JSON.stringify(call.body) };
}

/** The platform's own error would show the value, which can be a secret. */
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
      if (one !== undefined && one !== null) parts.append(name, String(one));
    }
  }
  const text = parts.toString();
  return text === "" ? "" : `?${text}`;
}

/** Percent-encoded. A part that would turn this into another path is refused. */
function partText(part: string): string {
  if (typeof part !== "string" || part === "" || part === "." || part === "..") {
    throw new TypeError(`${JSON.stringify(part)} cannot be an id`);
  }
  return encodeURIComponent(part);
}
