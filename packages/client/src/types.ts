/**
 * The shapes every resource is made of, and the small resources. Amounts are whole numbers of the
 * smallest unit of their currency, at most 9 000 000 000 000 000, so they fit a JavaScript number
 * exactly.
 */

/** A word of a list that may grow: the known words are suggested, a new one is not a type error. */
export type Open<Known extends string> = Known | (string & {});

/** ISO 8601 date and time in UTC. */
export type Timestamp = string;

/** `YYYY-MM-DD`. */
export type CalendarDate = string;

/** One page of a list. */
export interface Page<Item> {
  readonly data: readonly Item[];
  readonly hasMore: boolean;
  /** There when `hasMore` is true. */
  readonly nextCursor?: string;
  /** All items that match, on every page together. */
  readonly totalCount?: number;
}

export interface PageQuery {
  /** Items on a page, 1 to 100; 20 when absent. */
  readonly limit?: number;
  /** `nextCursor` of the page before, with the same filters. */
  readonly cursor?: string;
}

/** Both ends are inclusive. */
export interface TimeQuery {
  readonly createdAfter?: Timestamp;
  readonly createdBefore?: Timestamp;
  readonly updatedAfter?: Timestamp;
  readonly updatedBefore?: Timestamp;
}

export interface Currency {
  readonly code: string;
  readonly name: string;
  readonly symbol: string;
  /** How many decimal places the smallest unit stands for. */
  readonly decimals: number;
}

export interface CurrencyAmount {
  readonly amount: number;
  readonly currency: Currency;
}

export interface Address {
  readonly line1: string;
  readonly line2?: string;
  readonly city?: string;
  readonly state?: string;
  readonly postalCode: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
}

export type PaymentRail = Open<
  | "ACH"
  | "BANK_TRANSFER"
  | "FAST"
  | "FASTER_PAYMENTS"
  | "FEDNOW"
  | "MOBILE_MONEY"
  | "NEFT"
  | "PAYNOW"
  | "PIX"
  | "RTGS"
  | "RTP"
  | "SEPA"
  | "SEPA_INSTANT"
  | "SPEI"
  | "SWIFT"
  | "UPI"
  | "WIRE"
>;

/** Those that are known by now. */
export type KnownCustomerInfoFieldName =
  | "FULL_NAME"
  | "BIRTH_DATE"
  | "NATIONALITY"
  | "COUNTRY_OF_RESIDENCE"
  | "PHONE_NUMBER"
  | "EMAIL"
  | "POSTAL_ADDRESS"
  | "TAX_ID"
  | "REGISTRATION_NUMBER"
  | "USER_TYPE"
  | "ACCOUNT_IDENTIFIER"
  | "FI_LEGAL_ENTITY_NAME"
  | "FI_ADDRESS"
  | "PURPOSE_OF_PAYMENT"
  | "ULTIMATE_INSTITUTION_COUNTRY"
  | "IDENTIFIER"
  | "BUSINESS_TYPE"
  | "COMPANY_LEGAL_NAME"
  | "ID_TYPE"
  | "ID_NUMBER";

export type CustomerInfoFieldName = Open<KnownCustomerInfoFieldName>;

export interface CounterpartyFieldDefinition {
  readonly name: CustomerInfoFieldName;
  readonly mandatory: boolean;
}

export type TransactionType = Open<"INCOMING" | "OUTGOING">;

/** What a platform may set about one currency. */
export interface SupportedCurrencySettings {
  readonly currencyCode: string;
  readonly minAmount: number;
  readonly maxAmount: number;
  readonly requiredCounterpartyFields: readonly CounterpartyFieldDefinition[];
  readonly enabledTransactionTypes: readonly TransactionType[];
}

export interface SupportedCurrency extends SupportedCurrencySettings {
  /** What a customer must have told before it can use the currency. */
  readonly providerRequiredCustomerFields?: readonly CustomerInfoFieldName[];
  readonly providerRequiredCounterpartyCustomerFields?: readonly CustomerInfoFieldName[];
}

/** Of the mail that a wallet's one-time passwords come in. */
export interface EmbeddedWalletConfig {
  readonly appName?: string;
  /** 4 to 12. */
  readonly otpLength?: number;
  readonly alphanumeric?: boolean;
  readonly expirationSeconds?: number;
  readonly sendFromEmailAddress?: string;
  readonly replyToEmailAddress?: string;
  readonly sendFromEmailSenderName?: string;
  readonly logoUrl?: string;
}

export interface PlatformConfig {
  readonly id: string;
  readonly umaDomain: string;
  readonly proxyUmaSubdomain: string;
  readonly webhookEndpoint?: string;
  readonly supportedCurrencies: readonly SupportedCurrency[];
  readonly isRegulatedFinancialInstitution: boolean;
  readonly embeddedWalletConfig?: EmbeddedWalletConfig;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}

/** What is absent stays as it is, in `embeddedWalletConfig` too; `supportedCurrencies` is replaced as a whole. */
export interface PlatformConfigChanges {
  readonly umaDomain?: string;
  readonly webhookEndpoint?: string;
  readonly supportedCurrencies?: readonly SupportedCurrencySettings[];
  readonly embeddedWalletConfig?: EmbeddedWalletConfig;
}

export type Permission = Open<"VIEW" | "TRANSACT" | "MANAGE">;

export interface Token {
  readonly id: string;
  readonly name: string;
  readonly permissions: readonly Permission[];
  readonly clientId: string;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}

/** The one answer that shows the secret; it cannot be read again. */
export interface CreatedToken extends Token {
  readonly clientSecret: string;
}

export interface NewToken {
  readonly name: string;
  readonly permissions: readonly Permission[];
}

export interface TokenQuery extends PageQuery, TimeQuery {
  readonly name?: string;
}

/** The clock of a sandbox platform: real time plus what it was moved forward. */
export interface SandboxClock {
  readonly now: Timestamp;
}

export interface WebhookTest {
  readonly url?: string;
  readonly response_status: number;
  readonly response_body?: string;
}

export interface WebhookPublicKey {
  /** PEM (`BEGIN PUBLIC KEY`) of the P-256 key that signs this platform's webhooks. */
  readonly publicKey: string;
}
