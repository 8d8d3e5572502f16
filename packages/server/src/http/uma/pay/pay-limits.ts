/**
 * What institutions may take of pay requests, in this process. The limiter of callers without credentials comes before.
 *
 *   a verified domain at a platform    50 pay requests a second, 250 at once
 *   a token, from an address           20 signatures a minute that are wrong
 *
 * Bounds: `MOST_KEYS` buckets of each kind; the oldest go first.
 */
import type { Clock } from "../../../std/clock.ts";
import { createRateLimiter } from "../../server/rate-limit.ts";

const REQUESTS = { perSecond: 50, burst: 250 } as const;
const WRONG_SIGNATURES = { perSecond: 20 / 60, burst: 20 } as const;
const MOST_KEYS = 100_000;

export interface PayAsking {
  /** The key of the address. */
  readonly caller: string;
  readonly vaspDomain: string;
  readonly platformId: string;
}

export interface PayLimits {
  /** The seconds that the caller has to wait before its signature is judged; 0 when it may be now. */
  admit(asking: PayAsking): number;
  noteWrong(asking: PayAsking): void;
  /** The signature held. The seconds to wait before an answer; 0 when there is one now. */
  admitVerified(asking: PayAsking): number;
}

export function createPayLimits(clock: Clock): PayLimits {
  const requests = createRateLimiter({ clock, rate: REQUESTS, maxKeys: MOST_KEYS });
  const wrong = createRateLimiter({ clock, rate: WRONG_SIGNATURES, maxKeys: MOST_KEYS });
  const claim = ({ caller, vaspDomain }: PayAsking) => `${caller} ${vaspDomain}`;
  const pair = ({ platformId, vaspDomain }: PayAsking) => `${platformId} ${vaspDomain}`;
  return {
    admit: (asking) => wrong.waitFor(claim(asking)),
    noteWrong: (asking) => wrong.charge(claim(asking), 1),
    admitVerified: (asking) => requests.take(pair(asking)),
  };
}
