/** The only interface that unseals a wallet's mnemonic. */
import type { Environment } from "../platform.ts";
import type { ClientPublicKey } from "./wallet-crypto.port.ts";

export interface WalletToExport {
  readonly platformId: string;
  readonly environment: Environment;
  /** The uuid of the internal account, and its `walletMnemonicSealed`. */
  readonly accountId: string;
  readonly mnemonicSealed: string;
  /** `organizationIdOf` the account. */
  readonly organizationId: string;
  readonly clientPublicKey: ClientPublicKey;
}

export interface WalletSigner {
  /** The value of `encryptedWalletCredentials`: JSON text. Signed by the issuer's key in production, unsigned in sandbox. */
  exportWallet(wallet: WalletToExport): Promise<string>;
  /** The issuer's public key: uncompressed, 130 lower-case hexadecimal digits. One for each deployment, for ever. */
  issuerPublicKey(): Promise<string>;
}

/** Where the issuer's private key is kept: one sealed text for the deployment. */
export interface IssuerKeyStore {
  find(): Promise<string | undefined>;
  /** Stores the sealed key unless one is stored already; returns the stored one. */
  keep(sealed: string): Promise<string>;
}
