/** The ports of a server: the API's, and that of the metrics. */

import { createServer } from "node:net";
import type { Config } from "../config.ts";
import type { Metrics } from "../http/server/metrics.ts";
import { type MetricsServer, startMetricsServer } from "../http/server/metrics-server.ts";
import type { HttpServer } from "../http/server/server.ts";
import type { Clock } from "../std/clock.ts";
import { messageOf, StartRefused } from "../std/errors.ts";
import type { Log } from "../std/log.ts";

export interface ListenOptions {
  readonly config: Pick<Config, "HOST" | "PORT" | "METRICS_HOST" | "METRICS_PORT">;
  readonly clock: Clock;
  readonly log: Log;
}

/** Opens both ports. When the API's port cannot be opened, the metrics' port is closed again. */
export async function listen(http: HttpServer, metrics: Metrics, surroundings: ListenOptions) {
  const { config } = surroundings;
  const metricsServer = await serveMetrics(metrics, surroundings);
  try {
    return { address: await http.listen(config.HOST, config.PORT), metricsServer };
  } catch (error) {
    await metricsServer?.close();
    throw error;
  }
}

/** Undefined when METRICS_PORT is off, or is not set and the default port is taken, for example by another server of this machine. */
async function serveMetrics(
  metrics: Metrics,
  { config, clock, log }: ListenOptions,
): Promise<MetricsServer | undefined> {
  const { METRICS_HOST: host, METRICS_PORT: wanted } = config;
  if (wanted.kind === "off") return undefined;
  const { port, isAskedFor } = wanted;
  try {
    return await startMetricsServer({ metrics, clock, host, port });
  } catch (error) {
    const reason = `cannot serve /metrics on METRICS_HOST and METRICS_PORT (${messageOf(error)})`;
    if (isAskedFor) throw new StartRefused(reason, { cause: error });
    log.warn({ host, port }, `${reason}; set METRICS_PORT to a free port, or to off`);
    return undefined;
  }
}

/**
 * Refuses an address on which the server cannot listen, before a platform is created, by listening there for a moment.
 * Another process may still take the address before the server starts; the start then fails without losing anything
 * (first-credentials.ts).
 */
export function refuseUnusableAddress(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    // An open connection would delay `close`.
    const probe = createServer((socket) => socket.destroy());
    probe.on("error", (error) =>
      reject(
        new StartRefused(
          `cannot listen on HOST and PORT (${error.message}); another server may be running there`,
          { cause: error },
        ),
      ),
    );
    probe.listen({ host, port }, () => probe.close(() => resolve()));
  });
}
