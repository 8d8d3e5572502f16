/**
 * The issuer's key: P-256, one for a deployment, made when it is first needed. It signs exports, and wallet clients pin its
 * public part, so it never changes.
 *
 * First use: look for the kept one → make one → seal it → keep it, unless another server was first → open what is kept. Dying
 * anywhere leaves either no key or the one key. A failure is not remembered: the next use looks again.
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

/** What the sealed key is bound to. */
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
