/**
 * Refuses messages from pages of other origins (DNS rebinding). Programs send no `Origin`; browsers do. The MCP
 * specification requires the check.
 *
 * Under DNS rebinding `Host` names the attacker's page, so `Origin` is compared with the public URL, not with `Host`. A
 * server on a loopback address accepts every loopback origin: such a name cannot be rebound, and development proxies
 * forward their own origin.
 */
import { Refusal } from "../../engine/refusal.ts";
import { isLoopbackHost } from "../../std/loopback.ts";
import { parseUrl } from "../../std/url.ts";

/** `publicUrl` is the URL under which callers reach this server. */
export function refuseForeignOrigin(origin: string | undefined, publicUrl: string): void {
  if (origin === undefined || isOurs(origin, new URL(publicUrl))) return;
  const message =
    "The page that sends this is not at this server's address, which PUBLIC_URL says.";
  throw new Refusal("FORBIDDEN", { header: "Origin" }, message);
}

function isOurs(origin: string, own: URL): boolean {
  const page = parseUrl(origin);
  // An origin has one serialisation; a path or a user makes the two differ.
  if (page?.origin !== origin) return false;
  if (page.origin === own.origin) return true;
  return isLoopbackHost(page.hostname) && isLoopbackHost(own.hostname);
}
