/**
 * What callers without valid credentials may cost, by address: pages, unknown paths, public operations, failed logins. Each
 * takes from a token bucket, the more the larger its answer is. An empty bucket answers 429 and closes the connection. An
 * address that goes on all the same runs into debt, and its new connections are destroyed before anything is read from
 * them, because even a 429 costs the thread time.
 *
 * A caller whose credentials are valid is not counted, and behind a trusted proxy the address is the one that the proxy
 * names; connections of the proxy itself are never destroyed. Bounds: the buckets of `RateLimiter`.
 */
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { addressKey } from "../auth/address-key.ts";
import type { CallerAddress } from "./caller-address.ts";
import { type ErrorAnswer, toErrorBody } from "./errors.ts";
import type { RateLimiter } from "./rate-limit.ts";

export interface Strangers {
  /** Takes the cost of a request with this many bytes of answer; the answer to give instead when there is no more to take. */
  admit(raw: IncomingMessage, answerBytes?: number): ErrorAnswer | undefined;
  /** Counts a request that turned out to have no valid credentials; whether its connection is to be closed. */
  charge(raw: IncomingMessage): boolean;
  /** Counts a connection that was destroyed for what it sent. */
  chargeConnection(socket: Socket): void;
  /** Whether a new connection is to be destroyed unread. */
  isShutOut(socket: Socket): boolean;
}

/** A further unit for each so many bytes: writing them costs as much as answering a small request. */
const BYTES_A_UNIT = 64 * 1024;
/** Reading and taking apart what such a connection sent costs as much as so many small requests. */
const DESTROYED_CONNECTION_UNITS = 300;

export function createStrangers(options: {
  readonly limiter: RateLimiter;
  readonly addressOf: CallerAddress;
  readonly isTrustedProxy: (address: string) => boolean;
}): Strangers {
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
    isShutOut(socket) {
      const peer = peerOf(socket);
      return !isTrustedProxy(peer) && limiter.isInDebt(addressKey(peer));
    },
  };
}
