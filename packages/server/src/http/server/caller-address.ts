/**
 * The address that a request counts for in rate limits: the peer of its connection, or, behind a trusted proxy, the
 * client address in `X-Forwarded-For`.
 *
 * The header is read from its end, where each proxy appends the peer that it saw. Entries before the first address that
 * is not a trusted proxy were written by the client and are ignored.
 */
import type { IncomingMessage } from "node:http";
import { isAddress, isWithin, parseAddressRange } from "../../std/address-range.ts";
import type { Log } from "../../std/log.ts";

export type CallerAddress = (raw: IncomingMessage) => string;

/** Tests whether an address belongs to a trusted proxy. */
export function trustIn(trustedProxies: readonly string[]): (address: string) => boolean {
  const ranges = trustedProxies.map(parseAddressRange);
  return (address) => isWithin(ranges, address);
}

export function createCallerAddress(options: {
  /** Addresses and CIDR ranges. */
  readonly trustedProxies: readonly string[];
  readonly log: Log;
}): CallerAddress {
  const isTrusted = trustIn(options.trustedProxies);
  let isTold = false;
  return ({ socket, headers }) => {
    const peer = socket.remoteAddress ?? "";
    const forwarded = headers["x-forwarded-for"];
    if (forwarded === undefined) return peer;
    if (isTrusted(peer)) return callerBehind(peer, String(forwarded), isTrusted);
    if (!isTold) {
      isTold = true;
      options.log.warn(
        { peer },
        "X-Forwarded-For came from an address that is not in TRUSTED_PROXIES: its callers count as one",
      );
    }
    return peer;
  };
}

function callerBehind(
  peer: string,
  forwarded: string,
  isTrusted: (address: string) => boolean,
): string {
  let caller = peer;
  for (const text of forwarded.split(",").reverse()) {
    const address = withoutPort(text.trim());
    if (!isAddress(address)) break;
    caller = address;
    if (!isTrusted(address)) break;
  }
  return caller;
}

/** Strips the port that some proxies append: `203.0.113.7:4711`, `[2001:db8::7]:4711`. */
function withoutPort(text: string): string {
  const inBrackets = /^\[([^\]]+)\](:\d+)?$/.exec(text)?.[1];
  return inBrackets ?? text.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1");
}
