/**
 * Exports wallets: open the mnemonic → seal it to the client → wipe it → sign the result as the issuer (production only).
 * Only this file and new-wallet.ts handle a mnemonic in the clear. new-wallet.ts seals it under the master key, this file
 * to the client's key.
 *
 * An export changes nothing. If the process dies in the middle, the client calls again.
 */
import { sign } from "node:crypto";
import type { IssuerKeyStore, WalletSigner } from "../../domain/wallets/wallet-signer.port.ts";
import type { Sealer } from "../../secrets/sealing.ts";
import { sealToClient } from "./client-sealing.ts";
import { createIssuerKeySource } from "./issuer-key.ts";
import { walletIdentity } from "./new-wallet.ts";

const EXPORT_VERSION = "v1.0.0";

export interface WalletSignerOptions {
  readonly sealer: Sealer;
  readonly issuerKeys: IssuerKeyStore;
}

export function createWalletSigner({ sealer, issuerKeys }: WalletSignerOptions): WalletSigner {
  const issuerKey = createIssuerKeySource(sealer, issuerKeys);
  return {
    async issuerPublicKey() {
      return (await issuerKey()).publicKeyHex;
    },
    async exportWallet(wallet) {
      const issuer = wallet.environment === "PRODUCTION" ? await issuerKey() : undefined;
      const identity = walletIdentity(wallet.platformId, wallet.accountId);
      const words = sealer.open(wallet.mnemonicSealed, identity);
      const { encapsulated, ciphertext } = sealToClient(wallet.clientPublicKey, words);
      words.fill(0);
      const sealed = JSON.stringify({
        encappedPublic: encapsulated.toString("hex"),
        ciphertext: ciphertext.toString("hex"),
        organizationId: wallet.organizationId,
      });
      const data = Buffer.from(sealed, "utf8");
      return JSON.stringify({
        version: EXPORT_VERSION,
        data: data.toString("hex"),
        dataSignature:
          issuer === undefined ? "" : sign("sha256", data, issuer.privateKey).toString("hex"),
        enclaveQuorumPublic: issuer?.publicKeyHex ?? "",
      });
    },
  };
}
