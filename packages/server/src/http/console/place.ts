/**
 * Where the console is: passkeys need a secure context and a host name. It is at the public URL when that is https or on this machine,
 * otherwise at `http://localhost` with the port of this server.
 */
import { isIP } from "node:net";
import { isLoopbackHost } from "../../std/loopback.ts";
import { parseUrl } from "../../std/url.ts";

/** Paths of the console's own operations at a platform, which stand beside those of the public API there. */

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
  /** At an address of this machine that is no name. */
  | { readonly kind: "elsewhere"; readonly origin: string }
  /** Where no browser makes a passkey. */
  | { readonly kind: "insecure" };

/** How a page that is asked for at this `Host` is to be answered. */
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

/** Without the brackets of an IPv6 address. */
function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, "");
}
