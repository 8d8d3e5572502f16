/**
 * Seals session keys and exports to a client: one HPKE suite, one `info`, and both public keys as associated data.
 * Wallet clients depend on this format; docs/wallets.md specifies it.
 */
import { createHash } from "node:crypto";
import { createBase58check } from "@scure/base";
import type { ClientPublicKey } from "../../domain/wallets/wallet-crypto.port.ts";
import { present } from "../../std/assert.ts";
import { compressedPoint, uncompressedPoint } from "./curve-points.ts";
import { createHpkeSuite, type HpkeContext, type HpkeMessage } from "./hpke.ts";

const CLIENT_INFO = Buffer.from("turnkey_hpke", "ascii");

const suite = createHpkeSuite("aes-256-gcm");
const base58check = createBase58check((bytes: Uint8Array) =>
  createHash("sha256").update(bytes).digest(),
);
const CLIENT_KEY = /^04[0-9a-fA-F]{128}$/;

/** The shape is not enough: a point off the curve would make the shared secret easy to guess. */
export function parseClientPublicKey(text: string): ClientPublicKey | undefined {
  if (!CLIENT_KEY.test(text)) return undefined;
  return uncompressedPoint(Buffer.from(text, "hex")) && (text as ClientPublicKey);
}

export function sealToClient(client: ClientPublicKey, plaintext: Buffer): HpkeMessage {
  const recipient = Buffer.from(client, "hex");
  return suite.seal(recipient, plaintext, (encapsulated) => contextOf(encapsulated, recipient));
}

function contextOf(encapsulated: Buffer, recipient: Buffer): HpkeContext {
  return { info: CLIENT_INFO, aad: Buffer.concat([encapsulated, recipient]) };
}

/** The text form of a sealed session key: the compressed `enc`, then the ciphertext, in base58 with a checksum. */
export function credentialBundle({ encapsulated, ciphertext }: HpkeMessage): string {
  const point = present(compressedPoint(encapsulated), "a point of our own making");
  return base58check.encode(Buffer.concat([point, ciphertext]));
}
