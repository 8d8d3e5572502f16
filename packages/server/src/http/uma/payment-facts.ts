/**
 * Everything by which a payment to an address from outside is offered or judged. The same reads are made for every address. Routes, rates and
 * prices of a platform may be a second old: what they come to is judged again in the commit of the payment.
 */
import { clockOffsetOf, findPlatform } from "../../domain/platform.sql.ts";
import { findPriceRules, NO_RULES } from "../../domain/prices/price-rules/price-rules.ts";
import { listLiveSources } from "../../domain/prices/rate-sources/rate-source.sql.ts";
import { openSources } from "../../domain/prices/rates/market-rate.ts";
import { findRouting } from "../../domain/rails/routes/routing.ts";
import { settlementAssets } from "../../domain/rails/routes/settlement-assets.ts";
import { currentKey } from "../../domain/uma/keys/uma-key.ts";
import { findCustomerAt } from "../../domain/uma/receiver.sql.ts";
import { assetsAmong } from "../../domain/uma/sandbox-layer.ts";
import { present } from "../../std/assert.ts";
import { createBriefCache } from "../../std/brief-cache.ts";
import { type OwnKeyTools, ownUmaKeys } from "../operations/uma/own-keys.ts";

const KEPT_MS = 1_000;
const MOST_PLATFORMS = 1_000;

export function createPaymentFacts(tools: OwnKeyTools) {
  const { reads, clock } = tools;
  const platforms = createBriefCache({
    find: (platformId) => readPlatform(tools, platformId),
    ...{ clock, keptMs: KEPT_MS, most: MOST_PLATFORMS },
  });
  return async ({
    platformId,
    address,
    isAmongSandboxes,
  }: {
    readonly platformId: string;
    readonly address: string;
    readonly isAmongSandboxes: boolean;
  }) => {
    const { platform, assets, market } = await platforms.find(platformId);
    // Keys are read each time: from a takeover on all servers sign by the key that is published.
    const [customer, keys] = await Promise.all([
      findCustomerAt(reads, platformId, address),
      ownUmaKeys(tools, platform),
    ]);
    const { clockOffsetMs, ...prices } = market;
    return {
      platform,
      customer,
      assets: assetsAmong(assets, isAmongSandboxes),
      prices: { ...prices, at: clock.now() + clockOffsetMs },
      key: present(currentKey(keys, "SIGNING"), "the signing key"),
      keys,
    };
  };
}

/** What the payments to all customers of a platform need. */
async function readPlatform({ reads }: OwnKeyTools, platformId: string) {
  const [platform, routing, rules, sources, clockOffsetMs] = await Promise.all([
    findPlatform(reads, platformId),
    findRouting(reads, platformId),
    findPriceRules(reads, platformId),
    listLiveSources(reads, platformId),
    clockOffsetOf(reads, platformId),
  ]);
  const { spreads } = rules ?? NO_RULES;
  return {
    platform: present(platform, "the served platform"),
    assets: settlementAssets(routing, "INVOICE"),
    market: { sources: openSources(sources), spreads, clockOffsetMs },
  };
}
