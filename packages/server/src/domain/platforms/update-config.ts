import type { Command, World } from "../../engine/command.ts";
import { invalidField, Refusal } from "../../engine/refusal.ts";
import { defaultAccountsOfPlatform } from "../accounts/internal/internal-account.ts";
import { openAccount } from "../accounts/internal/open-account.ts";
import { documents } from "../customers/documents/document.ts";
import { scheduleJob } from "../job-kinds.ts";
import {
  type Branding,
  type EmbeddedWalletConfig,
  type Platform,
  platforms,
  type SupportedCurrency,
  toPlatformConfigId,
  type UnknownFields,
  type WebhookEvents,
} from "../platform.ts";
import { umaDomainFault, umaDomainName } from "../uma/domains/uma-domain.ts";
import { domainsOfPlatform, putPrimary } from "../uma/domains/uma-domain-row.ts";

export interface UpdateConfigInput {
  /** In lower case. */
  readonly umaDomain?: string | undefined;
  /** Null removes the endpoint. */
  readonly webhookEndpoint?: string | null | undefined;
  readonly webhookEvents?: WebhookEvents | undefined;
  readonly supportedCurrencies?: readonly SupportedCurrency[] | undefined;
  readonly embeddedWalletConfig?: EmbeddedWalletConfig | undefined;
  /** Replaces the whole branding; null removes it. */
  readonly branding?: Branding | null | undefined;
  readonly statementTimeZone?: string | undefined;
  readonly unknownFields?: UnknownFields | undefined;
  /** The host under which people reach this deployment. */
  readonly ownHost: string;
}

/** Bounds the platform's row, which nearly every command reads. */
export const MOST_UMA_DOMAINS = 100;

/**
 * Changes the settings of a platform. A list of currencies replaces the previous one. A new currency gets an account of the platform,
 * and a job adds it to each customer without a choice of currencies. A new webhook endpoint gets the events from now on, starting with
 * a TEST event; setting the same endpoint again resumes delivery. Without an endpoint no event is delivered. A new choice of event
 * types applies to what is delivered from now on.
 *
 * Refuses, in this order: an unknown platform; another UMA domain of a production platform unless the operator sets it; an invalid UMA
 * domain, and then one more than `MOST_UMA_DOMAINS`; a logo whose document was deleted, or was replaced since its file was read. The
 * database refuses a UMA domain that overlaps another platform's.
 */
export const updateConfig: Command<UpdateConfigInput, Platform> = {
  name: "update-config",
  needs: (world, { branding, umaDomain }) => [
    platforms.ref(world.platformId),
    defaultAccountsOfPlatform,
    ...(umaDomain === undefined ? [] : [domainsOfPlatform]),
    ...logoNeeds(branding),
  ],
  decide(world, input) {
    const platform = world.find(platforms.ref(world.platformId));
    if (platform === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    const { umaDomain = platform.umaDomain, branding = platform.branding } = input;
    if (umaDomain !== platform.umaDomain) refuseUnlessAllowed(world, platform);
    const isNewDomain = !platform.umaDomains.includes(umaDomain);
    if (isNewDomain) refuseNewDomain(platform, { umaDomain, ownHost: input.ownHost });
    refuseOtherLogo(world, input.branding);

    if (isNewDomain) world.claimDomain(umaDomainName(platform, umaDomain));
    if (umaDomain !== platform.umaDomain) putPrimary(world, umaDomain);
    const updated = world.put(platforms, {
      ...platform,
      umaDomain,
      umaDomains: isNewDomain ? [...platform.umaDomains, umaDomain] : platform.umaDomains,
      ...webhookOf(world, { platform, endpoint: input.webhookEndpoint }),
      webhookEvents: input.webhookEvents ?? platform.webhookEvents,
      webhookFilterSinceEventSeq:
        input.webhookEvents === undefined ? platform.webhookFilterSinceEventSeq : world.eventSeq,
      supportedCurrencies: input.supportedCurrencies ?? platform.supportedCurrencies,
      embeddedWalletConfig:
        input.embeddedWalletConfig === undefined
          ? platform.embeddedWalletConfig
          : { ...platform.embeddedWalletConfig, ...input.embeddedWalletConfig },
      branding,
      statementTimeZone: input.statementTimeZone ?? platform.statementTimeZone,
      unknownFields: input.unknownFields ?? platform.unknownFields,
      updatedAt: world.at,
    });
    openNewAccounts(world, { before: platform, after: updated });
    if (updated.webhookEndpoint !== null && updated.webhookEndpoint !== platform.webhookEndpoint) {
      world.emit("TEST", { kind: "nothing", id: toPlatformConfigId(platform.id) });
    }
    return updated;
  },
};

/** A production domain is the name of a real institution. A token cannot prove the right to use it; the operator can check. */
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

function logoNeeds(branding: Branding | null | undefined) {
  const logo = branding?.logo ?? null;
  return logo === null ? [] : [documents.ref(logo.documentId)];
}

/** The file was read before this command, so the document may have been deleted or replaced since. */
function refuseOtherLogo(world: World, branding: Branding | null | undefined): void {
  const logo = branding?.logo ?? null;
  if (logo === null) return;
  const document = world.find(documents.ref(logo.documentId));
  if (document === undefined || document.deletedAt !== null) {
    throw new Refusal("REFERENCE_NOT_FOUND");
  }
  if (document.fileId === logo.fileId) return;
  const message = "The document was replaced while it was read: send the request again.";
  throw new Refusal("CONFLICT", { field: "branding.logoDocument" }, message);
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
    // An endpoint that replaces another one also gets the undelivered events.
    webhookSinceEventSeq: isFirst ? world.eventSeq : platform.webhookSinceEventSeq,
    webhookSetting: platform.webhookSetting + 1n,
  };
}

function openNewAccounts(
  world: World,
  { before, after }: { readonly before: Platform; readonly after: Platform },
): void {
  const held = new Set(world.all(defaultAccountsOfPlatform).map((account) => account.currency));
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
