/**
 * Allows calls below `/console/api` only from our own pages. A browser names the calling site in `Sec-Fetch-Site`. A call that changes
 * something must name our origin, and carry the token of its session in `Florin-Csrf`. Both are checked before a body is read.
 */
import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { Refusal } from "../../engine/refusal.ts";

export const CSRF_HEADER = "Florin-Csrf";

const isRead = ({ method }: IncomingMessage) => method === "GET" || method === "HEAD";

/** Refuses a call from a page of another origin. */
export function refuseForeignCall(raw: IncomingMessage, origin: string): void {
  const { headers } = raw;
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin")
    throw foreign(`Sec-Fetch-Site must be same-origin, not ${printable(site)}.`);
  if (!isRead(raw) && headers.origin !== origin)
    throw foreign(`Origin must be ${origin}: open the console there.`);
}

/** Refuses a call without the token of its session. A read with `Sec-Fetch-Site` needs no token. */
export function refuseWithoutToken(raw: IncomingMessage, token: string): void {
  const { headers } = raw;
  if (isRead(raw) && headers["sec-fetch-site"] !== undefined) return;
  const sent = headers[CSRF_HEADER.toLowerCase()];
  if (typeof sent === "string" && isEqual(sent, token)) return;
  throw foreign(`The header ${CSRF_HEADER} must have the csrf of GET /console/api/session.`);
}

function isEqual(sent: string, token: string): boolean {
  const [left, right] = [Buffer.from(sent), Buffer.from(token)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function foreign(message: string): Refusal {
  return new Refusal("FORBIDDEN", { reason: "FOREIGN_CALL" }, message);
}

function printable(text: string | string[]): string {
  return String(text).slice(0, 40);
}
