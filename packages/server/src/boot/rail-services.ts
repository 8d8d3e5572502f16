/** The services of rail connections: calls to connectors, their callbacks, and the check of connector URLs. */
import type { Config } from "../config.ts";
import { createRailNonces, type RailNonces } from "../domain/rails/connections/nonces.sql.ts";
import { findAnyConnection } from "../domain/rails/connections/rail-connection.sql.ts";
import type { Services } from "../http/request/services.ts";
import { defaultLimits } from "../http/server/limits.ts";
import { createRateLimiter } from "../http/server/rate-limit.ts";
import { createExchangeSlots, type ExchangeSlots } from "../jobs/rails/exchange-slots.ts";
import { allowedHosts } from "../outside/outbound-http/allowed-hosts.ts";
import type { OutboundClient } from "../outside/outbound-http/outbound-client.ts";
import { checkOutboundUrl, outboundUrlMessages } from "../outside/outbound-http/outbound-url.ts";
import { createRateDocuments } from "../outside/prices/rate-documents.ts";
import { createConnectors } from "../outside/rails/connector/connector-client.ts";
import { createRailCallbacks } from "../outside/rails/connector/rail-callbacks.ts";
import type { Clock } from "../std/clock.ts";
import type { OpenStore } from "./open-database.ts";

export interface RailServices
  extends Pick<Services, "connectors" | "railCallbacks" | "rateDocuments" | "judgeConnectorUrl"> {
  readonly nonces: RailNonces;
  readonly exchangeSlots: ExchangeSlots;
  /** The number of failed exchanges by connection since the start of this server. */
  readonly exchangeFailures: ReadonlyMap<string, number>;
}

/** The rate limit of the callbacks of one connection. */
const CALLBACK_RATE = { perSecond: 100, burst: 200 } as const;

export function railServicesOn(
  { sealer, database }: Pick<OpenStore, "sealer" | "database">,
  tools: { readonly config: Config; readonly clock: Clock; readonly outbound: OutboundClient },
): RailServices {
  const { config, clock, outbound } = tools;
  const allowed = allowedHosts(config.RAIL_ALLOWED_HOSTS);
  const nonces = createRailNonces(database, clock);
  const { rateKeys: maxKeys } = defaultLimits;
  const limiter = createRateLimiter({ clock, rate: CALLBACK_RATE, maxKeys });
  const exchangeFailures = new Map<string, number>();
  const noteFailure = (connectionId: string) => {
    exchangeFailures.set(connectionId, (exchangeFailures.get(connectionId) ?? 0) + 1);
  };
  return {
    nonces,
    exchangeSlots: createExchangeSlots(clock),
    exchangeFailures,
    connectors: createConnectors({ outbound, allowed, sealer, clock, noteFailure }),
    rateDocuments: createRateDocuments({ outbound, allowed, sealer }),
    railCallbacks: createRailCallbacks({
      find: (connectionId) => findAnyConnection(database.reads, connectionId),
      useNonce: nonces.use,
      sealer,
      clock,
      take: (connectionId) => limiter.take(connectionId),
    }),
    judgeConnectorUrl(url) {
      const check = checkOutboundUrl(url, { allowLoopbackHttp: false, allowed });
      return check.ok ? undefined : outboundUrlMessages[check.reason];
    },
  };
}
