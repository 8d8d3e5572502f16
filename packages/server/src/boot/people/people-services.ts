/** Sign-in and sessions of people. */
import type { Config } from "../../config.ts";
import { findFailures } from "../../domain/people/sessions/failed-proofs.sql.ts";
import type { HeadWatch } from "../../domain/reading/live/head-watch.port.ts";
import {
  createFailedAttemptLimiter,
  type FailedAttemptLimiter,
  limitedByAllServers,
} from "../../http/auth/failed-attempts.ts";
import { createChallenges } from "../../http/console/challenges.ts";
import { createLiveSessions } from "../../http/console/live/live-sessions.ts";
import type { PeopleServices, SsoServices } from "../../http/console/people-services.ts";
import { consolePlaceAt } from "../../http/console/place.ts";
import { createSessions } from "../../http/console/sessions.ts";
import { createSignInFlows } from "../../http/console/sso/sign-in-flow.ts";
import { defaultLimits } from "../../http/server/limits.ts";
import { createRateLimiter, type Rate } from "../../http/server/rate-limit.ts";
import { createFailedProofs } from "../../jobs/people/failed-proofs.ts";
import type { SessionUses } from "../../jobs/people/session-uses.ts";
import type { OutboundClient } from "../../outside/outbound-http/outbound-client.ts";
import { checkOutboundUrl, outboundUrlMessages } from "../../outside/outbound-http/outbound-url.ts";
import { createIdentityProviders } from "../../outside/people/oidc/identity-providers.ts";
import type { Clock } from "../../std/clock.ts";
import type { Log } from "../../std/log.ts";
import { derivedKey } from "../derived-key.ts";
import type { OpenStore } from "../open-database.ts";
import { allowsLoopback } from "../wallet-services.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export function peopleServicesOn(
  store: OpenStore,
  {
    config,
    clock,
    log,
    outbound,
    publicUrl,
    sessionUses,
    heads,
  }: {
    readonly config: Config;
    readonly clock: Clock;
    readonly log: Log;
    readonly outbound: OutboundClient;
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
  const limiterOf = limitersOn(store, clock);
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
    failedSources: limiterOf(failedSourceRate),
    failedProofs: limiterOf(failedProofRate),
    sso: ssoServicesOn(store, { clock, log, outbound }),
  };
}

/** An issuer's sign-in gives access to production platforms, so the rule for loopback addresses is that of production. */
function ssoServicesOn(
  store: OpenStore,
  tools: { readonly clock: Clock; readonly log: Log; readonly outbound: OutboundClient },
): SsoServices {
  const allowLoopback = allowsLoopback(store, "PRODUCTION");
  return {
    providers: createIdentityProviders({ ...tools, sealer: store.sealer, allowLoopback }),
    flows: createSignInFlows(derivedKey(store, "sign-in flows"), tools.clock),
    judgeIssuer(url) {
      const check = checkOutboundUrl(url, { allowLoopbackHttp: allowLoopback });
      return check.ok ? undefined : outboundUrlMessages[check.reason];
    },
  };
}

/** Makes limiters, each with its own counts. */
function limitersOn(store: OpenStore, clock: Clock): (rate: Rate) => FailedAttemptLimiter {
  const { note } = createFailedProofs(store.database, clock);
  const { gateReads } = store.database;
  const find = (keyHash: string) => findFailures(gateReads, keyHash, clock.now());
  return (rate) => {
    const limiter = createRateLimiter({ clock, rate, maxKeys: defaultLimits.rateKeys });
    return limitedByAllServers(createFailedAttemptLimiter({ clock, limiter }), {
      failures: { find, note },
      most: rate.burst,
      key: derivedKey(store, `failed proofs ${rate.burst}`),
      now: () => clock.now(),
    });
  };
}
