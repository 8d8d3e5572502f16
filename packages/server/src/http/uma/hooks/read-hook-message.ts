/** What can be judged of a message after a payment by its bytes and its token alone. Nothing is read or written. */
import { readVaspDomain } from "../../../domain/uma/domains/vasp-domain.ts";
import type { HookGrant } from "../../../domain/uma/hooks/hook-token.ts";
import { isOutOfTime } from "../../../domain/uma/nonces/uma-nonce.ts";
import { type Hook, readHook } from "../../../formats/uma/hook-message.ts";
import { MessageFault } from "../../../formats/uma/message-fault.ts";
import { wrongSignature } from "../judge-signature.ts";
import { type UmaAnswer, umaError } from "../uma-answer.ts";

export type ToldHook =
  | {
      readonly kind: "told";
      readonly hook: Hook;
      /** The time of the message, in milliseconds. */
      readonly signedAt: number;
    }
  | { readonly kind: "refused"; readonly answer: UmaAnswer };

/** Refuses, in this order: a body out of form; one without a signature; another time; another institution than that of the payment. */
export function readHookMessage(
  bytes: Uint8Array,
  { vaspDomain }: Pick<HookGrant, "vaspDomain">,
  now: number,
): ToldHook {
  try {
    const hook = readHook(bytes);
    if (hook === undefined) return refused(wrongSignature);
    const signedAt = Number.parseInt(hook.signature.timestamp.toString(), 10) * 1_000;
    if (isOutOfTime(signedAt, now)) return refused(outOfTime);
    if (readVaspDomain(hook.vaspDomain) !== vaspDomain) return refused(otherInstitution);
    return { kind: "told", hook, signedAt };
  } catch (error) {
    if (!(error instanceof MessageFault)) throw error;
    return refused(umaError(400, error.code, error.message));
  }
}

function refused(answer: UmaAnswer): ToldHook {
  return { kind: "refused", answer };
}

const outOfTime = umaError(
  400,
  "INVALID_TIMESTAMP",
  "The timestamp is more than 300 seconds from the time here.",
);

export const otherInstitution = umaError(
  403,
  "COUNTERPARTY_NOT_ALLOWED",
  "This vaspDomain tells of no payment here.",
);
