/** A platform: the tenant. It lives in one environment, fixed when it is made. */
import { Refusal } from "../engine/refusal.ts";
import type { ImageType } from "../std/image-header.ts";
import { defineTable, fixed, mutable, type RowOf } from "../tables/tables.ts";

export type Environment = "SANDBOX" | "PRODUCTION";
export const transactionTypes = ["INCOMING", "OUTGOING"] as const;

export type TransactionType = (typeof transactionTypes)[number];

/** Which event types the default endpoint gets: those of its first version, or those that were added later as well. */
export const webhookEventChoices = ["STANDARD", "ALL"] as const;

export type WebhookEvents = (typeof webhookEventChoices)[number];

/** Who decides the verifications of a platform: its own people and tokens, or the operator of the server. */
export const reviewerChoices = ["WORKSPACE", "OPERATOR"] as const;

export type Reviewers = (typeof reviewerChoices)[number];

/** Whether a body with a field that the call does not know is refused, or taken without the field. */
export const unknownFieldsChoices = ["REFUSE", "IGNORE"] as const;

export type UnknownFields = (typeof unknownFieldsChoices)[number];

export interface SupportedCurrency {
  readonly currencyCode: string;
  readonly minAmount: number;
  readonly maxAmount: number;
  readonly requiredCounterpartyFields: readonly {
    readonly name: string;
    readonly mandatory: boolean;
  }[];
  readonly enabledTransactionTypes: readonly TransactionType[];
}

export interface EmbeddedWalletConfig {
  readonly appName?: string;
  readonly otpLength?: number;
  readonly alphanumeric?: boolean;
  readonly expirationSeconds?: number;
  readonly sendFromEmailAddress?: string;
  readonly replyToEmailAddress?: string;
  readonly sendFromEmailSenderName?: string;
  readonly logoUrl?: string;
}

/** How the hosted pages of a platform look. */
export interface Branding {
  readonly name: string;
  /** `#rrggbb` in lower case. */
  readonly color: string | null;
  readonly logo: BrandingLogo | null;
}

/** The image of a document of the platform, with what its file says about itself. */
export interface BrandingLogo {
  readonly documentId: string;
  readonly fileId: string;
  readonly mediaType: ImageType;
  /** SHA-256 of the file, in hexadecimal. */
  readonly digest: string;
  readonly width: number;
  readonly height: number;
}

const columns = {
  id: fixed("uuid"),
  /** The workspace whose people see it; fixed when it is made. */
  workspaceId: fixed("uuid"),
  name: fixed("text"),
  environment: fixed<Environment>("text"),
  umaDomain: mutable("text"),
  /** Every domain that the platform has claimed and not released, including the present one. */
  umaDomains: mutable<readonly string[]>("json"),
  proxyUmaSubdomain: fixed("text"),
  /** The domain of the sandbox's counterparties, claimed like the others; null in production. */
  sandboxUmaDomain: mutable<string | null>("text"),
  isRegulatedFinancialInstitution: fixed("bool"),
  webhookEndpoint: mutable<string | null>("text"),
  /** The last event before a platform without an endpoint set one. Events up to it are not delivered any more. */
  webhookSinceEventSeq: mutable("int8"),
  /** How often an endpoint was set, including repeats of the same one. */
  webhookSetting: mutable("int8"),
  webhookEvents: mutable<WebhookEvents>("text"),
  /** The event before which the other choice of `webhookEvents` applied. */
  webhookFilterSinceEventSeq: mutable("int8"),
  /** Null until the key is rotated for the first time. */
  webhookKeyId: mutable<string | null>("text"),
  webhookPublicKey: mutable("text"),
  webhookPrivateKeySealed: mutable("text"),
  /** The key that takes over at `webhookNextFrom`, while a rotation is under way. */
  webhookNextKeyId: mutable<string | null>("text"),
  webhookNextPublicKey: mutable<string | null>("text"),
  webhookNextKeySealed: mutable<string | null>("text"),
  webhookNextFrom: mutable<number | null>("time"),
  supportedCurrencies: mutable<readonly SupportedCurrency[]>("json"),
  embeddedWalletConfig: mutable<EmbeddedWalletConfig | null>("json"),
  /** Null: the hosted pages do not name the platform. */
  branding: mutable<Branding | null>("json"),
  /** The IANA name of the zone whose days are the periods of new statements. */
  statementTimeZone: mutable("text"),
  reviewers: mutable<Reviewers>("text"),
  unknownFields: mutable<UnknownFields>("text"),
  createdAt: fixed("time"),
  updatedAt: mutable("time"),
};

export interface Platform extends RowOf<typeof columns> {}

export const platforms = defineTable<Platform>("platforms", columns);

/** The associated data of the sealed webhook key, and of the one that takes over from it. */
export function webhookKeyIdentity(platformId: string): string {
  return `platforms.webhook_private_key ${platformId}`;
}

export function supportedCurrency(platform: Platform, code: string): SupportedCurrency | undefined {
  return platform.supportedCurrencies.find((currency) => currency.currencyCode === code);
}

/** Refuses with INVALID_CURRENCY a currency that the platform does not move in this direction. */
export function enabledCurrency(
  platform: Platform,
  currency: string,
  type: TransactionType,
): SupportedCurrency {
  const supported = supportedCurrency(platform, currency);
  if (supported?.enabledTransactionTypes.includes(type) === true) return supported;
  throw new Refusal(
    "INVALID_CURRENCY",
    { currency },
    `The platform does not move ${currency} in ${type} transactions.`,
  );
}

export function toPlatformConfigId(platformId: string): string {
  return `PlatformConfig:${platformId}`;
}

/** The namespace in which the UMA domains and addresses of an environment are unique. */
export function umaNamespace(environment: Environment): string {
  return environment === "PRODUCTION" ? "production" : "sandbox";
}
