/** What is noted of other institutions beside the messages: who was seen, and how each exchange ended. No message waits for it. */
import type { Config } from "../../config.ts";
import type { Engine } from "../../engine/engine.ts";
import type { UmaNotes } from "../../http/request/services.ts";
import type { Metrics } from "../../http/server/metrics.ts";
import { createCounterpartySightings } from "../../jobs/uma/counterparty-sightings.ts";
import { createExchangeLog } from "../../jobs/uma/exchange-log.ts";
import type { OutboundClient } from "../../outside/outbound-http/outbound-client.ts";
import { fetchConfiguration } from "../../outside/uma/configuration-document.ts";
import { umaHosts } from "../../outside/uma/uma-hosts.ts";
import { createVaspClient } from "../../outside/uma/vasp-client.ts";
import type { Clock } from "../../std/clock.ts";
import type { Log } from "../../std/log.ts";
import type { OpenStore } from "../open-database.ts";
import { registerUmaFigures } from "./uma-figures.ts";
import type { UmaSandboxes } from "./uma-sandboxes.ts";

export interface UmaNoteWriter extends UmaNotes {
  /** Writes what is waiting. Never rejects. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

interface Tools {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly outbound: OutboundClient;
  readonly engine: Pick<Engine, "submit">;
  readonly metrics: Metrics;
  readonly sandboxes: UmaSandboxes;
}

export function umaNotesOn({ database }: OpenStore, tools: Tools): UmaNoteWriter {
  const { config, clock, log, outbound, engine, metrics, sandboxes } = tools;
  const client = createVaspClient({ outbound, hosts: umaHosts(config.UMA_HOSTS) });
  const exchangeLog = createExchangeLog({ database, clock, log });
  registerUmaFigures(metrics, exchangeLog);
  const sightings = createCounterpartySightings({
    ...{ engine, reads: database.reads, clock, log },
    async nameOf(platformId, domain) {
      const isPeer = await sandboxes.peers.has(platformId, domain);
      const document = await fetchConfiguration(isPeer ? sandboxes.client : client, domain);
      return document.kind === "document" ? document.name : undefined;
    },
  });
  return {
    exchangeLog,
    sightings,
    async settled() {
      await sightings.settled();
      await exchangeLog.flush();
    },
    close: () => exchangeLog.close(),
  };
}
