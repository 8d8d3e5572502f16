/**
 * The issuer's key: P-256, one a deployment, created at its first use. It signs exports, and wallet clients pin its public key,
 * so it never changes.
 *
 * First use: read the stored key → generate one → seal it → store it, unless another server was first → open the stored one. If
 * the process dies at any step, no key or one key is stored. A failure is not cached: the next use reads again.
 */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from "node:crypto";
import type { IssuerKeyStore } from "../../domain/wallets/wallet-signer.port.ts";
import type { Sealer } from "../../secrets/sealing.ts";
import { present } from "../../std/assert.ts";
import { loadOnce } from "../../std/load-once.ts";

export interface IssuerKey {
  readonly privateKey: KeyObject;
  /** Uncompressed, 130 lower-case hexadecimal digits. */
  readonly publicKeyHex: string;
}

/** The associated data of the sealed key. */
export const ISSUER_KEY_IDENTITY = "deployment_facts.wallet issuer key";

export function createIssuerKeySource(
  sealer: Sealer,
  store: IssuerKeyStore,
): () => Promise<IssuerKey> {
  return loadOnce(async () => {
    const sealed = (await store.find()) ?? (await store.keep(newSealedKey(sealer)));
    return toIssuerKey(sealer.open(sealed, ISSUER_KEY_IDENTITY));
  });
}

function newSealedKey(sealer: Sealer): string {
  const { privateKey } = generateKeyPairSync("ec", {
    namedCurve: "P-256",
    publicKeyEncoding: { type: "spki", format: "der" },
    privateKeyEncoding: { type: "pkcs8", format: "der" },
  });
  const sealed = sealer.seal(privateKey, ISSUER_KEY_IDENTITY);
  privateKey.fill(0);
  return sealed;
}

function toIssuerKey(pkcs8: Buffer): IssuerKey {
  const privateKey = createPrivateKey({ key: pkcs8, format: "der", type: "pkcs8" });
  pkcs8.fill(0);
  const { x, y } = createPublicKey(privateKey).export({ format: "jwk" });
  const coordinates = [x, y].map((text) => Buffer.from(present(text, "a coordinate"), "base64url"));
  return {
    privateKey,
    publicKeyHex: Buffer.concat([Buffer.of(4), ...coordinates]).toString("hex"),
  };
}
