/** The URLs of verification links, and the rules for their redirect URLs. */

import type { VerificationLink } from "../../domain/customers/verification/verification-link.ts";
import type { Environment } from "../../domain/platform.ts";
import { isLoopbackHost } from "../../std/loopback.ts";
import { parseUrl } from "../../std/url.ts";
import type { Services } from "./services.ts";

/** The path prefix of all pages of a link. */
export const linkPath = "/verify/{linkCode}";

/** The path of a link's first page. */
export function linkHome(code: string): string {
  return linkPath.replace("{linkCode}", code);
}

/**
 * The URL that the platform gives to the customer. Its query shows the redirect URL; the page uses only the stored one,
 * so a changed query has no effect.
 */
export function linkUrl(
  code: string,
  { redirectUri }: VerificationLink,
  { publicUrl }: Services,
): string {
  const query = redirectUri === null ? "" : `?redirectUri=${encodeURIComponent(redirectUri)}`;
  return `${publicUrl()}${linkHome(code)}${query}`;
}

/** Scheme, two slashes and a host. The URL parser would complete other texts to a URL that the caller did not write. */
const WHOLE_URL = /^[a-z][a-z0-9+.-]*:\/\/[^/\\?#\s][^\\\s\p{Cc}]*$/iu;

/** The fault of a redirect URL; undefined when it is valid. */
export function redirectFault(uri: string, environment: Environment): string | undefined {
  const url = WHOLE_URL.test(uri) ? parseUrl(uri) : undefined;
  if (url === undefined) return "must be a whole URL, without blanks or control characters";
  if (url.username !== "" || url.password !== "") return "must not hold user info";
  if (url.protocol === "https:") return undefined;
  if (url.protocol === "http:" && environment === "SANDBOX" && isLoopbackHost(url.hostname)) {
    return undefined;
  }
  return "must be an https URL; a sandbox also takes http on this machine (localhost)";
}
