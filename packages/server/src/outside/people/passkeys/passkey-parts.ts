/** Parses the parts of a passkey's registration or assertion. Each reader returns undefined for malformed input. */
import { isoCBOR, parseAuthenticatorData } from "@simplewebauthn/server/helpers";
import type { FieldProblem, Malformed } from "../../../domain/wallets/credentials/passkeys.port.ts";
import { readJsonObject } from "../../../std/json.ts";

export type Bytes = Uint8Array<ArrayBuffer>;

export interface ClientData {
  readonly type: string;
  readonly challenge: string;
  readonly origin: string;
  /** Whether the page was of another site, or in a frame of another site. */
  readonly isCrossOrigin: boolean;
}

export type AuthenticatorData = ReturnType<typeof parseAuthenticatorData>;

/** Base64url, with or without its padding, up to this many characters. */
export function fromBase64url(text: string, maxLength: number): Bytes | undefined {
  if (text.length === 0 || text.length > maxLength) return undefined;
  const bare = text.replace(/={1,2}$/, "");
  if (!/^[A-Za-z0-9_-]+$/.test(bare) || bare.length % 4 === 1) return undefined;
  return new Uint8Array(Buffer.from(bare, "base64url"));
}

export function toBase64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64url");
}

export function readClientData(bytes: Bytes): ClientData | undefined {
  const { type, challenge, origin, crossOrigin, topOrigin } = readJsonObject(bytes) ?? {};
  if (typeof type !== "string" || typeof challenge !== "string" || typeof origin !== "string") {
    return undefined;
  }
  const isCrossOrigin = (crossOrigin ?? false) !== false || topOrigin !== undefined;
  return { type, challenge, origin, isCrossOrigin };
}

export function readAuthenticatorData(bytes: Bytes): AuthenticatorData | undefined {
  try {
    return parseAuthenticatorData(bytes);
  } catch {
    return undefined;
  }
}

/**
 * A CBOR map in canonical form with nothing after it. When encoding the decoded map gives another length, it has a duplicate
 * key, a non-minimal length, or trailing bytes.
 */
export function readCborMap(bytes: Bytes): ReadonlyMap<unknown, unknown> | undefined {
  try {
    const value: unknown = isoCBOR.decodeFirst(bytes);
    if (!(value instanceof Map)) return undefined;
    return isoCBOR.encode(value as Parameters<typeof isoCBOR.encode>[0]).length === bytes.length
      ? value
      : undefined;
  } catch {
    return undefined;
  }
}

export function malformed(problems: readonly FieldProblem[]): Malformed {
  return { kind: "malformed", problems };
}

/** Reserved bits of the standard. */
const RESERVED_FLAGS = 0b0010_0010;

/** The reason to refuse the authenticator's flags; undefined for valid ones. */
export function flagsProblem({ flags }: AuthenticatorData): string | undefined {
  if (!flags.up) return "The authenticator did not see a person.";
  if ((flags.flagsInt & RESERVED_FLAGS) !== 0)
    return "The authenticator set flags without meaning.";
  if (flags.bs && !flags.be) return "The authenticator contradicts itself about its backup.";
  return undefined;
}
