/** What a caller prefers about fields that the server does not know, and what the answer says about them (RFC 7240). */
import type { IgnoredField } from "../../validation/ignored-fields.ts";

/** Whether `Prefer: handling=strict` was sent, alone or in a list of preferences. */
export function prefersStrict(prefer: string | string[] | undefined): boolean {
  if (prefer === undefined) return false;
  return String(prefer)
    .split(",")
    .some((preference) => STRICT.test(preference));
}

const STRICT = /^\s*handling\s*=\s*(?:strict|"strict")\s*(?:;.*)?$/i;

/** The value of `X-Ignored-Fields`. Characters that are not plain name characters are percent-encoded, so a comma separates paths. */
export function ignoredHeader(fields: readonly IgnoredField[]): string {
  return fields.map(({ path }) => encodePath(path)).join(", ");
}

/** Characters of the header per path: 20 such paths stay well below the head sizes that clients accept. */
const LONGEST_PATH = 200;

/** A lone surrogate, which has no bytes in UTF-8, becomes a replacement character. */
function encodePath(path: string): string {
  const start = Buffer.from(path.slice(0, LONGEST_PATH), "utf8").toString("utf8");
  const encoded = encodeURIComponent(start);
  if (path.length <= LONGEST_PATH && encoded.length <= LONGEST_PATH) return encoded;
  return `${encoded.slice(0, LONGEST_PATH).replace(/%.?$/, "")}...`;
}
