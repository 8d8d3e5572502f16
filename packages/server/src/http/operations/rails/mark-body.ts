import type { Mark, MarkOutcome } from "../../../domain/rails/orders/mark-rail-payments.ts";

interface MarkBody {
  readonly outcome: MarkOutcome;
  readonly reference?: string;
  readonly valueDate?: string;
  readonly reason?: { readonly code: string; readonly text?: string };
}

export function markOf(
  paymentId: string,
  { outcome, reference, valueDate, reason }: MarkBody,
): Mark {
  return { paymentId, outcome, reference, valueDate, code: reason?.code, text: reason?.text };
}
