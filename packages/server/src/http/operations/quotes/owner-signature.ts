/** The stamp by which the owner of an embedded wallet agrees to a quote. */
import { payloadToSignOf } from "../../../domain/quotes/payment-instructions.ts";
import { findQuote } from "../../../domain/quotes/quotes.sql.ts";
import type { OwnerStamp } from "../../../domain/wallets/owner-stamp.ts";
import type { Idempotency } from "../../../engine/command.ts";
import type { HeaderNote, Principal } from "../../operation.ts";
import { readStampOver, signedIdempotency } from "../../owner-proof.ts";
import type { Services } from "../../services.ts";

export const ownerSignatureHeader: HeaderNote = {
  name: "Service-Wallet-Signature",
  description:
    "Required when the source is an embedded wallet, ignored otherwise: the stamp of a session of that wallet over the " +
    "quote's `payloadToSign`. In a sandbox `sandbox-valid-signature`.",
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

/** The stamp over the text that the quote brought along; undefined when there is none in the header. */
export async function readQuoteStamp(
  services: Pick<Services, "reads" | "wallets">,
  { platformId, environment }: Pick<Principal, "platformId" | "environment">,
  { quoteId, headers }: { readonly quoteId: string; readonly headers: Headers },
): Promise<OwnerStamp | undefined> {
  const signature = headers["service-wallet-signature"];
  if (signature === undefined) return undefined;
  const quote =
    environment === "SANDBOX" ? undefined : await findQuote(services.reads, platformId, quoteId);
  const payloadToSign = quote === undefined ? undefined : payloadToSignOf(quote);
  return readStampOver(services, { environment }, { signature, payloadToSign });
}
