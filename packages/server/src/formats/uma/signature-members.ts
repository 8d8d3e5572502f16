/** The members of a message that are about its signature. */
import type { MessageValue } from "./json-message.ts";
import type { Members } from "./members.ts";

export interface Signature {
  /** DER, in hexadecimal. */
  readonly signature: string;
  readonly nonce: string;
  /** Seconds since 1970. */
  readonly timestamp: bigint;
}

const LATEST_SECOND = 999_999_999_999n;

export function readSignature(part: Members): Signature {
  return {
    signature: part.text("signature", 512),
    nonce: part.text("signatureNonce", 256),
    timestamp: part.whole("signatureTimestamp", LATEST_SECOND),
  };
}

export function writeSignature({ signature, nonce, timestamp }: Signature): {
  readonly [name: string]: MessageValue;
} {
  return { signature, signatureNonce: nonce, signatureTimestamp: timestamp };
}
