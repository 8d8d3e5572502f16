import type { Command } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import { defineSelection } from "../../storage/tables.ts";
import { internalAccounts } from "../internal-accounts/internal-account.ts";
import { openAccount } from "../internal-accounts/open-account.ts";
import {
  type EmbeddedWalletConfig,
  type Platform,
  platforms,
  type SupportedCurrency,
  umaDomainHandle,
} from "./platform.ts";

export interface UpdateConfigInput {
  readonly umaDomain?: string | undefined;
  readonly webhookEndpoint?: string | undefined;
  readonly supportedCurrencies?: readonly SupportedCurrency[] | undefined;
  readonly embeddedWalletConfig?: EmbeddedWalletConfig | undefined;
}

const platformAccounts = defineSelection(internalAccounts, {
  name: "of-platform",
  sql: "t.customer_id is null",
  holds: (account) => account.customerId === null,
});

/**
 * Changes what a platform may change about itself. A list of currencies replaces the one before; a currency that is new
 * gets an account of the platform. A UMA domain that another platform has is found by the directory. A new webhook address is told what happens from now on, starting with a TEST event.
 */
export const updateConfig: Command<UpdateConfigInput, Platform> = {
  name: "update-config",
  needs: (world) => [platforms.ref(world.platformId), platformAccounts],
  decide(world, input) {
    const platform = world.find(platforms.ref(world.platformId));
    if (platform === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    const wallet = input.embeddedWalletConfig;
    const isNewEndpoint =
      input.webhookEndpoint !== undefined && input.webhookEndpoint !== platform.webhookEndpoint;

    const umaDomain = input.umaDomain ?? platform.umaDomain;
    const isNewDomain = !platform.umaDomains.includes(umaDomain);
    if (isNewDomain) world.claimHandle(umaDomainHandle(umaDomain));
    const updated = world.put(platforms, {
      ...platform,
      umaDomain,
      umaDomains: isNewDomain ? [...platform.umaDomains, umaDomain] : platform.umaDomains,
      webhookEndpoint: input.webhookEndpoint ?? platform.webhookEndpoint,
      webhookSinceEventSeq: isNewEndpoint ? world.eventSeq : platform.webhookSinceEventSeq,
      supportedCurrencies: input.supportedCurrencies ?? platform.supportedCurrencies,
      embeddedWalletConfig:
        wallet === undefined
          ? platform.embeddedWalletConfig
          : { ...platform.embeddedWalletConfig, ...wallet },
      updatedAt: world.at,
    });
    const held = new Set(world.all(platformAccounts).map((account) => account.currency));
    for (const { currencyCode } of updated.supportedCurrencies) {
      if (!held.has(currencyCode)) openAccount(world, { customerId: null, currency: currencyCode });
    }
    if (isNewEndpoint) world.emit("TEST", { kind: "test", id: `PlatformConfig:${platform.id}` });
    return updated;
  },
};
