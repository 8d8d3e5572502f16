/** What each failure means, and what a person can do about it. Meanings and steps are texts of the catalogue. */
import { hasText, t, wordOf } from "../../../text/messages.ts";

/**
 * ANOTHER_ACCOUNT  pay another account of the payee
 * CORRECT          look at the account's number and names, and make a right one
 * ASK              ask the customer
 * AGAIN            make the payment again as it was
 */
export const nextActs = ["ANOTHER_ACCOUNT", "CORRECT", "ASK", "AGAIN"] as const;
export type NextAct = (typeof nextActs)[number];

/** By failure code, the acts that help, the likeliest first. */
export const actsOfCode: Readonly<Record<string, readonly NextAct[]>> = {
  INSUFFICIENT_FUNDS: ["ASK", "AGAIN"],
  ACCOUNT_CLOSED: ["ANOTHER_ACCOUNT", "ASK"],
  ACCOUNT_INVALID: ["CORRECT", "ANOTHER_ACCOUNT", "ASK"],
  REJECTED_BY_BANK: ["ANOTHER_ACCOUNT", "ASK"],
  TIMED_OUT: ["AGAIN"],
  RETURNED_BY_BANK: ["ASK", "ANOTHER_ACCOUNT"],
  CANCELLED: ["AGAIN"],
  DELIVERY_FAILED: ["AGAIN", "ANOTHER_ACCOUNT"],
  REFUND_FAILED: ["ASK"],
  COMPLIANCE: ["ASK"],
  FUNDING_MISMATCH: ["ASK"],
  QUOTE_FAILED: ["AGAIN"],
  RECEIVER_REFUSED: ["ASK"],
  UNKNOWN: ["AGAIN", "ASK"],
};

/** Codes of banks that point to another act than the failure code does. */
const actsOfBankCode: Readonly<Record<string, readonly NextAct[]>> = {
  AC04: ["ANOTHER_ACCOUNT", "ASK"],
  AC07: ["ANOTHER_ACCOUNT", "ASK"],
  AC06: ["ASK", "ANOTHER_ACCOUNT"],
  BE01: ["CORRECT", "ASK"],
  MD07: ["ASK"],
};

/** At most three. A payment that came in is not made again from here. */
export function actsOf(failure: {
  readonly code: string;
  readonly rail?: { readonly code: string } | undefined;
}): readonly NextAct[] {
  const byBank = actsOfBankCode[failure.rail?.code.toUpperCase() ?? ""];
  return byBank ?? actsOfCode[failure.code] ?? actsOfCode.UNKNOWN ?? [];
}

/** "AC04: account closed"; undefined for a code of which the catalogue knows nothing. */
export function codeWords(bankCode: string): string | undefined {
  const code = bankCode.toUpperCase();
  if (!hasText(`bankCode.${code}`)) return undefined;
  return t("timeline.bankCode", { code, meaning: wordOf("bankCode", code) });
}
