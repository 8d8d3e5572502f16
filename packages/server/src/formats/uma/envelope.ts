/**
 * The envelope of travel-rule data: the sender makes a key pair for one message, and both sides derive a key of AES-256-GCM from the shared
 * point.
 *
 *   65 bytes   public key of the message, uncompressed
 *   16 bytes   nonce
 *   16 bytes   tag
 *   the rest   ciphertext
 *
 * The derivation is over the whole shared point. Node gives its first coordinate alone, so the point comes from @noble/curves.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { secp256k1 } from "@noble/curves/secp256k1.js";

const POINT_BYTES = 65;
const NONCE_BYTES = 16;
const TAG_BYTES = 16;
const HEAD_BYTES = POINT_BYTES + NONCE_BYTES + TAG_BYTES;
const CIPHER = "aes-256-gcm";

/** Encrypts for the holder of a public key, whose point is given uncompressed or compressed. */
export function sealFor(point: Uint8Array, plain: Uint8Array): Buffer {
  const secret = secp256k1.utils.randomSecretKey();
  const ephemeral = secp256k1.getPublicKey(secret, false);
  const key = keyOf(ephemeral, secp256k1.getSharedSecret(secret, point, false));
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  const text = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([ephemeral, nonce, cipher.getAuthTag(), text]);
}

/** The content; undefined for anything that was not sealed for this key. */
export function openWith(secret: Uint8Array, sealed: Uint8Array): Buffer | undefined {
  if (sealed.length < HEAD_BYTES) return undefined;
  const bytes = Buffer.from(sealed);
  const ephemeral = bytes.subarray(0, POINT_BYTES);
  const nonce = bytes.subarray(POINT_BYTES, POINT_BYTES + NONCE_BYTES);
  try {
    const key = keyOf(ephemeral, secp256k1.getSharedSecret(secret, ephemeral, false));
    const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAuthTag(bytes.subarray(HEAD_BYTES - TAG_BYTES, HEAD_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(HEAD_BYTES)), decipher.final()]);
  } catch {
    return undefined;
  }
}

function keyOf(ephemeral: Uint8Array, shared: Uint8Array): Buffer {
  return Buffer.from(hkdfSync("sha256", Buffer.concat([ephemeral, shared]), "", "", 32));
}
