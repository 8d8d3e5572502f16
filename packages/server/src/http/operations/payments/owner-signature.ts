/** The stamp with which the owner of an embedded wallet authorises a quote. */

import { payloadToSignOf } from "../../../domain/payments/quotes/payment-instructions.ts";
import { findQuote } from "../../../domain/payments/quotes/quote.ts";
import type { OwnerStamp } from "../../../domain/wallets/owner-stamp.ts";
import type { Idempotency } from "../../../engine/command.ts";
import { readStampOver, signedIdempotency } from "../../auth/owner-proof.ts";
import type { HeaderNote, Principal } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";

export const ownerSignatureHeader: HeaderNote = {
  name: "Service-Wallet-Signature",
  description:
    "Required when the source is an embedded wallet, ignored otherwise: the stamp of a session of that wallet over the " +
    "quote's `payloadToSign`. In a sandbox `sandbox-valid-signature`.",
  example: "sandbox-valid-signature",
};

type Headers = Readonly<Record<string, string | undefined>>;

interface Execution {
  readonly quoteId: string;
  readonly headers: Headers;
  readonly idempotency: Idempotency | undefined;
}

/**
 * The stamp over the quote's payload; undefined without a header or without a payload. The idempotency key is bound to
 * the stamp, so a call with another stamp, or with none, does not get the stored answer.
 */
export async function readQuoteStamp(
  services: Pick<Services, "reads" | "wallets">,
  { platformId, environment }: Pick<Principal, "platformId" | "environment">,
  { quoteId, headers, idempotency }: Execution,
): Promise<{
  readonly owner: OwnerStamp | undefined;
  readonly idempotency: Idempotency | undefined;
}> {
  const signature = headers["service-wallet-signature"];
  if (signature === undefined) return { owner: undefined, idempotency };
  const quote = await findQuote(services.reads, platformId, quoteId);
  const payloadToSign = quote === undefined ? undefined : payloadToSignOf(quote);
  if (payloadToSign === undefined) return { owner: undefined, idempotency };
  return {
    owner: await readStampOver(services, { environment }, { signature, payloadToSign }),
    idempotency: signedIdempotency(idempotency, headers),
  };
}
