/**
 * What institutions may take of messages at URLs that they were given, in this process. The limiter of callers without credentials comes
 * before.
 *
 *   a domain or payment   as many verified messages as the kind of message has
 *   an address            20 signatures a minute in the name of a domain that are wrong
 *
 * Bounds: `MOST_KEYS` buckets of each kind; the oldest go first.
 */
import type { Clock } from "../../std/clock.ts";
import { createRateLimiter, type Rate } from "../server/rate-limit.ts";
import type { SenderLimits } from "./signed-exchange.ts";

/** Of a verified domain at a platform. */
export const PAY_REQUESTS: Rate = { perSecond: 50, burst: 250 };
/** About one payment. An institution tells of it once, and a few times more when it gets no answer. */
export const HOOKS: Rate = { perSecond: 1 / 60, burst: 10 };
const WRONG_SIGNATURES: Rate = { perSecond: 20 / 60, burst: 20 };
const MOST_KEYS = 100_000;

export interface MessageAsking {
  /** The key of the address. */
  readonly caller: string;
  readonly vaspDomain: string;
  /** What verified messages count for. */
  readonly of: string;
}

export type MessageLimits = SenderLimits<MessageAsking>;

export function createMessageLimits(clock: Clock, rate: Rate): MessageLimits {
  const messages = createRateLimiter({ clock, rate, maxKeys: MOST_KEYS });
  const wrong = createRateLimiter({ clock, rate: WRONG_SIGNATURES, maxKeys: MOST_KEYS });
  const claim = ({ caller, vaspDomain }: MessageAsking) => `${caller} ${vaspDomain}`;
  return {
    admit: (asking) => wrong.waitFor(claim(asking)),
    noteWrong: (asking) => wrong.charge(claim(asking), 1),
    admitVerified: ({ of }) => messages.take(of),
  };
}
