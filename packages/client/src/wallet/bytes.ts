/**
 * Encodings of bytes. A decoder returns undefined for text that is not in the canonical form of its encoding. Hexadecimal may
 * be in either case.
 */

export type Bytes = Uint8Array<ArrayBuffer>;

export function concat(...parts: readonly Uint8Array[]): Bytes {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export function utf8(text: string): Bytes {
  return new Uint8Array(new TextEncoder().encode(text));
}

export function fromUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function fromHex(text: string): Bytes | undefined {
  if (!/^([0-9a-fA-F]{2})*$/.test(text)) return undefined;
  return Uint8Array.from({ length: text.length / 2 }, (_, index) =>
    Number.parseInt(text.slice(index * 2, index * 2 + 2), 16),
  );
}

export function toBase64url(bytes: Uint8Array): string {
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export function fromBase64url(text: string): Bytes | undefined {
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) return undefined;
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  return toBase64url(bytes) === text ? bytes : undefined;
}

const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const CHECKSUM_BYTES = 4;
/** Longer than any text that is decoded here. Bounds the work, which grows with the square of the length. */
const LONGEST_BASE58 = 512;

/** Base58 with a checksum of four bytes and no version byte. */
export async function fromBase58check(text: string): Promise<Bytes | undefined> {
  const bytes = text.length > LONGEST_BASE58 ? undefined : fromBase58(text);
  if (bytes === undefined || bytes.length < CHECKSUM_BYTES) return undefined;
  const body = bytes.slice(0, -CHECKSUM_BYTES);
  const digest = await sha256(await sha256(body));
  const checksum = bytes.slice(-CHECKSUM_BYTES);
  return checksum.every((byte, index) => byte === digest[index]) ? body : undefined;
}

function fromBase58(text: string): Bytes | undefined {
  let number = 0n;
  for (const character of text) {
    const digit = BASE58.indexOf(character);
    if (digit < 0) return undefined;
    number = number * 58n + BigInt(digit);
  }
  const zeros = /^1*/.exec(text)?.[0].length ?? 0;
  const digits = number === 0n ? "" : number.toString(16);
  const body = fromHex(digits.length % 2 === 0 ? digits : `0${digits}`);
  return body && concat(new Uint8Array(zeros), body);
}

export async function sha256(bytes: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}
