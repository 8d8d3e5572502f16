/** Says whether a signature is that of a body, and if not, what was done to either of them. */

export type Verdict =
  | "valid"
  /** By the key that comes after the present one. */
  | "validByNext"
  | "noSignature"
  /** The same JSON in other bytes: it was parsed and written again, or got a line end. */
  | "reserialised"
  | "altered"
  | "otherKey"
  /** What was sent is not known, so either may be the cause. */
  | "alteredOrOtherKey";

export interface Delivered {
  /** Of `X-Service-Signature`. */
  readonly header: string;
  readonly body: string;
}

export interface Known {
  /** Public keys in PEM. */
  readonly key: string;
  readonly nextKey: string | undefined;
  /** The text of the event that the body names, as it was sent. */
  readonly original: string | undefined;
}

export async function judge({ header, body }: Delivered, known: Known): Promise<Verdict> {
  const signature = signatureIn(header);
  if (signature === undefined) return "noSignature";
  const isOf = (text: string, key: string) => verify(signature, { text, key });
  const { key, nextKey, original } = known;
  if (await isOf(body, key)) return "valid";
  if (nextKey !== undefined && (await isOf(body, nextKey))) return "validByNext";
  const rewritten = original ?? writtenAgain(body);
  if (rewritten !== undefined && (await isOf(rewritten, key)))
    return isSameJson(rewritten, body) ? "reserialised" : "altered";
  return original === undefined ? "alteredOrOtherKey" : "otherKey";
}

/** The id of the event that a body names. */
export function eventIdIn(body: string): string | undefined {
  const parsed = parse(body);
  const id =
    typeof parsed === "object" && parsed !== null && "id" in parsed ? parsed.id : undefined;
  return typeof id === "string" && id.startsWith("Webhook:") ? id : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** As the server writes JSON. */
function writtenAgain(body: string): string | undefined {
  const parsed = parse(body);
  return parsed === undefined ? undefined : JSON.stringify(parsed);
}

function isSameJson(one: string, other: string): boolean {
  return sortedText(parse(one)) === sortedText(parse(other));
}

function sortedText(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

/** The bytes of `{"v":"1","s":"<base64>"}`, or of the base64 alone. */
function signatureIn(header: string): Uint8Array<ArrayBuffer> | undefined {
  const text = header.trim();
  const parsed = parse(text);
  const s = typeof parsed === "object" && parsed !== null && "s" in parsed ? parsed.s : text;
  return typeof s === "string" ? rawSignature(bytesOf(s)) : undefined;
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

const NUMBER_BYTES = 32;
const SEQUENCE = 0x30;
const INTEGER = 0x02;

/** Two numbers in DER as the two of 32 bytes that browsers take. */
function rawSignature(der: Uint8Array | undefined): Uint8Array<ArrayBuffer> | undefined {
  if (der?.[0] !== SEQUENCE || der[1] !== der.length - 2) return undefined;
  const raw = new Uint8Array(2 * NUMBER_BYTES);
  let at = 2;
  for (const end of [NUMBER_BYTES, 2 * NUMBER_BYTES]) {
    const length = der[at + 1] ?? 0;
    if (der[at] !== INTEGER || length === 0) return undefined;
    const number = der.subarray(at + 2, at + 2 + length);
    const digits = number[0] === 0 ? number.subarray(1) : number;
    if (digits.length > NUMBER_BYTES || number.length < length) return undefined;
    raw.set(digits, end - digits.length);
    at += 2 + length;
  }
  return at === der.length ? raw : undefined;
}

async function verify(
  signature: Uint8Array<ArrayBuffer>,
  { text, key }: { readonly text: string; readonly key: string },
): Promise<boolean> {
  const spki = bytesOf(key.replaceAll(/-----[A-Z ]+-----|\s/g, ""));
  if (spki === undefined) return false;
  const curve = { name: "ECDSA", namedCurve: "P-256" };
  const imported = await crypto.subtle.importKey("spki", spki, curve, false, ["verify"]);
  const algorithm = { name: "ECDSA", hash: "SHA-256" };
  const bytes = new TextEncoder().encode(text);
  return crypto.subtle.verify(algorithm, imported, signature, bytes);
}
