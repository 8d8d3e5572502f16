import type { Config } from "../../config.ts";
import { consoleOperations } from "../../http/console/console-routes.ts";
import type { ConsoleOptions } from "../../http/console/console-server.ts";
import { ssoPages } from "../../http/console/sso/sso-pages.ts";
import type { Services } from "../../http/request/services.ts";
import { createCallerAddress } from "../../http/server/caller-address.ts";

/** The console; undefined when it is switched off. */
export function consoleOn(
  services: Services,
  config: Config,
): ConsoleOptions<Services> | undefined {
  if (config.CONSOLE !== "on") return undefined;
  const { engine, people, log } = services;
  const addressOf = createCallerAddress({ trustedProxies: config.TRUSTED_PROXIES, log });
  return { ...people, engine, operations: consoleOperations, pages: ssoPages(services, addressOf) };
}
