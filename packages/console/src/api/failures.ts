/** What went wrong with a call, in the parts that a page shows. */
import { FlorinConnectionError, FlorinError } from "@florin/client";
import { visibleText } from "../std/outside-text.ts";

export interface Failure {
  readonly kind: "refused" | "missing" | "failed" | "unreachable";
  readonly code: string;
  readonly message: string;
  readonly requestId: string | undefined;
  /** By the name of the field, as the request has it: `source.accountId`. */
  readonly fields: Readonly<Record<string, string>>;
  readonly capability: string | undefined;
  /** The person must prove who they are, and a fresh sign-in at an issuer is enough. */
  readonly asksForSignIn: boolean;
  /** Nothing was done; otherwise the same key must be sent again to learn what became of it. */
  readonly isOutcomeKnown: boolean;
}

export function toFailure(error: unknown): Failure {
  if (error instanceof FlorinError) {
    const { status, code, message, requestId, details } = error;
    const named = details?.errors ?? [];
    // A refusal may quote the value that it refuses.
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
