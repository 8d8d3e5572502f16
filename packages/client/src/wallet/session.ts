/** A wallet session: the key that the service sealed to this client, and the stamps made with it. */
import { fromBase58check, fromHex, toBase64url, toHex, utf8 } from "./bytes.ts";
import { type ClientKey, type CryptoKey, openSealed } from "./client-key.ts";
import { WalletError } from "./errors.ts";
import { COORDINATE_BYTES, compressed, publicKeyOf } from "./p256.ts";
import { toDer } from "./signatures.ts";

export interface WalletSession {
  /** The compressed point, as 66 hexadecimal digits. */
  readonly publicKey: string;
  /** The value of the header `Service-Wallet-Signature` for a `payloadToSign`. The text is signed unchanged. */
  stamp(payloadToSign: string): Promise<string>;
}

const SCHEME = "SIGNATURE_SCHEME_TK_API_P256";
const SIGNING = { name: "ECDSA", namedCurve: "P-256" } as const;
const COMPRESSED_BYTES = 33;

/** Opens `encryptedSessionSigningKey`. The session's private key stays in the browser's or Node's key store. */
export async function openSession(
  clientKey: ClientKey,
  encryptedSessionSigningKey: string,
): Promise<WalletSession> {
  const bundle = await fromBase58check(encryptedSessionSigningKey);
  if (bundle === undefined)
    throw new WalletError("malformed", "the session key is not well formed");
  const privateKey = await openSealed(clientKey, {
    encapsulated: bundle.slice(0, COMPRESSED_BYTES),
    ciphertext: bundle.slice(COMPRESSED_BYTES),
  });
  if (privateKey === undefined) {
    throw new WalletError("does-not-open", "the session key was not sealed to this client key");
  }
  try {
    return await sessionOf(privateKey);
  } finally {
    privateKey.fill(0);
  }
}

async function sessionOf(privateKey: Uint8Array): Promise<WalletSession> {
  const publicKey = publicKeyOf(privateKey);
  if (publicKey === undefined) throw new WalletError("malformed", "the session key is no key");
  const jwk = {
    kty: "EC",
    crv: "P-256",
    d: toBase64url(privateKey),
    x: toBase64url(publicKey.slice(1, 1 + COORDINATE_BYTES)),
    y: toBase64url(publicKey.slice(1 + COORDINATE_BYTES)),
  };
  const signingKey = await crypto.subtle.importKey("jwk", jwk, SIGNING, false, ["sign"]);
  const name = toHex(compressed(publicKey) ?? publicKey);
  return { publicKey: name, stamp: (payloadToSign) => stampWith(signingKey, name, payloadToSign) };
}

async function stampWith(
  signingKey: CryptoKey,
  publicKey: string,
  payloadToSign: string,
): Promise<string> {
  const algorithm = { name: "ECDSA", hash: "SHA-256" };
  const raw = await crypto.subtle.sign(algorithm, signingKey, utf8(payloadToSign));
  const signature = toHex(toDer(new Uint8Array(raw)));
  return toBase64url(utf8(JSON.stringify({ publicKey, scheme: SCHEME, signature })));
}

/** A sandbox session has no key, and its stamp is a constant. */
export const sandboxSession: WalletSession = {
  publicKey: "",
  stamp: () => Promise.resolve("sandbox-valid-signature"),
};

/** Whether a text can be a `clientPublicKey`. */
export function isClientPublicKey(text: string): boolean {
  if (!/^04[0-9a-fA-F]{128}$/.test(text)) return false;
  return compressed(fromHex(text) ?? new Uint8Array()) !== undefined;
}
