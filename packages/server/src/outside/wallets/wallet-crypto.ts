/**
 * Session keys. The private key exists in the clear only in one function, between its creation and its sealing, and is wiped there; only
 * its public half is ever stored. If the process dies in between, there is no session.
 */
import { randomBytes } from "node:crypto";
import type { IssuedSessionKey, WalletCrypto } from "../../domain/wallets/wallet-crypto.port.ts";
import { present } from "../../std/assert.ts";
import { credentialBundle, parseClientPublicKey, sealToClient } from "./client-sealing.ts";
import { compressedPoint } from "./curve-points.ts";
import { generateKeyPair } from "./hpke.ts";
import { parseStamp, verifyStamp } from "./stamps.ts";

/** A private key of 32 bytes and its tag. */
const SEALED_KEY_BYTES = 48;

export function createWalletCrypto(): WalletCrypto {
  return {
    parseClientPublicKey,
    parseStamp,
    verifyStamp,
    async issueSessionKey(clientPublicKey) {
      const session = generateKeyPair();
      const sealed = sealToClient(clientPublicKey, session.privateKey);
      session.privateKey.fill(0);
      return issued(session.publicKey, credentialBundle(sealed));
    },
    async issueSandboxSessionKey() {
      const encapsulated = generateKeyPair().publicKey;
      const ciphertext = randomBytes(SEALED_KEY_BYTES);
      return issued(generateKeyPair().publicKey, credentialBundle({ encapsulated, ciphertext }));
    },
  };
}

function issued(publicKey: Buffer, encryptedSessionSigningKey: string): IssuedSessionKey {
  const point = present(compressedPoint(publicKey), "a point of our own making");
  return { publicKey: point.toString("hex"), encryptedSessionSigningKey };
}
