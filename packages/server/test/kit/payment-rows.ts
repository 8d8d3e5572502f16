/** Rows for a payment: a customer, an internal account and an external account of one platform. */

import type { ExternalAccount } from "../../src/domain/accounts/external/external-account.ts";
import type { InternalAccount } from "../../src/domain/accounts/internal/internal-account.ts";
import type { Customer } from "../../src/domain/customers/customer.ts";
import { NO_NEXT_WEBHOOK_KEY } from "../../src/domain/events/webhook-keys.ts";
import type { CreateQuoteInput } from "../../src/domain/payments/quotes/create-quote.ts";
import type { Quote } from "../../src/domain/payments/quotes/quote.ts";
import type { Transaction } from "../../src/domain/payments/transactions/transaction.ts";
import type { Platform, SupportedCurrency } from "../../src/domain/platform.ts";
import { DECIDED_AT as AT } from "./decide-alone.ts";

const idOf = (digits: string) => `018f0000-0000-7000-8000-${digits.padStart(12, "0")}`;

export const PLATFORM = idOf("aa");

const both = (currencyCode: string): SupportedCurrency => ({
  currencyCode,
  minAmount: 1,
  maxAmount: 1_000_000,
  requiredCounterpartyFields: [],
  enabledTransactionTypes: ["INCOMING", "OUTGOING"],
});

export const platform: Platform = {
  id: PLATFORM,
  workspaceId: idOf("ab"),
  name: "p",
  environment: "SANDBOX",
  umaDomain: "p.test",
  umaDomains: ["p.test"],
  proxyUmaSubdomain: "p",
  sandboxUmaDomain: "sandbox.p.test",
  isRegulatedFinancialInstitution: false,
  webhookEndpoint: "https://p.test/webhooks",
  webhookSinceEventSeq: 0n,
  webhookSetting: 1n,
  webhookEvents: "STANDARD",
  webhookFilterSinceEventSeq: 0n,
  webhookKeyId: null,
  statementTimeZone: "UTC",
  webhookPublicKey: "",
  webhookPrivateKeySealed: "",
  ...NO_NEXT_WEBHOOK_KEY,
  supportedCurrencies: [both("USD"), both("EUR"), both("USDB")],
  embeddedWalletConfig: null,
  branding: null,
  reviewers: "WORKSPACE",
  unknownFields: "REFUSE",
  createdAt: AT,
  updatedAt: AT,
};

export const customer: Customer = {
  id: idOf("1"),
  platformCustomerId: "c",
  customerType: "INDIVIDUAL",
  umaAddress: "$c@p.test",
  region: null,
  currencies: ["USD", "EUR", "USDB"],
  infersCurrencies: false,
  email: null,
  phoneNumber: null,
  address: null,
  fullName: "Ana Ruiz",
  birthDate: null,
  nationality: null,
  kycStatus: "APPROVED",
  kybStatus: null,
  profile: {},
  businessInfo: null,
  identitySealed: null,
  identityHasSsnForm: null,
  formerUmaAddresses: [],
  frozen: null,
  metadata: null,
  createdAt: AT,
  updatedAt: AT,
  deletedAt: null,
};

/** In dollars. */
export const internal: InternalAccount = {
  id: idOf("2"),
  customerId: customer.id,
  type: "INTERNAL_FIAT",
  status: "ACTIVE",
  currency: "USD",
  isSimulated: true,
  walletAddress: null,
  walletMnemonicSealed: null,
  frozen: null,
  customerFreeze: null,
  alerts: null,
  createdAt: AT,
  additional: null,
  name: null,
  metadata: null,
  changedAt: null,
};

/** In dollars; supports pull payments. */
export const external: ExternalAccount = {
  id: idOf("3"),
  customerId: customer.id,
  status: "ACTIVE",
  currency: "USD",
  accountType: "USD_ACCOUNT",
  accountInfo: {
    accountType: "USD_ACCOUNT",
    accountNumber: "12345678901",
    paymentRails: ["ACH", "WIRE"],
  },
  primaryIdentifier: "12345678901",
  fingerprint: "f",
  platformAccountId: null,
  defaultUmaDepositAccount: false,
  beneficiaryVerificationStatus: null,
  beneficiaryVerifiedFullName: null,
  metadata: null,
  createdAt: AT,
  updatedAt: AT,
  deletedAt: null,
};

/** The input of a quote from the internal account to the external one. */
export const quoteTerms: CreateQuoteInput = {
  source: { kind: "internal", id: internal.id, customerId: undefined },
  destination: { kind: "external", id: external.id, paymentRail: undefined },
  lockedSide: "SENDING",
  lockedMinor: 10_000n,
  immediatelyExecute: false,
  purposeOfPayment: undefined,
  senderCustomerInfo: {},
  description: undefined,
  remittanceInformation: undefined,
  bodySha256: "",
};

/** From the internal account in dollars to the external one, with euros as its currency. */
export const quote: Quote = {
  id: idOf("4"),
  status: "PENDING",
  customerId: customer.id,
  source: { sourceType: "ACCOUNT", accountId: `InternalAccount:${internal.id}` },
  destination: { destinationType: "ACCOUNT", accountId: `ExternalAccount:${external.id}` },
  sourceAccountId: internal.id,
  destinationAccountId: external.id,
  destinationUma: null,
  sendingCurrency: "USD",
  receivingCurrency: "EUR",
  sendingMinor: 1_000n,
  receivingMinor: 900n,
  feesMinor: 13n,
  fixedFeeMinor: 10n,
  variableFeeMinor: 3n,
  variableFeeMillionths: 3_000n,
  counterpartyFeeMinor: 0n,
  convertedMinor: 978n,
  rateNumerator: 25n,
  rateDenominator: 23n,
  paymentInstructions: null,
  counterpartyInformation: null,
  payerInformation: null,
  description: null,
  paymentRail: null,
  metadata: null,
  settlement: null,
  transactionId: idOf("5"),
  agentId: null,
  maker: null,
  lockedSide: "SENDING",
  expiryJobId: null,
  fundedAt: null,
  arrivedMinor: null,
  createdAt: AT,
  expiresAt: AT + 300_000,
  updatedAt: AT,
};

export const quoteTransaction: Transaction = {
  id: quote.transactionId,
  type: "OUTGOING",
  status: "PENDING",
  customerId: customer.id,
  platformCustomerId: customer.platformCustomerId,
  source: { type: "ACCOUNT", accountId: `InternalAccount:${internal.id}`, currency: "USD" },
  destination: { type: "ACCOUNT", accountId: `ExternalAccount:${external.id}`, currency: "EUR" },
  sourceAccountId: internal.id,
  destinationAccountId: external.id,
  sentMinor: quote.sendingMinor,
  sentCurrency: "USD",
  receivedMinor: quote.receivingMinor,
  receivedCurrency: "EUR",
  quoteId: quote.id,
  agentId: null,
  reference: null,
  description: null,
  failureReason: null,
  failure: null,
  refund: null,
  details: null,
  metadata: null,
  outcome: null,
  createdAt: AT,
  updatedAt: AT,
  settledAt: null,
};
