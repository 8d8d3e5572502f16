/**
 * What comes of the reply to a lookup by its status: the body of an answer, a reason to ask once more, or a refusal. Pure.
 *
 *   no answer, 3xx, 429, 5xx   LNURLP_REQUEST_FAILED
 *   412                        asked once more if the institution speaks our version after all, else by version.ts
 *   404                        UMA_NOT_FOUND
 *   codes of the protocol      their own, see `OWN_CODES`
 *   any other 4xx              LOOKUP_REQUEST_FAILED
 */
import type { LookupRefused } from "../../../domain/uma/lookups/lookup.port.ts";
import type { RefusalCode } from "../../../engine/refusal.ts";
import { readErrorWords } from "../../../formats/uma/error-message.ts";
import { MessageFault } from "../../../formats/uma/message-fault.ts";
import { readUnsupportedVersion } from "../../../formats/uma/version.ts";
import type { JsonObject } from "../../../std/json.ts";
import type { VaspReply } from "../vasp-client.ts";
import { cleaned, cleanedCode } from "./counterparty-words.ts";

export type ReadReply =
  | { readonly kind: "body"; readonly body: string }
  | { readonly kind: "other-version" }
  | LookupRefused;

/** By the status and the code of the other side. */
const OWN_CODES: ReadonlyMap<string, RefusalCode> = new Map([
  ["403 USER_NOT_READY", "USER_NOT_READY"],
  ["403 VELOCITY_LIMIT_EXCEEDED", "VELOCITY_LIMIT_EXCEEDED"],
  ["403 COUNTERPARTY_NOT_ALLOWED", "SENDER_NOT_ACCEPTED"],
  ["400 SENDER_NOT_ACCEPTED", "SENDER_NOT_ACCEPTED"],
]);

export function readReply(reply: VaspReply): ReadReply {
  if (reply.kind === "failed") return refused("LNURLP_REQUEST_FAILED", { reason: reply.reason });
  const { status, body } = reply;
  if (status >= 200 && status < 300) return { kind: "body", body };
  if (status < 400 || status === 429 || status >= 500)
    return refused("LNURLP_REQUEST_FAILED", { reason: `the host answered ${status}` });
  if (status === 404) return refused("UMA_NOT_FOUND", {});
  if (status === 412) return otherVersion(body);
  const words = wordsOf(body);
  const code = OWN_CODES.get(`${status} ${words.counterpartyCode ?? ""}`);
  return code === undefined
    ? refused("LOOKUP_REQUEST_FAILED", { reason: `the host answered ${status}`, ...words })
    : refused(code, words);
}

function otherVersion(body: string): ReadReply {
  try {
    readUnsupportedVersion(Buffer.from(body, "utf8"));
    return { kind: "other-version" };
  } catch (error) {
    return refusedFault(error);
  }
}

/** The refusal of a message with a fault. Any other error is a bug and is thrown again. */
export function refusedFault(error: unknown): LookupRefused {
  if (!(error instanceof MessageFault)) throw error;
  return refused(error.code as RefusalCode, { reason: cleaned(error.message) });
}

export function refused(code: RefusalCode, details: JsonObject): LookupRefused {
  return { kind: "refused", code, details };
}

/** What the body of an error says, as far as it can be read. */
export function wordsOf(body: string): JsonObject & { readonly counterpartyCode?: string } {
  const { code, reason = "" } = readErrorWords(Buffer.from(body, "utf8"));
  const counterpartyCode = cleanedCode(code);
  const counterpartyReason = cleaned(reason);
  return {
    ...(counterpartyCode === undefined ? {} : { counterpartyCode }),
    ...(counterpartyReason === "" ? {} : { counterpartyReason }),
  };
}
