import Type from "typebox";
import { customerInfoFields } from "../../domain/customers/customer-info.ts";
import {
  type Platform,
  type SupportedCurrency,
  toPlatformConfigId,
  transactionTypes,
} from "../../domain/platforms/platform.ts";
import { providerFieldsOf } from "../../domain/platforms/provider-fields.ts";
import { MAX_AMOUNT } from "../../money/money.ts";
import { toIso } from "../../std/clock.ts";
import { refusalKeyword } from "../../validation/schema.ts";
import { currencyField, DateTimeSchema } from "../fields.ts";

const limit = (description: string) =>
  Type.Integer({
    minimum: 0,
    maximum: MAX_AMOUNT,
    description,
    [refusalKeyword]: "INVALID_AMOUNT",
  });

const written = {
  currencyCode: currencyField(),
  minAmount: limit("The least that can be sent at once, in the smallest unit."),
  maxAmount: limit("The most that can be sent at once, in the smallest unit."),
  requiredCounterpartyFields: Type.Array(
    Type.Object({ name: Type.Enum([...customerInfoFields]), mandatory: Type.Boolean() }),
    { maxItems: 64 },
  ),
  enabledTransactionTypes: Type.Array(Type.Enum([...transactionTypes]), {
    minItems: 1,
    maxItems: 2,
    uniqueItems: true,
  }),
};

const fieldNames = (description: string) =>
  Type.Optional(Type.Array(Type.Enum([...customerInfoFields]), { description }));

/** As a platform writes it. */
export const NewSupportedCurrencySchema = Type.Object(written, { $id: "NewSupportedCurrency" });

/** With what the providers behind the currency ask for, where they do. */
const SupportedCurrencySchema = Type.Object(
  {
    ...written,
    providerRequiredCustomerFields: fieldNames("What a customer must have to use the currency."),
    providerRequiredCounterpartyCustomerFields: fieldNames(
      "What must be known of the other side of a payment.",
    ),
  },
  { $id: "SupportedCurrency" },
);

export const EmbeddedWalletConfigSchema = Type.Object(
  {
    appName: Type.Optional(Type.String({ maxLength: 255 })),
    otpLength: Type.Optional(Type.Integer({ minimum: 4, maximum: 12 })),
    alphanumeric: Type.Optional(Type.Boolean()),
    expirationSeconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 86_400 })),
    sendFromEmailAddress: Type.Optional(Type.String({ format: "email", maxLength: 255 })),
    replyToEmailAddress: Type.Optional(Type.String({ format: "email", maxLength: 255 })),
    sendFromEmailSenderName: Type.Optional(Type.String({ maxLength: 255 })),
    logoUrl: Type.Optional(
      Type.String({ pattern: "^https://", maxLength: 512, description: "An https address." }),
    ),
  },
  { $id: "EmbeddedWalletConfig" },
);

export const PlatformConfigSchema = Type.Object(
  {
    id: Type.String({ description: "`PlatformConfig:<uuid>`" }),
    umaDomain: Type.String(),
    proxyUmaSubdomain: Type.String(),
    webhookEndpoint: Type.Optional(Type.String()),
    supportedCurrencies: Type.Array(SupportedCurrencySchema),
    isRegulatedFinancialInstitution: Type.Boolean(),
    embeddedWalletConfig: Type.Optional(EmbeddedWalletConfigSchema),
    statementTimeZone: Type.String({
      description: "The zone whose days are the periods of new statements.",
    }),
    createdAt: DateTimeSchema,
    updatedAt: DateTimeSchema,
  },
  { $id: "PlatformConfig" },
);

export function platformConfigJson(platform: Platform): string {
  const { webhookEndpoint, embeddedWalletConfig } = platform;
  return JSON.stringify({
    id: toPlatformConfigId(platform.id),
    umaDomain: platform.umaDomain,
    proxyUmaSubdomain: platform.proxyUmaSubdomain,
    ...(webhookEndpoint === null ? {} : { webhookEndpoint }),
    supportedCurrencies: platform.supportedCurrencies.map(withProviderFields),
    isRegulatedFinancialInstitution: platform.isRegulatedFinancialInstitution,
    ...(embeddedWalletConfig === null ? {} : { embeddedWalletConfig }),
    statementTimeZone: platform.statementTimeZone,
    createdAt: toIso(platform.createdAt),
    updatedAt: toIso(platform.updatedAt),
  });
}

function withProviderFields(currency: SupportedCurrency) {
  const { customer, counterparty } = providerFieldsOf(currency.currencyCode);
  return {
    ...currency,
    ...(customer.length === 0 ? {} : { providerRequiredCustomerFields: customer }),
    ...(counterparty.length === 0
      ? {}
      : { providerRequiredCounterpartyCustomerFields: counterparty }),
  };
}

export const platformConfigExample = {
  id: "PlatformConfig:019a4f00-0000-7000-8000-000000000000",
  umaDomain: "florin.test",
  proxyUmaSubdomain: "florin",
  webhookEndpoint: "https://platform.example/webhooks",
  supportedCurrencies: [
    {
      currencyCode: "USD",
      minAmount: 1,
      maxAmount: 100_000_000_000,
      requiredCounterpartyFields: [{ name: "FULL_NAME", mandatory: true }],
      enabledTransactionTypes: ["INCOMING", "OUTGOING"],
    },
  ],
  isRegulatedFinancialInstitution: false,
  statementTimeZone: "UTC",
  createdAt: "2026-11-21T09:00:00.000Z",
  updatedAt: "2026-11-21T09:00:00.000Z",
};
