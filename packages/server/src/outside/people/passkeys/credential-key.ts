/**
 * The public key of a passkey, from its COSE form: ES256 on P-256, RS256, or EdDSA on Ed25519. Everything else is refused
 * when the passkey is registered: a key whose type and algorithm disagree, a point off the curve or compressed, a short
 * modulus, and keys for which a valid signature can be made without the secret.
 */
import { createPublicKey, type JsonWebKey, type KeyObject, verify } from "node:crypto";
import { type Bytes, readCborMap, toBase64url } from "./passkey-parts.ts";

export const ALGORITHMS = { es256: -7, eddsa: -8, rs256: -257 } as const;

export interface CredentialKey {
  readonly key: KeyObject;
  /** Null for EdDSA, which hashes by itself. */
  readonly digest: "sha256" | null;
}

const LABEL = {
  type: 1,
  algorithm: 3,
  curve: -1,
  x: -2,
  y: -3,
  modulus: -1,
  exponent: -2,
} as const;
const TYPE = { okp: 1, ec2: 2, rsa: 3 } as const;
const CURVE = { p256: 1, ed25519: 6 } as const;
const COORDINATE_BYTES = 32;
const SHORTEST_MODULUS_BITS = 2048;
const LONGEST_MODULUS_BITS = 4096;

export function readCredentialKey(cose: Bytes): CredentialKey | undefined {
  const members = readCborMap(cose);
  const jwk = members && toJwk(members);
  if (members === undefined || jwk === undefined) return undefined;
  let key: KeyObject;
  try {
    key = createPublicKey({ key: jwk, format: "jwk" });
  } catch {
    return undefined;
  }
  if (key.asymmetricKeyType === "rsa" && !isSoundRsa(key)) return undefined;
  return { key, digest: members.get(LABEL.algorithm) === ALGORITHMS.eddsa ? null : "sha256" };
}

/** An exponent of 1 makes every text its own signature; an even one, or an even modulus, is no RSA key at all. */
function isSoundRsa({ asymmetricKeyDetails: details }: KeyObject): boolean {
  const { modulusLength: bits = 0, publicExponent = 0n } = details ?? {};
  const isLongEnough = bits >= SHORTEST_MODULUS_BITS && bits <= LONGEST_MODULUS_BITS;
  return isLongEnough && publicExponent > 1n && publicExponent % 2n === 1n;
}

/**
 * The points of Ed25519 of order 8 or less, in every encoding, without the sign bit: for such a key a valid signature can be
 * made without a secret.
 */
const SMALL_ORDER: ReadonlySet<string> = new Set([
  "00".repeat(32),
  `01${"00".repeat(31)}`,
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  `ec${"ff".repeat(30)}7f`,
  `ed${"ff".repeat(30)}7f`,
  `ee${"ff".repeat(30)}7f`,
]);

function isOfSmallOrder(point: Uint8Array): boolean {
  const bytes = Buffer.from(point);
  bytes.writeUInt8(bytes.readUInt8(SIGN_BYTE) & 0x7f, SIGN_BYTE);
  return SMALL_ORDER.has(bytes.toString("hex"));
}

const SIGN_BYTE = COORDINATE_BYTES - 1;

function toJwk(members: ReadonlyMap<unknown, unknown>): JsonWebKey | undefined {
  const type = members.get(LABEL.type);
  const algorithm = members.get(LABEL.algorithm);
  const curve = members.get(LABEL.curve);
  const x = coordinate(members.get(LABEL.x));
  if (type === TYPE.ec2 && algorithm === ALGORITHMS.es256 && curve === CURVE.p256) {
    const y = coordinate(members.get(LABEL.y));
    return x === undefined || y === undefined ? undefined : { kty: "EC", crv: "P-256", x, y };
  }
  if (type === TYPE.okp && algorithm === ALGORITHMS.eddsa && curve === CURVE.ed25519) {
    if (x === undefined || isOfSmallOrder(Buffer.from(x, "base64url"))) return undefined;
    return { kty: "OKP", crv: "Ed25519", x };
  }
  if (type === TYPE.rsa && algorithm === ALGORITHMS.rs256) {
    const modulus = members.get(LABEL.modulus);
    const exponent = members.get(LABEL.exponent);
    if (!(modulus instanceof Uint8Array) || !(exponent instanceof Uint8Array)) return undefined;
    if (((modulus.at(-1) ?? 0) & 1) === 0) return undefined;
    return { kty: "RSA", n: toBase64url(modulus), e: toBase64url(exponent) };
  }
  return undefined;
}

function coordinate(value: unknown): string | undefined {
  const isWhole = value instanceof Uint8Array && value.length === COORDINATE_BYTES;
  return isWhole ? toBase64url(value) : undefined;
}

/** ECDSA signatures are DER; any other form is invalid. */
export function isSignedBy(
  { key, digest }: CredentialKey,
  signed: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    verify(digest, signed, { key, dsaEncoding: "der" }, signature, (error, isValid) =>
      error === null ? resolve(isValid) : reject(error),
    );
  });
}
