/** The links of verification: what they look like, and where they may lead back to. */
import type { Environment } from "../../domain/platforms/platform.ts";
import type { VerificationLink } from "../../domain/verification/verification-link.ts";
import { isLoopbackHost } from "../../std/loopback.ts";
import { parseUrl } from "../../std/url.ts";
import type { Services } from "./services.ts";

/** Below this path lie all pages of a link. */
export const linkPath = "/verify/{linkCode}";

/** The pages of a link, from the root of the server. */
export function linkHome(code: string): string {
  return linkPath.replace("{linkCode}", code);
}

/**
 * The address to give to the customer. Its query shows where it leads back to; the page uses only the
 * address stored with the link, so a changed query has no effect.
 */
export function linkUrl(
  code: string,
  { redirectUri }: VerificationLink,
  { publicUrl }: Services,
): string {
  const query = redirectUri === null ? "" : `?redirectUri=${encodeURIComponent(redirectUri)}`;
  return `${publicUrl()}${linkHome(code)}${query}`;
}

/** Scheme, two slashes, a host: what the URL parser would make whole by itself is not what the caller wrote. */
const WHOLE_URL = /^[a-z][a-z0-9+.-]*:\/\/[^/\\?#\s][^\\\s\p{Cc}]*$/iu;

/** What is wrong with an address to send a browser to; undefined when nothing is. */
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
