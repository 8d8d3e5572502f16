/**
 * A link to the pages where a customer supplies what its verification needs. The holder of its code may read and change what the pages
 * show, so only a hash of the code is stored. The code has 256 random bits, so the hash cannot be brute-forced.
 */

import { sha256Hex } from "../../../std/digest.ts";
import { defineTable, fixed, mutable, type RowOf } from "../../../tables/tables.ts";

const columns = {
  id: fixed("uuid"),
  codeHash: fixed("text"),
  customerId: fixed("uuid"),
  /** Where the browser is redirected after the submission. */
  redirectUri: fixed<string | null>("text"),
  expiresAt: fixed("time"),
  /** When a submission by this link was accepted. */
  usedAt: mutable<number | null>("time"),
  createdAt: fixed("time"),
};

export interface VerificationLink extends RowOf<typeof columns> {}

export const verificationLinks = defineTable<VerificationLink>("verification_links", columns, {
  isFinal: ({ usedAt }) => usedAt !== null,
});

/** Long enough to find the documents, short enough that an old mail gives no access. */
export const LINK_LIFE_MS = 24 * 60 * 60 * 1000;

export const LINK_CODE_BYTES = 32;

/**
 * OPEN     may be used; leaves by a submission that is accepted (USED), or when its time has passed (EXPIRED)
 * USED     final
 * EXPIRED  final
 */
export type LinkStatus = "OPEN" | "USED" | "EXPIRED";

/** The status at a time of the customer's platform. */
export function linkStatusAt({ usedAt, expiresAt }: VerificationLink, at: number): LinkStatus {
  if (usedAt !== null) return "USED";
  return at >= expiresAt ? "EXPIRED" : "OPEN";
}

/** Whether the text has the form of a code: 256 bits in hexadecimal. */
export function isLinkCode(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}

export function hashLinkCode(code: string): string {
  return sha256Hex(code);
}

/** The key of a link's code in the deployment's directory. */
export function linkHandle(codeHash: string): string {
  return `verification-link:${codeHash}`;
}
