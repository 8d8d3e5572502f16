/** What is done with private keys, outside of commands. No private part leaves these functions unsealed. */
import type { KeyCertificate, NewUmaKey, UmaKey, UmaKeyUse } from "./uma-key.ts";

/** What a self-signed certificate says. `now` is host time. */
export interface CertificateFacts {
  readonly names: readonly string[];
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
  /** The signature of a text, as DER in lower-case hexadecimal. */
  sign(platformId: string, key: UmaKey, text: string): Promise<string>;
}
