/** Sign-in and sessions of people. */
import type { Config } from "../../config.ts";
import type { HeadWatch } from "../../domain/live/head-watch.port.ts";
import {
  createFailedAttemptLimiter,
  type FailedAttemptLimiter,
} from "../../http/auth/failed-attempts.ts";
import { createChallenges } from "../../http/console/challenges.ts";
import { createLiveSessions } from "../../http/console/live/live-sessions.ts";
import type { PeopleServices } from "../../http/console/people-services.ts";
import { consolePlaceAt } from "../../http/console/place.ts";
import { createSessions } from "../../http/console/sessions.ts";
import { defaultLimits } from "../../http/server/limits.ts";
import { createRateLimiter, type Rate } from "../../http/server/rate-limit.ts";
import type { SessionUses } from "../../jobs/uses/session-uses.ts";
import type { Clock } from "../../std/clock.ts";
import { derivedKey } from "../derived-key.ts";
import type { OpenStore } from "../open-database.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export function peopleServicesOn(
  store: OpenStore,
  {
    config,
    clock,
    publicUrl,
    sessionUses,
    heads,
  }: {
    readonly config: Config;
    readonly clock: Clock;
    readonly publicUrl: () => string;
    readonly sessionUses: Pick<SessionUses, "note">;
    readonly heads: HeadWatch;
  },
): PeopleServices {
  const { failedSourceRate, failedProofRate } = defaultLimits;
  const lives = {
    idleMs: config.SESSION_IDLE_MINUTES * MINUTE_MS,
    wholeMs: config.SESSION_HOURS * HOUR_MS,
  };
  const sessions = createSessions({
    reads: store.database.gateReads,
    clock,
    lives,
    noteUse: sessionUses.note,
  });
  return {
    place: () => consolePlaceAt(publicUrl()),
    challenges: createChallenges(derivedKey(store, "console challenges"), clock),
    sessions,
    liveSessions: createLiveSessions({ sessions, heads, clock }),
    lives,
    failedSources: limiterOf(failedSourceRate, clock),
    failedProofs: limiterOf(failedProofRate, clock),
  };
}

function limiterOf(rate: Rate, clock: Clock): FailedAttemptLimiter {
  const limiter = createRateLimiter({ clock, rate, maxKeys: defaultLimits.rateKeys });
  return createFailedAttemptLimiter({ clock, limiter });
}
