/** Signatures of a platform, checked by WebCrypto: ECDSA on P-256 with SHA-256, DER in base64. Runs in browsers and in Node. */

/** The bytes of `{"v":"1","s":"<base64>"}`, or of the base64 alone. */
export function signatureIn(header: string): Uint8Array<ArrayBuffer> | undefined {
  const text = header.trim();
  const parsed = parse(text);
  const s = typeof parsed === "object" && parsed !== null && "s" in parsed ? parsed.s : text;
  return typeof s === "string" ? rawSignature(bytesOf(s)) : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
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

/** Converts the two DER integers to the two numbers of 32 bytes that WebCrypto takes. */
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

/** False also for a key that is no P-256 key in PEM. */
export async function isSignedBy(
  signature: Uint8Array<ArrayBuffer>,
  { text, key }: { readonly text: string; readonly key: string },
): Promise<boolean> {
  const spki = bytesOf(key.replaceAll(/-----[A-Z ]+-----|\s/g, ""));
  if (spki === undefined) return false;
  const curve = { name: "ECDSA", namedCurve: "P-256" };
  const algorithm = { name: "ECDSA", hash: "SHA-256" };
  const bytes = new TextEncoder().encode(text);
  try {
    const imported = await crypto.subtle.importKey("spki", spki, curve, false, ["verify"]);
    return await crypto.subtle.verify(algorithm, imported, signature, bytes);
  } catch {
    return false;
  }
}
