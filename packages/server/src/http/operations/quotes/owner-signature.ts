/** The stamp by which the owner of an embedded wallet agrees to a quote. */
import type { Environment } from "../../../domain/platforms/platform.ts";
import type { Idempotency } from "../../../engine/command.ts";
import type { HeaderNote } from "../../operation.ts";
import { SANDBOX_WORD, signedIdempotency } from "../../owner-proof.ts";

export const ownerSignatureHeader: HeaderNote = {
  name: "Service-Wallet-Signature",
  description: "Required when the source is an embedded wallet, ignored otherwise.",
};

type Headers = Readonly<Record<string, string | undefined>>;

/** A key belongs to the stamp that it came with: an answer that one stamp was given is not repeated to another, or to none. */
export function quoteIdempotency(
  idempotency: Idempotency | undefined,
  headers: Headers,
): Idempotency | undefined {
  const isStamped = headers["service-wallet-signature"] !== undefined;
  return isStamped ? signedIdempotency(idempotency, headers) : idempotency;
}

export function isSignedByOwner(environment: Environment, headers: Headers): boolean {
  return environment === "SANDBOX" && headers["service-wallet-signature"] === SANDBOX_WORD;
}
