import { umaServicesOn } from "../../boot/uma-services.ts";
import type { Config } from "../../config.ts";
import { inLowerCase, isAddressDomain } from "../../domain/customers/uma-address.ts";
import { toPlatformConfigId } from "../../domain/platform.ts";
import { recordRoutingCheck } from "../../domain/uma/domains/record-routing-check.ts";
import type { RoutingFault } from "../../domain/uma/domains/routing-faults.ts";
import { findClaims } from "../../domain/uma/domains/served-domain.sql.ts";
import { createOutboundClient } from "../../outside/outbound-http/outbound-client.ts";
import { present } from "../../std/assert.ts";
import { StartRefused } from "../../std/errors.ts";
import { type AtDatabase, atDatabase } from "../at-platform.ts";
import { operate } from "../operate-platform.ts";
import { print } from "../print.ts";
import { checkOther } from "./check-other.ts";

export interface CheckDomainOptions {
  readonly json: boolean;
}

/**
 * `florin uma check`: checks the routing of a UMA domain of a platform here, as the call of the API does, and records what it found. Of a
 * domain that no platform here has, it checks what the institution publishes.
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
    if (claims.length === 0) return tellOther(domain, at, json);
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

/** No platform here has the domain: what its institution publishes is checked, and nothing is recorded. */
async function tellOther(
  domain: string,
  { surroundings }: AtDatabase,
  json: boolean,
): Promise<boolean> {
  if (!isAddressDomain(domain)) throw new StartRefused(`${domain} is no domain name`);
  const { faults, told } = await checkOther(domain, surroundings);
  const ok = faults.length === 0;
  const sentence = ok
    ? "no platform here has this domain; its institution is in order."
    : `no platform here has this domain; ${counted(faults)} at its institution.`;
  const lines = [...faults.map(lineOf), ...told.map((line) => `  ${line}`)];
  print(
    json
      ? JSON.stringify({ domain, ok, faults, platforms: [], told }, undefined, 2)
      : [`${domain}: ${sentence}`, ...lines].join("\n"),
  );
  return ok;
}

async function faultsOf(
  { store, surroundings }: AtDatabase,
  domain: string,
): Promise<readonly RoutingFault[]> {
  const outbound = createOutboundClient(surroundings);
  // A check calls the domain, and no sandbox.
  const ownOrigin = () => present<string>(undefined, "the address of a server");
  const { umaRouting } = umaServicesOn(store, { ...surroundings, outbound, ownOrigin });
  return umaRouting.check(domain).finally(() => outbound.close());
}

function inWords(faults: readonly RoutingFault[]): string {
  return faults.length === 0 ? "the routing is in order." : `${counted(faults)}.`;
}

function counted({ length }: readonly unknown[]): string {
  return length === 1 ? "1 fault" : `${length} faults`;
}

function lineOf({ code, message }: { readonly code: string; readonly message: string }): string {
  return `  ${code}  ${message}`;
}
