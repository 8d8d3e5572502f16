/**
 * Whether a page may be behind a message. Programs send no `Origin`, browsers do; the protocol asks for it to be looked at,
 * against pages whose name is led to this machine once they are loaded.
 *
 * To such a page `Host` is its own name, so an origin is not held against that, but against the address that is ours. On
 * this machine itself any page of it will do: a name that means it cannot be led elsewhere, and proxies for development
 * hand on the origin of theirs.
 */
import { Refusal } from "../../engine/refusal.ts";
import { isLoopbackHost } from "../../std/loopback.ts";
import { parseUrl } from "../../std/url.ts";

/** `publicUrl` is where callers reach this server. */
export function refuseForeignOrigin(origin: string | undefined, publicUrl: string): void {
  if (origin === undefined || isOurs(origin, new URL(publicUrl))) return;
  const message =
    "The page that sends this is not at this server's address, which PUBLIC_URL says.";
  throw new Refusal("FORBIDDEN", { header: "Origin" }, message);
}

function isOurs(origin: string, own: URL): boolean {
  const page = parseUrl(origin);
  // An origin is written in one way; anything else in it, such as a path or a user, shows here.
  if (page?.origin !== origin) return false;
  if (page.origin === own.origin) return true;
  return isLoopbackHost(page.hostname) && isLoopbackHost(own.hostname);
}
