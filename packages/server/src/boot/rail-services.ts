/** The services of rail connections: calls to connectors, their callbacks, and the check of connector URLs. */
import type { Config } from "../config.ts";
import { createRailNonces, type RailNonces } from "../domain/rails/connections/nonces.sql.ts";
import { findAnyConnection } from "../domain/rails/connections/rail-connection.sql.ts";
import type { Engine } from "../engine/engine.ts";
import type { Services } from "../http/request/services.ts";
import { defaultLimits } from "../http/server/limits.ts";
import { createRateLimiter } from "../http/server/rate-limit.ts";
import { createExchangeSlots, type ExchangeSlots } from "../jobs/rails/exchange-slots.ts";
import { sandboxInvoices } from "../jobs/rails/sandbox-invoice.ts";
import { withSandboxLayer } from "../jobs/rails/sandbox-layer.ts";
import { allowedHosts } from "../outside/outbound-http/allowed-hosts.ts";
import type { OutboundClient } from "../outside/outbound-http/outbound-client.ts";
import { checkOutboundUrl, outboundUrlMessages } from "../outside/outbound-http/outbound-url.ts";
import { createRateDocuments } from "../outside/prices/rate-documents.ts";
import { createConnectors } from "../outside/rails/connector/connector-client.ts";
import { createRailCallbacks } from "../outside/rails/connector/rail-callbacks.ts";
import type { Clock } from "../std/clock.ts";
import { derivedKey } from "./derived-key.ts";
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

/** The same, with the layer that settles between sandboxes. It books at other platforms, so it needs the engine. */
export function withSandboxesOn(
  store: OpenStore,
  services: RailServices,
  { engine, clock }: { readonly engine: Engine; readonly clock: Clock },
): RailServices {
  const invoices = sandboxInvoices(derivedKey(store, "sandbox invoices"));
  const { reads } = store.database;
  const connectors = withSandboxLayer(services.connectors, { engine, reads, clock, invoices });
  return { ...services, connectors };
}

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
