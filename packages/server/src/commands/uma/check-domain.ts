import { umaServicesOn } from "../../boot/uma-services.ts";
import type { Config } from "../../config.ts";
import { inLowerCase } from "../../domain/customers/uma-address.ts";
import { toPlatformConfigId } from "../../domain/platform.ts";
import { recordRoutingCheck } from "../../domain/uma/domains/record-routing-check.ts";
import type { RoutingFault } from "../../domain/uma/domains/routing-faults.ts";
import { findClaims } from "../../domain/uma/domains/served-domain.sql.ts";
import { createOutboundClient } from "../../outside/outbound-http/outbound-client.ts";
import { StartRefused } from "../../std/errors.ts";
import { type AtDatabase, atDatabase } from "../at-platform.ts";
import { operate } from "../operate-platform.ts";
import { print } from "../print.ts";

export interface CheckDomainOptions {
  readonly json: boolean;
}

/**
 * `florin uma check`: checks the routing of a UMA domain of a platform here, as the call of the API does, and records what it found.
 * Answers whether there is no fault.
 */
export async function checkDomainFromShell(
  config: Config,
  given: string,
  { json }: CheckDomainOptions,
): Promise<boolean> {
  const domain = inLowerCase(given);
  return atDatabase(config, async (at) => {
    const claims = await findClaims(at.store.database.reads, domain);
    if (claims.length === 0) {
      throw new StartRefused(
        `no platform has the UMA domain ${domain}: florin platform list shows those that there are`,
      );
    }
    const faults = await faultsOf(at, domain);
    const platforms = [];
    for (const { platformId, id } of claims) {
      const status = await operate(
        { ...at, platform: { id: platformId } },
        {
          command: recordRoutingCheck,
          input: { domainId: id, faults },
          tell: (recorded) => recorded.status,
        },
      );
      platforms.push({ platformId: toPlatformConfigId(platformId), status });
    }
    const ok = faults.length === 0;
    const lines = platforms.map((one) => `${one.platformId}  ${one.status}`);
    print(
      json
        ? JSON.stringify({ domain, ok, faults, platforms }, undefined, 2)
        : [`${domain}: ${inWords(faults)}`, ...faults.map(lineOf), ...lines].join("\n"),
    );
    return ok;
  });
}

async function faultsOf(
  { store, surroundings }: AtDatabase,
  domain: string,
): Promise<readonly RoutingFault[]> {
  const outbound = createOutboundClient(surroundings);
  const { umaRouting } = umaServicesOn(store, { ...surroundings, outbound });
  return umaRouting.check(domain).finally(() => outbound.close());
}

function inWords({ length }: readonly RoutingFault[]): string {
  if (length === 0) return "the routing is in order.";
  return length === 1 ? "1 fault." : `${length} faults.`;
}

function lineOf({ code, message }: RoutingFault): string {
  return `  ${code}  ${message}`;
}
