/** Canonical JSON, as this service hashes it. */
import { type Bytes, sha256, toHex, utf8 } from "./bytes.ts";

/** JSON text with sorted keys and without whitespace; undefined members are left out. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  entries.sort(([left], [right]) => (left < right ? -1 : 1));
  const members = entries.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
  return `{${members.join(",")}}`;
}

export function sha256Hex(text: string): Promise<string> {
  return sha256(utf8(text)).then((digest: Bytes) => toHex(digest));
}

/** The `bodySha256` of a request with this body; undefined stands for a request without a body. */
export function bodyDigestOf(body: unknown): Promise<string> {
  return sha256Hex(canonicalJson(body));
}
