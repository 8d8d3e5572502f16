/**
 * What comes of the reply to a request to pay by its status: the body of an answer, or a refusal. Pure.
 *
 *   codes of the protocol   their own, see `OWN_CODES`
 *   no answer, 3xx, 429, 5xx   PAYREQ_REQUEST_FAILED
 *   412                     by version.ts
 *   any other 4xx           QUOTE_REQUEST_FAILED
 */
import type { PayOutcome } from "../../../domain/uma/outgoing/pay-request.port.ts";
import type { RefusalCode } from "../../../engine/refusal.ts";
import { readUnsupportedVersion } from "../../../formats/uma/version.ts";
import type { JsonObject } from "../../../std/json.ts";
import { refused, refusedFault, wordsOf } from "../lookups/read-reply.ts";
import type { VaspReply } from "../vasp-client.ts";

export type ReadPayReply =
  | { readonly kind: "body"; readonly body: string }
  | Extract<PayOutcome, { readonly kind: "refused" }>;

/** By the code of the other side. */
const OWN_CODES: ReadonlyMap<string, RefusalCode> = new Map([
  ["REQUEST_NOT_FOUND", "LOOKUP_REQUEST_NOT_FOUND"],
  ["AMOUNT_OUT_OF_RANGE", "AMOUNT_OUT_OF_RANGE"],
  ["INVALID_CURRENCY", "INVALID_CURRENCY"],
  ["MISSING_MANDATORY_PAYER_DATA", "MISSING_MANDATORY_USER_INFO"],
  ["SENDER_NOT_ACCEPTED", "SENDER_NOT_ACCEPTED"],
  ["COUNTERPARTY_NOT_ALLOWED", "SENDER_NOT_ACCEPTED"],
  ["USER_NOT_FOUND", "INVALID_RECEIVER"],
  ["USER_NOT_READY", "INVALID_RECEIVER"],
  ["VELOCITY_LIMIT_EXCEEDED", "VELOCITY_LIMIT_EXCEEDED"],
]);
const UNKNOWN_FIELD = "UNRECOGNIZED_MANDATORY_PAYEE_DATA_KEY";

export function readPayReply(reply: VaspReply): ReadPayReply {
  if (reply.kind === "failed") return refused("PAYREQ_REQUEST_FAILED", { reason: reply.reason });
  const { status, body } = reply;
  if (status >= 200 && status < 300) return { kind: "body", body };
  const words = wordsOf(body);
  if (status === 501 && words.counterpartyCode === UNKNOWN_FIELD)
    return refused(UNKNOWN_FIELD, words);
  if (status < 400 || status === 429 || status >= 500) return failed(status, words);
  if (status === 412) return otherVersion(body);
  const code = OWN_CODES.get(words.counterpartyCode ?? "");
  return code === undefined
    ? refused("QUOTE_REQUEST_FAILED", { reason: `the host answered ${status}`, ...words })
    : refused(code, words);
}

function failed(status: number, words: JsonObject): ReadPayReply {
  return refused("PAYREQ_REQUEST_FAILED", { reason: `the host answered ${status}`, ...words });
}

/** The lookup was in our version, so a refusal of it now is a contradiction, even if the institution says that it speaks it. */
function otherVersion(body: string): ReadPayReply {
  try {
    readUnsupportedVersion(Buffer.from(body, "utf8"));
    return refused("NO_COMPATIBLE_UMA_VERSION", { reason: "the other side refuses its version" });
  } catch (error) {
    return refusedFault(error);
  }
}
