/**
 * Limits requests without valid credentials per address: pages, unknown paths, public operations, failed logins. Each
 * takes tokens of a bucket in proportion to the size of its answer. An empty bucket answers 429 and closes the
 * connection. An address that continues goes into debt, and its new connections are destroyed unread, because even a
 * 429 costs CPU time.
 *
 * A caller with valid credentials is not counted. Behind a trusted proxy the address is the one that the proxy reports;
 * connections of the proxy itself are never destroyed. Bounds: those of `RateLimiter`.
 */
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { addressKey } from "../auth/address-key.ts";
import type { CallerAddress } from "./caller-address.ts";
import { type ErrorAnswer, toErrorBody } from "./errors.ts";
import type { RateLimiter } from "./rate-limit.ts";

export interface GuestLimiter {
  /** Charges a request by the size of its answer. Returns the 429 to answer instead when the bucket is empty. */
  admit(raw: IncomingMessage, answerBytes?: number): ErrorAnswer | undefined;
  /** Charges a request that failed authentication. True when its connection must be closed. */
  charge(raw: IncomingMessage): boolean;
  /** Charges a connection that was destroyed because of what it sent. */
  chargeConnection(socket: Socket): void;
  /** True when a new connection must be destroyed unread. */
  isBlocked(socket: Socket): boolean;
}

/** One more token per 64 kB of answer, because writing them costs as much as answering a small request. */
const BYTES_A_UNIT = 64 * 1024;
/** Parsing what such a connection sent costs as much as this number of small requests. */
const DESTROYED_CONNECTION_UNITS = 300;

export function createGuestLimiter(options: {
  readonly limiter: RateLimiter;
  readonly addressOf: CallerAddress;
  readonly isTrustedProxy: (address: string) => boolean;
}): GuestLimiter {
  const { limiter, addressOf, isTrustedProxy } = options;
  const charge = (raw: IncomingMessage, units: number) =>
    limiter.charge(addressKey(addressOf(raw)), units);
  const peerOf = ({ remoteAddress = "" }: Socket) => remoteAddress;
  return {
    admit(raw, answerBytes = 0) {
      const seconds = charge(raw, 1 + Math.floor(answerBytes / BYTES_A_UNIT));
      if (seconds === 0) return undefined;
      const body = toErrorBody("RATE_LIMITED", undefined, { retryAfterSeconds: seconds });
      return { status: 429, body, retryAfterSeconds: seconds, closeConnection: true };
    },
    charge: (raw) => charge(raw, 1) > 0,
    chargeConnection(socket) {
      const peer = peerOf(socket);
      if (!isTrustedProxy(peer)) limiter.charge(addressKey(peer), DESTROYED_CONNECTION_UNITS);
    },
    isBlocked(socket) {
      const peer = peerOf(socket);
      return !isTrustedProxy(peer) && limiter.isInDebt(addressKey(peer));
    },
  };
}
