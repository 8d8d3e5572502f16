/**
 * Hybrid public key encryption (RFC 9180), as far as it is needed: sealing one message in base mode, with
 * DHKEM(P-256, HKDF-SHA256), HKDF-SHA256 and AES-GCM.
 *
 * A message: fresh key pair → ECDH with the recipient → key schedule over `info` → one AES-GCM at sequence number 0. The
 * fresh private key is wiped and nothing of a message is kept, so two messages to one recipient have nothing in common.
 */
import { createCipheriv, createECDH, createHmac } from "node:crypto";
import { assert } from "../../std/assert.ts";
import { CURVE, SCALAR_BYTES } from "./curve-points.ts";

export interface HpkeKeyPair {
  /** 32 bytes, big-endian. */
  readonly privateKey: Buffer;
  /** 65 bytes, uncompressed. */
  readonly publicKey: Buffer;
}

export interface HpkeMessage {
  /** `enc`: the fresh public key, 65 bytes. */
  readonly encapsulated: Buffer;
  /** With the 16 bytes of its tag at the end. */
  readonly ciphertext: Buffer;
}

export interface HpkeContext {
  readonly info: Buffer;
  readonly aad: Buffer;
}

export interface HpkeSuite {
  /** `recipient` is a point on the curve, 65 bytes. */
  seal(
    recipient: Buffer,
    plaintext: Buffer,
    context: (encapsulated: Buffer) => HpkeContext,
  ): HpkeMessage;
}

/** The two suites differ in the AEAD alone. The longer key is what clients use; for the shorter there are published vectors. */
const AEADS = {
  "aes-128-gcm": { id: 0x0001, keyBytes: 16 },
  "aes-256-gcm": { id: 0x0002, keyBytes: 32 },
} as const;

type Aead = keyof typeof AEADS;

const KEM_ID = 0x0010;
const KDF_ID = 0x0001;
const HASH_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const EMPTY = Buffer.alloc(0);
const KEM_SUITE = Buffer.concat([Buffer.from("KEM"), twoBytes(KEM_ID)]);

/** `freshKeyPair` is given only by tests, which compare with published vectors. */
export function createHpkeSuite(
  aead: Aead,
  freshKeyPair: () => HpkeKeyPair = generateKeyPair,
): HpkeSuite {
  return {
    seal(recipient, plaintext, contextFor) {
      const fresh = freshKeyPair();
      const encapsulated = fresh.publicKey;
      const { info, aad } = contextFor(encapsulated);
      const shared = sharedSecret(fresh.privateKey, encapsulated, recipient);
      fresh.privateKey.fill(0);
      const { key, nonce } = keySchedule(aead, shared, info);
      const cipher = createCipheriv(aead, key, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(aad);
      const body = [cipher.update(plaintext), cipher.final(), cipher.getAuthTag()];
      return { encapsulated, ciphertext: Buffer.concat(body) };
    },
  };
}

export function generateKeyPair(): HpkeKeyPair {
  const pair = createECDH(CURVE);
  const publicKey = pair.generateKeys();
  const scalar = pair.getPrivateKey();
  const privateKey = leftPadded(scalar);
  scalar.fill(0);
  return { privateKey, publicKey };
}

/** The key schedule's context, which depends on the suite and on `info` alone. */
export function keyScheduleContext(aead: Aead, info: Buffer): Buffer {
  const suite = suiteId(aead);
  const pskIdHash = labeledExtract(suite, EMPTY, "psk_id_hash", EMPTY);
  const infoHash = labeledExtract(suite, EMPTY, "info_hash", info);
  return Buffer.concat([Buffer.of(0), pskIdHash, infoHash]);
}

function sharedSecret(privateKey: Buffer, encapsulated: Buffer, recipient: Buffer): Buffer {
  const pair = createECDH(CURVE);
  pair.setPrivateKey(privateKey);
  const extracted = labeledExtract(KEM_SUITE, EMPTY, "eae_prk", pair.computeSecret(recipient));
  const context = Buffer.concat([encapsulated, recipient]);
  return labeledExpand(KEM_SUITE, extracted, "shared_secret", context, HASH_BYTES);
}

function keySchedule(aead: Aead, shared: Buffer, info: Buffer) {
  const suite = suiteId(aead);
  const context = keyScheduleContext(aead, info);
  const secret = labeledExtract(suite, shared, "secret", EMPTY);
  return {
    key: labeledExpand(suite, secret, "key", context, AEADS[aead].keyBytes),
    nonce: labeledExpand(suite, secret, "base_nonce", context, NONCE_BYTES),
  };
}

function suiteId(aead: Aead): Buffer {
  const ids = [KEM_ID, KDF_ID, AEADS[aead].id].map(twoBytes);
  return Buffer.concat([Buffer.from("HPKE"), ...ids]);
}

const PROTOCOL = Buffer.from("HPKE-v1");

function labeledExtract(suite: Buffer, salt: Buffer, label: string, material: Buffer): Buffer {
  return hmac(salt, Buffer.concat([PROTOCOL, suite, Buffer.from(label), material]));
}

/** One block of HKDF-Expand: nothing here is longer than a hash. */
function labeledExpand(
  suite: Buffer,
  key: Buffer,
  label: string,
  context: Buffer,
  length: number,
): Buffer {
  assert(length <= HASH_BYTES, "one block is enough");
  const info = Buffer.concat([twoBytes(length), PROTOCOL, suite, Buffer.from(label), context]);
  return hmac(key, Buffer.concat([info, Buffer.of(1)])).subarray(0, length);
}

function hmac(key: Buffer, text: Buffer): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

function twoBytes(value: number): Buffer {
  return Buffer.of(value >> 8, value & 0xff);
}

function leftPadded(scalar: Buffer): Buffer {
  return Buffer.concat([Buffer.alloc(SCALAR_BYTES - scalar.length), scalar]);
}
