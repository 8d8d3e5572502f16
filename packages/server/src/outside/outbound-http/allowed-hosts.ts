/**
 * Hosts beside this server that the operator lists, and that calls to connectors may therefore reach although they are not public: a
 * host or a range of addresses, each with a port. A listed host may resolve to any address, and may be called by plain http.
 */
import { type AddressRange, isWithin, parseAddressRange } from "../../std/address-range.ts";

export interface AllowedHosts {
  /** Whether the URL names a listed host and port, or an address of a listed range. */
  namesHost(url: URL): boolean;
  hasAddress(address: string, port: number): boolean;
}

interface Entry {
  readonly host: string;
  readonly port: number;
  /** Undefined when the host is a name. */
  readonly range: AddressRange | undefined;
}

/** `host:port`, `10.0.0.0/8:port` or `[fd00::/8]:port`. Throws on any other text. */
export function parseAllowedHost(text: string): Entry {
  const [, bracketed, plain, digits = ""] =
    /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = (bracketed ?? plain)?.toLowerCase();
  const port = Number(digits);
  if (host === undefined || port < 1 || port > 65_535) {
    throw new Error(`${text} is no host and port, such as connector.lan:8443 or 10.0.0.0/8:8443`);
  }
  const isName = bracketed === undefined && !/^[\d./]+$/.test(host);
  if (isName && !/^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/.test(host)) {
    throw new Error(`${text}: ${host} is no host name`);
  }
  return { host, port, range: isName ? undefined : parseAddressRange(host) };
}

export function allowedHosts(texts: readonly string[]): AllowedHosts {
  const entries = texts.map(parseAllowedHost);
  const hasAddress = (address: string, port: number) =>
    entries.some(
      (entry) =>
        entry.port === port && entry.range !== undefined && isWithin([entry.range], address),
    );
  return {
    hasAddress,
    namesHost(url) {
      const host = url.hostname.replace(/^\[|\]$/g, "").toLowerCase();
      const port = portOf(url);
      const isListed = entries.some(
        (entry) => entry.range === undefined && entry.host === host && entry.port === port,
      );
      return isListed || hasAddress(host, port);
    },
  };
}

export function portOf({ port, protocol }: URL): number {
  if (port !== "") return Number(port);
  return protocol === "https:" ? 443 : 80;
}

/** For an operator's own command, which may call whatever the operator can. */
export const anyHost: AllowedHosts = { namesHost: () => true, hasAddress: () => true };
