/**
 * Signs webhook bodies: ECDSA on P-256 with SHA-256, over the exact bytes that are sent and nothing else. The bytes are
 * hashed once, by the signing itself; the signature is DER, not the raw 64 bytes.
 *
 * The private key leaves `generateWebhookKeyPair` as PKCS #8 bytes, to be sealed by the caller before it is stored; it is
 * held in the clear only as a key object.
 */

import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { assert } from "../../std/assert.ts";

export const SIGNATURE_HEADER = "X-Service-Signature";
/** The header with the signature by the key that takes over at the end of a rotation. */
export const NEXT_SIGNATURE_HEADER = "X-Service-Signature-Next";

export interface WebhookKeyPair {
  /** SPKI, shown to the receiver. */
  readonly publicKeyPem: string;
  readonly privateKeyPkcs8: Buffer;
}

export function generateWebhookKeyPair(): WebhookKeyPair {
  const { publicKey, privateKey } = generateKeyPairSync("ec", {
    namedCurve: "P-256",
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "der" },
  });
  return { publicKeyPem: publicKey, privateKeyPkcs8: privateKey };
}

/** The key object for `signBody`, from the unsealed bytes. */
export function toSigningKey(privateKeyPkcs8: Buffer): KeyObject {
  return createPrivateKey({ key: privateKeyPkcs8, format: "der", type: "pkcs8" });
}

/** The value of the signature header. Two signatures of one body differ; both are valid. */
export function signBody(privateKey: KeyObject, body: Buffer | string): string {
  assert(
    privateKey.asymmetricKeyDetails?.namedCurve === "prime256v1",
    "a webhook key is on the curve P-256",
  );
  const bytes = typeof body === "string" ? Buffer.from(body, "utf8") : body;
  // DER is the default.
  return `{"v":"1","s":"${sign("sha256", bytes, privateKey).toString("base64")}"}`;
}
