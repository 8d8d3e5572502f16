import type { Command, World } from "../../engine/command.ts";
import { invalidField, Refusal } from "../../engine/refusal.ts";
import { internalAccountsOfPlatform } from "../internal-accounts/internal-account.ts";
import { openAccount } from "../internal-accounts/open-account.ts";
import { scheduleJob } from "../job-kinds.ts";
import {
  type EmbeddedWalletConfig,
  type Platform,
  platforms,
  type SupportedCurrency,
  toPlatformConfigId,
} from "./platform.ts";
import { umaDomainFault, umaDomainName } from "./uma-domain.ts";

export interface UpdateConfigInput {
  /** In lower case. */
  readonly umaDomain?: string | undefined;
  /** Null takes the endpoint away. */
  readonly webhookEndpoint?: string | null | undefined;
  readonly supportedCurrencies?: readonly SupportedCurrency[] | undefined;
  readonly embeddedWalletConfig?: EmbeddedWalletConfig | undefined;
  readonly statementTimeZone?: string | undefined;
  /** The host under which people reach this deployment. */
  readonly ownHost: string;
}

/** Bounds the platform's row, which nearly every command reads. */
const MOST_UMA_DOMAINS = 100;

/**
 * Changes the settings of a platform. A list of currencies replaces the previous one. A new currency gets an account of the
 * platform, and a job adds it to each customer without a choice of currencies. A new webhook endpoint gets the events from
 * now on, starting with a TEST event; setting the same endpoint again resumes delivery. Without an
 * endpoint no event is delivered.
 *
 * Refuses, in this order: an unknown
 * platform; another UMA domain of a production platform unless the operator sets it; an invalid UMA domain, and then one
 * more than `MOST_UMA_DOMAINS`. The database refuses a UMA domain that overlaps another platform's.
 */
export const updateConfig: Command<UpdateConfigInput, Platform> = {
  name: "update-config",
  needs: (world) => [platforms.ref(world.platformId), internalAccountsOfPlatform],
  decide(world, input) {
    const platform = world.find(platforms.ref(world.platformId));
    if (platform === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    const { umaDomain = platform.umaDomain } = input;
    if (umaDomain !== platform.umaDomain) refuseUnlessAllowed(world, platform);
    const isNewDomain = !platform.umaDomains.includes(umaDomain);
    if (isNewDomain) refuseNewDomain(platform, { umaDomain, ownHost: input.ownHost });

    if (isNewDomain) world.claimDomain(umaDomainName(platform, umaDomain));
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
      statementTimeZone: input.statementTimeZone ?? platform.statementTimeZone,
      updatedAt: world.at,
    });
    openNewAccounts(world, { before: platform, after: updated });
    if (updated.webhookEndpoint !== null && updated.webhookEndpoint !== platform.webhookEndpoint) {
      world.emit("TEST", { kind: "test", id: toPlatformConfigId(platform.id) });
    }
    return updated;
  },
};

/** A production domain is a real institution's name. A token cannot prove that it may use it; the operator can find out. */
function refuseUnlessAllowed({ actor }: World, { id, environment }: Platform): void {
  if (environment === "SANDBOX" || actor.kind === "operator") return;
  const command = `florin platform set --platform ${toPlatformConfigId(id)} --uma-domain <domain>`;
  const message = `The operator sets the UMA domain of a production platform: ${command}`;
  throw new Refusal("FORBIDDEN", { field: "umaDomain" }, message);
}

function refuseNewDomain(
  { umaDomains }: Platform,
  { umaDomain, ownHost }: { readonly umaDomain: string; readonly ownHost: string },
): void {
  const fault = umaDomainFault(umaDomain, ownHost);
  if (fault !== undefined) throw invalidField("umaDomain", fault);
  if (umaDomains.length < MOST_UMA_DOMAINS) return;
  const message = `The platform has ${MOST_UMA_DOMAINS} UMA domains: the operator can release one (florin platform release-domain).`;
  throw new Refusal("CONFLICT", { field: "umaDomain" }, message);
}

function webhookOf(
  world: World,
  {
    platform,
    endpoint,
  }: { readonly platform: Platform; readonly endpoint: string | null | undefined },
) {
  if (endpoint === undefined) return {};
  if (endpoint === null) return { webhookEndpoint: null };
  const isFirst = platform.webhookEndpoint === null;
  return {
    webhookEndpoint: endpoint,
    // Undelivered events move to the new endpoint with the platform.
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
