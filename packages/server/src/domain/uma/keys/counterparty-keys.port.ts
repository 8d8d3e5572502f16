/** The keys of other institutions, for what checks a message of theirs or encrypts for them. */
import type { KeyObject, X509Certificate } from "node:crypto";

export type CounterpartyKeyCode =
  | "COUNTERPARTY_PUBKEY_FETCH_ERROR"
  | "INVALID_PUBKEY_FORMAT"
  | "CERT_CHAIN_INVALID"
  | "CERT_CHAIN_EXPIRED";

export interface CounterpartyKeys {
  readonly signingKey: KeyObject;
  /** The uncompressed point. */
  readonly encryptionPoint: Buffer;
  /** The certificates of each key, leaf first; none for a raw key. */
  readonly signingChain: readonly X509Certificate[];
  readonly encryptionChain: readonly X509Certificate[];
  /** Host time. */
  readonly fetchedAt: number;
}

export type FoundKeys =
  | { readonly kind: "keys"; readonly keys: CounterpartyKeys }
  | { readonly kind: "fault"; readonly code: CounterpartyKeyCode; readonly reason: string };

export type JudgedSignature =
  | { readonly kind: "good"; readonly keys: CounterpartyKeys }
  | { readonly kind: "wrong" }
  | Extract<FoundKeys, { readonly kind: "fault" }>;

/** Whether a signature is that of a text by a key. May reject with an error of its own, which `judge` passes on. */
export type VerifySignature = (text: string, signature: string, key: KeyObject) => Promise<boolean>;

export interface CounterpartyKeySource {
  /** The keys of a domain, fetched unless they are kept. */
  find(domain: string): Promise<FoundKeys>;
  /**
   * Judges a signature by the keys of a domain. When it is wrong and the keys are not fresh, they are fetched again once. With `verify` a
   * caller bounds what signatures cost; no key is fetched inside of it.
   */
  judge(
    domain: string,
    signed: { readonly text: string; readonly signature: string },
    verify?: VerifySignature,
  ): Promise<JudgedSignature>;
}

/** A document that was fetched, as it is kept for all servers. Host times. */
export interface KeptDocument {
  readonly document: string;
  readonly fetchedAt: number;
  readonly expiresAt: number;
}

export interface KeptRow {
  readonly kept: KeptDocument | undefined;
  /** Until when a server fetches the document; the fetch has ended, or failed with its server, when it has passed. */
  readonly fetchingUntil: number | undefined;
}

export interface CounterpartyKeyStore {
  find(domain: string): Promise<KeptRow | undefined>;
  /** False when another server is fetching. */
  claim(domain: string, lease: { readonly now: number; readonly until: number }): Promise<boolean>;
  /** Ends a fetch with its document. */
  keep(domain: string, kept: KeptDocument): Promise<void>;
  /** Ends a fetch that failed. A domain of which nothing is kept leaves no row. */
  release(domain: string): Promise<void>;
}
