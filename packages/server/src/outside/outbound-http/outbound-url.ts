import { parseUrl } from "../../std/url.ts";
import { judgeAddress } from "./address-guard.ts";
import type { AllowedHosts } from "./allowed-hosts.ts";

/**
 * The rules for a URL, checked before we store it and again before we connect to it. A name is checked only by its spelling here; its
 * addresses are checked at each connect (outbound-connect.ts).
 */
export interface OutboundUrlPolicy {
  /** This machine itself may be the target, over https or plain http. */
  readonly allowLoopbackHttp: boolean;
  /** Hosts that may be the target although they are not public. */
  readonly allowed?: AllowedHosts | undefined;
}

export type OutboundUrlReason = keyof typeof outboundUrlMessages;

export type OutboundUrlCheck =
  | { readonly ok: true; readonly url: URL }
  | { readonly ok: false; readonly reason: OutboundUrlReason };

/** The reasons in the order of the checks, with the message for the caller. */
export const outboundUrlMessages = {
  length: "The URL is longer than 2048 characters.",
  characters: "The URL contains a space, a control character or a backslash.",
  syntax: "The URL is not an absolute https URL.",
  scheme: "The URL must use https.",
  "user-info": "The URL must not carry a user name or password.",
  fragment: "The URL must not have a fragment.",
  port: "The URL uses a port that belongs to another protocol.",
  host: "The host is not a public name.",
  address: "The host is not a public address.",
} as const;

const MAX_URL_LENGTH = 2048;

/** Ports of mail, shells, databases, queues and control planes, which could act on a POST. */
const BLOCKED_PORTS: ReadonlySet<string> = new Set(
  (
    "0 21 22 23 25 53 110 111 135 139 143 389 445 465 587 636 993 995 1433 1521 2049 2375 2376 2379 2380 3306 3389 " +
    "5432 5900 6379 6380 9042 9092 9200 11211 27017"
  ).split(" "),
);

/** Suffixes that never name a public host; cloud metadata services live under `internal`. */
const PRIVATE_SUFFIXES = [
  "localhost",
  "localdomain",
  "local",
  "internal",
  "intranet",
  "lan",
  "home.arpa",
];

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const FORBIDDEN_CHARACTERS = /[\u0000-\u0020\u007f-\u00a0\u2028\u2029\\]|\p{Surrogate}/u;

export function checkOutboundUrl(text: string, policy: OutboundUrlPolicy): OutboundUrlCheck {
  const written = checkSpelling(text);
  if (written !== undefined) return { ok: false, reason: written };
  const url = parseUrl(text);
  if (url === undefined) return { ok: false, reason: "syntax" };
  const reason = checkParts(text, url) ?? checkHost(url, policy);
  return reason === undefined ? { ok: true, url } : { ok: false, reason };
}

/** A host as one connects to it: an IPv6 literal without its brackets. */
export function bareHost(url: URL): string {
  return url.hostname.startsWith("[") ? url.hostname.slice(1, -1) : url.hostname;
}

/** The URL parser has already turned every odd spelling of an IPv4 address into dotted decimals. */
export function isAddressLiteral(url: URL): boolean {
  return url.hostname.startsWith("[") || /^\d+\.\d+\.\d+\.\d+$/.test(url.hostname);
}

function checkSpelling(text: string): OutboundUrlReason | undefined {
  if (text.length > MAX_URL_LENGTH) return "length";
  if (FORBIDDEN_CHARACTERS.test(text)) return "characters";
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined) return "syntax";
  if (scheme !== "https" && scheme !== "http") return "scheme";
  return /^https?:\/\/[^/?]/i.test(text) ? undefined : "syntax";
}

function checkParts(text: string, url: URL): OutboundUrlReason | undefined {
  // `https://@host` has an empty user, which the parsed URL no longer shows.
  const authority = text.replace(/^[^/]*\/\//, "").split(/[/?#]/)[0] ?? "";
  if (url.username !== "" || url.password !== "" || authority.includes("@")) return "user-info";
  if (text.includes("#")) return "fragment";
  return BLOCKED_PORTS.has(url.port) ? "port" : undefined;
}

function checkHost(url: URL, policy: OutboundUrlPolicy): OutboundUrlReason | undefined {
  if (policy.allowed?.namesHost(url) === true) return undefined;
  const host = bareHost(url);
  // Not `isLoopbackHost`: here and at every connect the same table judges all addresses.
  const literal = isAddressLiteral(url) ? judgeAddress(host) : undefined;
  if (host === "localhost" || literal?.kind === "loopback") {
    return policy.allowLoopbackHttp ? undefined : "address";
  }
  if (url.protocol !== "https:") return "scheme";
  if (literal !== undefined) return literal.kind === "public" ? undefined : "address";
  return isPublicName(host) ? undefined : "host";
}

function isPublicName(host: string): boolean {
  if (host.length > 253 || !/^[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})+$/.test(host)) return false;
  return !PRIVATE_SUFFIXES.some((suffix) => host === suffix || host.endsWith(`.${suffix}`));
}
