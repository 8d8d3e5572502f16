/** A request to one of the public paths of UMA, by the host that it names. */
import type { IncomingMessage } from "node:http";
import { domainToASCII } from "node:url";
import { isDomainName } from "../../domain/customers/uma-address.ts";
import type { ReceivedRequest } from "../../domain/uma/domains/routing-proof.ts";

export type IsTrustedProxy = (address: string) => boolean;

export interface HostedRequest extends ReceivedRequest {
  /** The host as it was sent, which a caller may have signed. */
  readonly sentHost: string;
}

/**
 * The host of the request is that of `Host`, or of `X-Forwarded-Host` behind a trusted proxy: in lower case, in punycode, without the port
 * of http or https and without a dot at its end.
 */
export function receivedRequest(
  { url = "", headers, socket }: IncomingMessage,
  isTrusted: IsTrustedProxy,
): HostedRequest {
  const isProxied = isTrusted(socket.remoteAddress ?? "");
  const forwarded = (name: string) => (isProxied ? lastOf(headers[name]) : undefined);
  const [path = "", ...rest] = url.replace(/^https?:\/\/[^/?#]+/i, "").split("?");
  const sentHost = forwarded("x-forwarded-host") ?? headers.host ?? "";
  return {
    host: toHost(sentHost),
    sentHost,
    path,
    query: rest.join("?"),
    isMarkedHttp: forwarded("x-forwarded-proto")?.toLowerCase() === "http",
  };
}

/** The value that the nearest proxy has added: a caller may have sent those before it. */
function lastOf(header: string | readonly string[] | undefined): string | undefined {
  const last = [header ?? []].flat().join(",").split(",").at(-1)?.trim() ?? "";
  return last === "" ? undefined : last;
}

/** Without the characters that end or escape a host in a URL: the conversion reads its text like one. */
const HOST = /^[^\s/?#@:%\\[\]]{1,253}$/u;

export function toHost(text: string): string | undefined {
  const name = text.replace(/:(?:443|80)$/, "").replace(/\.$/, "");
  if (!HOST.test(name)) return undefined;
  const host = domainToASCII(name);
  return isDomainName(host) ? host : undefined;
}
