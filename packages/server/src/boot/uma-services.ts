/** The services of UMA: receivers at addresses, who is served at which host, and the check of the routing. */
import type { Config } from "../config.ts";
import { domainOf } from "../domain/customers/uma-address.ts";
import { findPlatform } from "../domain/platform.sql.ts";
import { createRoutingProofs } from "../domain/uma/domains/routing-proof.ts";
import type { SandboxPeers } from "../domain/uma/domains/sandbox-peers.port.ts";
import { findServedDomain } from "../domain/uma/domains/served-domain.sql.ts";
import { findCounterpartyOf } from "../domain/uma/policy/uma-counterparty.sql.ts";
import type { UmaPolicies } from "../domain/uma/policy/uma-policies.port.ts";
import { DEFAULT_UMA_POLICY, findUmaPolicy } from "../domain/uma/policy/uma-policy.ts";
import type { ReceiverSource } from "../domain/uma/receiver.port.ts";
import { customerReceivers } from "../domain/uma/receiver.sql.ts";
import type { Services } from "../http/request/services.ts";
import { defaultLimits } from "../http/server/limits.ts";
import { createRateLimiter } from "../http/server/rate-limit.ts";
import { createKeyDocuments } from "../http/uma/key-document.ts";
import { createServedHosts } from "../http/uma/served-hosts.ts";
import type { UmaPaths, UmaRequest } from "../http/uma/uma-paths.ts";
import type { OutboundClient } from "../outside/outbound-http/outbound-client.ts";
import { ownAddressesOfHost } from "../outside/outbound-http/outbound-connect.ts";
import { simulatedReceivers } from "../outside/payments/simulated-receivers.ts";
import { createRoutingChecks } from "../outside/uma/routing-check.ts";
import { umaHosts } from "../outside/uma/uma-hosts.ts";
import { createUmaPolicies } from "../outside/uma/uma-policies.ts";
import type { Reads } from "../postgres/database.ts";
import { present } from "../std/assert.ts";
import type { Clock } from "../std/clock.ts";
import { derivedKey } from "./derived-key.ts";
import type { OpenStore } from "./open-database.ts";
import { type UmaExchanges, umaExchangesOn } from "./uma/uma-exchanges.ts";
import { type LookupServices, lookupsOn } from "./uma/uma-lookups.ts";
import { type PayServices, paymentMessagesOn } from "./uma/uma-payments.ts";
import { umaSandboxesOn } from "./uma/uma-sandboxes.ts";

export interface UmaServices extends Pick<Services, "receivers" | "umaRouting" | "umaPolicies"> {
  /** The public paths. */
  readonly uma: UmaPaths;
  readonly exchanges: UmaExchanges;
}

/** Of one platform. A check makes four requests to a host that the platform has named. */
const CHECK_RATE = { perSecond: 0.2, burst: 10 } as const;

export function umaServicesOn(
  store: OpenStore,
  tools: {
    readonly config: Config;
    readonly clock: Clock;
    readonly outbound: OutboundClient;
    readonly ownOrigin: () => string;
  },
): UmaServices {
  const { config, clock, outbound } = tools;
  const proofs = createRoutingProofs(derivedKey(store, "uma routing"));
  const hosts = createServedHosts({
    find: (host) => findServedDomain(store.database.reads, host),
    clock,
  });
  const checks = createRoutingChecks({
    outbound,
    hosts: umaHosts(config.UMA_HOSTS),
    proofs,
    clock,
    ownAddresses: ownAddressesOfHost,
  });
  const limiter = createRateLimiter({ clock, rate: CHECK_RATE, maxKeys: defaultLimits.rateKeys });
  const policies = policiesOn(store.database.reads, clock);
  const sandboxes = umaSandboxesOn(store, { ...tools, policies });
  return {
    receivers: receiversOf(store.database.reads, sandboxes.peers),
    umaPolicies: policies,
    uma: { hosts, sandboxes: sandboxes.requests, proofs, handlers: {} },
    exchanges: umaExchangesOn(store, { ...tools, policies, sandboxes }),
    umaRouting: {
      check: checks.check,
      take: (platformId) => limiter.take(platformId),
      forget() {
        hosts.forget();
        sandboxes.hosts.forget();
      },
    },
  };
}

/** The public paths, with the keys and the customers of the platform that is served at a host. */
export function umaPathsOn(
  paths: UmaPaths,
  tools: LookupServices & PayServices,
  exchanges: UmaExchanges,
): UmaPaths {
  const documentOf = createKeyDocuments(tools);
  const handlers = {
    ...paths.handlers,
    lnurlp: lookupsOn(tools, exchanges),
    ...paymentMessagesOn(tools, exchanges, paths.hosts),
    lnurlpubkey: ({ served }: UmaRequest) => documentOf(served.platformId),
  };
  return { ...paths, handlers };
}

/** What platforms want of other institutions, as it was read within the last second. */
function policiesOn(reads: Reads, clock: Clock): UmaPolicies {
  return createUmaPolicies({
    async findPolicy(platformId) {
      const [platform, policy] = await Promise.all([
        findPlatform(reads, platformId),
        findUmaPolicy(reads, platformId),
      ]);
      const { umaDomains } = present(platform, "the platform of a policy");
      return { policy: policy ?? DEFAULT_UMA_POLICY, ownDomains: umaDomains };
    },
    findCounterparty: (platformId, domain) => findCounterpartyOf(reads, platformId, domain),
    clock,
  });
}

/** Asks the sources in order; the first receiver found is used. */
function inTurn(sources: readonly ReceiverSource[]): ReceiverSource {
  return {
    async find(umaAddress, asking) {
      for (const source of sources) {
        const receiver = await source.find(umaAddress, asking);
        if (receiver !== undefined) return receiver;
      }
      return undefined;
    },
  };
}

/** The simulated counterparties first, then customers. Those of a peer are asked for by a message. */
function receiversOf(reads: Reads, peers: SandboxPeers): ReceiverSource {
  const customers = customerReceivers(reads);
  const known: ReceiverSource = {
    async find(umaAddress, asking) {
      const isPeer = await peers.has(asking.id, domainOf(umaAddress));
      return isPeer ? undefined : customers.find(umaAddress, asking);
    },
  };
  return inTurn([simulatedReceivers, known]);
}
