/**
 * Judges an answer to a lookup. Each part is judged before the next one is read, so that nothing of an answer counts before its signature
 * holds. Pure; the signature and the table of nonces are asked between the parts (ask-lookup.ts).
 */
import { inLowerCase } from "../../../domain/customers/uma-address.ts";
import type { JudgedSignature } from "../../../domain/uma/keys/counterparty-keys.port.ts";
import type { LookupRefused } from "../../../domain/uma/lookups/lookup.port.ts";
import {
  type LookupAnswer,
  type LookupCompliance,
  type OpenLookupAnswer,
  openLookupAnswer,
} from "../../../formats/uma/lookup-message.ts";
import { signedText } from "../../../formats/uma/signatures.ts";
import { isVersionAccepted } from "../../../formats/uma/version.ts";
import { cleaned } from "./counterparty-words.ts";
import { refused, refusedFault } from "./read-reply.ts";

export interface OpenedAnswer {
  readonly kind: "opened";
  readonly open: OpenLookupAnswer;
  readonly compliance: LookupCompliance;
  /** The text that the other side has signed. */
  readonly text: string;
}

/** Form, version, and the parts about compliance. */
export function openAnswer(body: string): OpenedAnswer | LookupRefused {
  try {
    const open = openLookupAnswer(Buffer.from(body, "utf8"));
    if (!open.isOfUma) return refused("PARSE_LNURLP_RESPONSE_ERROR", { reason: "NOT_UMA" });
    const version = open.umaVersion();
    if (!isVersionAccepted(version))
      return refused("UNSUPPORTED_UMA_VERSION", {
        reason: `the answer is of version ${cleaned(version)}`,
      });
    const compliance = open.compliance();
    const text = signedText([compliance.receiverIdentifier], compliance.signature);
    return { kind: "opened", open, compliance, text };
  } catch (error) {
    return refusedFault(error);
  }
}

/** How far the time of a message may be from the host's. */
const MOST_APART_MS = 300_000;

/** Undefined when the answer is signed by the keys of the domain, within the time of a message. */
export function refusedSignature(
  { compliance }: Pick<OpenedAnswer, "compliance">,
  { signature, now }: { readonly signature: JudgedSignature; readonly now: number },
): LookupRefused | undefined {
  if (signature.kind === "fault") return refused(signature.code, { reason: signature.reason });
  if (signature.kind === "wrong")
    return refused("LOOKUP_REQUEST_FAILED", { reason: "INVALID_SIGNATURE" });
  const apart = BigInt(now) - compliance.signature.timestamp * 1_000n;
  if (apart > MOST_APART_MS || apart < -MOST_APART_MS)
    return refused("INVALID_TIMESTAMP", { reason: "the answer is of another time" });
  return undefined;
}

/** Undefined when the answer is about the address that was asked for. */
export function refusedIdentifier(
  { compliance }: Pick<OpenedAnswer, "compliance">,
  receiver: string,
): LookupRefused | undefined {
  const isAsked = inLowerCase(compliance.receiverIdentifier) === receiver;
  return isAsked ? undefined : refused("LOOKUP_REQUEST_FAILED", { reason: "OTHER_RECEIVER" });
}

/** The whole answer. `permits` says whether a URL may be called. */
export function readFields(
  { open }: Pick<OpenedAnswer, "open">,
  permits: (url: string) => boolean,
): { readonly kind: "answer"; readonly answer: LookupAnswer } | LookupRefused {
  try {
    const answer = open.all();
    if (permits(answer.callback)) return { kind: "answer", answer };
    return refused("PARSE_LNURLP_RESPONSE_ERROR", {
      reason: "callback is not a URL that may be called",
    });
  } catch (error) {
    return refusedFault(error);
  }
}
