/**
 * Parses ID tokens strictly and checks their claims. The signature is verified elsewhere (oidc-tokens.ts); until then every
 * value here is untrusted.
 */
import type { OidcClaims, UnusableToken } from "../../../domain/wallets/credentials/oidc.port.ts";
import { sha256Hex } from "../../../std/digest.ts";
import { readJsonObject } from "../../../std/json.ts";
import { canonicalIssuer, type KnownIssuers, providerNameOf } from "./issuers.ts";

type Members = Readonly<Record<string, unknown>>;

export interface IdToken {
  readonly header: Members;
  readonly payload: Members;
  readonly issuer: string;
  /** The signed part, which identifies a token: two tokens that differ only in the signature are the same token. */
  readonly signed: string;
  readonly signature: string;
}

const LONGEST_TOKEN = 16_384;
const TOKEN = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]*)$/;

/** Parses a token, whose issuer must be one of these. */
export function readIdToken(text: string, issuers: KnownIssuers): IdToken | UnusableToken {
  const parts = text.length > LONGEST_TOKEN ? null : TOKEN.exec(text);
  const [, head = "", body = "", signature = ""] = parts ?? [];
  const header = jsonPart(head);
  const payload = jsonPart(body);
  if (header === undefined || payload === undefined) {
    return unusable("structure", "This is not a token of three parts: header, payload, signature.");
  }
  const issuer = canonicalIssuer(payload.iss);
  if (issuer === undefined || !issuers.has(issuer)) {
    return unusable("issuer", "The token's issuer is not one that is recognised here.");
  }
  return { header, payload, issuer, signed: `${head}.${body}`, signature };
}

export function unusable(reason: UnusableToken["reason"], message: string): UnusableToken {
  return { kind: "malformed", reason, message };
}

/** The claims; a claim that is absent, of another type or with control characters is null. */
export function claimsOf({ payload, issuer }: IdToken): OidcClaims {
  return {
    issuer,
    audience: audienceOf(payload.aud),
    subject: soundText(payload.sub, LONGEST_SUBJECT),
    email: soundText(payload.email, LONGEST_EMAIL),
    providerName: providerNameOf(issuer),
  };
}

export const LONGEST_SUBJECT = 255;
const LONGEST_AUDIENCE = 512;
const LONGEST_EMAIL = 320;

/** Control characters, line ends and halves of surrogate pairs: no name, address or id has them. */
const UNSOUND = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

/** The text; null for an empty one, one that is too long, another type, or control characters. */
export function soundText(value: unknown, maxLength: number): string | null {
  const isText = typeof value === "string" && value !== "" && value.length <= maxLength;
  return isText && !UNSOUND.test(value) ? value : null;
}

function audienceOf(value: unknown): string | null {
  const only: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return soundText(only, LONGEST_AUDIENCE);
}

const OLDEST_MS = 60_000;
const SKEW_SECONDS = 5;
/** Header parameters with which a token could supply its own key. */
const FOREIGN_KEYS = ["jku", "jwk", "x5u", "x5c"] as const;

/** The reason to refuse the header; undefined for a valid one. */
export function headerProblem({ header, signature }: IdToken): string | undefined {
  const { typ, crit } = header;
  if (signature === "" || !isCanonical(signature)) return "The token is not signed.";
  if (FOREIGN_KEYS.some((name) => header[name] !== undefined)) {
    return "The token brings a key of its own.";
  }
  // The only extension that the signature library knows is an unencoded payload (RFC 7797), which no ID token may have.
  if (crit !== undefined) return "The token has an extension.";
  const isIdToken = typ === undefined || (typeof typ === "string" && typ.toUpperCase() === "JWT");
  return isIdToken ? undefined : "The token is not an ID token.";
}

/** The reason to refuse the times; undefined for a token that was just issued. `at` is platform time. */
export function timeProblem({ payload }: IdToken, at: number): string | undefined {
  const { iat, exp, nbf } = payload;
  const now = Math.floor(at / 1000);
  if (!isTime(iat)) return "The token does not say when it was made.";
  if (!isTime(exp)) return "The token does not say when it ends.";
  if (at - iat * 1000 > OLDEST_MS) return "The token is more than 60 seconds old.";
  if (iat - now > SKEW_SECONDS) return "The token was made in the future.";
  if (exp * 1000 <= at || exp <= iat) return "The token has expired.";
  if (nbf !== undefined && !(isTime(nbf) && nbf - now <= SKEW_SECONDS)) {
    return "The token is not valid yet.";
  }
  return undefined;
}

function isTime(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

/** A token with a nonce is bound to one public key of a client. */
export function nonceProblem({ payload }: IdToken, clientPublicKey: string): string | undefined {
  const { nonce } = payload;
  if (nonce === undefined || nonce === sha256Hex(clientPublicKey)) return undefined;
  return "The token was made for another client key.";
}

/** The canonical base64url; decoders ignore stray bits in the last character. */
function isCanonical(part: string): boolean {
  return Buffer.from(part, "base64url").toString("base64url") === part;
}

/** The JSON object in a part. */
function jsonPart(part: string): Members | undefined {
  if (part === "" || !isCanonical(part)) return undefined;
  return readJsonObject(Buffer.from(part, "base64url"));
}
