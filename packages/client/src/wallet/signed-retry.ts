/**
 * An operation that the wallet's owner has to sign: send it, receive `payloadToSign`, stamp it, send the same request again with
 * the stamp. A quote already contains its `payloadToSign`, so it needs only the stamp.
 *
 * Your server relays these calls, so a payload is verified before it is signed: any difference from the intent is refused.
 */
import { WalletError } from "./errors.ts";
import { asObject } from "./outside-json.ts";
import { assertPayload, type ExpectedPayload, type QuoteToExecute } from "./payload.ts";
import type { WalletSession } from "./session.ts";

/** The used part of a `fetch` response. */
export interface CallAnswer {
  readonly status: number;
  json(): Promise<unknown>;
}

/** Sends the operation. Both calls are identical except for these headers. */
export type SignedCall<Answer extends CallAnswer> = (
  headers: Readonly<Record<string, string>>,
) => Promise<Answer>;

/** The intent of a call with a signed retry. */
export type ExpectedCall = Exclude<ExpectedPayload, { readonly operation: "EXECUTE_QUOTE" }>;

/** The answer to the signed call; or the first answer, when it was not a request for a signature. */
export async function signAndRetry<Answer extends CallAnswer>(
  send: SignedCall<Answer>,
  session: WalletSession,
  expected: ExpectedCall,
): Promise<Answer> {
  const first = await send({});
  if (first.status !== 202) return first;
  const { payloadToSign, requestId } = asObject(await first.json()) ?? {};
  if (typeof payloadToSign !== "string" || typeof requestId !== "string") {
    throw new WalletError("malformed", "the answer is no request for a signature");
  }
  await assertPayload(payloadToSign, expected, requestId);
  return send({
    "Service-Wallet-Signature": await session.stamp(payloadToSign),
    "Request-Id": requestId,
  });
}

/** The stamp that executes a quote: the value of `Service-Wallet-Signature`. */
export async function stampQuote(
  payloadToSign: string,
  session: WalletSession,
  expected: { readonly organizationId: string; readonly quote: QuoteToExecute },
): Promise<string> {
  await assertPayload(payloadToSign, { operation: "EXECUTE_QUOTE", ...expected });
  return session.stamp(payloadToSign);
}
