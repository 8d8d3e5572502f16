/**
 * The header `Service-Wallet-Signature`: JSON in base64url that names a P-256 key and holds its ECDSA signature over the
 * characters of `payloadToSign`.
 *
 * Read strictly: one alphabet, no padding, no stray bits, three members once each, a point on the curve, DER in its one form with both
 * numbers in range. A high `s` is as good as a low one, so one payload has many valid stamps, which must not be compared by their bytes.
 */
import { createPublicKey, verify } from "node:crypto";
import type { Stamp } from "../../domain/wallets/wallet-crypto.port.ts";
import { compressedPoint } from "./curve-points.ts";

const LONGEST_STAMP = 1024;
const SCHEME = "SIGNATURE_SCHEME_TK_API_P256";
const BASE64URL = /^[A-Za-z0-9_-]+$/;
const BLANK = "[ \\t\\r\\n]*";
const MEMBER = `${BLANK}"(publicKey|scheme|signature)"${BLANK}:${BLANK}"([0-9A-Za-z_]*)"${BLANK}`;
const STAMP = new RegExp(`^${BLANK}\\{${MEMBER},${MEMBER},${MEMBER}\\}${BLANK}$`);

export function parseStamp(header: string): Stamp | undefined {
  const { publicKey, scheme, signature } = members(header) ?? {};
  if (scheme !== SCHEME || publicKey === undefined || signature === undefined) return undefined;
  if (!/^0[23][0-9a-fA-F]{64}$/.test(publicKey)) return undefined;
  if (compressedPoint(Buffer.from(publicKey, "hex")) === undefined) return undefined;
  if (!/^30([0-9a-fA-F]{2})+$/.test(signature)) return undefined;
  const signatureDer = Buffer.from(signature, "hex");
  if (!isSignatureDer(signatureDer)) return undefined;
  return { publicKey: publicKey.toLowerCase(), signatureDer };
}

type Members = { readonly [name in "publicKey" | "scheme" | "signature"]?: string };

/** Parses the three members; a duplicate name leaves fewer than three. */
function members(header: string): Members | undefined {
  if (header.length > LONGEST_STAMP || !BASE64URL.test(header)) return undefined;
  const bytes = Buffer.from(header, "base64url");
  if (bytes.toString("base64url") !== header) return undefined;
  const found = STAMP.exec(bytes.toString("latin1"));
  if (found === null) return undefined;
  const [, name1 = "", value1, name2 = "", value2, name3 = "", value3] = found;
  return Object.fromEntries([
    [name1, value1],
    [name2, value2],
    [name3, value3],
  ]);
}

export function verifyStamp(stamp: Stamp, payloadToSign: string): Promise<boolean> {
  const key = createPublicKey({
    key: Buffer.concat([SPKI_OF_COMPRESSED, Buffer.from(stamp.publicKey, "hex")]),
    format: "der",
    type: "spki",
  });
  const signed = Buffer.from(payloadToSign, "utf8");
  return new Promise((resolve, reject) => {
    verify("sha256", signed, { key, dsaEncoding: "der" }, stamp.signatureDer, (error, isValid) =>
      error === null ? resolve(isValid) : reject(error),
    );
  });
}

/** The SubjectPublicKeyInfo prefix of a compressed P-256 point. */
const SPKI_OF_COMPRESSED = Buffer.from(
  "3039301306072a8648ce3d020106082a8648ce3d030107032200",
  "hex",
);
const GROUP_ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** `SEQUENCE { INTEGER r, INTEGER s }` with short lengths, no byte too many or too few, and 0 < r, s < n. */
function isSignatureDer(der: Buffer): boolean {
  if (der[0] !== 0x30 || der[1] !== der.length - 2) return false;
  const afterFirst = integerEnd(der, 2);
  return afterFirst !== undefined && integerEnd(der, afterFirst) === der.length;
}

/** The end of the integer that starts here; undefined for invalid DER. */
function integerEnd(der: Buffer, start: number): number | undefined {
  const length = der[start + 1] ?? 0;
  const end = start + 2 + length;
  if (der[start] !== 0x02 || length === 0 || length > 33 || end > der.length) return undefined;
  const bytes = der.subarray(start + 2, end);
  const [first = 0, second = 0] = bytes;
  const isNegative = first >= 0x80;
  const isPadded = first === 0 && bytes.length > 1 && second < 0x80;
  if (isNegative || isPadded) return undefined;
  const value = BigInt(`0x${bytes.toString("hex")}`);
  return value > 0n && value < GROUP_ORDER ? end : undefined;
}
