import type { Command } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import { openAccount } from "../accounts/internal/open-account.ts";
import { NO_NEXT_WEBHOOK_KEY } from "../events/webhook-keys.ts";
import { type Environment, type Platform, platforms, type SupportedCurrency } from "../platform.ts";
import { permissions, putToken } from "../token.ts";
import { sandboxDomainOf, umaDomainName } from "../uma/domains/uma-domain.ts";
import { putClaimed } from "../uma/domains/uma-domain-row.ts";

export interface CreatePlatformInput {
  readonly workspaceId: string;
  readonly name: string;
  readonly environment: Environment;
  readonly umaDomain: string;
  readonly isRegulatedFinancialInstitution: boolean;
  readonly supportedCurrencies: readonly SupportedCurrency[];
  readonly webhookPublicKey: string;
  readonly webhookPrivateKeySealed: string;
  readonly firstToken: {
    readonly name: string;
    readonly clientId: string;
    readonly secretHash: Buffer;
  };
}

/**
 * Creates a platform with an account for each of its currencies and a token with all permissions. Claims its UMA domain and,
 * in a sandbox, the domain of the sandbox's counterparties. The database refuses a domain that overlaps another platform's.
 */
export const createPlatform: Command<CreatePlatformInput, Platform> = {
  name: "create-platform",
  needs: (world) => [platforms.ref(world.platformId)],
  decide(world, input) {
    const ref = platforms.ref(world.platformId);
    if (world.find(ref) !== undefined)
      throw new Refusal("CONFLICT", undefined, "The platform exists already.");
    const { firstToken, ...settings } = input;
    const sandboxUmaDomain =
      input.environment === "SANDBOX" ? sandboxDomainOf(input.umaDomain) : null;
    const platform = world.put(platforms, {
      id: world.platformId,
      ...settings,
      umaDomains: [input.umaDomain],
      proxyUmaSubdomain: input.umaDomain.split(".")[0] ?? input.umaDomain,
      sandboxUmaDomain,
      webhookEndpoint: null,
      webhookSinceEventSeq: 0n,
      webhookSetting: 0n,
      webhookEvents: "STANDARD",
      webhookFilterSinceEventSeq: 0n,
      webhookKeyId: null,
      ...NO_NEXT_WEBHOOK_KEY,
      statementTimeZone: "UTC",
      embeddedWalletConfig: null,
      branding: null,
      reviewers: input.environment === "SANDBOX" ? "WORKSPACE" : "OPERATOR",
      unknownFields: "REFUSE",
      createdAt: world.at,
      updatedAt: world.at,
    });
    for (const { currencyCode } of input.supportedCurrencies) {
      openAccount(world, { customerId: null, currency: currencyCode });
    }
    world.claimDomain(umaDomainName(platform, input.umaDomain));
    putClaimed(world, { domain: input.umaDomain, isPrimary: true });
    if (sandboxUmaDomain !== null) world.claimDomain(umaDomainName(platform, sandboxUmaDomain));
    putToken(world, { ...firstToken, permissions, expiresAt: null });
    return platform;
  },
};
