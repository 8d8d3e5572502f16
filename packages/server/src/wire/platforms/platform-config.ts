import Type from "typebox";
import { customerInfoFields } from "../../domain/customers/customer-info.ts";
import {
  type Branding,
  type Platform,
  type SupportedCurrency,
  transactionTypes,
  unknownFieldsChoices,
  webhookEventChoices,
} from "../../domain/platform.ts";
import { LONGEST_BRAND_NAME } from "../../domain/platforms/branding.ts";
import {
  type MetadataSettings,
  MOST_SEARCHABLE_KEYS,
} from "../../domain/platforms/searchable-metadata.ts";
import { providerFieldsOf } from "../../domain/provider-fields.ts";
import { MAX_AMOUNT } from "../../money/money.ts";
import { toWireId } from "../../std/ids.ts";
import { formedText, refusalKeyword } from "../../validation/schema.ts";
import { currencyField, optional } from "../fields.ts";
import { idField } from "../id-fields.ts";
import { type Kit, wireObject } from "../wire-object.ts";

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

/** The members that a platform writes. */
export const NewSupportedCurrencySchema = Type.Object(written, { $id: "NewSupportedCurrency" });

/** Includes the fields that the providers behind the currency require, if there are any. */
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

export const webhookEventsField = Type.Enum([...webhookEventChoices], {
  description:
    "Which events go to `webhookEndpoint`: with `STANDARD` those of the first version of this API, with `ALL` also those of types " +
    "that were added later.",
});

export const unknownFieldsField = Type.Enum([...unknownFieldsChoices], {
  description:
    "With `REFUSE` a body with a field that the call does not know is refused with `INVALID_INPUT`, which names the field. With " +
    "`IGNORE` it is taken without the field, and `X-Ignored-Fields` names it.",
});

export const searchableMetadataField = Type.Array(
  Type.String({ pattern: "^[A-Za-z0-9_.-]{1,40}$", examples: ["orderId"] }),
  {
    maxItems: MOST_SEARCHABLE_KEYS,
    uniqueItems: true,
    description:
      "The keys of `metadata` by which lists can be filtered. New objects are found at once; those that are older are added in the background.",
  },
);

const BuildSchema = Type.Object(
  {
    list: Type.Optional(
      Type.String({
        description: "The list that is read; absent while undeclared keys are taken out.",
      }),
    ),
    lastId: Type.Optional(Type.String({ description: "The last object of it that was added." })),
  },
  {
    description:
      "While older objects are added: how far this is, in the order `transactions`, `customers`, `internal_accounts`, `external_accounts`, `holds`, `payment_batches`. Absent when all can be found.",
  },
);

/** The configuration with its keys of metadata, where the platform has declared any. */
export function configJson(platform: Platform, metadata: MetadataSettings | undefined): string {
  const text = wirePlatformConfig.json(platform);
  if (metadata === undefined) return text;
  const { keys, build } = metadata;
  const members = JSON.stringify({
    searchableMetadata: keys,
    ...(build === null
      ? {}
      : {
          searchableMetadataBuild: {
            ...optional("list", build.list),
            ...optional("lastId", build.after),
          },
        }),
  });
  return `${text.slice(0, -1)},${members.slice(1)}`;
}

const brandName = {
  maxLength: LONGEST_BRAND_NAME,
  description: "The name that the pages show.",
  examples: ["Lind Pay"],
};
const brandColor = formedText("^#[0-9a-fA-F]{6}$", "must be a colour such as #2456d6", {
  description:
    "Of buttons and links. Where its contrast is too low, the pages use a darker or lighter shade.",
  examples: ["#2456d6"],
});
const logoDocument = idField("Document", {
  description: "A document of the platform of the type `PLATFORM_LOGO`.",
});

const BrandingSchema = Type.Object(
  {
    name: Type.String(brandName),
    color: Type.Optional(brandColor),
    logoDocument: Type.Optional(logoDocument),
  },
  { $id: "Branding", description: "How the hosted pages of the platform look." },
);

export type BrandingBody = Type.Static<typeof BrandingSchema>;

/** The members that a platform writes. */
export const NewBrandingSchema = Type.Unsafe<BrandingBody | null>({
  type: ["object", "null"],
  required: ["name"],
  properties: {
    name: Type.String({ minLength: 1, ...brandName }),
    color: brandColor,
    logoDocument,
  },
  description: "Replaces the whole branding of the hosted pages. Null takes it away.",
});

export const wirePlatformConfig = wireObject("PlatformConfig", ({ of, maybe }: Kit<Platform>) => ({
  id: of.id("PlatformConfig", { description: "`PlatformConfig:<uuid>`", example: 0 }),
  umaDomain: of.text({ example: "florin.test" }),
  proxyUmaSubdomain: of.text({ example: "florin" }),
  webhookEndpoint: maybe.text({ example: "https://platform.example/webhooks" }),
  webhookEvents: of.json(webhookEventsField, { example: "STANDARD" }),
  supportedCurrencies: of.json(Type.Array(SupportedCurrencySchema), {
    from: ({ supportedCurrencies }) => supportedCurrencies.map(withProviderFields),
    example: [
      {
        currencyCode: "USD",
        minAmount: 1,
        maxAmount: 100_000_000_000,
        requiredCounterpartyFields: [{ name: "FULL_NAME", mandatory: true }],
        enabledTransactionTypes: ["INCOMING", "OUTGOING"],
      },
    ],
  }),
  isRegulatedFinancialInstitution: of.boolean({ example: false }),
  embeddedWalletConfig: maybe.json(EmbeddedWalletConfigSchema),
  branding: maybe.json(BrandingSchema, {
    from: ({ branding }) => branding && brandingOf(branding),
    example: {
      name: "Lind Pay",
      color: "#0b6e4f",
      logoDocument: "Document:019a4f00-0000-7000-8000-000000000010",
    },
  }),
  statementTimeZone: of.text({
    description: "The zone whose days are the periods of new statements.",
    example: "UTC",
  }),
  unknownFields: of.json(unknownFieldsField, { example: "REFUSE" }),
  searchableMetadata: maybe.json(searchableMetadataField, { from: () => undefined }),
  searchableMetadataBuild: maybe.json(BuildSchema, { from: () => undefined }),
  createdAt: of.time({ example: "2026-11-21T09:00:00.000Z" }),
  updatedAt: of.time({ example: "2026-11-21T09:00:00.000Z" }),
}));

function brandingOf({ name, color, logo }: Branding): BrandingBody {
  return {
    name,
    ...optional("color", color),
    ...optional("logoDocument", logo === null ? null : toWireId("Document", logo.documentId)),
  };
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
