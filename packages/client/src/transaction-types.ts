import type { PaymentInstruction } from "./account-types.ts";
import type {
  CurrencyAmount,
  Open,
  PageQuery,
  PaymentRail,
  Timestamp,
  TransactionType,
} from "./types.ts";

/**
 * `COMPLETED` is not the end of a bank payment: a bank can return it days later, and it becomes
 * `FAILED`.
 */
export type TransactionStatus = Open<
  | "CREATED"
  | "PENDING"
  | "PROCESSING"
  | "COMPLETED"
  | "REJECTED"
  | "FAILED"
  | "REFUNDED"
  | "EXPIRED"
>;

export type FailureReason = Open<
  | "QUOTE_EXPIRED"
  | "QUOTE_EXECUTION_FAILED"
  | "LIGHTNING_PAYMENT_FAILED"
  | "FUNDING_AMOUNT_MISMATCH"
  | "COUNTERPARTY_POST_TX_FAILED"
  | "LNURLP_FAILED"
  | "PAY_REQUEST_FAILED"
  | "PAYMENT_APPROVAL_WEBHOOK_ERROR"
  | "PAYMENT_APPROVAL_TIMED_OUT"
  | "OFFRAMP_FAILED"
  | "MISSING_MANDATORY_PAYEE_DATA"
>;

/** One end of a payment: `ACCOUNT` has `accountId`, `UMA_ADDRESS` has `umaAddress`. */
export interface TransactionEnd {
  readonly accountId?: string;
  readonly umaAddress?: string;
  readonly customerId?: string;
  readonly currency?: string;
}

export interface TransactionSource extends TransactionEnd {
  readonly sourceType: Open<"ACCOUNT" | "UMA_ADDRESS" | "REALTIME_FUNDING">;
}

export interface TransactionDestination extends TransactionEnd {
  readonly destinationType: Open<"ACCOUNT" | "UMA_ADDRESS">;
}

/** Money on its way back. A refund has its own state; the transaction's status does not tell it. */
export interface Refund {
  readonly reference: string;
  readonly initiatedAt: Timestamp;
  readonly settledAt?: Timestamp;
  readonly status: Open<"PENDING" | "COMPLETED" | "FAILED">;
  readonly reason?: Open<"TRANSACTION_FAILED" | "USER_CANCELLATION" | "TIMEOUT">;
}

export interface RateDetails {
  readonly counterpartyMultiplier?: number;
  readonly counterpartyFixedFee?: number;
  readonly serviceApiMultiplier: number;
  readonly serviceApiFixedFee: number;
  readonly serviceApiVariableFeeRate: number;
  readonly serviceApiVariableFeeAmount: number;
}

export interface Transaction {
  readonly id: string;
  readonly status: TransactionStatus;
  readonly type: TransactionType;
  readonly source?: TransactionSource;
  readonly destination: TransactionDestination;
  readonly customerId: string;
  readonly platformCustomerId: string;
  /** Always there on an outgoing transaction. */
  readonly sentAmount?: CurrencyAmount;
  /** Always there on an incoming transaction. */
  readonly receivedAmount?: CurrencyAmount;
  /** Sending units for one receiving unit, in major units. */
  readonly exchangeRate?: number;
  readonly fees?: number;
  readonly quoteId?: string;
  readonly paymentInstructions?: readonly PaymentInstruction[];
  readonly refund?: Refund;
  readonly rateDetails?: RateDetails;
  readonly failureReason?: FailureReason;
  /** Why the platform turned an incoming payment away, in its words. */
  readonly rejectionReason?: string;
  /** What the receiver's platform must know of the sender to take such a payment. */
  readonly requiredPayerDataFields?: readonly {
    readonly name: string;
    readonly mandatory: boolean;
  }[];
  readonly settledAt?: Timestamp;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
  readonly description?: string;
  readonly paymentRail?: PaymentRail;
  readonly remittanceInformation?: string;
  readonly purposeOfPayment?: PurposeOfPayment;
  readonly counterpartyInformation?: Readonly<Record<string, string>>;
  readonly reconciliationInstructions?: { readonly reference: string };
  readonly agentId?: string;
}

export interface TransactionQuery extends PageQuery {
  readonly customerId?: string;
  readonly platformCustomerId?: string;
  /** An account id or a UMA address, on either side. */
  readonly accountIdentifier?: string;
  readonly senderAccountIdentifier?: string;
  readonly receiverAccountIdentifier?: string;
  readonly status?: TransactionStatus;
  readonly type?: TransactionType;
  readonly reference?: string;
  readonly startDate?: Timestamp;
  readonly endDate?: Timestamp;
  /** `desc`, newest first, when absent. */
  readonly sortOrder?: "asc" | "desc";
}

export type PurposeOfPayment = Open<
  | "GIFT"
  | "SELF"
  | "GOODS_OR_SERVICES"
  | "EDUCATION"
  | "HEALTH_OR_MEDICAL"
  | "REAL_ESTATE_PURCHASE"
  | "TAX_PAYMENT"
  | "LOAN_PAYMENT"
  | "UTILITY_BILL"
  | "DONATION"
  | "TRAVEL"
  | "OTHER"
>;

/** From an internal to an external account of the same currency. */
export interface TransferOut {
  readonly source: { readonly accountId: string };
  readonly destination: { readonly accountId: string; readonly paymentRail?: PaymentRail };
  readonly amount: number;
  readonly remittanceInformation?: string;
}

/** From an external account that can be pulled from to an internal account of the same currency. */
export interface TransferIn {
  readonly source: { readonly accountId: string };
  readonly destination: { readonly accountId: string };
  readonly amount: number;
}
