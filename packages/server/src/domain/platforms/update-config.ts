import type { Command, World } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import { internalAccountsOfPlatform } from "../internal-accounts/internal-account.ts";
import { openAccount } from "../internal-accounts/open-account.ts";
import { scheduleJob } from "../job-kinds.ts";
import {
  type EmbeddedWalletConfig,
  type Platform,
  platforms,
  type SupportedCurrency,
  toPlatformConfigId,
  umaDomainHandle,
} from "./platform.ts";

export interface UpdateConfigInput {
  readonly umaDomain?: string | undefined;
  readonly webhookEndpoint?: string | undefined;
  readonly supportedCurrencies?: readonly SupportedCurrency[] | undefined;
  readonly embeddedWalletConfig?: EmbeddedWalletConfig | undefined;
}

/** Each stays the platform's own for good, and is kept with it. */
const MOST_UMA_DOMAINS = 100;

/**
 * Changes what a platform may change about itself. A list of currencies replaces the one before; a currency that is new
 * gets an account of the platform, and a job gives one to each customer who uses whatever there is. A UMA domain that
 * another platform has, or where the counterparties of a sandbox live, is found by the directory. A new webhook address is
 * told what happens from now on, starting with a TEST event; the same one set again goes on where it stopped. Refuses an
 * unknown platform, and then one more UMA domain than a platform can have had.
 */
export const updateConfig: Command<UpdateConfigInput, Platform> = {
  name: "update-config",
  needs: (world) => [platforms.ref(world.platformId), internalAccountsOfPlatform],
  decide(world, input) {
    const platform = world.find(platforms.ref(world.platformId));
    if (platform === undefined) throw new Refusal("REFERENCE_NOT_FOUND");

    const umaDomain = input.umaDomain ?? platform.umaDomain;
    const isNewDomain = !platform.umaDomains.includes(umaDomain);
    if (isNewDomain && platform.umaDomains.length >= MOST_UMA_DOMAINS) {
      const message = `A platform can have ${MOST_UMA_DOMAINS} UMA domains, one after the other.`;
      throw new Refusal("CONFLICT", { field: "umaDomain" }, message);
    }

    if (isNewDomain) world.claimHandle(umaDomainHandle(umaDomain));
    const updated = world.put(platforms, {
      ...platform,
      umaDomain,
      umaDomains: isNewDomain ? [...platform.umaDomains, umaDomain] : platform.umaDomains,
      ...webhookOf(world, { platform, endpoint: input.webhookEndpoint }),
      supportedCurrencies: input.supportedCurrencies ?? platform.supportedCurrencies,
      embeddedWalletConfig:
        input.embeddedWalletConfig === undefined
          ? platform.embeddedWalletConfig
          : { ...platform.embeddedWalletConfig, ...input.embeddedWalletConfig },
      updatedAt: world.at,
    });
    openNewAccounts(world, { before: platform, after: updated });
    if (updated.webhookEndpoint !== platform.webhookEndpoint) {
      world.emit("TEST", { kind: "test", id: toPlatformConfigId(platform.id) });
    }
    return updated;
  },
};

function webhookOf(
  world: World,
  { platform, endpoint }: { readonly platform: Platform; readonly endpoint: string | undefined },
) {
  if (endpoint === undefined) return {};
  const isFirst = platform.webhookEndpoint === null;
  return {
    webhookEndpoint: endpoint,
    // What waits to be told moves to another endpoint with the platform.
    webhookSinceEventSeq: isFirst ? world.eventSeq : platform.webhookSinceEventSeq,
    webhookSetting: platform.webhookSetting + 1n,
  };
}

function openNewAccounts(
  world: World,
  { before, after }: { readonly before: Platform; readonly after: Platform },
): void {
  const held = new Set(world.all(internalAccountsOfPlatform).map((account) => account.currency));
  const known = new Set(before.supportedCurrencies.map(({ currencyCode }) => currencyCode));
  const added = after.supportedCurrencies.filter(({ currencyCode }) => !known.has(currencyCode));
  for (const { currencyCode } of added) {
    if (!held.has(currencyCode)) openAccount(world, { customerId: null, currency: currencyCode });
  }
  if (added.length === 0) return;
  scheduleJob(world, {
    kind: "extend-customer-currencies",
    payload: { after: null },
    dueAt: world.at,
  });
}
