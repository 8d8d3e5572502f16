/** What is done with private keys, outside of commands. No private part leaves these functions unsealed. */
import type { KeyCertificate, NewUmaKey, UmaKey, UmaKeyUse } from "./uma-key.ts";

/** What a self-signed certificate says. `now` is host time. */
export interface CertificateFacts {
  readonly names: readonly string[];
  readonly now: number;
}

/** The signature of a message: DER in lower-case hexadecimal, a nonce of 128 bits, and seconds since 1970. */
export interface MessageSignature {
  readonly signature: string;
  readonly nonce: string;
  readonly timestamp: bigint;
}

export interface SignedNow {
  /** The addresses that the message is about; none for a message after a payment. */
  readonly addresses: readonly string[];
  /** Host time, in milliseconds. */
  readonly now: number;
}

export interface UmaKeyTools {
  /** A new pair with a self-signed certificate. */
  newKey(
    platformId: string,
    facts: CertificateFacts & { readonly use: UmaKeyUse },
  ): Promise<NewUmaKey>;
  /** Another self-signed certificate of a key. */
  certify(platformId: string, key: UmaKey, facts: CertificateFacts): Promise<KeyCertificate>;
  /** The request for a certificate of an authority (PKCS#10), in PEM. */
  request(platformId: string, key: UmaKey, names: readonly string[]): Promise<string>;
  /** The content of an envelope for a key; undefined for anything that was not sealed for it. */
  decrypt(platformId: string, key: UmaKey, envelope: Uint8Array): Buffer | undefined;
  /** Signs a message with a new nonce. */
  sign(platformId: string, key: UmaKey, message: SignedNow): Promise<MessageSignature>;
}
