/**
 * P-256 operations that WebCrypto lacks: validating a point, converting its two forms, and deriving a public key from a private
 * one. The arithmetic is not constant in time; it handles a secret once, when a session is opened, on the machine of the
 * wallet's owner.
 */
import { type Bytes, concat, fromHex, toHex } from "./bytes.ts";

const P = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn;
const N = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const B = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn;
const G = {
  x: 0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
  y: 0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
};
export const COORDINATE_BYTES = 32;

interface Point {
  readonly x: bigint;
  readonly y: bigint;
}

/** The uncompressed form (65 bytes) of a point in either form; undefined when the bytes are no point. */
export function uncompressed(bytes: Uint8Array): Bytes | undefined {
  const point = readPoint(bytes);
  return point && concat(Uint8Array.of(4), toBytes(point.x), toBytes(point.y));
}

/** The compressed form (33 bytes) of a point in either form; undefined when the bytes are no point. */
export function compressed(bytes: Uint8Array): Bytes | undefined {
  const point = readPoint(bytes);
  return point && concat(Uint8Array.of(point.y % 2n === 0n ? 2 : 3), toBytes(point.x));
}

/** The uncompressed public key of a private one; undefined when the scalar is not from 1 to n - 1. */
export function publicKeyOf(privateKey: Uint8Array): Bytes | undefined {
  const scalar = toNumber(privateKey);
  if (privateKey.length !== COORDINATE_BYTES || scalar === 0n || scalar >= N) return undefined;
  const { x, y } = multiplyBase(scalar);
  return concat(Uint8Array.of(4), toBytes(x), toBytes(y));
}

function readPoint(bytes: Uint8Array): Point | undefined {
  const first = bytes[0];
  const x = toNumber(bytes.slice(1, 1 + COORDINATE_BYTES));
  if (x >= P) return undefined;
  const square = mod(x * x * x - 3n * x + B);
  if (first === 4 && bytes.length === 1 + 2 * COORDINATE_BYTES) {
    const y = toNumber(bytes.slice(1 + COORDINATE_BYTES));
    return y < P && mod(y * y) === square ? { x, y } : undefined;
  }
  if ((first !== 2 && first !== 3) || bytes.length !== 1 + COORDINATE_BYTES) return undefined;
  const root = power(square, (P + 1n) / 4n);
  if (mod(root * root) !== square) return undefined;
  return { x, y: root % 2n === BigInt(first - 2) ? root : mod(-root) };
}

interface Projective {
  readonly x: bigint;
  readonly y: bigint;
  readonly z: bigint;
}

/** A Montgomery ladder: it does the same number of additions for every scalar. */
function multiplyBase(scalar: bigint): Point {
  let low: Projective = { x: 0n, y: 1n, z: 0n };
  let high: Projective = { ...G, z: 1n };
  for (let bit = 255n; bit >= 0n; bit--) {
    const sum = add(low, high);
    if (((scalar >> bit) & 1n) === 0n) [low, high] = [add(low, low), sum];
    else [low, high] = [sum, add(high, high)];
  }
  const inverse = power(low.z, P - 2n);
  return { x: mod(low.x * inverse), y: mod(low.y * inverse) };
}

/** The complete addition of Renes, Costello and Batina for a = -3: no special case for doubling or for infinity. */
function add(left: Projective, right: Projective): Projective {
  const xx = mod(left.x * right.x);
  const yy = mod(left.y * right.y);
  const zz = mod(left.z * right.z);
  const xy = mod((left.x + left.y) * (right.x + right.y) - xx - yy);
  const yz = mod((left.y + left.z) * (right.y + right.z) - yy - zz);
  const xz = mod((left.x + left.z) * (right.x + right.z) - xx - zz);
  const bzz = mod(3n * (xz - B * zz));
  const bxz = mod(3n * (B * xz - 3n * zz - xx));
  const slope = mod(3n * xx - 3n * zz);
  return {
    x: mod((yy + bzz) * xy - yz * bxz),
    y: mod((yy + bzz) * (yy - bzz) + slope * bxz),
    z: mod((yy - bzz) * yz + xy * slope),
  };
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let square = base;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = mod(result * square);
    square = mod(square * square);
  }
  return result;
}

function mod(value: bigint): bigint {
  const rest = value % P;
  return rest < 0n ? rest + P : rest;
}

function toNumber(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${toHex(bytes)}`);
}

function toBytes(value: bigint): Bytes {
  return fromHex(value.toString(16).padStart(2 * COORDINATE_BYTES, "0")) ?? new Uint8Array();
}
