/**
 * Decides the address of the console: passkeys need a secure context and a host name. The console is at the public URL when that has a host
 * name and is https or local, otherwise at `http://localhost` with the same port.
 */
import { isIP } from "node:net";
import { isLoopbackHost } from "../../std/loopback.ts";
import { parseUrl } from "../../std/url.ts";

/** The prefix of the console's own operations at a platform. Operations of the public API share it. */

const AT_PLATFORM = "/p/{platformId}";

export function ofPlatform(path: string): `${typeof AT_PLATFORM}${string}` {
  return `${AT_PLATFORM}${path}`;
}

/** The path below the platform; undefined for an operation that is about no platform. */
export function pathAtPlatform(path: string): string | undefined {
  return path.startsWith(`${AT_PLATFORM}/`) ? path.slice(AT_PLATFORM.length) : undefined;
}

export interface ConsolePlace {
  /** The only origin whose pages may call the console. */
  readonly origin: string;
  /** The host name that passkeys are made for. */
  readonly rpId: string;
  readonly isSecure: boolean;
}

/** `publicUrl` is where people reach this server. */
export function consolePlaceAt(publicUrl: string): ConsolePlace {
  const url = parseUrl(publicUrl);
  const isSecure = url?.protocol === "https:";
  const isNamed = url !== undefined && isIP(bare(url.hostname)) === 0;
  const isHere = isNamed && (isSecure || isLocalName(url.hostname));
  if (isHere) return { origin: url.origin, rpId: url.hostname, isSecure };
  const port = url?.port === "" ? "" : `:${url?.port ?? ""}`;
  return { origin: `http://localhost${port}`, rpId: "localhost", isSecure: false };
}

export type AskedAt =
  | { readonly kind: "here" }
  /** Requested at an IP address of this machine. */
  | { readonly kind: "elsewhere"; readonly origin: string }
  /** Requested where browsers create no passkeys. */
  | { readonly kind: "insecure" };

/** How to answer a request for a page with this `Host`. */
export function askedAt(place: ConsolePlace, host: string): AskedAt {
  const asked = parseUrl(`${place.isSecure ? "https" : "http"}://${host}`);
  if (asked === undefined) return { kind: "insecure" };
  if (asked.origin === place.origin) return { kind: "here" };
  if (place.isSecure) return { kind: "insecure" };
  const name = bare(asked.hostname);
  if (isLoopbackHost(asked.hostname) && isIP(name) !== 0) {
    return {
      kind: "elsewhere",
      origin: `http://localhost${asked.port === "" ? "" : `:${asked.port}`}`,
    };
  }
  return isLocalName(asked.hostname) ? { kind: "here" } : { kind: "insecure" };
}

function isLocalName(hostname: string): boolean {
  return hostname === "localhost" || hostname.endsWith(".localhost");
}

/** The host name without the brackets of an IPv6 address. */
function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, "");
}
