import type { FailureCause, FailureCode } from "../../domain/payments/transactions/failure.ts";

/** A cause as the simulated rail reports it: its code is the suffix that decided the outcome. */
export function simulatedCause(code: FailureCode, suffix: string, message: string): FailureCause {
  return { code, message, rail: { scheme: "SANDBOX", code: suffix, text: message } };
}
