/**
 * Judges other institutions by the policy of a platform and by what it has set about each of them. Both are kept for a second: so a domain
 * that is blocked is refused within a second on all servers, and a flood of messages from one domain costs a read a second.
 */
import { hash, X509Certificate } from "node:crypto";
import type { CounterpartyKeys } from "../../domain/uma/keys/counterparty-keys.port.ts";
import {
  judgeCounterparty,
  type KeyFacts,
  settingsFor,
} from "../../domain/uma/policy/judge-counterparty.ts";
import type { UmaCounterparty } from "../../domain/uma/policy/uma-counterparty.ts";
import type { UmaPolicies } from "../../domain/uma/policy/uma-policies.port.ts";
import type { UmaPolicy } from "../../domain/uma/policy/uma-policy.ts";
import { endsAt, leafNames } from "../../formats/uma/certificates/counterparty-chain.ts";
import { pointOf } from "../../formats/uma/signatures.ts";
import { present } from "../../std/assert.ts";
import { createBriefCache } from "../../std/brief-cache.ts";
import type { Clock } from "../../std/clock.ts";

const KEPT_MS = 1_000;
const MOST_PLATFORMS = 1_000;
const MOST_COUNTERPARTIES = 10_000;

export interface PlatformPolicy {
  readonly policy: UmaPolicy;
  readonly ownDomains: readonly string[];
}

interface Tools {
  readonly findPolicy: (platformId: string) => Promise<PlatformPolicy>;
  readonly findCounterparty: (
    platformId: string,
    domain: string,
  ) => Promise<UmaCounterparty | undefined>;
  readonly clock: Clock;
}

/** The name by which a signing key is shown and pinned. */
export function fingerprintOf(signingKey: CounterpartyKeys["signingKey"]): string {
  return hash("sha256", present(pointOf(signingKey), "the point of a signing key"), "hex");
}

export function createUmaPolicies({ findPolicy, findCounterparty, clock }: Tools): UmaPolicies {
  const policies = createBriefCache({
    find: async (platformId) => readable(await findPolicy(platformId)),
    ...{ clock, keptMs: KEPT_MS, most: MOST_PLATFORMS },
  });
  const counterparties = createBriefCache({
    find: (key) => findCounterparty(key.slice(0, UUID_LENGTH), key.slice(UUID_LENGTH)),
    ...{ clock, keptMs: KEPT_MS, most: MOST_COUNTERPARTIES },
  });
  const known = async (platformId: string, domain: string) => {
    const [own, counterparty] = await Promise.all([
      policies.find(platformId),
      counterparties.find(platformId + domain),
    ]);
    return { ...own, domain, counterparty };
  };
  return {
    async judge(platformId, domain, { keys, ...facts }) {
      const found = await known(platformId, domain);
      const { authorities } = found;
      const proven =
        keys === undefined ? undefined : keyFacts(keys, domain, { authorities, now: clock.now() });
      return judgeCounterparty(found, { ...facts, keys: proven });
    },
    async settingsFor(platformId, domain) {
      const { policy, counterparty } = await known(platformId, domain);
      return { ...policy, ...settingsFor(policy, counterparty) };
    },
    async networkOf(platformId) {
      return (await policies.find(platformId)).policy.network;
    },
    forget() {
      policies.forget();
      counterparties.forget();
    },
  };
}

const UUID_LENGTH = 36;

function readable({ policy, ownDomains }: PlatformPolicy) {
  const authorities = policy.authorities.map((pem) => new X509Certificate(pem));
  return { policy, ownDomains, authorities };
}

function keyFacts(
  { signingKey, signingChain, encryptionChain }: CounterpartyKeys,
  domain: string,
  { authorities, now }: { readonly authorities: readonly X509Certificate[]; readonly now: number },
): KeyFacts {
  const [host = ""] = domain.split(":");
  const chains = [signingChain, encryptionChain];
  return {
    fingerprint: fingerprintOf(signingKey),
    namesDomain: chains.every((chain) => leafNames(chain, host)),
    isOfAuthority: chains.every((chain) => endsAt(chain, authorities, now)),
  };
}
