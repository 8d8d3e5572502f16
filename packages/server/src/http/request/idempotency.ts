import { bodyMarks } from "../../engine/body-marks.ts";
import type { Idempotency } from "../../engine/command.ts";
import { sha256 } from "../../std/digest.ts";
import { canonicalJson, isJsonObject } from "../../std/json.ts";
import { type Faults, plainFaults } from "../../validation/validation.ts";
import { type Caller, isAgent, isPerson } from "./operation.ts";

const MAX_LENGTH = 255;

/**
 * The fault of a request's idempotency key. Node joins a repeated header with ", ", and a space is not a visible
 * character, so two headers are refused by the same rule.
 */
export function keyFaults(header: string | string[] | undefined): Faults | undefined {
  if (header === undefined || (typeof header === "string" && isVisible(header))) return undefined;
  const rule = `must be sent once and be 1 to ${MAX_LENGTH} visible ASCII characters`;
  return plainFaults([
    {
      field: "Idempotency-Key",
      message: String(header).includes(" ") ? `contains a space; it ${rule}` : rule,
      constraint: { minLength: 1, maxLength: MAX_LENGTH },
    },
  ]);
}

/** The decoded path as the scope of a key; the percent-encoding of the request makes no difference. */
export function pathScope(method: string, path: string): (params: Params) => string {
  const [head = "", ...rest] = path.split("{");
  const parts = rest.map((part) => part.split("}") as [string, string]);
  return (params) => {
    let scope = `${method} ${head}`;
    for (const [name, tail] of parts) scope += encodeURIComponent(params[name] ?? "") + tail;
    return scope;
  };
}

type Params = Readonly<Record<string, string>>;

/** `body` is what the caller sent, without defaults. Key order and whitespace do not change the digest. */
export function toIdempotency(call: {
  readonly caller: Caller | undefined;
  readonly pathScope: string;
  readonly key: string;
  readonly body: unknown;
  /** The fields that the operation takes; absent for a form. */
  readonly known?: readonly string[] | undefined;
}): Idempotency {
  const { key, body, known } = call;
  const scope = `${ownerOf(call.caller)} ${call.pathScope}`;
  if (known === undefined || !isJsonObject(body)) {
    return { scope, key, bodyDigest: sha256(canonicalJson(body)) };
  }
  const texts = Object.keys(body)
    .sort()
    .map((name) => [name, canonicalJson(body[name])] as const);
  const members = texts.map(([name, text]) => `${JSON.stringify(name)}:${text}`);
  return {
    scope,
    key,
    bodyDigest: sha256(`{${members.join(",")}}`),
    marks: bodyMarks(texts, { key, known }),
  };
}

/** Replaces a secret in the path by its hash, because the scope of a key is stored in the log. */
export function withoutSecret(
  idempotency: Idempotency | undefined,
  { secret, hash }: { readonly secret: string; readonly hash: string },
): Idempotency | undefined {
  if (idempotency === undefined) return undefined;
  const scope = idempotency.scope.replace(encodeURIComponent(secret), hash);
  return { ...idempotency, scope };
}

/**
 * The tokens of a platform share one key space; each agent and each person has its own. Without credentials the path must separate
 * callers.
 */
function ownerOf(caller: Caller | undefined): string {
  if (caller === undefined) return "public";
  if (isAgent(caller)) return `agent:${caller.agentId}`;
  const platform = `platform:${caller.platformId}`;
  return isPerson(caller) ? `${platform} person:${caller.personId}` : platform;
}

function isVisible(text: string): boolean {
  if (text.length === 0 || text.length > MAX_LENGTH) return false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 0x21 || code > 0x7e) return false;
  }
  return true;
}
