/**
 * What institutions may take of lookups, in this process. The limiter of callers without credentials comes before.
 *
 *   a verified domain at a platform    100 lookups a second, 500 at once
 *   a claimed domain from an address   20 signatures a minute that are wrong: claiming a name shuts out no other caller
 *   domains that are not known yet     30 a minute from an address, 300 in all: each may mean a call to its host
 *   a verified domain at a platform    100 unknown users in ten minutes; then nothing for ten minutes
 *
 * Bounds: `MOST_KEYS` buckets of each kind, `MOST_DOMAINS` domains; the oldest go first.
 */
import type { Clock } from "../../../std/clock.ts";
import { createRateLimiter, type Rate } from "../../server/rate-limit.ts";
import type { SenderLimits } from "../signed-exchange.ts";

const MINUTE_MS = 60_000;
const LOOKUPS: Rate = { perSecond: 100, burst: 500 };
const WRONG_SIGNATURES: Rate = { perSecond: 20 / 60, burst: 20 };
const NEW_OF_CALLER: Rate = { perSecond: 30 / 60, burst: 30 };
const NEW_IN_ALL: Rate = { perSecond: 300 / 60, burst: 300 };
const UNKNOWN_USERS = 100;
const PROBING_MS = 10 * MINUTE_MS;
const MOST_KEYS = 100_000;
const MOST_DOMAINS = 10_000;

/** Who asks whom. */
export interface Asking {
  /** The key of the address. */
  readonly caller: string;
  /** Claimed until the signature was judged. */
  readonly vaspDomain: string;
  readonly platformId: string;
}

export interface LookupLimits extends SenderLimits<Asking> {
  /** Whether it was the one too many, so that the domain has to wait from now on. */
  noteUnknownUser(asking: Asking): boolean;
}

export function createLookupLimits(clock: Clock): LookupLimits {
  const limiter = (rate: Rate) => createRateLimiter({ clock, rate, maxKeys: MOST_KEYS });
  const lookups = limiter(LOOKUPS);
  const wrong = limiter(WRONG_SIGNATURES);
  const domains = knownDomains(clock);
  const probing = probingDomains(clock);
  const claim = ({ caller, vaspDomain }: Asking) => `${caller} ${vaspDomain}`;
  const pair = ({ platformId, vaspDomain }: Asking) => `${platformId} ${vaspDomain}`;
  return {
    admit(asking) {
      const seconds = Math.max(
        wrong.waitFor(claim(asking)),
        lookups.waitFor(pair(asking)),
        probing.waitFor(pair(asking)),
      );
      return seconds > 0 ? seconds : domains.admit(asking);
    },
    noteWrong: (asking) => wrong.charge(claim(asking), 1),
    admitVerified(asking) {
      domains.keep(asking.vaspDomain);
      return lookups.take(pair(asking));
    },
    noteUnknownUser: (asking) => probing.note(pair(asking)),
  };
}

/** Domains whose signatures have held, and those that were asked for within the last minute. */
function knownDomains(clock: Clock) {
  const ofCaller = createRateLimiter({ clock, rate: NEW_OF_CALLER, maxKeys: MOST_KEYS });
  const inAll = createRateLimiter({ clock, rate: NEW_IN_ALL, maxKeys: 1 });
  /** By domain: until when it counts as known. */
  const known = new Map<string, number>();
  const put = (domain: string, until: number) => putBounded(known, domain, until);
  return {
    admit({ caller, vaspDomain }: Asking): number {
      const now = clock.now();
      if ((known.get(vaspDomain) ?? 0) > now) return 0;
      const seconds = ofCaller.take(caller);
      if (seconds > 0) return seconds;
      const others = inAll.take("all");
      if (others > 0) {
        ofCaller.refund(caller);
        return others;
      }
      put(vaspDomain, now + MINUTE_MS);
      return 0;
    },
    keep: (domain: string) => put(domain, Number.POSITIVE_INFINITY),
  };
}

/** Counts unknown users by windows of ten minutes, each from its first one. */
function probingDomains(clock: Clock) {
  const windows = new Map<string, { readonly endsAt: number; readonly count: number }>();
  const open = (key: string) => {
    const window = windows.get(key);
    return window !== undefined && clock.now() < window.endsAt ? window : undefined;
  };
  return {
    waitFor(key: string): number {
      const window = open(key);
      if (window === undefined || window.count <= UNKNOWN_USERS) return 0;
      return Math.ceil((window.endsAt - clock.now()) / 1_000);
    },
    note(key: string): boolean {
      const fresh = clock.now() + PROBING_MS;
      const { endsAt, count } = open(key) ?? { endsAt: fresh, count: 0 };
      // The window is closed for ten minutes from the one too many.
      const isOver = count === UNKNOWN_USERS;
      putBounded(windows, key, { endsAt: isOver ? fresh : endsAt, count: count + 1 });
      return isOver;
    },
  };
}

function putBounded<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  const [oldest] = map.keys();
  if (oldest !== undefined && map.size >= MOST_DOMAINS) map.delete(oldest);
  map.set(key, value);
}
