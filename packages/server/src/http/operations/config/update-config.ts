import Type from "typebox";
import { isDomainName } from "../../../domain/customers/uma-address.ts";
import type { EmbeddedWalletConfig } from "../../../domain/platforms/platform.ts";
import { updateConfig as command } from "../../../domain/platforms/update-config.ts";
import { type FieldError, invalidFields } from "../../../engine/refusal.ts";
import { isCurrencyCode } from "../../../money/currency.ts";
import { defineOperation, type Principal } from "../../operation.ts";
import type { Services } from "../../services.ts";
import {
  EmbeddedWalletConfigSchema,
  NewSupportedCurrencySchema,
  PlatformConfigSchema,
  platformConfigExample,
  platformConfigJson,
} from "../../wire/platform-config.ts";

const Body = Type.Object({
  umaDomain: Type.Optional(Type.String({ minLength: 1, maxLength: 253 })),
  webhookEndpoint: Type.Optional(Type.String({ minLength: 1, maxLength: 2048 })),
  supportedCurrencies: Type.Optional(
    Type.Array(NewSupportedCurrencySchema, { minItems: 1, maxItems: 100 }),
  ),
  embeddedWalletConfig: Type.Optional(EmbeddedWalletConfigSchema),
});

export const updateConfig = defineOperation({
  id: "updateConfig",
  method: "PATCH",
  path: "/config",
  access: "MANAGE",
  tag: "Platform",
  summary: "Change the platform's configuration",
  description:
    "Absent fields stay as they are. `supportedCurrencies` replaces the whole list; `embeddedWalletConfig` is merged " +
    "field by field. A `umaDomain` that another platform has or had is refused. A currency that is new is opened for the " +
    "platform and, soon after, for each customer who was created without a choice of `currencies`. A new `webhookEndpoint` " +
    "gets a TEST event; one that answered 410 is called again once it is set again.",
  body: Body,
  requestExample: { webhookEndpoint: "https://platform.example/webhooks" },
  answers: {
    200: {
      description: "The configuration as it is now.",
      schema: PlatformConfigSchema,
      example: platformConfigExample,
    },
  },
  refusals: ["INVALID_INPUT", "INVALID_CURRENCY", "UMA_ADDRESS_EXISTS"],
  async handle({ principal, body }, services: Services) {
    refuseBadFields(body, principal, services);
    const { umaDomain, webhookEndpoint, supportedCurrencies, embeddedWalletConfig } = body;
    return services.engine.submit({
      platformId: principal.platformId,
      actor: { kind: "token", id: principal.tokenId },
      command,
      input: {
        umaDomain: umaDomain?.toLowerCase(),
        webhookEndpoint,
        supportedCurrencies: supportedCurrencies?.map(knownCurrencyFields),
        embeddedWalletConfig: embeddedWalletConfig && knownWalletFields(embeddedWalletConfig),
      },
      toAnswer: (platform) => ({ status: 200, body: platformConfigJson(platform) }),
    });
  },
});

type ConfigBody = Type.Static<typeof Body>;
type CurrencyBody = NonNullable<ConfigBody["supportedCurrencies"]>[number];

function refuseBadFields(body: ConfigBody, principal: Principal, services: Services): void {
  const errors: FieldError[] = [];
  if (body.umaDomain !== undefined && !isDomainName(body.umaDomain.toLowerCase())) {
    errors.push({ field: "umaDomain", message: "must be a domain name" });
  }
  if (body.webhookEndpoint !== undefined) {
    const reason = services.judgeWebhookEndpoint(body.webhookEndpoint, principal.environment);
    if (reason !== undefined) errors.push({ field: "webhookEndpoint", message: reason });
  }
  if (!isLogoUrl(body.embeddedWalletConfig?.logoUrl)) {
    errors.push({ field: "embeddedWalletConfig.logoUrl", message: "must be an https address" });
  }
  const seen = new Set<string>();
  for (const [index, currency] of (body.supportedCurrencies ?? []).entries()) {
    const field = `supportedCurrencies.${index}`;
    if (seen.has(currency.currencyCode)) {
      errors.push({ field: `${field}.currencyCode`, message: "is listed twice" });
    }
    if (currency.minAmount > currency.maxAmount) {
      errors.push({ field: `${field}.minAmount`, message: "must not be above maxAmount" });
    }
    const names = currency.requiredCounterpartyFields.map(({ name }) => name);
    if (new Set(names).size < names.length) {
      const message = "must name each field once";
      errors.push({ field: `${field}.requiredCounterpartyFields`, message });
    }
    seen.add(currency.currencyCode);
  }
  if (errors.length > 0) throw invalidFields(errors);
  const unknown = [...seen].filter((code) => !isCurrencyCode(code));
  if (unknown.length > 0) {
    throw invalidFields(
      unknown.map((code) => ({
        field: "supportedCurrencies",
        message: `${code} is not a known currency`,
      })),
      "INVALID_CURRENCY",
    );
  }
}

/** It is printed into mail and never called by us. */
function isLogoUrl(url: string | undefined): boolean {
  if (url === undefined) return true;
  if (!URL.canParse(url)) return false;
  const { protocol, username, password } = new URL(url);
  return protocol === "https:" && username + password === "";
}

function knownCurrencyFields(currency: CurrencyBody): CurrencyBody {
  return {
    currencyCode: currency.currencyCode,
    minAmount: currency.minAmount,
    maxAmount: currency.maxAmount,
    requiredCounterpartyFields: currency.requiredCounterpartyFields.map(({ name, mandatory }) => ({
      name,
      mandatory,
    })),
    enabledTransactionTypes: currency.enabledTransactionTypes,
  };
}

const WALLET_FIELDS = Object.keys(EmbeddedWalletConfigSchema.properties);

function knownWalletFields(config: EmbeddedWalletConfig): EmbeddedWalletConfig {
  return Object.fromEntries(Object.entries(config).filter(([key]) => WALLET_FIELDS.includes(key)));
}
