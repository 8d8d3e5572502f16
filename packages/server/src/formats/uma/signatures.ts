/**
 * Signatures of messages: ECDSA on secp256k1 over the SHA-256 of a text, as DER in lower-case hexadecimal. Both halves of `s` are accepted.
 * Signing and verifying take about a millisecond each, so they run in the thread pool.
 */
import { createPrivateKey, createPublicKey, ECDH, type KeyObject, sign, verify } from "node:crypto";

/** What a signature is over: the addresses that the message is about, its nonce and its time. */
export function signedText(
  addresses: readonly string[],
  { nonce, timestamp }: { readonly nonce: string; readonly timestamp: bigint },
): string {
  return [...addresses, nonce, timestamp].join("|");
}

const CURVE = "secp256k1";
const UNCOMPRESSED_HEX = /^04[0-9a-f]{128}$/i;
const COMPRESSED_HEX = /^0[23][0-9a-f]{64}$/i;

/** A public key from the bytes of its point; undefined when they are no point of the curve. */
export function publicKeyOfHex(hex: string): KeyObject | undefined {
  if (!UNCOMPRESSED_HEX.test(hex) && !COMPRESSED_HEX.test(hex)) return undefined;
  try {
    const point = ECDH.convertKey(hex, CURVE, "hex", undefined, "uncompressed") as Buffer;
    const [x, y] = [point.subarray(1, 33), point.subarray(33)];
    return createPublicKey({
      format: "jwk",
      key: { kty: "EC", crv: CURVE, x: x.toString("base64url"), y: y.toString("base64url") },
    });
  } catch {
    return undefined;
  }
}

/** The uncompressed point of a public key, 65 bytes; undefined for a key of another curve. */
export function pointOf(key: KeyObject): Buffer | undefined {
  if (key.asymmetricKeyDetails?.namedCurve !== CURVE) return undefined;
  const { x = "", y = "" } = key.export({ format: "jwk" });
  return Buffer.concat([
    Buffer.from([4]),
    Buffer.from(x, "base64url"),
    Buffer.from(y, "base64url"),
  ]);
}

/** Around the secret and the point of a key on secp256k1: SEC 1, C.4. */
const [SEC1_HEAD, SEC1_CURVE] = ["30740201010420", "a00706052b8104000aa144034200"].map((hex) =>
  Buffer.from(hex, "hex"),
) as [Buffer, Buffer];

/**
 * A private key from its 32 bytes and the uncompressed point of its public key, which is not compared with them. As a JWK it would be, for
 * twice the time: 0.2 ms of the main thread for each message that is signed.
 */
export function privateKeyOf(secret: Uint8Array, point: Uint8Array): KeyObject {
  const der = Buffer.concat([SEC1_HEAD, secret, SEC1_CURVE, point]);
  const key = createPrivateKey({ key: der, format: "der", type: "sec1" });
  der.fill(0);
  return key;
}

export function signText(text: string, key: KeyObject): Promise<string> {
  return new Promise((resolve, reject) => {
    sign("sha256", Buffer.from(text, "utf8"), key, (error, signature) => {
      if (error === null) resolve(signature.toString("hex"));
      else reject(error);
    });
  });
}

const SIGNATURE_HEX = /^(?:[0-9a-f]{2}){8,72}$/i;

/** False for a signature that is not one, too. */
export function isSignatureOf(text: string, signature: string, key: KeyObject): Promise<boolean> {
  if (!SIGNATURE_HEX.test(signature)) return Promise.resolve(false);
  return new Promise((resolve) => {
    const bytes = Buffer.from(signature, "hex");
    verify("sha256", Buffer.from(text, "utf8"), key, bytes, (error, isGood) =>
      resolve(error === null && isGood),
    );
  });
}
