import { randomBytes } from "node:crypto";

const CODE_BYTES = 32;

/** The code of a link for a person. */
export function newLinkCode(): string {
  return randomBytes(CODE_BYTES).toString("base64url");
}
