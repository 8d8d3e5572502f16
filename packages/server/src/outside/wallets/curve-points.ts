/** Converts P-256 points between their compressed and uncompressed forms. Every result is on the curve. */
import { ECDH } from "node:crypto";

export const CURVE = "prime256v1";
export const SCALAR_BYTES = 32;

/** The uncompressed form, 65 bytes; undefined for anything else, such as the point at infinity. */
export function uncompressedPoint(point: Uint8Array): Buffer | undefined {
  return convert(point, "uncompressed");
}

/** The compressed form, 33 bytes; undefined for anything else, such as the point at infinity. */
export function compressedPoint(point: Uint8Array): Buffer | undefined {
  return convert(point, "compressed");
}

const SPELLINGS: Readonly<Record<number, number>> = { 2: 33, 3: 33, 4: 65 };

function convert(point: Uint8Array, spelling: "compressed" | "uncompressed"): Buffer | undefined {
  if (SPELLINGS[point[0] ?? 0] !== point.length) return undefined;
  try {
    // The encodings are left out, so the answer is bytes.
    return ECDH.convertKey(point, CURVE, undefined, undefined, spelling) as Buffer;
  } catch {
    return undefined;
  }
}
