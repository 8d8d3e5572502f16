import type { Method } from "./retry.ts";

/** One call, before it is made into an HTTP request. */
export interface Call {
  readonly method: Method;
  /** The parts between the slashes, not encoded. */
  readonly path: readonly string[];
  readonly query?: object | undefined;
  readonly body?: object | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The answer has its items in `data`. */
  readonly isList?: boolean;
}

/** The path and query as they stand in the URL. */
export function targetOf(call: Call): { readonly path: string; readonly query: string } {
  return { path: pathText(call.path), query: queryText(call.query) };
}

/** Cookies are never sent, and a redirect is an answer: neither belongs to this API. */
export function requestInit(
  authorization: string | undefined,
  call: Call,
  key: string | undefined,
): RequestInit {
  const headers = new Headers({ ...call.headers, accept: "application/json" });
  if (authorization !== undefined) headers.set("authorization", authorization);
  if (key !== undefined) headers.set("idempotency-key", key);
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
  return { ...init, body: JSON.stringify(call.body) };
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

/** Percent-encodes each part. One that would turn this into another path is refused. */
function pathText(parts: readonly string[]): string {
  let whole = "";
  for (const part of parts) {
    if (typeof part !== "string" || part === "" || part === "." || part === "..") {
      throw new TypeError(`${JSON.stringify(part)} cannot be an id`);
    }
    whole += `/${encodeURIComponent(part)}`;
  }
  return whole;
}
