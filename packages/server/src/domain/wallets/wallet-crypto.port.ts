/** Cryptography of wallet sessions. It runs before a command; only its results enter the command. */

export interface IssuedSessionKey {
  /** Compressed, 66 lower-case hexadecimal digits: what is stored, and what a stamp names. */
  readonly publicKey: string;
  /** The private key, sealed to the client. It exists nowhere else, and is returned once. */
  readonly encryptedSessionSigningKey: string;
}

/** A well-formed stamp. Its signature is verified separately. */
export interface Stamp {
  /** Compressed, 66 lower-case hexadecimal digits; a point on the curve. */
  readonly publicKey: string;
  readonly signatureDer: Uint8Array;
}

export interface WalletCrypto {
  /** The key as it was sent, with the case of its digits; undefined when it is malformed or not on the curve. */
  parseClientPublicKey(text: string): ClientPublicKey | undefined;
  /** A new session key, sealed to the client's. */
  issueSessionKey(clientPublicKey: ClientPublicKey): Promise<IssuedSessionKey>;
  /** The same shape for a sandbox: a public key whose secret is discarded, and an envelope that cannot be opened. */
  issueSandboxSessionKey(): Promise<IssuedSessionKey>;
  /** Undefined for anything but a single stamp in canonical form. Costs a few microseconds. */
  parseStamp(header: string): Stamp | undefined;
  /** Whether the holder of the stamp's key signed exactly these characters. The caller looks up whose key it is. */
  verifyStamp(stamp: Stamp, payloadToSign: string): Promise<boolean>;
}

/** The P-256 public key of a client, to which sessions and exports are sealed. */
export type ClientPublicKey = string & { readonly [checked]: "a P-256 point, not only its shape" };

declare const checked: unique symbol;
