/** The outcome of an exchange with a host, as a sentence for the person who named the host. */
import { parseUrl } from "../../std/url.ts";
import {
  type FailedReason,
  OutboundFailed,
  OutboundRefused,
  type RefusedReason,
} from "./outbound-errors.ts";
import { outboundUrlMessages } from "./outbound-url.ts";

/**
 * The sentence for an error that `post` or `get` threw; any other error is a fault of this server. `deadlineMs` is that of the exchange.
 */
export function failureInWords(error: unknown, url: string, deadlineMs?: number): string {
  const host = parseUrl(url)?.host ?? "the host";
  if (error instanceof OutboundRefused) return refusedInWords(error.reason, host);
  if (error instanceof OutboundFailed) {
    return error.reason === "timeout" && deadlineMs !== undefined
      ? `${host} timed out: it did not answer within ${deadlineMs / 1_000} s.`
      : failedInWords(error, host);
  }
  return `The request to ${host} could not be sent.`;
}

const NOT_PUBLIC = "which is not called; the endpoint must be reachable on the internet";

function refusedInWords(reason: RefusedReason, host: string): string {
  switch (reason) {
    case "address":
    case "host":
      return `${host} is a private name or address, ${NOT_PUBLIC}.`;
    case "resolved-address":
      return `${host} resolves to a private address, ${NOT_PUBLIC}.`;
    case "own-address":
      return `${host} resolves to an address of this server, which is refused as an endpoint.`;
    case "peer":
      return `The connection to ${host} ended at another address than the name resolves to.`;
    default:
      return `The endpoint at ${host} is refused. ${outboundUrlMessages[reason]}`;
  }
}

const FAILED: Readonly<Record<FailedReason, (host: string) => string>> = {
  timeout: (host) => `${host} timed out: it did not answer in time.`,
  dns: (host) => `The name ${host} was not found: no name server knows an address for it.`,
  connect: (host) => `No connection to ${host} could be made: its address does not answer.`,
  tls: (host) => `The TLS handshake with ${host} failed.`,
  reset: (host) => `${host} closed the connection before it had answered.`,
  protocol: (host) => `${host} answered with something that is not HTTP/1.1.`,
  "too-large": (host) => `${host} answered with more bytes than are read.`,
  closed: (host) => `The request to ${host} was ended because this server is stopping.`,
};

function failedInWords({ reason, cause }: OutboundFailed, host: string): string {
  const code = codeOf(cause);
  if (reason === "connect" && code === "ECONNREFUSED") {
    return `${host} refused the connection: nothing listens there.`;
  }
  if (reason === "tls" && code === "CERT_HAS_EXPIRED")
    return `The certificate of ${host} has expired.`;
  if (reason === "tls" && code !== undefined && CERTIFICATE_CODE.test(code)) {
    return `The certificate of ${host} is not valid (${code}).`;
  }
  return FAILED[reason](host);
}

/** The codes of OpenSSL for a chain, and Node's own for a name that does not match. */
const CERTIFICATE_CODE =
  /CERT|SELF_SIGNED|UNABLE_TO_|INVALID_CA|PATH_LENGTH|INVALID_PURPOSE|HOSTNAME/;

function codeOf(cause: unknown): string | undefined {
  if (!(cause instanceof Error) || !("code" in cause)) return undefined;
  return typeof cause.code === "string" ? cause.code : undefined;
}
