/**
 * The cookie of a session: the id of the workspace and 256 random bits. Only the hash of these bits is stored. The CSRF token is derived
 * from them, so it is not stored.
 */
import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { sha256Hex } from "../../std/digest.ts";
import { isUuid } from "../../std/ids.ts";
import type { ConsolePlace } from "./place.ts";

export interface SessionKey {
  readonly workspaceId: string;
  /** Base64url. */
  readonly secret: string;
}

const ID_BYTES = 16;
const SECRET_BYTES = 32;
const COOKIE_TEXT = /^[A-Za-z0-9_-]{64}$/;

export function newSessionKey(workspaceId: string): SessionKey {
  return { workspaceId, secret: randomBytes(SECRET_BYTES).toString("base64url") };
}

export function hashOfSecret(secret: string): string {
  return sha256Hex(`florin session ${secret}`);
}

export function csrfOf({ secret }: SessionKey): string {
  return sha256Hex(`florin csrf ${secret}`);
}

function nameAt({ isSecure }: ConsolePlace): string {
  return isSecure ? "__Host-florin" : "florin-local";
}

function attributesAt({ isSecure }: ConsolePlace): string {
  return `Path=/; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`;
}

/** The value of `Set-Cookie`. Without `Max-Age` the browser deletes the cookie when it is closed. */
export function setCookie(place: ConsolePlace, { workspaceId, secret }: SessionKey): string {
  const id = Buffer.from(workspaceId.replaceAll("-", ""), "hex");
  const value = Buffer.concat([id, Buffer.from(secret, "base64url")]).toString("base64url");
  return `${nameAt(place)}=${value}; ${attributesAt(place)}`;
}

export function clearCookie(place: ConsolePlace): string {
  return `${nameAt(place)}=; Max-Age=0; ${attributesAt(place)}`;
}

/** The session that a request names. A repeated or malformed cookie counts as none. */
export function sessionKeyOf(raw: IncomingMessage, place: ConsolePlace): SessionKey | undefined {
  const value = cookieValueOf(raw, nameAt(place));
  if (value === undefined || !COOKIE_TEXT.test(value)) return undefined;
  const bytes = Buffer.from(value, "base64url");
  const hex = bytes.subarray(0, ID_BYTES).toString("hex");
  const workspaceId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  if (!isUuid(workspaceId)) return undefined;
  return { workspaceId, secret: bytes.subarray(ID_BYTES).toString("base64url") };
}

/** The value of a cookie; undefined when it is sent twice. */
export function cookieValueOf({ headers }: IncomingMessage, name: string): string | undefined {
  const prefix = `${name}=`;
  const values = (headers.cookie ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(prefix));
  return values.length === 1 ? values[0]?.slice(prefix.length) : undefined;
}
