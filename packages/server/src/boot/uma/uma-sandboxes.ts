/** What sandboxes of the deployment need to exchange the messages of UMA with each other, over this server's own port. */
import { createSandboxPasses, PASS_HEADER } from "../../domain/uma/domains/sandbox-pass.ts";
import type { SandboxPeers } from "../../domain/uma/domains/sandbox-peers.port.ts";
import { findClaimant, findSandboxDomain } from "../../domain/uma/domains/served-domain.sql.ts";
import type {
  CounterpartyKeySource,
  CounterpartyKeyStore,
} from "../../domain/uma/keys/counterparty-keys.port.ts";
import type { UmaPolicies } from "../../domain/uma/policy/uma-policies.port.ts";
import { createServedHosts, type ServedHosts } from "../../http/uma/served-hosts.ts";
import type { SandboxRequests } from "../../http/uma/uma-paths.ts";
import type { OutboundClient } from "../../outside/outbound-http/outbound-client.ts";
import { createCounterpartyKeys } from "../../outside/uma/counterparty-keys.ts";
import { fetchKeyDocument } from "../../outside/uma/fetch-key-document.ts";
import { sandboxHosts } from "../../outside/uma/sandbox-hosts.ts";
import type { UmaHosts } from "../../outside/uma/uma-hosts.ts";
import { createVaspClient, type VaspClient } from "../../outside/uma/vasp-client.ts";
import type { Reads } from "../../postgres/database.ts";
import type { Clock } from "../../std/clock.ts";
import { derivedKey } from "../derived-key.ts";
import type { OpenStore } from "../open-database.ts";

export interface UmaSandboxes {
  readonly peers: SandboxPeers;
  readonly client: VaspClient;
  readonly permits: UmaHosts["permits"];
  /** The keys of sandboxes. Those of institutions with the same domains are others. */
  readonly keys: CounterpartyKeySource;
  readonly requests: SandboxRequests;
  readonly hosts: Pick<ServedHosts, "forget">;
}

export function umaSandboxesOn(
  store: OpenStore,
  tools: {
    readonly clock: Clock;
    readonly outbound: OutboundClient;
    readonly policies: UmaPolicies;
    readonly ownOrigin: () => string;
  },
): UmaSandboxes {
  const { clock, outbound, policies, ownOrigin } = tools;
  const { reads } = store.database;
  const passes = createSandboxPasses(derivedKey(store, "uma sandboxes"));
  const places = sandboxHosts({ passes, clock, ownOrigin });
  const { callOf, permits } = places;
  const hosts = createServedHosts({ find: (host) => findSandboxDomain(reads, host), clock });
  return {
    peers: peersOf(reads, policies),
    client: createVaspClient({ outbound, hosts: places }),
    permits,
    keys: createCounterpartyKeys({
      store: NOT_SHARED,
      fetch: (domain) => fetchKeyDocument({ outbound, callOf }, domain),
      clock,
    }),
    hosts,
    requests: {
      isPassed({ headers, method = "", url: target = "" }, host) {
        const header = headers[PASS_HEADER];
        if (header === undefined || host === undefined) return false;
        return passes.isGood(header, { method, host, target }, clock.now());
      },
      async find(host) {
        const served = await hosts.find(host);
        if (served === undefined) return undefined;
        const network = await policies.networkOf(served.platformId);
        return network === "PROTOCOL" ? served : undefined;
      },
    },
  };
}

function peersOf(reads: Reads, { networkOf }: Pick<UmaPolicies, "networkOf">): SandboxPeers {
  return {
    async has(platformId, domain) {
      if ((await networkOf(platformId)) !== "PROTOCOL") return false;
      const other = await findClaimant(reads, "SANDBOX", domain);
      if (other === undefined || other === platformId) return false;
      return (await networkOf(other)) === "PROTOCOL";
    },
  };
}

/** Each server fetches the keys from itself, and keeps them in memory alone. */
const NOT_SHARED: CounterpartyKeyStore = {
  find: async () => undefined,
  claim: async () => true,
  keep: async () => undefined,
  release: async () => undefined,
};
