/**
 * Where the URLs of other institutions are called. As a rule a URL is called as it is. The operator may list another place for a host
 * (`UMA_HOSTS`): a private link between two institutions, or a test. A listed place may be at an address that is not public, and at loopback
 * it may be plain http. `Host` and the name in the certificate stay those of the URL.
 */
import { isDomainName } from "../../domain/customers/uma-address.ts";
import { isLoopbackHost } from "../../std/loopback.ts";
import { parseUrl } from "../../std/url.ts";
import type { AllowedHosts } from "../outbound-http/allowed-hosts.ts";
import type { OutboundGet } from "../outbound-http/outbound-client.ts";
import { checkOutboundUrl } from "../outbound-http/outbound-url.ts";

export type UmaCall = Pick<OutboundGet, "url" | "headers" | "allowed" | "tlsName">;

export interface UmaHosts {
  /** The call that stands for a URL; the URL itself when its host is not listed. */
  callOf(url: string, method?: "GET" | "POST"): UmaCall;
  /** Whether a URL that another institution gives may be called: https, at a host that is public or listed. */
  permits(url: string): boolean;
}

interface Entry {
  readonly domain: string;
  readonly origin: string;
}

/** `domain=https://host:port`. Throws on any other text. */
export function parseUmaHost(text: string): Entry {
  const [domain = "", base = "", ...more] = text.split("=");
  if (!isDomainName(domain)) {
    throw new Error(
      `${text}: ${domain} must be a domain name in lower case, as in vasp.example=https://10.1.2.3:8443`,
    );
  }
  const url = parseUrl(base);
  const isPlain = url !== undefined && more.length === 0 && base.replace(/\/$/, "") === url.origin;
  if (!isPlain || !/^https?:$/.test(url.protocol)) {
    throw new Error(
      `${text}: ${base} must be https:// with a host and perhaps a port, and no path`,
    );
  }
  if (url.protocol === "http:" && !isLoopbackHost(url.hostname)) {
    throw new Error(`${text}: plain http is for loopback alone`);
  }
  return { domain, origin: url.origin };
}

export function umaHosts(texts: readonly string[]): UmaHosts {
  const origins = new Map(
    texts.map(parseUmaHost).map(({ domain, origin }) => [domain, origin] as const),
  );
  const listed: AllowedHosts = {
    namesHost: ({ protocol, hostname }) => protocol === "https:" && origins.has(hostname),
    hasAddress: () => false,
  };
  return {
    permits: (text) => checkOutboundUrl(text, { allowLoopbackHttp: false, allowed: listed }).ok,
    callOf(text) {
      const url = new URL(text);
      const origin = origins.get(url.hostname);
      if (origin === undefined) return { url: text, headers: {} };
      return {
        url: origin + url.pathname + url.search,
        headers: { host: url.host },
        allowed: only(origin),
        tlsName: url.hostname,
      };
    },
  };
}

/** Nothing but this origin. */
export function only(origin: string): AllowedHosts {
  return { namesHost: (url) => url.origin === origin, hasAddress: () => false };
}
