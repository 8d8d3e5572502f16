/** The error of a call, split into the parts that a page shows. */
import { FlorinConnectionError, FlorinError } from "@florin/client";
import { visibleText } from "../std/outside-text.ts";

export interface Failure {
  readonly kind: "refused" | "missing" | "failed" | "unreachable";
  readonly code: string;
  readonly message: string;
  readonly requestId: string | undefined;
  /** Messages by the field's name in the request, such as `source.accountId`. */
  readonly fields: Readonly<Record<string, string>>;
  readonly capability: string | undefined;
  /** A step-up is required, and a fresh sign-in at the identity provider satisfies it. */
  readonly asksForSignIn: boolean;
  /** True when nothing was done. When false, sending the same key again returns the true outcome. */
  readonly isOutcomeKnown: boolean;
}

export function toFailure(error: unknown): Failure {
  if (error instanceof FlorinError) {
    const { status, code, message, requestId, details } = error;
    const named = details?.errors ?? [];
    // The message may quote the refused value, so hidden characters in it are made visible.
    const shown = visibleText(message);
    const fields = Object.fromEntries(named.map((one) => [one.field, visibleText(one.message)]));
    const { capability, reason, proof } = details ?? {};
    return {
      kind: status === 403 ? "refused" : status === 404 ? "missing" : "failed",
      code,
      message: shown,
      requestId,
      fields: details?.field === undefined ? fields : { [details.field]: shown, ...fields },
      capability: typeof capability === "string" ? capability : undefined,
      asksForSignIn: reason === "STEP_UP_REQUIRED" && proof !== "PASSKEY",
      isOutcomeKnown: error.isOutcomeKnown,
    };
  }
  const isLost = error instanceof FlorinConnectionError;
  return {
    kind: isLost ? "unreachable" : "failed",
    code: isLost ? "UNREACHABLE" : "UNEXPECTED",
    message: error instanceof Error ? error.message : String(error),
    requestId: undefined,
    fields: {},
    capability: undefined,
    asksForSignIn: false,
    isOutcomeKnown: false,
  };
}
