import type { PaymentInstruction } from "./account-types.ts";
import type { PurposeOfPayment, RateDetails } from "./transaction-types.ts";
import type { Currency, Open, PageQuery, PaymentRail, Timestamp } from "./types.ts";

export type QuoteStatus = Open<"PENDING" | "PROCESSING" | "COMPLETED" | "FAILED" | "EXPIRED">;

/** Money from an account, or money that the payer pushes by following the quote's instructions. */
export type QuoteSource =
  | { readonly sourceType: "ACCOUNT"; readonly accountId: string; readonly customerId?: string }
  | {
      readonly sourceType: "REALTIME_FUNDING";
      readonly currency: string;
      readonly customerId?: string;
      /** Required for stablecoins. */
      readonly cryptoNetwork?: string;
    };

export type QuoteDestination =
  | {
      readonly destinationType: "ACCOUNT";
      readonly accountId: string;
      readonly paymentRail?: PaymentRail;
    }
  | {
      readonly destinationType: "UMA_ADDRESS";
      readonly umaAddress: string;
      readonly currency?: string;
    };

export interface NewQuote {
  readonly source: QuoteSource;
  readonly destination: QuoteDestination;
  /** Which of the two amounts is exact. */
  readonly lockedCurrencySide: "SENDING" | "RECEIVING";
  readonly lockedCurrencyAmount: number;
  /** Required for UMA addresses. */
  readonly lookupId?: string;
  readonly immediatelyExecute?: boolean;
  readonly description?: string;
  readonly purposeOfPayment?: PurposeOfPayment;
  readonly senderCustomerInfo?: Readonly<Record<string, string>>;
  readonly remittanceInformation?: string;
}

export interface Quote {
  readonly id: string;
  readonly status: QuoteStatus;
  readonly source: QuoteSource;
  readonly destination: QuoteDestination;
  readonly sendingCurrency: Currency;
  readonly receivingCurrency: Currency;
  /** Fees and all. */
  readonly totalSendingAmount: number;
  readonly totalReceivingAmount: number;
  /** Whole sending units for one whole receiving unit, without fees. */
  readonly exchangeRate: number;
  /** In the sending currency. */
  readonly feesIncluded: number;
  readonly transactionId: string;
  readonly paymentInstructions?: readonly PaymentInstruction[];
  readonly counterpartyInformation?: Readonly<Record<string, string>>;
  readonly rateDetails: RateDetails;
  readonly description?: string;
  readonly createdAt: Timestamp;
  readonly expiresAt: Timestamp;
}

export interface QuoteQuery extends PageQuery {
  readonly customerId?: string;
  readonly sendingAccountId?: string;
  readonly receivingAccountId?: string;
  readonly sendingUmaAddress?: string;
  readonly receivingUmaAddress?: string;
  readonly status?: QuoteStatus;
  readonly createdAfter?: Timestamp;
  readonly createdBefore?: Timestamp;
}

export interface SandboxSend {
  readonly quoteId: string;
  readonly currencyCode: string;
  readonly currencyAmount?: number;
}

export interface ExchangeRateQuery {
  readonly sourceCurrency?: string;
  readonly destinationCurrency?: string | readonly string[];
  readonly sendingAmount?: number;
}

export interface ExchangeRate {
  readonly sourceCurrency: Currency;
  readonly destinationCurrency: Currency;
  /** A rail, or the network of a token. */
  readonly destinationPaymentRail: PaymentRail;
  readonly sendingAmount: number;
  readonly minSendingAmount: number;
  readonly maxSendingAmount: number;
  readonly receivingAmount: number;
  readonly exchangeRate: number;
  readonly fees: { readonly fixed: number; readonly total: number };
  readonly updatedAt: Timestamp;
}
