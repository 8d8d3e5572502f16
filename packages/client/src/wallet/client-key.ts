/**
 * The key pair of a client: the service seals a session key or an export to it. Make a fresh one for each. The private key
 * cannot be taken out of the browser's or Node's key store.
 */
import { type Bytes, concat, toHex, utf8 } from "./bytes.ts";
import { uncompressed } from "./p256.ts";

export type CryptoKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

export interface ClientKey {
  /** The value of `clientPublicKey`: 130 hexadecimal digits. */
  readonly clientPublicKey: string;
  readonly privateKey: CryptoKey;
  readonly publicKeyBytes: Bytes;
}

export interface SealedMessage {
  /** 33 or 65 bytes. */
  readonly encapsulated: Uint8Array;
  readonly ciphertext: Bytes;
}

const CURVE = { name: "ECDH", namedCurve: "P-256" } as const;

export async function createClientKey(): Promise<ClientKey> {
  const pair = await crypto.subtle.generateKey(CURVE, false, ["deriveBits"]);
  const publicKeyBytes = new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey));
  return {
    clientPublicKey: toHex(publicKeyBytes),
    privateKey: pair.privateKey,
    publicKeyBytes,
  };
}

/**
 * Opens what was sealed to the key: HPKE (RFC 9180) in base mode with DHKEM(P-256, HKDF-SHA256), HKDF-SHA256 and
 * AES-256-GCM, one message. Undefined when the point is invalid or the decryption fails.
 */
export async function openSealed(
  key: ClientKey,
  message: SealedMessage,
): Promise<Bytes | undefined> {
  const encapsulated = uncompressed(message.encapsulated);
  if (encapsulated === undefined) return undefined;
  const transcript = concat(encapsulated, key.publicKeyBytes);
  const shared = await sharedSecret(key, encapsulated, transcript);
  const { aesKey, nonce } = await keySchedule(shared);
  const algorithm = { name: "AES-GCM", iv: nonce, additionalData: transcript, tagLength: 128 };
  try {
    return new Uint8Array(await crypto.subtle.decrypt(algorithm, aesKey, message.ciphertext));
  } catch {
    return undefined;
  }
}

const HASH_BYTES = 32;
const AES_KEY_BYTES = 32;
const NONCE_BYTES = 12;
const EMPTY = new Uint8Array();
const KEM_SUITE = concat(utf8("KEM"), Uint8Array.of(0, 0x10));
const SUITE = concat(utf8("HPKE"), Uint8Array.of(0, 0x10, 0, 1, 0, 2));
const INFO = utf8("turnkey_hpke");

async function sharedSecret(
  key: ClientKey,
  encapsulated: Bytes,
  transcript: Bytes,
): Promise<Bytes> {
  const sender = await crypto.subtle.importKey("raw", encapsulated, CURVE, false, []);
  const exchange = { name: "ECDH", public: sender };
  const bits = await crypto.subtle.deriveBits(exchange, key.privateKey, 8 * HASH_BYTES);
  const extracted = await extract(KEM_SUITE, EMPTY, "eae_prk", new Uint8Array(bits));
  return expand(KEM_SUITE, extracted, { label: "shared_secret", context: transcript }, HASH_BYTES);
}

async function keySchedule(shared: Bytes): Promise<{ aesKey: CryptoKey; nonce: Bytes }> {
  const pskIdHash = await extract(SUITE, EMPTY, "psk_id_hash", EMPTY);
  const infoHash = await extract(SUITE, EMPTY, "info_hash", INFO);
  const context = concat(Uint8Array.of(0), pskIdHash, infoHash);
  const secret = await extract(SUITE, shared, "secret", EMPTY);
  const key = await expand(SUITE, secret, { label: "key", context }, AES_KEY_BYTES);
  const aesKey = await crypto.subtle.importKey("raw", key, "AES-GCM", false, ["decrypt"]);
  key.fill(0);
  return {
    aesKey,
    nonce: await expand(SUITE, secret, { label: "base_nonce", context }, NONCE_BYTES),
  };
}

const PROTOCOL = utf8("HPKE-v1");

function extract(suite: Bytes, salt: Bytes, label: string, material: Bytes): Promise<Bytes> {
  // An empty HMAC key is the same as one of zeros, and some browsers refuse an empty one.
  const key = salt.length === 0 ? new Uint8Array(HASH_BYTES) : salt;
  return hmac(key, concat(PROTOCOL, suite, utf8(label), material));
}

/** HKDF-Expand limited to one block, because no output here is longer than a hash. */
async function expand(
  suite: Bytes,
  key: Bytes,
  { label, context }: { readonly label: string; readonly context: Bytes },
  length: number,
): Promise<Bytes> {
  const info = concat(Uint8Array.of(0, length), PROTOCOL, suite, utf8(label), context);
  return (await hmac(key, concat(info, Uint8Array.of(1)))).slice(0, length);
}

async function hmac(key: Bytes, text: Bytes): Promise<Bytes> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", key, algorithm, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, text));
}
