/** Points of P-256, in their two spellings. Whatever comes out of here lies on the curve. */
import { ECDH } from "node:crypto";

export const CURVE = "prime256v1";
export const SCALAR_BYTES = 32;

/** 65 bytes for a point in either spelling, or undefined when it is none. The point at infinity is none. */
export function uncompressedPoint(point: Uint8Array): Buffer | undefined {
  return convert(point, "uncompressed");
}

/** 33 bytes for a point in either spelling, or undefined when it is none. */
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
