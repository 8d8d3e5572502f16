/** What a caller prefers about fields that the server does not know, and what the answer says about them (RFC 7240). */
import type { UnknownFields } from "../../domain/platform.ts";
import {
  type IgnoredField,
  ignoredFaults,
  unknownFaults,
} from "../../validation/ignored-fields.ts";
import { type Faults, plainFaults } from "../../validation/validation.ts";

interface Handling {
  /** Headers of the answer; names and values in turn. */
  readonly notes: readonly string[];
  readonly faults: Faults | undefined;
}

const NOTHING: Handling = { notes: [], faults: undefined };
const STRICTLY = ["Preference-Applied", "handling=strict"];

/**
 * The fields are faults if the caller asked for strict handling, or if the platform refuses them; otherwise a header names them. They are
 * derived from the request, so a replay notes the same ones.
 */
export function judgeIgnored(
  found: readonly IgnoredField[],
  prefer: string | string[] | undefined,
  ofPlatform: UnknownFields | undefined,
): Handling {
  if (prefersStrict(prefer)) return { notes: STRICTLY, faults: plainFaults(ignoredFaults(found)) };
  if (found.length === 0) return NOTHING;
  if (ofPlatform === "REFUSE") return { notes: [], faults: plainFaults(unknownFaults(found)) };
  return { notes: ["X-Ignored-Fields", ignoredHeader(found)], faults: undefined };
}

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
