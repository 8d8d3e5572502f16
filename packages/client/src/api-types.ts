// Written by `npm run generate` from docs/reference/openapi.json; not to be changed by hand.

import type { AnyOf, Either, Open, Unlisted } from "./open-types.ts";

import type { SecretPart } from "./request.ts";

/** One page of a list. */
export interface Page<Item> {
  readonly data: readonly Item[];
  readonly hasMore: boolean;
  /** Present when there is more. */
  readonly nextCursor?: string;
  readonly totalCount?: number;
}

export interface AcceptUmaCounterpartyKeyBody {
  /** The key that was looked at: 409 when the counterparty has another one now. */
  readonly fingerprint?: string;
}

export type AccountInfo =
  | AedAccount
  | BaseWallet
  | BdtAccount
  | BrlAccount
  | BwpAccount
  | CadAccount
  | CnyAccount
  | CopAccount
  | DkkAccount
  | EgpAccount
  | EthereumWallet
  | EurAccount
  | GbpAccount
  | GhsAccount
  | GtqAccount
  | HkdAccount
  | HtgAccount
  | IdrAccount
  | InrAccount
  | JmdAccount
  | KesAccount
  | Lightning
  | MwkAccount
  | MxnAccount
  | MyrAccount
  | NgnAccount
  | PhpAccount
  | PkrAccount
  | PlasmaWallet
  | PolygonWallet
  | RwfAccount
  | SgdAccount
  | SlvAccount
  | SolanaWallet
  | SparkWallet
  | SwiftAccount
  | ThbAccount
  | TronWallet
  | TzsAccount
  | UgxAccount
  | UsdAccount
  | VndAccount
  | XafAccount
  | XofAccount
  | ZarAccount
  | ZmwAccount
  | { readonly accountType: Unlisted };

export interface AccountRestrictions {
  /** The only internal accounts it may use; null is all of them, `[]` none. */
  readonly allowedAccountIds?: readonly string[] | null;
  /**
   * Who may be paid outside the customer's internal accounts, by transfers and by quotes. Absent: anyone. Given
   * anew as a whole.
   */
  readonly payees?: {
    /** `ANY` pays anyone; `LISTED` pays only those that the two lists name. */
    readonly mode: Open<"ANY" | "LISTED">;
    /** External accounts of the customer, `ExternalAccount:<uuid>`. */
    readonly externalAccountIds?: readonly string[];
    /** UMA addresses, `$user@domain`. Another address of the same person is not in the list. */
    readonly umaAddresses?: readonly string[];
  };
  /**
   * The only external accounts that it may pull money from, by transfers and by quotes; null or absent is all of
   * them, `[]` none.
   */
  readonly fundingAccountIds?: readonly string[] | null;
  /** Each internal account that an action touches is judged, by its rule or else by the common limit and mode. */
  readonly accountRules?: readonly {
    /** `InternalAccount:<uuid>` */
    readonly accountId: string;
    /** `AUTO` carries actions out at once; `APPROVAL_REQUIRED` lets the platform decide. */
    readonly executionMode?: Open<"AUTO" | "APPROVAL_REQUIRED">;
    /** Takes the place of the common limit; null leaves it as it is. */
    readonly perTransactionLimit?: number | null;
  }[];
}

/** The type of an external account. */
export type AccountType = Open<
  | "AED_ACCOUNT"
  | "BASE_WALLET"
  | "BDT_ACCOUNT"
  | "BRL_ACCOUNT"
  | "BWP_ACCOUNT"
  | "CAD_ACCOUNT"
  | "CNY_ACCOUNT"
  | "COP_ACCOUNT"
  | "DKK_ACCOUNT"
  | "EGP_ACCOUNT"
  | "ETHEREUM_WALLET"
  | "EUR_ACCOUNT"
  | "GBP_ACCOUNT"
  | "GHS_ACCOUNT"
  | "GTQ_ACCOUNT"
  | "HKD_ACCOUNT"
  | "HTG_ACCOUNT"
  | "IDR_ACCOUNT"
  | "INR_ACCOUNT"
  | "JMD_ACCOUNT"
  | "KES_ACCOUNT"
  | "LIGHTNING"
  | "MWK_ACCOUNT"
  | "MXN_ACCOUNT"
  | "MYR_ACCOUNT"
  | "NGN_ACCOUNT"
  | "PHP_ACCOUNT"
  | "PKR_ACCOUNT"
  | "PLASMA_WALLET"
  | "POLYGON_WALLET"
  | "RWF_ACCOUNT"
  | "SGD_ACCOUNT"
  | "SLV_ACCOUNT"
  | "SOLANA_WALLET"
  | "SPARK_WALLET"
  | "SWIFT_ACCOUNT"
  | "THB_ACCOUNT"
  | "TRON_WALLET"
  | "TZS_ACCOUNT"
  | "UGX_ACCOUNT"
  | "USD_ACCOUNT"
  | "VND_ACCOUNT"
  | "XAF_ACCOUNT"
  | "XOF_ACCOUNT"
  | "ZAR_ACCOUNT"
  | "ZMW_ACCOUNT"
>;

export interface Actor {
  /** `Person:<uuid>` */
  readonly id: string;
  readonly name: string;
  readonly state: Open<"INVITED" | "ACTIVE" | "SUSPENDED" | "REMOVED">;
}

export interface AddVirtualAccountsBody {
  readonly accounts: readonly (
    | string
    | {
        readonly routingNumber: string;
        readonly accountNumber: string;
      }
  )[];
}

export interface Address {
  readonly line1: string;
  readonly line2?: string;
  readonly city?: string;
  readonly state?: string;
  readonly postalCode: string;
  readonly country: string;
}

export interface AdjustFxPositionsBody {
  /** `RailConnection:<uuid>` */
  readonly connectionId: string;
  readonly legs: readonly {
    readonly currency: CurrencyCode;
    /** What the position gains, in the smallest unit; negative for what it loses. */
    readonly amount: number;
  }[];
  readonly note: string;
}

export interface Adjustment {
  /** `Adjustment:<uuid>` */
  readonly id: string;
  readonly amount: CurrencyAmount;
  /** `InternalAccount:<uuid>` */
  readonly accountId: string;
  /** As the account sees it. */
  readonly direction: Open<"CREDIT" | "DEBIT">;
  readonly reasonCode: Open<
    "ERROR_CORRECTION" | "GOODWILL" | "FEE_REVERSAL" | "CHARGE" | "WRITE_OFF" | "OTHER"
  >;
  readonly note: string;
  /** `Document:<uuid>` */
  readonly documentId?: string;
  /** Who asked and who agreed. */
  readonly approvalId: string;
  /** `Person:<uuid>` or `Token:<uuid>` */
  readonly requestedBy: string;
  readonly postedAt: string;
}

export interface AdjustmentDryRun {
  readonly dryRun: true;
  readonly result: AdjustmentWithoutIds;
  readonly effects: DryRunEffects;
}

export interface AdjustmentWithoutIds {
  readonly amount: CurrencyAmount;
  /** `InternalAccount:<uuid>` */
  readonly accountId: string;
  /** As the account sees it. */
  readonly direction: Open<"CREDIT" | "DEBIT">;
  readonly reasonCode: Open<
    "ERROR_CORRECTION" | "GOODWILL" | "FEE_REVERSAL" | "CHARGE" | "WRITE_OFF" | "OTHER"
  >;
  readonly note: string;
  /** `Document:<uuid>` */
  readonly documentId?: string;
  /** `Person:<uuid>` or `Token:<uuid>` */
  readonly requestedBy: string;
  readonly postedAt: string;
}

export interface AdvanceClockBody {
  readonly seconds: number;
}

/** Currency: AED. Held in AE. */
export interface AedAccount extends NewAedAccount {
  /** The rails that reach this account; in answers alone. */
  readonly paymentRails?: readonly Open<"BANK_TRANSFER">[];
}

export interface Agent {
  /** `Agent:<uuid>` */
  readonly id: string;
  readonly name: string;
  /** The customer it acts for. */
  readonly customerId: string;
  /** A paused agent can read and start nothing. */
  readonly isPaused: boolean;
  /** Whether its device code was redeemed. */
  readonly isConnected: boolean;
  readonly policy: AgentPolicy;
  readonly usage: AgentUsage;
  /** How many wait for approval. */
  readonly pendingActions: number;
  /** When it submitted its newest action. */
  readonly lastActionAt?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface AgentAction {
  /** `AgentAction:<uuid>` */
  readonly id: string;
  readonly agentId: string;
  /** The customer that the agent acts for. */
  readonly customerId: string;
  readonly platformCustomerId: string;
  readonly status: Open<"PENDING_APPROVAL" | "APPROVED" | "REJECTED" | "FAILED">;
  readonly type: Open<"EXECUTE_QUOTE" | "TRANSFER_OUT" | "TRANSFER_IN">;
  readonly quote?: Quote;
  /** Of a transfer. */
  readonly transferDetails?: {
    /** In the currency's smallest unit. */
    readonly amount: number;
    readonly currency: CurrencyCode;
    readonly sourceAccountId: string;
    readonly destinationAccountId: string;
  };
  /**
   * Why it waited for approval: the execution mode of the policy, the rule of an account, or an amount above the
   * threshold. Absent when it did not wait.
   */
  readonly approvalReason?: Open<"EXECUTION_MODE" | "ACCOUNT_RULE" | "THRESHOLD">;
  readonly transaction?: Transaction;
  /** What the platform said when it rejected the action. */
  readonly rejectionReason?: string;
  /** Why a FAILED action came to nothing: the rule of the policy, the error code, or the transaction's own reason. */
  readonly failureReason?: string;
  readonly failure?: Failure;
  readonly metadata?: Metadata;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface AgentActionDryRun {
  readonly dryRun: true;
  readonly result: AgentActionWithoutIds;
  readonly effects: DryRunEffects;
}

export interface AgentActionWithoutIds {
  readonly agentId: string;
  /** The customer that the agent acts for. */
  readonly customerId: string;
  readonly platformCustomerId: string;
  readonly status: Open<"PENDING_APPROVAL" | "APPROVED" | "REJECTED" | "FAILED">;
  readonly type: Open<"EXECUTE_QUOTE" | "TRANSFER_OUT" | "TRANSFER_IN">;
  readonly quote?: QuoteWithoutIds;
  /** Of a transfer. */
  readonly transferDetails?: {
    /** In the currency's smallest unit. */
    readonly amount: number;
    readonly currency: CurrencyCode;
    readonly sourceAccountId: string;
    readonly destinationAccountId: string;
  };
  /**
   * Why it waited for approval: the execution mode of the policy, the rule of an account, or an amount above the
   * threshold. Absent when it did not wait.
   */
  readonly approvalReason?: Open<"EXECUTION_MODE" | "ACCOUNT_RULE" | "THRESHOLD">;
  readonly transaction?: TransactionWithoutIds;
  /** What the platform said when it rejected the action. */
  readonly rejectionReason?: string;
  /** Why a FAILED action came to nothing: the rule of the policy, the error code, or the transaction's own reason. */
  readonly failureReason?: string;
  readonly failure?: Failure;
  readonly metadata?: Metadata;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface AgentCreateExternalAccountBody {
  readonly currency: CurrencyCode;
  readonly accountInfo: NewAccountInfo;
  readonly platformAccountId?: string;
  readonly metadata?: Metadata;
  readonly customerId?: string;
  readonly defaultUmaDepositAccount?: boolean;
}

export interface AgentDeviceCode {
  /** To be pasted into the agent; shown this once. */
  readonly code: string;
  readonly agentId: string;
  readonly expiresAt: string;
  readonly redeemed: boolean;
}

export interface AgentListActionsQuery {
  readonly status?: Open<"PENDING_APPROVAL" | "APPROVED" | "REJECTED" | "FAILED">;
  /**
   * How many items a page holds at most. A page of very large items ends earlier; `hasMore` tells whether there
   * are more.
   */
  readonly limit?: number;
  /** The `nextCursor` of the page before, with the same filters. */
  readonly cursor?: string;
}

export interface AgentListExternalAccountsQuery {
  /** Currency code, in capitals. */
  readonly currency?: CurrencyCode;
  /**
   * How many items a page holds at most. A page of very large items ends earlier; `hasMore` tells whether there
   * are more.
   */
  readonly limit?: number;
  /** The `nextCursor` of the page before, with the same filters. */
  readonly cursor?: string;
}

export interface AgentListInternalAccountsQuery {
  /** Currency code, in capitals. */
  readonly currency?: CurrencyCode;
  readonly type?: Open<"INTERNAL_FIAT" | "INTERNAL_CRYPTO" | "EMBEDDED_WALLET">;
  /**
   * How many items a page holds at most. A page of very large items ends earlier; `hasMore` tells whether there
   * are more.
   */
  readonly limit?: number;
  /** The `nextCursor` of the page before, with the same filters. */
  readonly cursor?: string;
}

export interface AgentListTransactionsQuery {
  /** An account id or UMA address: either side. */
  readonly accountIdentifier?: string;
  /** An account id or UMA address: the sender. */
  readonly senderAccountIdentifier?: string;
  /** An account id or UMA address: the receiver. */
  readonly receiverAccountIdentifier?: string;
  readonly status?: Open<
    | "CREATED"
    | "PENDING"
    | "PROCESSING"
    | "COMPLETED"
    | "REJECTED"
    | "FAILED"
    | "REFUNDED"
    | "EXPIRED"
  >;
  readonly type?: Open<"INCOMING" | "OUTGOING">;
  /**
   * Exactly this reference: of the `reconciliationInstructions`, the beneficiary's `reference`, or the
   * `bankReference` of an entry. The second one is found about a second after the payment was made.
   */
  readonly reference?: string;
  /** The transactions of a transfer of several legs. */
  readonly groupId?: string;
  /** Created at this time or later. */
  readonly startDate?: string;
  /** Created at this time or earlier. */
  readonly endDate?: string;
  readonly sortOrder?: Open<"asc" | "desc">;
  /**
   * How many items a page holds at most. A page of very large items ends earlier; `hasMore` tells whether there
   * are more.
   */
  readonly limit?: number;
  /** The `nextCursor` of the page before, with the same filters. */
  readonly cursor?: string;
}

export interface AgentPolicy {
  readonly permissions: readonly Open<
    | "VIEW_TRANSACTIONS"
    | "CREATE_TRANSFERS"
    | "CREATE_QUOTES"
    | "EXECUTE_QUOTES"
    | "MANAGE_EXTERNAL_ACCOUNTS"
  >[];
  /** `AUTO` carries actions out at once; `APPROVAL_REQUIRED` lets the platform decide. */
  readonly defaultExecutionMode: Open<"AUTO" | "APPROVAL_REQUIRED">;
  readonly spendingLimits: {
    readonly currency: CurrencyCode;
    /** For one action, in the smallest unit. */
    readonly perTransactionLimit: number;
    /** For all actions of a UTC day; null is none. */
    readonly dailyLimit?: number | null;
    /** How many actions a UTC day can have; absent or null is no limit. */
    readonly dailyTransactionLimit?: number | null;
    /** For all actions of a UTC month; null is none. */
    readonly monthlyLimit?: number | null;
  };
  readonly accountRestrictions?: AccountRestrictions;
  readonly approvalThresholds?: {
    /** Required with `amount`. */
    readonly currency?: CurrencyCode;
    /** Whatever is above it waits for approval, even in `AUTO`; null is none. */
    readonly amount?: number | null;
  };
}

export interface AgentPolicyChanges {
  readonly permissions?: readonly Open<
    | "VIEW_TRANSACTIONS"
    | "CREATE_TRANSFERS"
    | "CREATE_QUOTES"
    | "EXECUTE_QUOTES"
    | "MANAGE_EXTERNAL_ACCOUNTS"
  >[];
  /** `AUTO` carries actions out at once; `APPROVAL_REQUIRED` lets the platform decide. */
  readonly defaultExecutionMode?: Open<"AUTO" | "APPROVAL_REQUIRED">;
  readonly spendingLimits?: {
    readonly currency?: CurrencyCode;
    /** For one action, in the smallest unit. */
    readonly perTransactionLimit?: number;
    /** For all actions of a UTC day; null is none. */
    readonly dailyLimit?: number | null;
    /** How many actions a UTC day can have; absent or null is no limit. */
    readonly dailyTransactionLimit?: number | null;
    /** For all actions of a UTC month; null is none. */
    readonly monthlyLimit?: number | null;
  };
  readonly accountRestrictions?: AccountRestrictions;
  readonly approvalThresholds?: {
    /** Required with `amount`. */
    readonly currency?: CurrencyCode;
    /** Whatever is above it waits for approval, even in `AUTO`; null is none. */
    readonly amount?: number | null;
  };
}

export interface AgentPolicyPreview {
  readonly policy: AgentPolicy;
  /** The members by which the agent may do more. Empty when the change lets it do nothing more. */
  readonly widens: readonly string[];
  readonly since: string;
  /** The orders since then that both policies judged. */
  readonly ordersJudged: number;
  /** Whether there were more orders than the newest 1,000, which are judged. */
  readonly isTruncated: boolean;
  readonly counts: {
    /** Allowed or waiting before, refused now. */
    readonly nowRefused: number;
    /** Refused before, allowed now. */
    readonly nowAllowed: number;
    /** Waits for approval now, and did not before. */
    readonly nowWaits: number;
    /** Waited for approval before, allowed now. */
    readonly noLongerWaits: number;
  };
  /** The newest 20 orders that are judged differently, newest first. */
  readonly differences: readonly {
    readonly change: Open<"NOW_REFUSED" | "NOW_ALLOWED" | "NOW_WAITS" | "NO_LONGER_WAITS">;
    /** `AgentAction:<uuid>` */
    readonly actionId: string;
    readonly type: Open<"EXECUTE_QUOTE" | "TRANSFER_OUT" | "TRANSFER_IN">;
    /** What became of it. */
    readonly status: Open<"PENDING_APPROVAL" | "APPROVED" | "REJECTED" | "FAILED">;
    /** In the currency's smallest unit. */
    readonly amount: number;
    readonly currency: CurrencyCode;
    readonly quoteId?: string;
    readonly transactionId?: string;
    readonly createdAt: string;
    readonly before: {
      readonly verdict: Open<"ALLOWED" | "NEEDS_APPROVAL" | "REFUSED">;
      /** The rule that refuses it, or why it waits. */
      readonly reason?: Open<
        | "PERMISSION"
        | "PAUSED"
        | "ACCOUNT_NOT_ALLOWED"
        | "FUNDING_ACCOUNT_NOT_ALLOWED"
        | "PAYEE_NOT_ALLOWED"
        | "PER_TRANSACTION_LIMIT"
        | "DAILY_TRANSACTION_LIMIT"
        | "DAILY_LIMIT"
        | "MONTHLY_LIMIT"
        | "EXECUTION_MODE"
        | "ACCOUNT_RULE"
        | "THRESHOLD"
        | "NO_RATE"
      >;
    };
    readonly after: {
      readonly verdict: Open<"ALLOWED" | "NEEDS_APPROVAL" | "REFUSED">;
      /** The rule that refuses it, or why it waits. */
      readonly reason?: Open<
        | "PERMISSION"
        | "PAUSED"
        | "ACCOUNT_NOT_ALLOWED"
        | "FUNDING_ACCOUNT_NOT_ALLOWED"
        | "PAYEE_NOT_ALLOWED"
        | "PER_TRANSACTION_LIMIT"
        | "DAILY_TRANSACTION_LIMIT"
        | "DAILY_LIMIT"
        | "MONTHLY_LIMIT"
        | "EXECUTION_MODE"
        | "ACCOUNT_RULE"
        | "THRESHOLD"
        | "NO_RATE"
      >;
    };
  }[];
}

export interface AgentTransferInBody {
  readonly source: {
    /** An external account. */
    readonly accountId: string;
  };
  readonly destination: {
    /** An internal account. */
    readonly accountId: string;
  };
  /** Whole number of the currency's smallest unit. */
  readonly amount: number;
  readonly metadata?: Metadata;
}

export interface AgentTransferOutBody {
  readonly source: {
    /** An internal account. */
    readonly accountId: string;
  };
  readonly destination: {
    /** An external account. */
    readonly accountId: string;
    /** One of the destination's rails; of a wallet, its network. */
    readonly paymentRail?: PaymentRail;
  };
  /** Whole number of the currency's smallest unit. */
  readonly amount: number;
  readonly metadata?: Metadata;
}

export interface AgentUsage {
  readonly dailyTransactionCount: number;
  /** In the currency of the limits. */
  readonly dailySpend: number;
  /** In the currency of the limits. */
  readonly monthlySpend: number;
  /** The UTC day of the next reset. */
  readonly dailyResetDate: string;
  /** `YYYY-MM`, the UTC month of the next reset. */
  readonly monthlyResetMonth: string;
}

export interface AlertedBalance {
  readonly accountId: string;
  readonly alertId: string;
  readonly direction: Open<"BELOW" | "ABOVE">;
  readonly balance: CurrencyAmount;
  readonly threshold: CurrencyAmount;
}

export interface AlikeFailures {
  /** The failure code of this payment. */
  readonly code: string;
  /** How many of the payments that were looked at failed with this code, this one included. */
  readonly count: number;
  /** The newest payments with the same account at the other end, at most 200. */
  readonly lookedAt: number;
}

export interface Approval {
  /** `Approval:<uuid>` */
  readonly id: string;
  /** `PlatformConfig:<uuid>`; absent where it concerns the workspace. */
  readonly platformId?: string;
  readonly kind: Open<
    | "ADJUSTMENT"
    | "PAYMENT"
    | "TOKEN"
    | "PAYEE"
    | "AGENT_POLICY"
    | "UNFREEZE"
    | "KYC_OVERRIDE"
    | "ROLE_GRANT"
    | "REENROLMENT"
    | "ISSUER"
    | "OWNER_CHANGE"
    | "POLICY"
    | "CONTROL"
  >;
  /** The operation that was asked for. */
  readonly operation: string;
  /**
   * `DONE`: the people agreed and it was carried out. `FAILED`: they agreed, and it was refused then; `failure`
   * says why, and nothing was done.
   */
  readonly state: Open<
    "PENDING" | "APPROVED" | "DONE" | "FAILED" | "REJECTED" | "CANCELLED" | "EXPIRED"
  >;
  /** `Person:<uuid>` or `Token:<uuid>` */
  readonly requestedBy: string;
  readonly requestedAt: string;
  /** What is asked for, in a sentence without personal data. */
  readonly summary: string;
  /**
   * What was asked for, as it was sent, and what it would change: a policy as `before`, a freeze as `frozen`, a
   * `rejection`. Events do not have it.
   */
  readonly content?: Readonly<Record<string, unknown>>;
  /**
   * SHA-256, in hexadecimal, of the JSON object of `content`, `kind`, `operation` and `summary`, with sorted keys
   * and without spaces.
   */
  readonly contentDigest: string;
  /** 0: it is carried out at `expiresAt` unless it is rejected before. */
  readonly approvalsNeeded: number;
  /** The first one first. */
  readonly decisions: readonly {
    /** `Person:<uuid>` */
    readonly by: string;
    readonly at: string;
    readonly outcome: Open<"APPROVED" | "REJECTED">;
    readonly note?: string;
    /** Who asked agreed: in a sandbox whose workspace has no other active person. */
    readonly isOwn?: boolean;
    /**
     * SHA-256, in hexadecimal, of the facts that the person was shown. Absent for a rejection, and for agreements of
     * earlier versions.
     */
    readonly shownDigest?: string;
    /**
     * The proof of the passkey. Its challenge is the SHA-256 of `florin approval v2`, the id, `contentDigest` and
     * `shownDigest`, each on a line of its own. Without `shownDigest` the first line is `florin approval v1`.
     */
    readonly assertion?: {
      readonly credentialId: string;
      readonly clientDataJSON: string;
      readonly authenticatorData: string;
      readonly signature: string;
    };
  }[];
  /** It is not decided after this time. */
  readonly expiresAt: string;
  /** The object that came of it. */
  readonly resultId?: string;
  readonly failure?: {
    /** A code of an error. */
    readonly code: string;
    readonly message: string;
    readonly details?: Readonly<Record<string, unknown>>;
  };
  /**
   * In the answer to the request alone: secrets of what was asked for, which count once it is `DONE`. The link of
   * an invitation or of a new passkey is in the answer to the agreement that carries it out, unless it is mailed.
   */
  readonly issued?: {
    readonly clientId?: string;
    readonly clientSecret?: string;
    readonly url?: string;
    readonly code?: string;
    readonly deviceCode?: {
      readonly code: string;
    };
  };
  /**
   * Only with `expand=parties`. Who asked is `by`; a payment and an adjustment have sides as well. A party that is
   * not known is absent.
   */
  readonly parties?: {
    readonly from?: Party;
    readonly to?: Party;
    readonly by?: Party;
  };
  /** Too few people of the workspace may decide; roles in the console change that. */
  readonly blockedBecause?: Open<"NO_ELIGIBLE_APPROVER">;
}

export interface ApproveTransactionBody {
  /** What the sender's institution asked of the receiver, by the name of the field. */
  readonly receiverCustomerInfo?: {
    readonly FULL_NAME?: string;
    readonly BIRTH_DATE?: string;
    readonly NATIONALITY?: string;
    readonly COUNTRY_OF_RESIDENCE?: string;
    readonly PHONE_NUMBER?: string;
    readonly EMAIL?: string;
    readonly POSTAL_ADDRESS?: string;
    readonly TAX_ID?: string;
    readonly REGISTRATION_NUMBER?: string;
    readonly USER_TYPE?: string;
    readonly ACCOUNT_IDENTIFIER?: string;
    readonly FI_LEGAL_ENTITY_NAME?: string;
    readonly FI_ADDRESS?: string;
    readonly PURPOSE_OF_PAYMENT?: string;
    readonly ULTIMATE_INSTITUTION_COUNTRY?: string;
    readonly IDENTIFIER?: string;
    readonly BUSINESS_TYPE?: string;
    readonly COMPANY_LEGAL_NAME?: string;
    readonly ID_TYPE?: string;
    readonly ID_NUMBER?: string;
  };
}

export interface AskedTransaction {
  /** `Transaction:<uuid>` */
  readonly id: string;
  readonly status: Open<
    | "CREATED"
    | "PENDING"
    | "PROCESSING"
    | "COMPLETED"
    | "REJECTED"
    | "FAILED"
    | "REFUNDED"
    | "EXPIRED"
  >;
  readonly type: Open<"INCOMING" | "OUTGOING">;
  /** CREDIT: INCOMING, to the holder. DEBIT: OUTGOING. */
  readonly direction: Open<"CREDIT" | "DEBIT">;
  readonly source?: TransactionSource;
  readonly destination: TransactionDestination;
  /** The platform's own id when it moves its own money. */
  readonly customerId: string;
  readonly platformCustomerId: string;
  readonly sentAmount?: CurrencyAmount;
  readonly receivedAmount?: CurrencyAmount;
  /** Whole sending units for one whole receiving unit. */
  readonly exchangeRate?: number;
  /** In the sending currency. */
  readonly fees?: number;
  readonly rateDetails?: RateDetails;
  readonly paymentInstructions?: readonly PaymentInstruction[];
  readonly counterpartyInformation?: Readonly<Record<string, string>>;
  /** The caller's choice, or the rail that was taken. */
  readonly paymentRail?: PaymentRail;
  /**
   * What the beneficiary finds on a statement. It follows from the transaction's id. To a bank account or a
   * wallet: `FL` and 13 characters of 0-9 and A-Z without I, L, O, U. To a UMA address: the receiver's
   * reconciliation reference.
   */
  readonly reference?: string;
  readonly remittanceInformation?: string;
  readonly purposeOfPayment?: PurposeOfPayment;
  readonly quoteId?: string;
  readonly agentId?: string;
  readonly description?: string;
  /** Of a book transfer: the transaction of the other side. */
  readonly counterpartTransactionId?: string;
  /** Of a payment that is an item of a batch: `PaymentBatch:<uuid>`. */
  readonly batchId?: string;
  /** The reference of the item in its batch. */
  readonly batchReference?: string;
  /**
   * Of an incoming UMA payment: the customer's external account that the money goes on to. Absent where it stays
   * on an internal account.
   */
  readonly depositAccountId?: string;
  /** Of an incoming UMA payment of another institution with `depositAccountId`: the payout that takes the money on. */
  readonly depositTransactionId?: string;
  /**
   * Of an incoming UMA payment of another institution with `depositAccountId`: no payout could be made, so the
   * money stays on the internal account.
   */
  readonly depositFallback?: true;
  /** Of a payout that takes the money of an incoming UMA payment on: that payment. */
  readonly depositOf?: string;
  /**
   * Of a transfer that a rail connection carries: when it is expected to have settled, by its rail and the
   * connection's calendar.
   */
  readonly expectedSettlementAt?: string;
  /** Of money of a payout that came back and was credited by a person: its order. */
  readonly railPaymentId?: string;
  /** Of money that came in at a rail connection: the entry that told of it. */
  readonly railEntryId?: string;
  /** Of money for an invoice that its own payment did not take and a person credited: `UmaInvoice:<uuid>`. */
  readonly invoiceId?: string;
  /** Of a refund: the INCOMING transaction whose money goes back. */
  readonly refundOf?: string;
  readonly refundReason?: Open<
    "REQUESTED_BY_PAYER" | "DUPLICATE" | "WRONG_AMOUNT" | "FRAUD" | "OTHER"
  >;
  /** Of a leg of a transfer of several legs: the transfer. All of its transactions have it. */
  readonly groupId?: string;
  /** Of a payment that captured a hold: the hold. */
  readonly holdId?: string;
  readonly refundedAmount?: CurrencyAmount;
  readonly refundPendingAmount?: CurrencyAmount;
  readonly reconciliationInstructions?: ReconciliationInstructions;
  readonly failureReason?: FailureReason;
  readonly failure?: Failure;
  /** Why the platform turned an incoming payment away, in its words. */
  readonly rejectionReason?: string;
  /** What the receiver's platform must know of the sender to take such a payment. */
  readonly requiredPayerDataFields?: readonly {
    readonly name: string;
    readonly mandatory: boolean;
  }[];
  readonly refund?: Refund;
  readonly metadata?: Metadata;
  /** Only with `expand=parties`. A party that is not known is absent. */
  readonly parties?: {
    readonly from?: Party;
    readonly to?: Party;
    readonly by?: Party;
  };
  readonly settledAt?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Of a UMA payment: what the sender's institution asks of the receiver. */
  readonly requestedReceiverCustomerInfoFields?: readonly RequestedField[];
}

export interface AuditEntry {
  /** `AuditEntry:<uuid>` */
  readonly id: string;
  /** Rises with time; not every number has an entry. */
  readonly seq: number;
  readonly at: string;
  readonly actor: {
    readonly kind: Open<"person" | "token" | "agent" | "operator" | "link" | "worker">;
    /** `Person:<uuid>`, `Token:<uuid>`, `Agent:<uuid>`, or a word for the operator. */
    readonly id: string;
    /** Of a person as it was then. */
    readonly name?: string;
  };
  /** The command, or the operation that was read. */
  readonly act: string;
  readonly target?: {
    readonly kind: string;
    readonly id: string;
    readonly label?: string;
  };
  readonly reason?: string;
  readonly changes: readonly {
    readonly field: string;
    /** Null for a new object; `(changed)` where the value is not told. */
    readonly before: unknown;
    /** `(changed)` where the value is not told. */
    readonly after: unknown;
  }[];
  readonly source?: {
    readonly address: string;
    readonly userAgent: string;
    readonly sessionId?: string;
  };
  /** The approval that was asked for or decided. */
  readonly approvalId?: string;
  /** The `X-Request-Id` of the answer. */
  readonly requestId?: string;
  /** The command in the log. */
  readonly commandSeq: number;
  /** Of the command, in hexadecimal; it covers this entry. */
  readonly hash: string;
}

export interface AuthMethod {
  /** `AuthMethod:<uuid>` */
  readonly id: string;
  /** The embedded wallet that it opens. */
  readonly accountId: string;
  readonly type: Open<"OAUTH" | "EMAIL_OTP" | "PASSKEY">;
  /** EMAIL_OTP: the address. OAUTH: the token's email. PASSKEY: as given. */
  readonly nickname: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface AuthSession {
  /** `Session:<uuid>` */
  readonly id: string;
  readonly accountId: string;
  readonly type: Open<"OAUTH" | "EMAIL_OTP" | "PASSKEY">;
  /** Of the credential that issued it. */
  readonly nickname: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly expiresAt: string;
  /** The session's private key, sealed to the client; only in the answer that issues it. A stub in a sandbox. */
  readonly encryptedSessionSigningKey?: string;
}

export interface BalanceAlert {
  readonly id: string;
  readonly internalAccountId: string;
  /** `BELOW`: told when the available balance falls below `amount`; `ABOVE`: when it rises above it. */
  readonly direction: Open<"BELOW" | "ABOVE">;
  readonly amount: CurrencyAmount;
  /** The balance is beyond `amount`. It is told again only after it was back. */
  readonly isBeyond: boolean;
  readonly createdAt: string;
}

export interface BalanceAt {
  readonly internalAccountId: string;
  /** What could be spent, without holds and payments under way. */
  readonly available: {
    /** Whole number of the currency's smallest unit. */
    readonly amount: number;
    readonly currency: Currency;
  };
  /**
   * With holds and payments under way. Absent for a time before the account's last change: what was held then is
   * not stored.
   */
  readonly total?: {
    /** Whole number of the currency's smallest unit. */
    readonly amount: number;
    readonly currency: Currency;
  };
  readonly asOf: string;
  /** The number of the account's last entry at that time; 0 before the first one. */
  readonly sequence: number;
}

/** Currency: USDC. */
export interface BaseWallet {
  readonly accountType: "BASE_WALLET";
  readonly address: string;
  readonly vaspName?: string;
  readonly platformAccountId?: string;
  readonly beneficiary?: WalletBeneficiary;
}

/** Currency: BDT. Held in BD. Named by `accountNumber`, or by `phoneNumber`. */
export type BdtAccount = NewBdtAccount & {
  /** The rails that reach this account; in answers alone. */
  readonly paymentRails?: readonly Open<"BANK_TRANSFER" | "MOBILE_MONEY">[];
};

export interface BeneficialOwner {
  /** `BeneficialOwner:<uuid>` */
  readonly id: string;
  readonly customerId: string;
  readonly roles: readonly Open<
    "UBO" | "DIRECTOR" | "COMPANY_OFFICER" | "CONTROL_PERSON" | "TRUSTEE" | "GENERAL_PARTNER"
  >[];
  readonly ownershipPercentage: number;
  readonly personalInfo: OwnerPersonalInfo;
  readonly kycStatus: Open<"UNVERIFIED" | "PENDING" | "APPROVED" | "REJECTED">;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export type Beneficiary =
  | IndividualBeneficiary
  | BusinessBeneficiary
  | { readonly beneficiaryType: Unlisted };

export interface BeneficiaryAddress {
  readonly line1: string;
  readonly line2?: string;
  readonly city?: string;
  readonly state?: string;
  readonly postalCode: string;
  readonly country: string;
}

/** How the hosted pages of the platform look. */
export interface Branding {
  /** The name that the pages show. */
  readonly name: string;
  /** Of buttons and links. Where its contrast is too low, the pages use a darker or lighter shade. */
  readonly color?: string;
  /** A document of the platform of the type `PLATFORM_LOGO`. */
  readonly logoDocument?: string;
}

/** Currency: BRL. Held in BR. */
export interface BrlAccount extends NewBrlAccount {
  /** The rails that reach this account; in answers alone. */
  readonly paymentRails?: readonly Open<"PIX">[];
}

export interface BulkJob {
  /** `Job:<uuid>` */
  readonly id: string;
  readonly status: Open<"PENDING" | "PROCESSING" | "COMPLETED" | "FAILED">;
  readonly progress: {
    /** Rows of the file; 0 until it was looked through. */
    readonly total: number;
    /** Rows that were taken or refused. */
    readonly processed: number;
    /** Customers made. */
    readonly successful: number;
    /** Rows refused. */
    readonly failed: number;
  };
  /** The first 1,000 refused rows, in the file's order. */
  readonly errors: readonly {
    /** The row's number in the file, from 1; 0 is the header. Empty lines are not counted. Absent in events. */
    readonly row?: number;
    /** The row's `platformCustomerId`, or its number, such as `row_1`. */
    readonly correlationId: string;
    readonly code: RefusalCode;
    readonly message: string;
    readonly details?: Readonly<Record<string, unknown>>;
  }[];
  readonly completedAt?: string;
}

export interface BusinessBeneficiary {
  readonly beneficiaryType: "BUSINESS";
  readonly legalName: string;
  readonly registrationNumber?: string;
  readonly taxId?: string;
  readonly email?: string;
  /** Spaces and hyphens are taken, and stored without. */
  readonly phoneNumber?: string;
  readonly countryOfResidence?: string;
  readonly address?: BeneficiaryAddress;
}

export interface BusinessInfo {
  readonly legalName: string;
  readonly country?: string;
  readonly taxId?: string;
  readonly incorporatedOn?: string;
  readonly registrationNumber?: string;
  readonly doingBusinessAs?: string;
  readonly entityType?: Open<
    | "SOLE_PROPRIETORSHIP"
    | "PARTNERSHIP"
    | "LLC"
    | "CORPORATION"
    | "S_CORPORATION"
    | "NON_PROFIT"
    | "PUBLICLY_LISTED_COMPANY"
    | "TRUST"
    | "PRIVATE_FOUNDATION"
    | "CHARITY"
    | "OTHER"
  >;
  readonly businessType?: Open<
    | "AGRICULTURE_FORESTRY_FISHING_AND_HUNTING"
    | "MINING_QUARRYING_AND_OIL_AND_GAS_EXTRACTION"
    | "UTILITIES"
    | "CONSTRUCTION"
    | "MANUFACTURING"
    | "WHOLESALE_TRADE"
    | "RETAIL_TRADE"
    | "TRANSPORTATION_AND_WAREHOUSING"
    | "INFORMATION"
    | "FINANCE_AND_INSURANCE"
    | "REAL_ESTATE_AND_RENTAL_AND_LEASING"
    | "PROFESSIONAL_SCIENTIFIC_AND_TECHNICAL_SERVICES"
    | "MANAGEMENT_OF_COMPANIES_AND_ENTERPRISES"
    | "ADMINISTRATIVE_AND_SUPPORT_AND_WASTE_MANAGEMENT_AND_REMEDIATION_SERVICES"
    | "EDUCATIONAL_SERVICES"
    | "HEALTH_CARE_AND_SOCIAL_ASSISTANCE"
    | "ARTS_ENTERTAINMENT_AND_RECREATION"
    | "ACCOMMODATION_AND_FOOD_SERVICES"
    | "OTHER_SERVICES"
    | "PUBLIC_ADMINISTRATION"
  >;
  readonly countriesOfOperation?: readonly string[];
  readonly purposeOfAccount?: Open<
    | "CONTRACTOR_PAYOUTS"
    | "CREATOR_PAYOUTS"
    | "EMPLOYEE_PAYOUTS"
    | "MARKETPLACE_SELLER_PAYOUTS"
    | "SUPPLIER_PAYMENTS"
    | "CROSS_BORDER_B2B"
    | "AR_AUTOMATION"
    | "AP_AUTOMATION"
    | "EMBEDDED_PAYMENTS"
    | "PLATFORM_FEE_COLLECTION"
    | "P2P_TRANSFERS"
    | "CHARITABLE_DONATIONS"
    | "OTHER"
  >;
  readonly purposeOfAccountOtherDescription?: string;
  readonly sourceOfFunds?: string;
  readonly sourceOfFundsCategories?: readonly Open<
    | "OPERATING_REVENUE"
    | "INVESTMENT_INCOME"
    | "LOANS"
    | "VENTURE_CAPITAL"
    | "PERSONAL_SAVINGS"
    | "DONATIONS"
    | "OTHER"
  >[];
  readonly sourceOfFundsOtherDescription?: string;
  readonly expectedMonthlyTransactionCount?: Open<
    | "COUNT_UNDER_10"
    | "COUNT_10_TO_100"
    | "COUNT_100_TO_500"
    | "COUNT_500_TO_1000"
    | "COUNT_OVER_1000"
  >;
  readonly expectedMonthlyTransactionVolume?: Open<
    | "VOLUME_UNDER_10K"
    | "VOLUME_10K_TO_100K"
    | "VOLUME_100K_TO_1M"
    | "VOLUME_1M_TO_10M"
    | "VOLUME_OVER_10M"
  >;
  readonly expectedRecipientJurisdictions?: readonly string[];
  readonly expectedCounterpartyCountries?: readonly string[];
  readonly naicsCode?: string;
  readonly primaryContactFirstName?: string;
  readonly primaryContactLastName?: string;
}

export interface BusinessInfoChanges {
  readonly legalName?: string;
  readonly country?: string;
  readonly taxId?: string;
  readonly incorporatedOn?: string;
  readonly registrationNumber?: string;
  readonly doingBusinessAs?: string;
  readonly entityType?: Open<
    | "SOLE_PROPRIETORSHIP"
    | "PARTNERSHIP"
    | "LLC"
    | "CORPORATION"
    | "S_CORPORATION"
    | "NON_PROFIT"
    | "PUBLICLY_LISTED_COMPANY"
    | "TRUST"
    | "PRIVATE_FOUNDATION"
    | "CHARITY"
    | "OTHER"
  >;
  readonly businessType?: Open<
    | "AGRICULTURE_FORESTRY_FISHING_AND_HUNTING"
    | "MINING_QUARRYING_AND_OIL_AND_GAS_EXTRACTION"
    | "UTILITIES"
    | "CONSTRUCTION"
    | "MANUFACTURING"
    | "WHOLESALE_TRADE"
    | "RETAIL_TRADE"
    | "TRANSPORTATION_AND_WAREHOUSING"
    | "INFORMATION"
    | "FINANCE_AND_INSURANCE"
    | "REAL_ESTATE_AND_RENTAL_AND_LEASING"
    | "PROFESSIONAL_SCIENTIFIC_AND_TECHNICAL_SERVICES"
    | "MANAGEMENT_OF_COMPANIES_AND_ENTERPRISES"
    | "ADMINISTRATIVE_AND_SUPPORT_AND_WASTE_MANAGEMENT_AND_REMEDIATION_SERVICES"
    | "EDUCATIONAL_SERVICES"
    | "HEALTH_CARE_AND_SOCIAL_ASSISTANCE"
    | "ARTS_ENTERTAINMENT_AND_RECREATION"
    | "ACCOMMODATION_AND_FOOD_SERVICES"
    | "OTHER_SERVICES"
    | "PUBLIC_ADMINISTRATION"
  >;
  readonly countriesOfOperation?: readonly string[];
  readonly purposeOfAccount?: Open<
    | "CONTRACTOR_PAYOUTS"
    | "CREATOR_PAYOUTS"
    | "EMPLOYEE_PAYOUTS"
    | "MARKETPLACE_SELLER_PAYOUTS"
    | "SUPPLIER_PAYMENTS"
    | "CROSS_BORDER_B2B"
    | "AR_AUTOMATION"
    | "AP_AUTOMATION"
    | "EMBEDDED_PAYMENTS"
    | "PLATFORM_FEE_COLLECTION"
    | "P2P_TRANSFERS"
    | "CHARITABLE_DONATIONS"
    | "OTHER"
  >;
  readonly purposeOfAccountOtherDescription?: string;
  readonly sourceOfFunds?: string;
  readonly sourceOfFundsCategories?: readonly Open<
    | "OPERATING_REVENUE"
    | "INVESTMENT_INCOME"
    | "LOANS"
    | "VENTURE_CAPITAL"
    | "PERSONAL_SAVINGS"
    | "DONATIONS"
    | "OTHER"
  >[];
  readonly sourceOfFundsOtherDescription?: string;
  readonly expectedMonthlyTransactionCount?: Open<
    | "COUNT_UNDER_10"
    | "COUNT_10_TO_100"
    | "COUNT_100_TO_500"
    | "COUNT_500_TO_1000"
    | "COUNT_OVER_1000"
  >;
  readonly expectedMonthlyTransactionVolume?: Open<
    | "VOLUME_UNDER_10K"
    | "VOLUME_10K_TO_100K"
    | "VOLUME_100K_TO_1M"
    | "VOLUME_1M_TO_10M"
    | "VOLUME_OVER_10M"
  >;
  readonly expectedRecipientJurisdictions?: readonly string[];
  readonly expectedCounterpartyCountries?: readonly string[];
  readonly naicsCode?: string;
  readonly primaryContactFirstName?: string;
  readonly primaryContactLastName?: string;
}

/** Currency: BWP. Held in BW. */
export interface BwpAccount extends NewBwpAccount {
  /** The rails that reach this account; in answers alone. */
  readonly paymentRails?: readonly Open<"MOBILE_MONEY">[];
}

/** Currency: CAD. Held in CA. */
export interface CadAccount extends NewCadAccount {
  /** The rails that reach this account; in answers alone. */
  readonly paymentRails?: readonly Open<"BANK_TRANSFER">[];
}

export interface CaptureHoldBody {
  /** All that is left, when absent. */
  readonly amount?: number;
  readonly destination: {
    /** An internal or an external account. */
    readonly accountId: string;
    /** Of an external account: one of its rails. */
    readonly paymentRail?: PaymentRail;
  };
  /** Whether the rest is released; `false` keeps it held. */
  readonly final?: boolean;
  readonly description?: string;
  readonly metadata?: Metadata;
  /** To an external account. */
  readonly remittanceInformation?: string;
}

export interface Chain {
  readonly from: number;
  /** The last link; below `from` when there is none. */
  readonly to: number;
  /** The last command of the log. */
  readonly headSeq: number;
  /** The hash of the command before `from`; 64 zeros when that is the first. */
  readonly previousHash: string;
  /** Each `hash` is the SHA-256 of the hash before, a line end, and `row`. */
  readonly links: readonly {
    readonly seq: number;
    readonly row: string;
    readonly hash: string;
  }[];
}

export interface ChallengeCredentialBody {
  /** P-256, uncompressed, hexadecimal. Make a fresh pair for each session and export. */
  readonly clientPublicKey?: string;
}

export interface ChallengedAuthMethod {
  /** `AuthMethod:<uuid>` */
  readonly id: string;
  /** The embedded wallet that it opens. */
  readonly accountId: string;
  readonly type: Open<"OAUTH" | "EMAIL_OTP" | "PASSKEY">;
  /** EMAIL_OTP: the address. OAUTH: the token's email. PASSKEY: as given. */
  readonly nickname: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** PASSKEY: the id of the WebAuthn credential (base64url), for `allowCredentials`. */
  readonly credentialId?: string;
  /** PASSKEY: the WebAuthn challenge, as UTF-8 text. */
  readonly challenge?: string;
  /** PASSKEY: to be sent in `Request-Id` with the assertion. */
  readonly requestId?: string;
  readonly expiresAt?: string;
}

export interface Checkpoint {
  /** `Checkpoint:<uuid>` */
  readonly id: string;
  /** The command whose hash it holds. */
  readonly seq: number;
  readonly chainHash: string;
  /** When that command was committed. */
  readonly at: string;
  /**
   * What is signed: the five lines `florin checkpoint v1`, the id of the platform, `seq`, `chainHash` and `at`,
   * each with a line end.
   */
  readonly text: string;
  /** Like `X-Service-Signature` of a delivery, over the bytes of `text`: `{"v":"1","s":"<base64>"}`. */
  readonly signature: string;
  /** As in `GET /webhooks/public-key`. */
  readonly keyId: string;
  /**
   * SPKI PEM of the key. Compare it with one that was kept elsewhere, because a person who can change the database
   * can change this one, too.
   */
  readonly publicKey: string;
  readonly createdAt: string;
}

export interface ClaimInvitationBody {
  /** Where the one who claims takes money. */
  readonly inviteeUma: string;
}

/** Currency: CNY. Held in CN. Named by `accountNumber`, or by `phoneNumber`. */
export type CnyAccount = NewCnyAccount & {
  /** The rails that reach this account; in answers alone. */
  readonly paymentRails?: readonly Open<"BANK_TRANSFER" | "MOBILE_MONEY">[];
};

export interface CommandProof {
  readonly seq: number;
  readonly previousHash: string;
  /** `hash` is the SHA-256 of `previousHash`, a line end, and this text. Its last line is `effectsDigest`. */
  readonly row: string;
  readonly hash: string;
  readonly effectsDigest: string;
  /**
   * The rows that the command has written. `effectsDigest` is the SHA-256 of their texts, one behind the other.
   * Absent for a person who may not see personal data: the digest stands in their place.
   */
  readonly effects?: readonly {
    readonly table: Open<"ledger_entries" | "events" | "audit_entries">;
    /** Which one: a line, a sequence, or the id. */
    readonly row: string;
    readonly text: string;
  }[];
}

/** Currency: COP. Held in CO. Named by `accountNumber` with `bankAccountType`, or by `phoneNumber`. */
export type CopAccount = NewCopAccount & {
  /** The rails that reach this account; in answers alone. */
  readonly paymentRails?: readonly Open<"BANK_TRANSFER" | "MOBILE_MONEY">[];
};

export interface CreateAdjustmentBody {
  /** `InternalAccount:<uuid>` */
  readonly accountId: string;
  /** As the account sees it. */
  readonly direction: Open<"CREDIT" | "DEBIT">;
  /** Whole number of the currency's smallest unit. */
  readonly amount: number;
  /** That of the account. */
  readonly currency: CurrencyCode;
  readonly reasonCode: Open<
    "ERROR_CORRECTION" | "GOODWILL" | "FEE_REVERSAL" | "CHARGE" | "WRITE_OFF" | "OTHER"
  >;
  readonly note: string;
  /** `Document:<uuid>`: a document that gives the reason. */
  readonly documentId?: string;
}

export interface CreateAgentBody {
  readonly name: string;
  readonly customerId: string;
  readonly policy: AgentPolicy;
}

export interface CreateBalanceAlertBody {
  readonly direction: Open<"BELOW" | "ABOVE">;
  /** Whole number of the currency's smallest unit. */
  readonly amount: number;
}

export interface CreateBeneficialOwnerBody {
  /** A business. */
  readonly customerId: string;
  readonly roles: readonly Open<
    "UBO" | "DIRECTOR" | "COMPANY_OFFICER" | "CONTROL_PERSON" | "TRUSTEE" | "GENERAL_PARTNER"
  >[];
  readonly ownershipPercentage: number;
  readonly personalInfo: OwnerPersonalInfo;
}

export type CreateCredentialBody =
  | {
      readonly type: "EMAIL_OTP";
      /** An embedded wallet. */
      readonly accountId: string;
      /** Where codes go; the customer's address when absent. */
      readonly email?: string;
    }
  | {
      readonly type: "OAUTH";
      /** An embedded wallet. */
      readonly accountId: string;
      readonly oidcToken: string;
    }
  | {
      readonly type: "PASSKEY";
      /** An embedded wallet. */
      readonly accountId: string;
      /** Letters and digits of any script, spaces, and . _ - ' ( ): 1 to 100 of them, without the spaces around them. */
      readonly nickname: string;
      readonly challenge: string;
      readonly attestation: {
        readonly credentialId: string;
        readonly clientDataJson: string;
        readonly attestationObject: string;
        readonly transports?: readonly Open<"usb" | "nfc" | "ble" | "internal" | "hybrid">[];
      };
    }
  | { readonly type: Unlisted };

export type CreateCustomerBody =
  | {
      readonly customerType: "INDIVIDUAL";
      readonly platformCustomerId?: string;
      readonly region?: string;
      readonly umaAddress?: string;
      readonly currencies?: readonly CurrencyCode[];
      readonly email?: string;
      /** With its country code. Spaces and hyphens are taken, and stored without. */
      readonly phoneNumber?: string;
      readonly address?: Address;
      readonly metadata?: Metadata;
      readonly fullName?: string;
      readonly birthDate?: string;
      readonly nationality?: string;
      readonly identifier?: string;
      readonly idType?: Open<"SSN" | "ITIN">;
      readonly countryOfIssuance?: Open<"US">;
      readonly sourceOfFundsCategories?: readonly Open<
        | "SALARY"
        | "SELF_EMPLOYMENT_INCOME"
        | "INVESTMENT_INCOME"
        | "PENSION"
        | "RENTAL_INCOME"
        | "GIFT"
        | "INHERITANCE"
        | "LOAN"
        | "SAVINGS"
        | "SALE_OF_ASSETS"
        | "OTHER"
      >[];
      /** Required when `sourceOfFundsCategories` is OTHER. */
      readonly sourceOfFundsOtherDescription?: string;
      readonly sourceOfWealthCategories?: readonly Open<
        | "SALARY"
        | "BUSINESS_INCOME"
        | "INVESTMENTS"
        | "INHERITANCE"
        | "PROPERTY_SALE"
        | "GIFT"
        | "RETIREMENT"
        | "SAVINGS"
        | "OTHER"
      >[];
      /** Required when `sourceOfWealthCategories` is OTHER. */
      readonly sourceOfWealthOtherDescription?: string;
      readonly purposeOfAccount?: Open<
        | "CONTRACTOR_PAYOUTS"
        | "CREATOR_PAYOUTS"
        | "EMPLOYEE_PAYOUTS"
        | "MARKETPLACE_SELLER_PAYOUTS"
        | "SUPPLIER_PAYMENTS"
        | "CROSS_BORDER_B2B"
        | "AR_AUTOMATION"
        | "AP_AUTOMATION"
        | "EMBEDDED_PAYMENTS"
        | "PLATFORM_FEE_COLLECTION"
        | "P2P_TRANSFERS"
        | "CHARITABLE_DONATIONS"
        | "OTHER"
      >;
      /** Required when `purposeOfAccount` is OTHER. */
      readonly purposeOfAccountOtherDescription?: string;
      readonly expectedMonthlyTransactionCount?: Open<
        | "COUNT_UNDER_10"
        | "COUNT_10_TO_100"
        | "COUNT_100_TO_500"
        | "COUNT_500_TO_1000"
        | "COUNT_OVER_1000"
      >;
      readonly expectedMonthlyTransactionVolume?: Open<
        | "VOLUME_UNDER_10K"
        | "VOLUME_10K_TO_100K"
        | "VOLUME_100K_TO_1M"
        | "VOLUME_1M_TO_10M"
        | "VOLUME_OVER_10M"
      >;
      readonly annualIncomeRange?: Open<
        "UNDER_50K" | "RANGE_50K_100K" | "RANGE_100K_250K" | "RANGE_250K_1M" | "OVER_1M"
      >;
      readonly netWorthRange?: Open<
        | "UNDER_100K"
        | "RANGE_100K_500K"
        | "RANGE_500K_1M"
        | "RANGE_1M_5M"
        | "RANGE_5M_25M"
        | "OVER_25M"
      >;
      readonly pepStatus?: Open<"NONE" | "DOMESTIC" | "FOREIGN" | "HIO" | "FAMILY_OR_ASSOCIATE">;
    }
  | {
      readonly customerType: "BUSINESS";
      readonly platformCustomerId?: string;
      readonly region?: string;
      readonly umaAddress?: string;
      readonly currencies?: readonly CurrencyCode[];
      readonly email?: string;
      /** With its country code. Spaces and hyphens are taken, and stored without. */
      readonly phoneNumber?: string;
      readonly address?: Address;
      readonly metadata?: Metadata;
      readonly businessInfo: NewBusinessInfo;
    }
  | { readonly customerType: Unlisted };

export interface CreateCustomerExternalAccountBody {
  readonly currency: CurrencyCode;
  readonly accountInfo: NewAccountInfo;
  readonly platformAccountId?: string;
  readonly metadata?: Metadata;
  /** Absent for an account of the platform itself. */
  readonly customerId?: string;
  /**
   * Incoming UMA payments in its currency go on to this account, which takes the place of the one before. In the
   * console it needs `payments.create`, and waits where payments of people do.
   */
  readonly defaultUmaDepositAccount?: boolean;
}

export type CreateExportBody =
  | {
      readonly kind: "LEDGER";
      readonly filter?: {
        /** With a leg on this account. */
        readonly accountId?: string;
        /** Why money was moved. */
        readonly reason?: string;
        /** Of commands that told of this transaction. */
        readonly transactionId?: string;
        /** Of this time or later. */
        readonly since?: string;
        /** Of this time or earlier. */
        readonly until?: string;
      };
      readonly format: Open<"CSV" | "JSONL">;
      /**
       * `PEOPLE`: CSV with names of parties, decimal amounts, states in words, and times of `timeZone`. `PROGRAMS`
       * when absent.
       */
      readonly audience?: Open<"PROGRAMS" | "PEOPLE">;
      /** For people: the IANA name of the zone. That of statements when absent. */
      readonly timeZone?: string;
    }
  | {
      readonly kind: "TRANSACTIONS";
      readonly filter?: {
        /** A customer, or the platform's own id for its own transactions. */
        readonly customerId?: string;
        readonly platformCustomerId?: string;
        /** Payments that failed or came back for this reason: `failure.code`. */
        readonly failureCode?: Open<
          | "INSUFFICIENT_FUNDS"
          | "ACCOUNT_CLOSED"
          | "ACCOUNT_INVALID"
          | "REJECTED_BY_BANK"
          | "TIMED_OUT"
          | "RETURNED_BY_BANK"
          | "CANCELLED"
          | "DELIVERY_FAILED"
          | "REFUND_FAILED"
          | "COMPLIANCE"
          | "FUNDING_MISMATCH"
          | "QUOTE_FAILED"
          | "RECEIVER_REFUSED"
          | "UNKNOWN"
        >;
        /** An account id or UMA address: either side. */
        readonly accountIdentifier?: string;
        /** An account id or UMA address: the sender. */
        readonly senderAccountIdentifier?: string;
        /** An account id or UMA address: the receiver. */
        readonly receiverAccountIdentifier?: string;
        readonly status?: Open<
          | "CREATED"
          | "PENDING"
          | "PROCESSING"
          | "COMPLETED"
          | "REJECTED"
          | "FAILED"
          | "REFUNDED"
          | "EXPIRED"
        >;
        readonly type?: Open<"INCOMING" | "OUTGOING">;
        /**
         * Exactly this reference: of the `reconciliationInstructions`, the beneficiary's `reference`, or the
         * `bankReference` of an entry. The second one is found about a second after the payment was made.
         */
        readonly reference?: string;
        /** The transactions of a transfer of several legs. */
        readonly groupId?: string;
        /** Created at this time or later. */
        readonly startDate?: string;
        /** Created at this time or earlier. */
        readonly endDate?: string;
        /**
         * What `GET /search` finds by this text, 200 objects at most. The search index follows about a second behind.
         * The transactions of the first five customers and external accounts that it names as well.
         */
        readonly q?: string;
        /**
         * The name, the last four characters or the UMA address of the other side: transactions with one of the first
         * five external accounts that have it.
         */
        readonly counterparty?: string;
        /** Beginnings of words of the description. */
        readonly description?: string;
        /** Currency code, in capitals. */
        readonly currency?: CurrencyCode;
        /** At least this amount was sent or received, in the smallest unit of its currency. */
        readonly minAmount?: number;
        /** At most this amount was sent or received, in the smallest unit of its currency. */
        readonly maxAmount?: number;
        readonly paymentRail?: string;
        /** Ordered or booked at this connection. */
        readonly connectionId?: string;
        /** Given back, whole or in part, or about to be. */
        readonly hasRefund?: boolean;
      };
      readonly format: Open<"CSV" | "JSONL">;
      /**
       * `PEOPLE`: CSV with names of parties, decimal amounts, states in words, and times of `timeZone`. `PROGRAMS`
       * when absent.
       */
      readonly audience?: Open<"PROGRAMS" | "PEOPLE">;
      /** For people: the IANA name of the zone. That of statements when absent. */
      readonly timeZone?: string;
    }
  | {
      readonly kind: "CUSTOMERS";
      readonly filter?: {
        readonly platformCustomerId?: string;
        readonly customerType?: Open<"INDIVIDUAL" | "BUSINESS">;
        readonly region?: string;
        /** Currency code, in capitals. */
        readonly currency?: CurrencyCode;
        readonly umaAddress?: string;
        readonly isIncludingDeleted?: boolean;
        /** What `GET /search` finds by this text, 200 objects at most. The search index follows about a second behind. */
        readonly q?: string;
        /** Beginnings of words of the name. */
        readonly name?: string;
        /** The `kycStatus` or `kybStatus`. */
        readonly verificationStatus?: Open<"UNVERIFIED" | "PENDING" | "APPROVED" | "REJECTED">;
        readonly isFrozen?: boolean;
        /** Whether an internal account of the customer holds money. */
        readonly hasBalance?: boolean;
        /** Created at this time or later. */
        readonly createdAfter?: string;
        /** Created at this time or earlier. */
        readonly createdBefore?: string;
        /** Updated at this time or later. */
        readonly updatedAfter?: string;
        /** Updated at this time or earlier. */
        readonly updatedBefore?: string;
      };
      readonly format: Open<"CSV" | "JSONL">;
      /**
       * `PEOPLE`: CSV with names of parties, decimal amounts, states in words, and times of `timeZone`. `PROGRAMS`
       * when absent.
       */
      readonly audience?: Open<"PROGRAMS" | "PEOPLE">;
      /** For people: the IANA name of the zone. That of statements when absent. */
      readonly timeZone?: string;
    }
  | {
      readonly kind: "EVENTS";
      readonly filter?: {
        readonly type?: readonly string[];
        /** The object that the event is about. */
        readonly resourceId?: string;
        /** Events with a higher `sequence`. */
        readonly after?: number;
        /** Events with a lower `sequence`. */
        readonly before?: number;
        /** Events of this time or later. */
        readonly since?: string;
        /** Events of this time or earlier. */
        readonly until?: string;
      };
      readonly format: Open<"CSV" | "JSONL">;
    }
  | {
      readonly kind: "DELIVERIES";
      readonly filter?: {
        /** Deliveries to this endpoint. */
        readonly endpointId?: string;
        /** Deliveries of this event. */
        readonly eventId?: string;
        readonly eventType?: readonly string[];
        /** The object that the event is about. */
        readonly resourceId?: string;
        /** `NOT_ARRIVED`: those that failed, and those that wait after a failure. */
        readonly state?: Open<"DELIVERED" | "WAITING" | "BEHIND" | "FAILED" | "NOT_ARRIVED">;
        /**
         * Of the last answer; `none` where there was none. What was delivered is `2xx`, and what was not attempted is in
         * no class.
         */
        readonly statusClass?: Open<"2xx" | "3xx" | "4xx" | "5xx" | "none">;
        /** Deliveries about the first object that `GET /search` finds by this text. */
        readonly q?: string;
        /** Of events of this time or later. */
        readonly since?: string;
        /** Of events of this time or earlier. */
        readonly until?: string;
      };
      readonly format: Open<"CSV" | "JSONL">;
    }
  | {
      readonly kind: "REQUESTS";
      readonly filter?: {
        readonly method?: Open<"GET" | "HEAD" | "POST" | "PATCH" | "PUT" | "DELETE">;
        /** Exactly this path, below the version. */
        readonly path?: string;
        /** The operation's `operationId`. */
        readonly operationId?: string;
        readonly status?: number;
        readonly statusClass?: Open<"2xx" | "4xx" | "5xx">;
        readonly errorCode?: Open<
          | "INVALID_INPUT"
          | "INVALID_REQUEST_FORMAT"
          | "INVALID_AMOUNT"
          | "AMOUNT_OUT_OF_RANGE"
          | "INVALID_CURRENCY"
          | "INVALID_TIMESTAMP"
          | "INVALID_NONCE"
          | "INVALID_UMA_ADDRESS"
          | "INVALID_BANK_ACCOUNT"
          | "INVITATION_ALREADY_CLAIMED"
          | "INVITATION_CANCELLED"
          | "INVITATION_EXPIRED"
          | "INVITATIONS_NOT_CONFIGURED"
          | "VERIFICATION_LINKS_NOT_CONFIGURED"
          | "INSUFFICIENT_BALANCE"
          | "MISSING_MANDATORY_USER_INFO"
          | "INVALID_RECEIVER"
          | "SELF_PAYMENT"
          | "LOOKUP_REQUEST_FAILED"
          | "PARSE_LNURLP_RESPONSE_ERROR"
          | "MISSING_REQUIRED_UMA_PARAMETERS"
          | "SENDER_NOT_ACCEPTED"
          | "QUOTE_REQUEST_FAILED"
          | "PARSE_PAYREQ_RESPONSE_ERROR"
          | "INVALID_PAYREQ_RESPONSE"
          | "INVALID_PUBKEY_FORMAT"
          | "CERT_CHAIN_INVALID"
          | "CERT_CHAIN_EXPIRED"
          | "EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS"
          | "PASSKEY_CREDENTIAL_ALREADY_EXISTS"
          | "LAST_CREDENTIAL"
          | "WEBHOOK_ENDPOINT_NOT_SET"
          | "WEBHOOK_DELIVERY_ERROR"
          | "UNAUTHORIZED"
          | "FORBIDDEN"
          | "USER_NOT_READY"
          | "COUNTERPARTY_NOT_ALLOWED"
          | "VELOCITY_LIMIT_EXCEEDED"
          | "APPROVAL_NOT_YOURS"
          | "UMA_NOT_FOUND"
          | "NOT_FOUND"
          | "REFERENCE_NOT_FOUND"
          | "USER_NOT_FOUND"
          | "TOKEN_NOT_FOUND"
          | "INVITATION_NOT_FOUND"
          | "TRANSACTION_NOT_FOUND"
          | "BULK_UPLOAD_JOB_NOT_FOUND"
          | "QUOTE_NOT_FOUND"
          | "LEDGER_ACCOUNT_NOT_FOUND"
          | "POSTING_NOT_FOUND"
          | "STATEMENT_NOT_FOUND"
          | "EXPORT_NOT_FOUND"
          | "WEBHOOK_ENDPOINT_NOT_FOUND"
          | "EVENT_NOT_FOUND"
          | "APPROVAL_NOT_FOUND"
          | "REQUEST_LOG_NOT_FOUND"
          | "LOOKUP_REQUEST_NOT_FOUND"
          | "METHOD_NOT_ALLOWED"
          | "CONFLICT"
          | "ACCOUNT_FROZEN"
          | "CUSTOMER_FROZEN"
          | "DUPLICATE_ENTRY"
          | "RAIL_PAUSED"
          | "RATE_STALE"
          | "FX_LIMIT"
          | "RATE_MOVED"
          | "QUOTE_EXPIRED"
          | "UMA_ADDRESS_EXISTS"
          | "TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL"
          | "CUSTOMER_DELETED"
          | "UNSUPPORTED_UMA_VERSION"
          | "PAYLOAD_TOO_LARGE"
          | "UNSUPPORTED_MEDIA_TYPE"
          | "IDEMPOTENCY_KEY_REUSED"
          | "LNURLP_REQUEST_FAILED"
          | "PAYREQ_REQUEST_FAILED"
          | "COUNTERPARTY_PUBKEY_FETCH_ERROR"
          | "NO_COMPATIBLE_UMA_VERSION"
          | "RATE_LIMITED"
          | "INTERNAL_ERROR"
          | "NOT_IMPLEMENTED"
          | "UNRECOGNIZED_MANDATORY_PAYEE_DATA_KEY"
          | "SERVICE_UNAVAILABLE"
        >;
        /** The `X-Request-Id` of the answer. */
        readonly requestId?: string;
        /** The token that called. */
        readonly tokenId?: string;
        /** The agent that called. */
        readonly agentId?: string;
        /**
         * Calls of programs (`API`) or of people (`CONSOLE`). Without it, and without `requestId`, the reads of people
         * are left out.
         */
        readonly source?: Open<"API" | "CONSOLE">;
        /** The last id of the path. */
        readonly resourceId?: string;
        readonly replayed?: boolean;
        readonly minLatencyMs?: number;
        /** Calls of this time or later. */
        readonly since?: string;
        /** Calls of this time or earlier. */
        readonly until?: string;
      };
      readonly format: Open<"CSV" | "JSONL">;
    }
  | { readonly kind: Unlisted };

export interface CreateHoldBody {
  /** Whole number of the currency's smallest unit. */
  readonly amount: number;
  /** In the future, at most 366 days away. */
  readonly expiresAt?: string;
  readonly description?: string;
  readonly metadata?: Metadata;
}

export interface CreateInternalAccountBody {
  readonly name: string;
  readonly currency: CurrencyCode;
  /** Absent for an account of the platform itself. */
  readonly customerId?: string;
  readonly metadata?: Metadata;
}

export interface CreateInvitationBody {
  /** Of one of your customers. */
  readonly inviterUma: string;
  /** The inviter's, shown on the page of the link. */
  readonly firstName?: string;
  /**
   * Whether the page names the inviter in full, with the present name of the customer. Ask the inviter first.
   * Without it the page shows `firstName`, or no name.
   */
  readonly showInviterName?: boolean;
  /** Whole number of the smallest unit of the inviter's first currency. */
  readonly amountToSend?: number;
  /** In the future. Never when absent. */
  readonly expiresAt?: string;
}

export interface CreateKycLinkBody {
  /** `https`; in a sandbox also `http` on loopback. */
  readonly redirectUri?: string;
}

export interface CreatePaymentBatchBody {
  readonly name?: string;
  /**
   * `INDEPENDENT`: the items run after the answer, and a refused item stops no other. `ALL_OR_NOTHING`: at most
   * 500 items, all of which are made payments before the answer, or none.
   */
  readonly mode: Open<"INDEPENDENT" | "ALL_OR_NOTHING">;
  /**
   * Refuses the batch with `INSUFFICIENT_BALANCE` when a source account has less available than its items need;
   * `details.shortfalls` names each such account.
   */
  readonly requireFunds?: boolean;
  /**
   * In the future, at most 366 days away. The batch is stored and its form checked at once, and its items run from
   * that time on by the platform's clock; `requireFunds` and each item of an `ALL_OR_NOTHING` batch are judged
   * then. It runs later where no server was up at that time, or an approval came later.
   */
  readonly scheduledFor?: string;
  readonly metadata?: Metadata;
  readonly items: readonly NewPaymentBatchItem[];
}

export interface CreatePaymentBatchFromCsvBody {
  /** The CSV file. At most 8 MB. */
  readonly file: Blob;
  readonly name?: string;
  /** `INDEPENDENT` when absent. */
  readonly mode?: Open<"INDEPENDENT" | "ALL_OR_NOTHING">;
  readonly requireFunds?: Open<"true" | "false">;
  /**
   * In the future, at most 366 days away. The batch is stored and its form checked at once, and its items run from
   * that time on by the platform's clock; `requireFunds` and each item of an `ALL_OR_NOTHING` batch are judged
   * then. It runs later where no server was up at that time, or an approval came later.
   */
  readonly scheduledFor?: string;
}

export interface CreatePaymentScheduleBody {
  /** Shown to everyone who reads payments, so it should hold no personal data. */
  readonly name: string;
  readonly template: ScheduledPayment;
  readonly rule: ScheduleRule;
  readonly retry?: ScheduleRetry;
}

export interface CreatePlatformExternalAccountBody {
  readonly currency: CurrencyCode;
  readonly accountInfo: NewAccountInfo;
  readonly platformAccountId?: string;
  readonly metadata?: Metadata;
}

export interface CreateRailBalanceBody {
  readonly currency: CurrencyCode;
  readonly asOf: string;
  /** Whole number of the smallest unit; negative when the account is overdrawn. */
  readonly booked: number;
}

export interface CreateRailConnectionBody {
  readonly name: string;
  readonly kind: Open<"HTTP" | "MANUAL">;
  readonly currencies: readonly CurrencyCode[];
  readonly account?: RailConnectionAccount;
  readonly settings?: RailConnectionSettings;
  readonly secrets?: {
    readonly signingSecret?: string;
    readonly callbackSecret?: string;
    readonly previousSigningSecret?: string;
    readonly previousCallbackSecret?: string;
  };
  readonly funding?: RailConnectionFunding;
  readonly calendar?: RailCalendar;
  readonly control?: RailControl;
}

export interface CreateRailEntryBody {
  readonly bankReference: string;
  readonly direction: Open<"CREDIT" | "DEBIT">;
  readonly bookedOn: string;
  readonly valueDate?: string;
  /**
   * As the payment carried it. The `endToEndId` of an order settles it where the line is the debit of a payout,
   * and is a suggestion elsewhere; the reference of an account or of a quote names that.
   */
  readonly reference?: string;
  readonly remittance?: string;
  /** The number to which the payer paid: an IBAN, or a routing number and an account number with a slash between. */
  readonly virtualAccount?: string;
  readonly payer?: {
    readonly name?: string;
    readonly account?: string;
  };
  /** Whole number of the currency's smallest unit. */
  readonly amount: number;
  readonly currency: CurrencyCode;
}

export interface CreateRailRouteBody {
  readonly name: string;
  /** The lowest that fits is taken; of equal ones the older route. */
  readonly priority?: number;
  /**
   * `OUT` pays, `PULL` collects, `FUNDING` is for instructions by which money comes in, `INVOICE` makes invoices
   * that other institutions pay.
   */
  readonly direction: Open<"OUT" | "PULL" | "FUNDING" | "INVOICE">;
  readonly currency: CurrencyCode;
  readonly accountTypes?:
    | readonly Open<
        | "AED_ACCOUNT"
        | "BASE_WALLET"
        | "BDT_ACCOUNT"
        | "BRL_ACCOUNT"
        | "BWP_ACCOUNT"
        | "CAD_ACCOUNT"
        | "CNY_ACCOUNT"
        | "COP_ACCOUNT"
        | "DKK_ACCOUNT"
        | "EGP_ACCOUNT"
        | "ETHEREUM_WALLET"
        | "EUR_ACCOUNT"
        | "GBP_ACCOUNT"
        | "GHS_ACCOUNT"
        | "GTQ_ACCOUNT"
        | "HKD_ACCOUNT"
        | "HTG_ACCOUNT"
        | "IDR_ACCOUNT"
        | "INR_ACCOUNT"
        | "JMD_ACCOUNT"
        | "KES_ACCOUNT"
        | "LIGHTNING"
        | "MWK_ACCOUNT"
        | "MXN_ACCOUNT"
        | "MYR_ACCOUNT"
        | "NGN_ACCOUNT"
        | "PHP_ACCOUNT"
        | "PKR_ACCOUNT"
        | "PLASMA_WALLET"
        | "POLYGON_WALLET"
        | "RWF_ACCOUNT"
        | "SGD_ACCOUNT"
        | "SLV_ACCOUNT"
        | "SOLANA_WALLET"
        | "SPARK_WALLET"
        | "SWIFT_ACCOUNT"
        | "THB_ACCOUNT"
        | "TRON_WALLET"
        | "TZS_ACCOUNT"
        | "UGX_ACCOUNT"
        | "USD_ACCOUNT"
        | "VND_ACCOUNT"
        | "XAF_ACCOUNT"
        | "XOF_ACCOUNT"
        | "ZAR_ACCOUNT"
        | "ZMW_ACCOUNT"
        | "UMA_ADDRESS"
      >[]
    | null;
  readonly paymentRails?:
    | readonly Open<
        | "ACH"
        | "BANK_TRANSFER"
        | "BASE"
        | "ETHEREUM"
        | "FAST"
        | "FASTER_PAYMENTS"
        | "FEDNOW"
        | "LIGHTNING"
        | "MOBILE_MONEY"
        | "NEFT"
        | "PAYNOW"
        | "PIX"
        | "PLASMA"
        | "POLYGON"
        | "RTGS"
        | "RTP"
        | "SEPA"
        | "SEPA_INSTANT"
        | "SOLANA"
        | "SPARK"
        | "SPEI"
        | "SWIFT"
        | "TRON"
        | "UPI"
        | "WIRE"
      >[]
    | null;
  readonly minAmount?: number | null;
  readonly maxAmount?: number | null;
  /** `RailConnection:<uuid>` */
  readonly connectionId: string;
  readonly enabled?: boolean;
  readonly fallbackAfterSeconds?: number | null;
}

export interface CreateRateSourceBody {
  readonly name: string;
  readonly kind: Open<"FIXED" | "ECB" | "HTTP">;
  /** 100. The first source, by priority and age, that has a pair young enough gives its rate. */
  readonly priority?: number;
  /** EUR and USD. Currencies through which a pair is found that the source does not have. */
  readonly pivots?: readonly CurrencyCode[];
  /** A rate that is older gives no quote: FIXED 1440, ECB 7200, HTTP 15 without it. */
  readonly maxAgeMinutes?: number;
  /** 5. How long a quote at these rates may hold. */
  readonly lockMinutes?: number;
  /**
   * 20. A value is not taken that is further from the last one, or from the rate at the beginning of this day or
   * of the day before (UTC); null takes any, and a change counts anew from the last rate.
   */
  readonly maxMovePercent?: number | null;
  readonly settings?: RateSourceSettings;
  /** HTTP. Headers of the calls, such as an API key. Kept sealed; answers show when each was set and a fingerprint. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface CreateStatementBody {
  /** `InternalAccount:<uuid>` */
  readonly accountId: string;
  /** The first day. */
  readonly from: string;
  /** The last day. */
  readonly to: string;
  readonly format: Open<"JSON" | "CSV">;
}

export interface CreateTokenBody {
  readonly name: string;
  readonly permissions: readonly Open<"VIEW" | "TRANSACT" | "MANAGE">[];
  /** In the future. Never when absent. */
  readonly expiresAt?: string;
}

export type CreateTransferBody =
  | {
      readonly source: {
        /** An internal account. */
        readonly accountId: string;
      };
      readonly destination: {
        /** An internal account. */
        readonly accountId: string;
      };
      /** Whole number of the currency's smallest unit. */
      readonly amount: number;
      readonly description?: string;
      readonly metadata?: Metadata;
    }
  | {
      /**
       * In place of the other fields: transfers that are made together or not at all. An account may be in many; each
       * leg is judged by the balances after the legs before it.
       */
      readonly legs: readonly {
        readonly source: {
          /** An internal account. */
          readonly accountId: string;
        };
        readonly destination: {
          /** An internal account. */
          readonly accountId: string;
        };
        /** Whole number of the currency's smallest unit. */
        readonly amount: number;
        readonly description?: string;
        readonly metadata?: Metadata;
      }[];
    };

export interface CreateVerificationBody {
  readonly customerId: string;
}

export interface CreateWebhookEndpointBody {
  readonly url: string;
  readonly description?: string;
  /** Event types, or prefixes such as `OUTGOING_PAYMENT.*`. Empty: every type. */
  readonly events?: readonly string[];
  /** P256 when absent. */
  readonly signature?: Open<"P256" | "STANDARD_WEBHOOKS">;
  readonly fromSequence?: number;
  /**
   * Several events a request: the body is `{"events": [...]}`, each event with the bytes that it has alone, in
   * order. An answer other than 2xx repeats all of them. Absent: one event a request, whose body is the event.
   */
  readonly delivery?: {
    /** The most events of one request. */
    readonly maxEvents: number;
    /** How long an event waits for others while there are fewer than `maxEvents`; 0 when absent. */
    readonly maxWaitMs?: number;
  };
}

export interface CreatedToken {
  /** `Token:<uuid>` */
  readonly id: string;
  readonly name: string;
  readonly permissions: readonly Open<"VIEW" | "TRANSACT" | "MANAGE">[];
  /** The user name of HTTP Basic. */
  readonly clientId: string;
  /** The password of HTTP Basic; only in the answer that creates the token. */
  readonly clientSecret: string;
  /** From then on it is refused like an unknown one. Absent for never. */
  readonly expiresAt?: string;
  /** The UTC day of its last use, by the clock of the server, about a second late. */
  readonly lastUsedAt?: string;
  /** The token or the person that created it, or `operator`. */
  readonly createdBy?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface CreatedWebhookEndpoint {
  /** `WebhookEndpoint:<uuid>` */
  readonly id: string;
  readonly url: string;
  readonly description?: string;
  /** Event types, or prefixes such as `OUTGOING_PAYMENT.*`. Empty: every type. */
  readonly events: readonly string[];
  /** The `webhookEndpoint` of the configuration, which `PATCH /config` changes. */
  readonly isDefault: boolean;
  /**
   * `FAILING`: no connection can be made, see `outage`, or there were at least ten failures over a quarter of an
   * hour and no success. `STOPPED`: it answered 410 and gets events again once it is set again. `DISABLED`: by the
   * platform, or see `disabledReason`.
   */
  readonly state: Open<"ACTIVE" | "FAILING" | "STOPPED" | "DISABLED">;
  /**
   * Why it was disabled, when the platform did not do it. An endpoint that is not the default one is disabled
   * after five days of nothing but failures.
   */
  readonly disabledReason?: string;
  readonly signature: Open<"P256" | "STANDARD_WEBHOOKS">;
  /** Several events a request. Absent: one event a request. */
  readonly delivery?: {
    /** The most events of one request. */
    readonly maxEvents: number;
    readonly maxWaitMs: number;
  };
  /** SPKI PEM; of P256 alone. */
  readonly publicKey?: string;
  /** As in `X-Service-Key-Id`. */
  readonly keyId?: string;
  /** The key that takes over at `from`; deliveries carry both signatures until then. */
  readonly next?: {
    /** SPKI PEM; of P256 alone. */
    readonly publicKey?: string;
    readonly keyId: string;
    readonly from: string;
  };
  readonly outage?: {
    readonly since: string;
    readonly reason: string;
    readonly nextProbeAt: string;
  };
  readonly stats?: WebhookEndpointStats;
  readonly createdAt: string;
  readonly updatedAt: string;
  /**
   * The shared secret of STANDARD_WEBHOOKS; only in the answer that creates it. That of a rotation is the next
   * one.
   */
  readonly secret?: string;
}

export interface Currency {
  /** ISO 4217 code or ticker, upper case. */
  readonly code: CurrencyCode;
  readonly name: string;
  readonly symbol: string;
  /** Digits of the smallest unit. */
  readonly decimals: number;
}

export interface CurrencyAmount {
  /** Whole number of the currency's smallest unit. */
  readonly amount: number;
  readonly currency: Currency;
}

/**
 * The code of a currency: ISO 4217, or a token's ticker. Rail connections, with their routes, orders, entries
 * and books, and limits of positions may also have `MSAT`: 1,000 of it are one smallest unit of `BTC`. More may
 * come.
 */
export type CurrencyCode = Open<
  | "AED"
  | "AFN"
  | "ALL"
  | "AMD"
  | "AOA"
  | "ARS"
  | "AUD"
  | "AWG"
  | "AZN"
  | "BAM"
  | "BBD"
  | "BDT"
  | "BHD"
  | "BIF"
  | "BMD"
  | "BND"
  | "BOB"
  | "BRL"
  | "BSD"
  | "BTN"
  | "BWP"
  | "BYN"
  | "BZD"
  | "CAD"
  | "CDF"
  | "CHF"
  | "CLP"
  | "CNY"
  | "COP"
  | "CRC"
  | "CUP"
  | "CVE"
  | "CZK"
  | "DJF"
  | "DKK"
  | "DOP"
  | "DZD"
  | "EGP"
  | "ERN"
  | "ETB"
  | "EUR"
  | "FJD"
  | "FKP"
  | "GBP"
  | "GEL"
  | "GHS"
  | "GIP"
  | "GMD"
  | "GNF"
  | "GTQ"
  | "GYD"
  | "HKD"
  | "HNL"
  | "HTG"
  | "HUF"
  | "IDR"
  | "ILS"
  | "INR"
  | "IQD"
  | "IRR"
  | "ISK"
  | "JMD"
  | "JOD"
  | "JPY"
  | "KES"
  | "KGS"
  | "KHR"
  | "KMF"
  | "KPW"
  | "KRW"
  | "KWD"
  | "KYD"
  | "KZT"
  | "LAK"
  | "LBP"
  | "LKR"
  | "LRD"
  | "LSL"
  | "LYD"
  | "MAD"
  | "MDL"
  | "MGA"
  | "MKD"
  | "MMK"
  | "MNT"
  | "MOP"
  | "MRU"
  | "MUR"
  | "MVR"
  | "MWK"
  | "MXN"
  | "MYR"
  | "MZN"
  | "NAD"
  | "NGN"
  | "NIO"
  | "NOK"
  | "NPR"
  | "NZD"
  | "OMR"
  | "PAB"
  | "PEN"
  | "PGK"
  | "PHP"
  | "PKR"
  | "PLN"
  | "PYG"
  | "QAR"
  | "RON"
  | "RSD"
  | "RUB"
  | "RWF"
  | "SAR"
  | "SBD"
  | "SCR"
  | "SDG"
  | "SEK"
  | "SGD"
  | "SHP"
  | "SLE"
  | "SOS"
  | "SRD"
  | "SSP"
  | "STN"
  | "SVC"
  | "SYP"
  | "SZL"
  | "THB"
  | "TJS"
  | "TMT"
  | "TND"
  | "TOP"
  | "TRY"
  | "TTD"
  | "TWD"
  | "TZS"
  | "UAH"
  | "UGX"
  | "USD"
  | "UYU"
  | "UZS"
  | "VES"
  | "VND"
  | "VUV"
  | "WST"
  | "XAF"
  | "XCD"
  | "XCG"
  | "XOF"
  | "XPF"
  | "YER"
  | "ZAR"
  | "ZMW"
  | "ZWG"
  | "BTC"
  | "USDB"
  | "USDC"
  | "USDT"
>;

export interface Customer {
  /** `Customer:<uuid>` */
  readonly id: string;
  readonly platformCustomerId: string;
  readonly customerType: Open<"INDIVIDUAL" | "BUSINESS">;
  readonly umaAddress: string;
  readonly region?: string;
  readonly currencies: readonly CurrencyCode[];
  readonly email?: string;
  readonly phoneNumber?: string;
  readonly address?: Address;
  /** Of an individual. */
  readonly kycStatus?: Open<"UNVERIFIED" | "PENDING" | "APPROVED" | "REJECTED">;
  readonly fullName?: string;
  readonly birthDate?: string;
  readonly nationality?: string;
  readonly idType?: Open<"SSN" | "ITIN">;
  readonly countryOfIssuance?: Open<"US">;
  readonly sourceOfFundsCategories?: readonly Open<
    | "SALARY"
    | "SELF_EMPLOYMENT_INCOME"
    | "INVESTMENT_INCOME"
    | "PENSION"
    | "RENTAL_INCOME"
    | "GIFT"
    | "INHERITANCE"
    | "LOAN"
    | "SAVINGS"
    | "SALE_OF_ASSETS"
    | "OTHER"
  >[];
  /** Required when `sourceOfFundsCategories` is OTHER. */
  readonly sourceOfFundsOtherDescription?: string;
  readonly sourceOfWealthCategories?: readonly Open<
    | "SALARY"
    | "BUSINESS_INCOME"
    | "INVESTMENTS"
    | "INHERITANCE"
    | "PROPERTY_SALE"
    | "GIFT"
    | "RETIREMENT"
    | "SAVINGS"
    | "OTHER"
  >[];
  /** Required when `sourceOfWealthCategories` is OTHER. */
  readonly sourceOfWealthOtherDescription?: string;
  readonly purposeOfAccount?: Open<
    | "CONTRACTOR_PAYOUTS"
    | "CREATOR_PAYOUTS"
    | "EMPLOYEE_PAYOUTS"
    | "MARKETPLACE_SELLER_PAYOUTS"
    | "SUPPLIER_PAYMENTS"
    | "CROSS_BORDER_B2B"
    | "AR_AUTOMATION"
    | "AP_AUTOMATION"
    | "EMBEDDED_PAYMENTS"
    | "PLATFORM_FEE_COLLECTION"
    | "P2P_TRANSFERS"
    | "CHARITABLE_DONATIONS"
    | "OTHER"
  >;
  /** Required when `purposeOfAccount` is OTHER. */
  readonly purposeOfAccountOtherDescription?: string;
  readonly expectedMonthlyTransactionCount?: Open<
    | "COUNT_UNDER_10"
    | "COUNT_10_TO_100"
    | "COUNT_100_TO_500"
    | "COUNT_500_TO_1000"
    | "COUNT_OVER_1000"
  >;
  readonly expectedMonthlyTransactionVolume?: Open<
    | "VOLUME_UNDER_10K"
    | "VOLUME_10K_TO_100K"
    | "VOLUME_100K_TO_1M"
    | "VOLUME_1M_TO_10M"
    | "VOLUME_OVER_10M"
  >;
  readonly annualIncomeRange?: Open<
    "UNDER_50K" | "RANGE_50K_100K" | "RANGE_100K_250K" | "RANGE_250K_1M" | "OVER_1M"
  >;
  readonly netWorthRange?: Open<
    "UNDER_100K" | "RANGE_100K_500K" | "RANGE_500K_1M" | "RANGE_1M_5M" | "RANGE_5M_25M" | "OVER_25M"
  >;
  readonly pepStatus?: Open<"NONE" | "DOMESTIC" | "FOREIGN" | "HIO" | "FAMILY_OR_ASSOCIATE">;
  /** Of a business. */
  readonly kybStatus?: Open<"UNVERIFIED" | "PENDING" | "APPROVED" | "REJECTED">;
  readonly businessInfo?: BusinessInfo;
  /** Of a business, oldest first. */
  readonly beneficialOwners?: readonly BeneficialOwner[];
  readonly frozen?: Frozen;
  readonly metadata?: Metadata;
  readonly isDeleted: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface DecideVerificationBody {
  readonly outcome: Open<"APPROVED" | "REJECTED" | "RESOLVE_ERRORS">;
  /** With `RESOLVE_ERRORS`, and with it alone. */
  readonly errors?: readonly {
    /** The customer, one of its owners, or one of their documents. The customer when absent. */
    readonly resourceId?: string;
    readonly type: Open<
      | "MISSING_FIELD"
      | "INVALID_FIELD"
      | "MISSING_LEGAL_PRESENCE_DOCUMENT"
      | "MISSING_CONTROL_STRUCTURE_DOCUMENT"
      | "MISSING_OWNERSHIP_STRUCTURE_DOCUMENT"
      | "MISSING_PROOF_OF_ADDRESS_DOCUMENT"
      | "MISSING_IDENTITY_DOCUMENT"
      | "MISSING_GOOD_STANDING_DOCUMENT"
      | "INVALID_DOCUMENT"
      | "EXPIRED_DOCUMENT"
      | "POOR_QUALITY_DOCUMENT"
      | "SUSPECTED_FRAUD_DOCUMENT"
      | "WRONG_DOCUMENT_TYPE"
      | "INCOMPLETE_DOCUMENT"
      | "UNREADABLE_DOCUMENT"
      | "DOCUMENT_VERIFICATION_FAILED"
      | "APPLICANT_SANCTIONED"
      | "APPLICANT_FRAUD"
      | "APPLICANT_CRIMINAL_RECORD"
      | "APPLICANT_REJECTED"
      | "MISSING_BENEFICIAL_OWNER"
      | "MISSING_CONTROL_PERSON"
    >;
    readonly reason: string;
    /** Dot path to the field. */
    readonly field?: string;
  }[];
  /** With `REJECTED` alone. */
  readonly reasonCode?: Open<
    "APPLICANT_SANCTIONED" | "APPLICANT_FRAUD" | "APPLICANT_CRIMINAL_RECORD" | "APPLICANT_REJECTED"
  >;
  /** For people who look at it later. */
  readonly note?: string;
}

export interface DeliveryAttempt {
  /** Counted for each delivery. */
  readonly number: number;
  readonly at: string;
  /** Whether the endpoint has taken the event. */
  readonly isDelivered: boolean;
  /** Of the answer. */
  readonly status?: number;
  /** Why there was no answer. */
  readonly error?: string;
  /** In milliseconds, each from the beginning but `connect`. */
  readonly latency: {
    /** Absent where a connection was used again. */
    readonly connect?: number;
    /** Until the answer began. */
    readonly firstByte?: number;
    readonly total: number;
  };
  /** As sent; the body is that of the event. */
  readonly requestHeaders: Readonly<Record<string, string>>;
  /** By lower-case name, 4 kB of them at most. Cookies and credentials are `[hidden]`. */
  readonly responseHeaders?: Readonly<Record<string, string>>;
  /** The first 1 kB, as text. */
  readonly responseBody?: string;
  /** The host of the server that made the attempt. */
  readonly server: string;
}

export interface DeliverySummary {
  /** How many get the event. */
  readonly endpoints: number;
  readonly delivered: number;
  /** Those that are behind are among them. */
  readonly waiting: number;
  readonly failed: number;
}

export interface Discovery {
  /** The value to pass, letter for letter. */
  readonly bankName: string;
  /** The name to show to people. */
  readonly displayName: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** ISO 4217. */
  readonly currency: CurrencyCode;
}

/** Currency: DKK. Held in DK. */
export interface DkkAccount extends NewDkkAccount {
  /** The rails that reach this account; in answers alone. */
  readonly paymentRails?: readonly Open<"SEPA" | "SEPA_INSTANT">[];
}

export interface Document {
  /** `Document:<uuid>` */
  readonly id: string;
  /** Id of the customer or owner, or of the platform's configuration. */
  readonly documentHolder: string;
  readonly documentType: Open<
    | "PASSPORT"
    | "DRIVERS_LICENSE"
    | "NATIONAL_ID"
    | "PROOF_OF_ADDRESS"
    | "BANK_STATEMENT"
    | "TAX_RETURN"
    | "CERTIFICATE_OF_INCORPORATION"
    | "ARTICLES_OF_INCORPORATION"
    | "ARTICLES_OF_ASSOCIATION"
    | "STATE_REGISTRY_EXCERPT"
    | "GOOD_STANDING_CERTIFICATE"
    | "INFORMATION_STATEMENT"
    | "INCUMBENCY_CERTIFICATE"
    | "BUSINESS_LICENSE"
    | "SHAREHOLDER_REGISTER"
    | "POWER_OF_ATTORNEY"
    | "UTILITY_BILL"
    | "ELECTRICITY_BILL"
    | "RENT_OR_LEASE_AGREEMENT"
    | "DIRECTOR_REGISTRY"
    | "TRUST_AGREEMENT"
    | "STATE_COMPANY_REGISTRY"
    | "PARTNERSHIP_CONTROL_AGREEMENT"
    | "PARTNERSHIP_AGREEMENT"
    | "SELFIE"
    | "PLATFORM_LOGO"
    | "OTHER"
  >;
  readonly side?: Open<"FRONT" | "BACK">;
  readonly country: string;
  readonly documentNumber?: string;
  readonly issuingAuthority?: string;
  readonly fileName: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface DryRunEffects {
  /** The available balances that change, in the order of their first change. */
  readonly balances: readonly {
    /** `InternalAccount:<uuid>` */
    readonly accountId: string;
    readonly before: CurrencyAmount;
    readonly after: CurrencyAmount;
  }[];
  /** The types of the events that the call itself would emit, in order. */
  readonly events: readonly string[];
  /** The rail connection that would carry the payment; null where none does. */
  readonly route: {
    readonly connectionId: string;
    readonly paymentRail: PaymentRail;
  } | null;
  /**
   * Set where the call would wait for an approval. The other effects are then those of the request and of carrying
   * it out.
   */
  readonly approval: {
    /** How many have to agree. */
    readonly needed: number;
    readonly kind: string;
  } | null;
}

/** Currency: EGP. Held in EG. Named by `iban`, or by `phoneNumber`. */
export type EgpAccount = NewEgpAccount & {
  /** The rails that reach this account; in answers alone. */
  readonly paymentRails?: readonly Open<"BANK_TRANSFER" | "MOBILE_MONEY">[];
};

export interface EmbeddedWalletConfig {
  readonly appName?: string;
  readonly otpLength?: number;
  readonly alphanumeric?: boolean;
  readonly expirationSeconds?: number;
  readonly sendFromEmailAddress?: string;
  readonly replyToEmailAddress?: string;
  readonly sendFromEmailSenderName?: string;
  /** An https address. */
  readonly logoUrl?: string;
}

/** Currency: USDC, USDT. */
export interface EthereumWallet {
  readonly accountType: "ETHEREUM_WALLET";
  readonly address: string;
  readonly vaspName?: string;
  readonly platformAccountId?: string;
  readonly beneficiary?: WalletBeneficiary;
}

/**
 * Currency: EUR. Held in AT, BE, BG, HR, CY, CZ, EE, FI, FR, DE, GR, HU, IS, IE, IT, LV, LI, LT, LU, MT, NL, NO,
 * PL, PT, RO, SK, SI, ES, SE, CH.
 */
export interface EurAccount extends NewEurAccount {
  /** The rails that reach this account; in answers alone. */
  readonly paymentRails?: readonly Open<"SEPA" | "SEPA_INSTANT">[];
}

export interface Event {
  /** `Webhook:<uuid>`, as in the event's bytes. */
  readonly id: string;
  /** Its number among the platform's events: they are numbered without gaps. */
  readonly sequence: number;
  /** One of the event types. */
  readonly type: string;
  readonly timestamp: string;
  /**
   * The object that the event is about. That of an invitation stands here alone, since invitations are read by
   * their code; that of `TEST` is the platform's.
   */
  readonly resourceId: string;
  /** As in the event's bytes. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly deliverySummary: DeliverySummary;
}

export interface EventDetail {
  /** `Webhook:<uuid>`, as in the event's bytes. */
  readonly id: string;
  /** Its number among the platform's events: they are numbered without gaps. */
  readonly sequence: number;
  /** One of the event types. */
  readonly type: string;
  readonly timestamp: string;
  /**
   * The object that the event is about. That of an invitation stands here alone, since invitations are read by
   * their code; that of `TEST` is the platform's.
   */
  readonly resourceId: string;
  /** As in the event's bytes. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The exact text that is delivered. */
  readonly body: string;
  /** One for each endpoint. */
  readonly deliveries: readonly WebhookDelivery[];
}

export interface EventResend {
  /** `EventResend:<uuid>` */
  readonly id: string;
  /**
   * `STOPPED`: an endpoint was taken away, disabled, answered 410 or was down for seven days, and part of its
   * events was not sent.
   */
  readonly state: Open<"RUNNING" | "COMPLETED" | "STOPPED" | "CANCELLED">;
  /** As it was asked for. */
  readonly filter: {
    readonly type?: readonly string[];
    readonly resourceId?: string;
    readonly after?: number;
    readonly before?: number;
    readonly since?: string;
    readonly until?: string;
    readonly failed?: boolean;
  };
  /** Deliveries that the filter selects: an event counts for each endpoint. */
  readonly matched: number;
  /** Deliveries that were taken. */
  readonly sent: number;
  /** Attempts that were not taken. Deliveries that were taken meanwhile count in neither. */
  readonly failed: number;
  readonly endpoints: readonly {
    readonly endpointId: string;
    readonly state: Open<"RUNNING" | "COMPLETED" | "STOPPED">;
    /** Events for this endpoint. */
    readonly matched: number;
    /** Events that it took. */
    readonly sent: number;
    /** Attempts that it did not take. */
    readonly failed: number;
  }[];
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly endedAt?: string;
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
  /** Whole sending units for one whole receiving unit, without fees. */
  readonly exchangeRate: number;
  readonly fees: {
    /** In the sending currency. */
    readonly fixed: number;
    /** All fees, in the sending currency. */
    readonly total: number;
  };
  readonly updatedAt: string;
}

export interface Export {
  /** `Export:<uuid>` */
  readonly id: string;
  readonly kind: Open<
    "LEDGER" | "TRANSACTIONS" | "CUSTOMERS" | "EVENTS" | "DELIVERIES" | "REQUESTS"
  >;
  readonly format: Open<"CSV" | "JSONL">;
  /** The file is for people: names, decimals, and times of `timeZone`. */
  readonly audience?: Open<"PEOPLE">;
  /** Of the times in a file for people. */
  readonly timeZone?: string;
  /** As it was sent. */
  readonly filter: Readonly<Record<string, unknown>>;
  readonly state: Open<"PENDING" | "READY" | "FAILED" | "EXPIRED">;
  /** The last command that the rows show. */
  readonly commandSeq?: number;
  /** The last event that the rows show. */
  readonly sequence?: number;
  /** The time of that command; of `REQUESTS`, the time of the server. */
  readonly asOf?: string;
  /** How many are written. */
  readonly rows: number;
  /** Of `CUSTOMERS`: how many of the rows had changed since `asOf` when they were read. They show the later state. */
  readonly changedRows?: number;
  /** The length of what is written. */
  readonly bytes: number;
  /** Why it has `FAILED`, and what to do. */
  readonly failure?: string;
  readonly createdAt: string;
  readonly completedAt?: string;
  /** When the file is deleted. */
  readonly expiresAt?: string;
}

export interface ExportWalletBody {
  /** P-256, uncompressed, hexadecimal. Make a fresh pair for each session and export. */
  readonly clientPublicKey: string;
}

export interface ExternalAccount {
  /** `ExternalAccount:<uuid>` */
  readonly id: string;
  readonly status: Open<"PENDING" | "ACTIVE" | "UNDER_REVIEW" | "INACTIVE">;
  readonly currency: CurrencyCode;
  readonly accountInfo: AccountInfo;
  /** Null when the account belongs to the platform. */
  readonly customerId: string | null;
  readonly platformAccountId?: string;
  readonly defaultUmaDepositAccount: boolean;
  readonly beneficiaryVerificationStatus?: Open<
    | "MATCHED"
    | "PARTIAL_MATCH"
    | "NOT_MATCHED"
    | "UNSUPPORTED"
    | "CHECKED_BY_RECEIVING_FI"
    | "PENDING"
  >;
  readonly beneficiaryVerifiedData?: {
    readonly fullName: string;
  };
  readonly metadata?: Metadata;
}

export interface ExternalAccountReceiver {
  /** `ExternalAccount:<uuid>` */
  readonly accountId: string;
  /** `Lookup:<uuid>`; good for ten minutes. */
  readonly lookupId: string;
  readonly supportedCurrencies: readonly {
    readonly currency: Currency;
    /** Whole receiving units for one whole sending unit. Not locked. */
    readonly estimatedExchangeRate: number;
    /** The least that can be received at once. */
    readonly min: number;
    /** The most that can be received at once. */
    readonly max: number;
  }[];
  readonly requiredPayerDataFields?: readonly PayerDataField[];
}

/** Why the payment failed or was called off. Absent for payments that failed before it was recorded. */
export interface Failure {
  readonly code: FailureCode;
  /** A sentence for an operator. */
  readonly message: string;
  readonly stage: FailureStage;
  readonly at: string;
  /** What the rail said; in a sandbox the suffix that decided the outcome. */
  readonly rail?: {
    readonly scheme: string;
    readonly code: string;
    readonly text: string;
  };
}

/** What stood in the way of a payment. */
export type FailureCode = Open<
  | "INSUFFICIENT_FUNDS"
  | "ACCOUNT_CLOSED"
  | "ACCOUNT_INVALID"
  | "REJECTED_BY_BANK"
  | "TIMED_OUT"
  | "RETURNED_BY_BANK"
  | "CANCELLED"
  | "DELIVERY_FAILED"
  | "REFUND_FAILED"
  | "COMPLIANCE"
  | "FUNDING_MISMATCH"
  | "QUOTE_FAILED"
  | "RECEIVER_REFUSED"
  | "UNKNOWN"
>;

/** Why a payment failed. More may come. */
export type FailureReason = Open<
  | "QUOTE_EXECUTION_FAILED"
  | "COUNTERPARTY_POST_TX_FAILED"
  | "FUNDING_AMOUNT_MISMATCH"
  | "QUOTE_EXPIRED"
  | "PAY_REQUEST_FAILED"
  | "PAYMENT_APPROVAL_WEBHOOK_ERROR"
  | "PAYMENT_APPROVAL_TIMED_OUT"
  | "MISSING_MANDATORY_PAYEE_DATA"
  | "OFFRAMP_FAILED"
  | "ACCOUNT_INVALID"
  | "ACCOUNT_CANNOT_RECEIVE"
  | "COMPLIANCE_REJECTED"
  | "LIMIT_EXCEEDED"
  | "PAYOUT_RETURNED"
  | "COLLECTION_FAILED"
  | "LIGHTNING_PAYMENT_FAILED"
>;

/** Where in its course a payment failed. */
export type FailureStage = Open<
  "ACCEPTANCE" | "COLLECTION" | "EXCHANGE" | "PAYOUT" | "RETURN" | "REFUND"
>;

export interface FeeRule {
  /** The code of a currency, or `*` for any. */
  readonly from: string;
  /** The code of a currency, or `*` for any. */
  readonly to: string;
  /** Of the destination; any without it. */
  readonly accountType?: Open<
    | "AED_ACCOUNT"
    | "BASE_WALLET"
    | "BDT_ACCOUNT"
    | "BRL_ACCOUNT"
    | "BWP_ACCOUNT"
    | "CAD_ACCOUNT"
    | "CNY_ACCOUNT"
    | "COP_ACCOUNT"
    | "DKK_ACCOUNT"
    | "EGP_ACCOUNT"
    | "ETHEREUM_WALLET"
    | "EUR_ACCOUNT"
    | "GBP_ACCOUNT"
    | "GHS_ACCOUNT"
    | "GTQ_ACCOUNT"
    | "HKD_ACCOUNT"
    | "HTG_ACCOUNT"
    | "IDR_ACCOUNT"
    | "INR_ACCOUNT"
    | "JMD_ACCOUNT"
    | "KES_ACCOUNT"
    | "LIGHTNING"
    | "MWK_ACCOUNT"
    | "MXN_ACCOUNT"
    | "MYR_ACCOUNT"
    | "NGN_ACCOUNT"
    | "PHP_ACCOUNT"
    | "PKR_ACCOUNT"
    | "PLASMA_WALLET"
    | "POLYGON_WALLET"
    | "RWF_ACCOUNT"
    | "SGD_ACCOUNT"
    | "SLV_ACCOUNT"
    | "SOLANA_WALLET"
    | "SPARK_WALLET"
    | "SWIFT_ACCOUNT"
    | "THB_ACCOUNT"
    | "TRON_WALLET"
    | "TZS_ACCOUNT"
    | "UGX_ACCOUNT"
    | "USD_ACCOUNT"
    | "VND_ACCOUNT"
    | "XAF_ACCOUNT"
    | "XOF_ACCOUNT"
    | "ZAR_ACCOUNT"
    | "ZMW_ACCOUNT"
  >;
  /** Any without it. */
  readonly paymentRail?: PaymentRail;
  /** In the smallest unit of the sending currency. */
  readonly fixedMinor: number;
  /** Hundredths of a percent of what is sent beyond the fixed fee, rounded half up. */
  readonly bps: number;
  /** The least that `bps` comes to. */
  readonly minMinor?: number;
  /** The most that `bps` comes to. */
  readonly maxMinor?: number;
}

export interface Fees {
  /** 0 before the first was set. */
  readonly version: number;
  readonly rules: readonly FeeRule[];
  readonly updatedAt?: string;
}

export interface FeesVersion {
  readonly version: number;
  readonly rules: readonly FeeRule[];
  readonly createdAt: string;
}

export interface FieldError {
  /** Path of the field, joined by dots. */
  readonly field: string;
  readonly message: string;
  /** The rule that the value breaks. */
  readonly constraint?: {
    readonly format?: string;
    readonly pattern?: string;
    readonly enum?: readonly string[];
    readonly minLength?: number;
    readonly maxLength?: number;
    readonly minimum?: number;
    readonly maximum?: number;
    readonly minItems?: number;
    readonly maxItems?: number;
    readonly type?: string;
  };
  /** Values of the list that look most like the one that was given. */
  readonly nearest?: readonly string[];
}

export interface FreezeCustomerBody {
  readonly reason: Open<
    "SUSPECTED_FRAUD" | "LEGAL_ORDER" | "COMPLIANCE" | "CUSTOMER_REQUEST" | "OTHER"
  >;
  /** `DEBITS` stops money that goes out; `ALL` stops money that comes in as well. */
  readonly scope?: Open<"DEBITS" | "ALL">;
  /** For the operator. No answer and no event shows it. */
  readonly note?: string;
}

export interface FreezeInternalAccountBody {
  readonly reason: Open<
    "SUSPECTED_FRAUD" | "LEGAL_ORDER" | "COMPLIANCE" | "CUSTOMER_REQUEST" | "OTHER"
  >;
  /** `DEBITS` stops money that goes out; `ALL` stops money that comes in as well. */
  readonly scope?: Open<"DEBITS" | "ALL">;
  /** For the operator. No answer and no event shows it. */
  readonly note?: string;
}

export interface Frozen {
  readonly since: string;
  readonly reason: Open<
    "SUSPECTED_FRAUD" | "LEGAL_ORDER" | "COMPLIANCE" | "CUSTOMER_REQUEST" | "OTHER"
  >;
  /** `DEBITS` stops money that goes out; `ALL` stops money that comes in as well. */
  readonly scope: Open<"DEBITS" | "ALL">;
}

export interface FundInternalAccountBody {
  /** Whole number of the currency's smallest unit. */
  readonly amount: number;
}

export interface FxLimit {
  readonly maxLong?: number;
  readonly maxShort?: number;
}

export interface FxLimits {
  readonly limits: readonly {
    readonly currency: CurrencyCode;
    readonly maxLong?: number;
    readonly maxShort?: number;
  }[];
}

export interface FxPosition {
  readonly currency: CurrencyCode;
  /**
   * What was exchanged: positive when the platform holds the currency, negative when it owes it. Text, because
   * sums may be beyond what a JSON number holds.
   */
  readonly balance: string;
  /**
   * What quotes that are executed and not over will add. Text, because sums may be beyond what a JSON number
   * holds.
   */
  readonly committed: string;
  /** Both together, which the limits are about. Text, because sums may be beyond what a JSON number holds. */
  readonly net: string;
  readonly limit: FxLimit;
  /** What `net` is worth at the rate below; absent without a rate. */
  readonly valueIn?: {
    readonly currency: string;
    /** In its smallest unit, rounded half up. Text, because sums may be beyond what a JSON number holds. */
    readonly amount: string;
  };
  /** Units of the currency of `valueIn` for one unit, without a spread. */
  readonly mid?: number;
  readonly asOf?: string;
}

/** Currency: GBP. Held in GB. */
export interface GbpAccount extends NewGbpAccount {
  /** The rails that reach this account; in answers alone. */
  readonly paymentRails?: readonly Open<"FASTER_PAYMENTS">[];
}

export interface GetApprovalQuery {
  /** `parties`: the answer names the parties, in `parties`. */
  readonly expand?: Open<"parties">;
}

export interface GetChainQuery {
  /** The first command. */
  readonly from: number;
  /** The last one; as many as fit when it is absent. */
  readonly to?: number;
}

export interface GetHoldQuery {
  /** `parties`: the answer names the parties, in `parties`. */
  readonly expand?: Open<"parties">;
}

export interface GetInternalAccountBalanceQuery {
  /** A time that is not in the future. */
  readonly at?: string;
}

export interface GetLedgerBalancesQuery {
  /** At the end of this moment; now without it. */
  readonly at?: string;
}

export interface GetPaymentScheduleQuery {
  /** `parties`: the answer names the parties, in `parties`. */
  readonly expand?: Open<"parties">;
}

export interface GetQuoteQuery {
  /** `parties`: the answer names the parties, in `parties`. */
  readonly expand?: Open<"parties">;
}

export interface GetRailItemQuery {
  /** `parties`: the answer names the parties, in `parties`. */
  readonly expand?: Open<"parties">;
}

export interface GetRailPaymentQuery {
  /** `parties`: the answer names the parties, in `parties`. */
  readonly expand?: Open<"parties">;
}

export interface GetRailReconciliationQuery {
  /** Compares with the last statement of this day or before. Today without it. */
  readonly asOf?: string;
  /** Needed when the connection has several currencies. */
  readonly currency?: CurrencyCode;
}

export interface GetReceivableQuery {
  /** `parties`: the answer names the parties, in `parties`. */
  readonly expand?: Open<"parties">;
}

export interface GetTransactionQuery {
  /** `parties`: the answer names the parties, in `parties`. */
  readonly expand?: Open<"parties">;
}

export interface GetTransactionTimelineQuery {
  /** `parties`: the answer names the parties, in `parties`. */
  readonly expand?: Open<"parties">;
}

export interface GetTrialBalanceQuery {
  /** Today without it. */
  readonly date?: string;
  readonly format?: Open<"JSON" | "CSV">;
}

/** Currency: GHS. Held in GH. Named by `accountNumber`, or by `phoneNumber`. */
export type GhsAccount = NewGhsAccount & {
  /** The rails that reach this account; in answers alone. */
  readonly paymentRails?: readonly Open<"BANK_TRANSFER" | "MOBILE_MONEY">[];
};

/** Currency: GTQ. Held in GT. */
export interface GtqAccount extends NewGtqAccount {
  /** The rails that reach this account; in answers alone. */
  readonly paymentRails?: readonly Open<"BANK_TRANSFER">[];
}

/** Currency: HKD. Held in HK. */
export interface HkdAccount extends NewHkdAccount {
  /** The rails that reach this account; in answers alone. */
  readonly paymentRails?: readonly Open<"BANK_TRANSFER">[];
}

export interface Hold {
  /** `Hold:<uuid>` */
  readonly id: string;
  readonly internalAccountId: string;
  /**
   * `CAPTURED`: all of it was captured, or the last capture released the rest. `RELEASED`: it was called off.
   * `EXPIRED`: its time has passed.
   */
  readonly status: Open<"OPEN" | "CAPTURED" | "RELEASED" | "EXPIRED">;
  readonly amount: CurrencyAmount;
  readonly capturedAmount: CurrencyAmount;
  /** What is held now: nothing once the hold has ended. */
  readonly heldAmount: {
    /** Whole number of the currency's smallest unit. */
    readonly amount: number;
    readonly currency: Currency;
  };
  /** When what is left of it is released. */
  readonly expiresAt: string;
  readonly description?: string;
  readonly metadata?: Metadata;
  /** The payments that captured it, oldest first. */
  readonly transactionIds: readonly string[];
  /** Only with `expand=parties`. Whose account it is. A party that is not known is absent. */
  readonly parties?: {
    readonly from?: Party;
  };
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Currency: HTG. Held in HT. */
export interface HtgAccount extends NewHtgAccount {
  /** The rails that reach this account; in answers alone. */
  readonly paymentRails?: readonly Open<"MOBILE_MONEY">[];
}

/** Currency: IDR. Held in ID. */
export interface IdrAccount extends NewIdrAccount {
  /** The rails that reach this account; in answers alone. */
  readonly paymentRails?: readonly Open<"BANK_TRANSFER">[];
}

export interface IndividualBeneficiary {
  readonly beneficiaryType: "INDIVIDUAL";
  readonly fullName: string;
  readonly birthDate?: string;
  readonly nationality?: string;
  readonly address?: BeneficiaryAddress;
  readonly email?: string;
  /** Spaces and hyphens are taken, and stored without. */
  readonly phoneNumber?: string;
  readonly countryOfResidence?: string;
}

/** Currency: INR. Held in IN. Named by `vpa`, or by `accountNumber` with `ifsc` with `rail`. */
export type InrAccount = NewInrAccount & {
  /** The rails that reach this account; in answers alone. */
  readonly paymentRails?: readonly Open<"UPI" | "NEFT" | "RTGS">[];
};

export interface InternalAccount {
  /** `InternalAccount:<uuid>` */
  readonly id: string;
  /** Absent for the platform's own accounts. */
  readonly customerId?: string;
  readonly name?: string;
  /**
   * `false` for an account that was opened beside the default one; absent for the default account of its holder
   * and currency.
   */
  readonly isDefault?: boolean;
  readonly metadata?: Metadata;
  readonly type: Open<"INTERNAL_FIAT" | "INTERNAL_CRYPTO" | "EMBEDDED_WALLET">;
  readonly status: Open<"PENDING" | "ACTIVE" | "CLOSED" | "FROZEN" | "FAILED">;
  readonly frozen?: Frozen;
  readonly balance: CurrencyAmount;
  readonly totalBalance: CurrencyAmount;
  /**
   * Where payers may send money to; in production by the `FUNDING` routes, in the answers of the reading
   * operations alone. An account beside the default one has none until they are requested.
   */
  readonly fundingPaymentInstructions: readonly PaymentInstruction[];
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface Invitation {
  /** Opaque. Its holder can read and claim the invitation. */
  readonly code: string;
  readonly createdAt: string;
  /** The page to send to the one who is invited. */
  readonly url: string;
  readonly inviterUma: string;
  readonly status: Open<"PENDING" | "CLAIMED" | "EXPIRED" | "CANCELLED">;
  readonly claimedAt?: string;
  readonly expiresAt?: string;
  readonly inviteeUma?: string;
  /** The inviter's. */
  readonly firstName?: string;
  /** Whether the page names the inviter in full. */
  readonly showInviterName?: boolean;
  readonly amountToSend?: CurrencyAmount;
}

/** Currency: JMD. Held in JM. */
export interface JmdAccount extends NewJmdAccount {
  /** The rails that reach this account; in answers alone. */
  readonly paymentRails?: readonly Open<"BANK_TRANSFER">[];
}

/** Currency: KES. Held in KE. */
export interface KesAccount extends NewKesAccount {
  /** The rails that reach this account; in answers alone. */
  readonly paymentRails?: readonly Open<"MOBILE_MONEY">[];
}

export interface KindBalance {
  readonly kind: string;
  readonly balance: LedgerAmount;
}

export interface LedgerAccount {
  /** `LedgerAccount:<uuid>` */
  readonly id: string;
  /** `internal`, or what a system account is for: `in-flight`, `rail-clearing`, `clearing`, `fees` … */
  readonly kind: string;
  readonly currency: string;
  /** Of kind `internal`. */
  readonly internalAccountId?: string;
  /** The rail connection whose account it is. */
  readonly connectionId?: string;
  readonly balance: LedgerAmount;
  readonly held: LedgerAmount;
  /** How many entries it has. */
  readonly version: number;
  readonly updatedAt: string;
}

export interface LedgerAmount {
  /**
   * Whole number of the currency's smallest unit, as text: sums of the books may be beyond what a JSON number
   * holds.
   */
  readonly amount: string;
  /** Currency code. */
  readonly currency: string;
}

export interface LedgerCommand {
  /** Its number in the log, which has no gaps. */
  readonly seq: number;
  /** The id of the command, a UUID. */
  readonly id: string;
  readonly name: string;
  /** Who gave it: a kind and an id. */
  readonly actor: string;
  readonly at: string;
  /** With an idempotency key. */
  readonly idempotencyScope?: string;
  readonly idempotencyKey?: string;
  /** The status of its answer. */
  readonly status: number;
  /** The hash of the command before; 64 zeros for the first one. */
  readonly previousHash: string;
  /** Of its answer, which is kept for 30 days. */
  readonly answerDigest: string;
  /** Of its ledger entries, its events and its audit entry. */
  readonly effectsDigest: string;
  /** Of `previousHash` and the row, see `GET /ledger/commands/{seq}/proof`. */
  readonly hash: string;
}

export interface LedgerEntry {
  /** `LedgerAccount:<uuid>` */
  readonly accountId: string;
  /** The command that made the entry. */
  readonly commandSeq: number;
  /** Its place among the entries of the command. */
  readonly line: number;
  /** Its number among the entries of the account. */
  readonly version: number;
  /** `<commandSeq>.<n>` */
  readonly posting: string;
  readonly reason: string;
  readonly amount: LedgerAmount;
  readonly balanceAfter: LedgerAmount;
  readonly at: string;
  /** The transaction that the command was about, where it told of one. */
  readonly transactionId?: string;
}

/** Currency: BTC. Named by `invoice`, or by `bolt12`, or by `lightningAddress`, one of them alone. */
export type Lightning = AnyOf<
  {
    readonly accountType: "LIGHTNING";
    readonly invoice?: string;
    readonly bolt12?: string;
    readonly lightningAddress?: string;
    readonly platformAccountId?: string;
  },
  readonly ["invoice"] | readonly ["bolt12"] | readonly ["lightningAddress"]
>;

export interface ListAdjustmentsQuery {
  readonly accountId?: string;
  /** Currency code, in capitals. */
  readonly currency?: CurrencyCode;
  /**
   * How many items a page holds at most. A page of very large items ends earlier; `hasMore` tells whether there
   * are more.
   */
  readonly limit?: number;
  /** The `nextCursor` of the page before, with the same filters. */
  readonly cursor?: string;
}

export interface ListAgentActionsQuery {
  readonly status?: Open<"PENDING_APPROVAL" | "APPROVED" | "REJECTED" | "FAILED">;
  /**
   * How many items a page holds at most. A page of very large items ends earlier; `hasMore` tells whether there
   * are more.
   */
  readonly limit?: number;
  /** The `nextCursor` of the page before, with the same filters. */
  readonly cursor?: string;
}

export interface ListAgentApprovalsQuery {
  readonly agentId?: string;
  readonly customerId?: string;
  /** Submitted at this time or later. */
  readonly startDate?: string;
  /** Submitted at this time or earlier. */
  readonly endDate?: string;
  readonly sortOrder?: Open<"asc" | "desc">;
  /**
   * How many items a page holds at most. A page of very large items ends earlier; `hasMore` tells whether there
   * are more.
   */
  readonly limit?: number;
  /** The `nextCursor` of the page before, with the same filters. */
  readonly cursor?: string;
}

export interface ListAgentsQuery {
  readonly customerId?: string;
  readonly isPaused?: boolean;
  readonly isConnected?: boolean;
  /** Created at this time or later. */
  readonly createdAfter?: string;
  /** Created at this time or earlier. */
  readonly createdBefore?: string;
  /** Updated at this time or later. */
  readonly updatedAfter?: string;
  /** Updated at this time or earlier. */
  readonly updatedBefore?: string;
  /**
   * How many items a page holds at most. A page of very large items ends earlier; `hasMore` tells whether there
   * are more.
   */
  readonly limit?: number;
  /** The `nextCursor` of the page before, with the same filters. */
  readonly cursor?: string;
}

export interface ListApprovalsQuery {
  readonly state?: Open<
    "PENDING" | "APPROVED" | "DONE" | "FAILED" | "REJECTED" | "CANCELLED" | "EXPIRED"
  >;
  readonly kind?: Open<
    | "ADJUSTMENT"
    | "PAYMENT"
    | "TOKEN"
    | "PAYEE"
    | "AGENT_POLICY"
    | "UNFREEZE"
    | "KYC_OVERRIDE"
    | "ROLE_GRANT"
    | "REENROLMENT"
    | "ISSUER"
    | "OWNER_CHANGE"
    | "POLICY"
    | "CONTROL"
  >;
  /** `parties`: the answer names the parties, in `parties`. */
  readonly expand?: Open<"parties">;
  /**
   * How many items a page holds at most. A page of very large items ends earlier; `hasMore` tells whether there
   * are more.
   */
  readonly limit?: number;
  /** The `nextCursor` of the page before, with the same filters. */
  readonly cursor?: string;
}

export interface ListAuditEntriesQuery {
  /** Who acted: the id of a person, a token or an agent. */
  readonly actorId?: string;
  /** What was done. */
  readonly act?: string;
  /** The object that it was done to. */
  readonly targetId?: string;
  /** At this time or later. */
  readonly since?: string;
  /** At this time or earlier. */
  readonly until?: string;
  /**
   * How many items a page holds at most. A page of very large items ends earlier; `hasMore` tells whether there
   * are more.
   */
  readonly limit?: number;
  /** The `nextCursor` of the page before, with the same filters. */
  readonly cursor?: string;
}

export interface ListBalanceAlertsQuery {
  /**
   * How many items a page holds at most. A page of very large items ends earlier; `hasMore` tells whether there
   * are more.
   */
  readonly limit?: number;
  /** The `nextCursor` of the page before, with the same filters. */
  readonly cursor?: string;
}

export interface ListBeneficialOwnersQuery {
  readonly customerId: string;
  /**
   * How many items a page holds at most. A page of very large items ends earlier; `hasMore` tells whether there
   * are more.
   */
  readonly limit?: number;
  /** The `nextCursor` of the page before, with the same filters. */
  readonly cursor?: string;
}

export interface ListCheckpointsQuery {
  /** Of this command or a later one. */
  readonly fromSeq?: number;
  readonly sortOrder?: Open<"asc" | "desc">;
  /**
   * How many items a page holds at most. A page of very large items ends earlier; `hasMore` tells whether there
   * are more.
   */
  readonly limit?: number;
  /** The `nextCursor` of the page before, with the same filters. */
  readonly cursor?: string;
}

export interface ListCredentialsQuery {
  /** An embedded wallet. */
  readonly accountId: string;
}

export interface ListCustomerExternalAccountsQuery {
  /** Currency code, in capitals. */
  readonly currency?: CurrencyCode;
  /**
   * Exactly these values, as `metadata[orderId]=17`; up to three keys, which `searchableMetadata` of the
   * configuration has to name. Where more than 1,000 objects have the value there is no `totalCount`, and a page
   * with other filters may hold few objects, or none, and still have a next one.
   */
  readonly metadata?: Readonly<Record<string, string>>;
  readonly customerId?: string;
  /**
   * What `GET /search` finds by this text, 200 objects at most. The search index follows about a second behind.
   * The accounts of the customers that it names as well.
   */
  readonly q?: string;
  /**
   * How many items a page holds at most. A page of very large items ends earlier; `hasMore` tells whether there
   * are more.
   */
  readonly limit?: number;
  /** The `nextCursor` of the page before, with the same filters. */
  readonly cursor?: string;
}

export interface ListCustomerInternalAccountsQuery {
  /** Currency code, in capitals. */
  readonly currency?: CurrencyCode;
  readonly customerId?: string;
  readonly type?: Open<"INTERNAL_FIAT" | "INTERNAL_CRYPTO" | "EMBEDDED_WALLET">;
  /** `true`: default accounts alone; `false`: those opened beside them alone. */
  readonly isDefault?: boolean;
  /**
   * Exactly these values, as `metadata[orderId]=17`; up to three keys, which `searchableMetadata` of the
   * configuration has to name. Where more than 1,000 objects have the value there is no `totalCount`, and a page
   * with other filters may hold few objects, or none, and still have a next one.
   */
  readonly metadata?: Readonly<Record<string, string>>;
  /**
   * What `GET /search` finds by this text, 200 objects at most. The search index follows about a second behind.
   * The accounts of the customers that it names as well.
   */
  readonly q?: string;
  /**
   * How many items a page holds at most. A page of very large items ends earlier; `hasMore` tells whether there
   * are more.
   */
  readonly limit?: number;
  /** The `nextCursor` of the page before, with the same filters. */
  readonly cursor?: string;
}

export interface ListCustomersQuery {
  readonly platformCustomerId?: string;
  readonly customerType?: Open<"INDIVIDUAL" | "BUSINESS">;
  readonly region?: string;
  /** Currency code, in capitals. */
  readonly currency?: CurrencyCode;
  readonly umaAddress?: string;
  readonly isIncludingDeleted?: boolean;
  /** What `GET /search` finds by this text, 200 objects at most. The search index follows about a second behind. */
  readonly q?: string;
  /** Beginnings of words of the name. */
  readonly name?: string;
  /** The `kycStatus` or `kybStatus`. */
  readonly verificationStatus?: Open<"UNVERIFIED" | "PENDING" | "APPROVED" | "REJECTED">;
  readonly isFrozen?: boolean;
  /** Whether an internal account of the customer holds money. */
  readonly hasBalance?: boolean;
  /** Created at this time or later. */
  readonly createdAfter?: string;
  /** Created at this time or earlier. */
  readonly createdBefore?: string;
  /** Updated at this time or later. */
  readonly updatedAfter?: string;
  /** Updated at this time or earlier. */
  readonly updatedBefore?: string;
  /**
   * Exactly these values, as `metadata[orderId]=17`; up to three keys, which `searchableMetadata` of the
   * configuration has to name. Where more than 1,000 objects have the value there is no `totalCount`, and a page
   * with other filters may hold few objects, or none, and still have a next one.
   */
  readonly metadata?: Readonly<Record<string, string>>;
  /**
   * How many items a page holds at most. A page of very large items ends earlier; `hasMore` tells whether there
   * are more.
   */
  readonly limit?: number;
  /** The `nextCursor` of the page before, with the same filters. */
  readonly cursor?: string;
}

export interface ListDeliveryAttemptsQuery {
  /**
   * How many items a page holds at most. A page of very large items ends earlier; `hasMore` tells whether there
   * are more.
   */
  readonly limit?: number;
  /** The `nextCursor` of the page before, with the same filters. */
  readonly cursor?: string;
}

export interface ListDiscoveriesQuery {
  /** Institutions of this country. */
  readonly country?: string;
  /** Institutions that hold this currency. */
  readonly currency?: CurrencyCode;
}

export interface ListDocumentsQuery {
  /** Id of the customer or owner, or of the platform. */
  readonly documentHolder?: string;
  /**
   * How many items a page holds at most. A page of very large items ends earlier; `hasMore` tells whether there
   * are more.
   */
  readonly limit?: number;
  /** The `nextCursor` of the page before, with the same filters. */
  readonly cursor?: string;
}

export interface ListEventsQuery {
  readonly type?: string | readonly string[];
  /** The object that the event is about. */
  readonly resourceId?: string;
  /** Events with a higher `sequence`. */
  readonly after?: number;
  /** Events with a lower `sequence`. */
  readonly before?: number;
  /** Events of this time or later. */
  readonly since?: string;
  /** Events of this time or earlier. */
  readonly until?: string;
  readonly sortOrder?: Open<"asc" | "desc">;
  /**
   * How many items a page holds at most. A page of very large items ends earlier; `hasMore` tells whether there
   * are more.
   */
  readonly limit?: number;
  /** The `nextCursor` of the page before, with the same filters. */
  readonly cursor?: string;
}

export interface ListExchangeRatesQuery {
  readonly sourceCurrency?: CurrencyCode;
  /** May be given several times. */
  readonly destinationCurrency?: CurrencyCode | readonly CurrencyCode[];
  readonly sendingAmount?: number;
}

export interface ListExportsQuery {
  /**
   * How many items a page holds at most. A page of very large items ends earlier; `hasMore` tells whether there
   * are more.
   */
  readonly limit?: number;
  /** The `nextCursor` of the page before, with the same filters. */
  readonly cursor?: string;
}

export interface ListFeeVersionsQuery {
  /**
   * How many items a page holds at most. A page of very large items ends earlier; `hasMore` tells whether there
   * are more.
   */
  readonly limit?: number;
  /** The `nextCursor` of the page before, with the same filters. */
  readonly cursor?: string;
}

export interface ListFxPositionsQuery {
  /** The currency that positions are valued in; USD without it. */
  readonly valueIn?: CurrencyCode;
}

export interface ListHoldsQuery {
  readonly internalAccountId?: string;
  readonly status?: Open<"OPEN" | "CAPTURED" | "RELEASED" | "EXPIRED">;
  /**
   * Exactly these values, as `metadata[orderId]=17`; up to three keys, which `searchableMetadata` of the
   * configuration has to name. Where more than 1,000 objects have the value there is no `totalCount`, and a page
   * with other filters may hold few objects, or none, and still have a next one.
   */
  readonly metadata?: Readonly<Record<string, string>>;
  /** `parties`: the answer names the parties, in `parties`. */
  readonly expand?: Open<"parties">;
  /**
   * How many items a page holds at most. A page of very large items ends earlier; `hasMore` tells whether there
   * are more.
   */
  readonly limit?: number;
  /** The `nextCursor` of the page before, with the same filters. */
  readonly cursor?: string;
}

export interface ListLedgerAccountsQuery {
  /** `internal`, or a kind of system account. */
  readonly kind?: string;
  /** Currency code, in capitals. */
  readonly currency?: CurrencyCode;
  readonly internalAccountId?: string;
  /** The accounts of a customer. */
  readonly customerId?: string;
  readonly connectionId?: string;
  /**
   * How many items a page holds at most. A page of very large items ends earlier; `hasMore` tells whether there
   * are more.
   */
  readonly limit?: number;
  /** The `nextCursor` of the page before, with the same filters. */
  readonly cursor?: string;
}

export interface ListLedgerEntriesQuery {
  /** Entries of this time or later. */
  readonly since?: string;
  /** Entries of this time or earlier. */
  readonly until?: string;
  /** Why money was moved. */
  readonly reason?: string;
  readonly sortOrder?: Open<"asc" | "desc">;
  /**
   * How many items a page holds at most. A page of very large items ends earlier; `hasMore` tells whether there
   * are more.
   */
  readonly limit?: number;
  /** The `nextCursor` of the page before, with the same filters. */
  readonly cursor?: string;
}

export interface ListPaymentBatchItemsQuery {
  readonly status?: Open<"WAITING" | "CREATED" | "REFUSED" | "CANCELLED">;
  /**
   * How many items a page holds at most. A page of very large items ends earlier; `hasMore` tells whether there
   * are more.
   */
  readonly limit?: number;
  /** The `nextCursor` of the page before, with the same filters. */
  readonly cursor?: string;
}

export interface ListPaymentBatchesQuery {
  readonly status?: Open<"PENDING" | "PROCESSING" | "COMPLETED" | "CANCELLED">;
  /**
   * Exactly these values, as `metadata[orderId]=17`; up to three keys, which `searchableMetadata` of the
   * configuration has to name. Where more than 1,000 objects have the value there is no `totalCount`, and a page
   * with other filters may hold few objects, or none, and still have a next one.
   */
  readonly metadata?: Readonly<Record<string, string>>;
  /**
   * How many items a page holds at most. A page of very large items ends earlier; `hasMore` tells whether there
   * are more.
   */
  readonly limit?: number;
  /** The `nextCursor` of the page before, with the same filters. */
  readonly cursor?: string;
}

export interface ListPaymentScheduleRunsQuery {
  /**
   * How many items a page holds at most. A page of very large items ends earlier; `hasMore` tells whether there
   * are more.
   */
  readonly limit?: number;
  /** The `nextCursor` of the page before, with the same filters. */
  readonly cursor?: string;
}

export interface ListPaymentSchedulesQuery {
  readonly status?: Open<"ACTIVE" | "PAUSED" | "ENDED">;
  /** `parties`: the answer names the parties, in `parties`. */
  readonly expand?: Open<"parties">;
  /**
   * How many items a page holds at most. A page of very large items ends earlier; `hasMore` tells whether there
   * are more.
   */
  readonly limit?: number;
  /** The `nextCursor` of the page before, with the same filters. */
  readonly cursor?: string;
}

export interface ListPeopleQuery {
  /**
   * How many items a page holds at most. A page of very large items ends earlier; `hasMore` tells whether there
   * are more.
   */
  readonly limit?: number;
  /** The `nextCursor` of the page before, with the same filters. */
  readonly cursor?: string;
}

export interface ListPlatformExternalAccountsQuery {
  /** Currency code, in capitals. */
  readonly currency?: CurrencyCode;
  /**
   * Exactly these values, as `metadata[orderId]=17`; up to three keys, which `searchableMetadata` of the
   * configuration has to name. Where more than 1,000 objects have the value there is no `totalCount`, and a page
   * with other filters may hold few objects, or none, and still have a next one.
   */
  readonly metadata?: Readonly<Record<string, string>>;
  /** What `GET /search` finds by this text, 200 objects at most. The search index follows about a second behind. */
  readonly q?: string;
  /**
   * How many items a page holds at most. A page of very large items ends earlier; `hasMore` tells whether there
   * are more.
   */
  readonly limit?: number;
  /** The `nextCursor` of the page before, with the same filters. */
  readonly cursor?: string;
}

export interface ListPlatformInternalAccountsQuery {
  /** Currency code, in capitals. */
  readonly currency?: CurrencyCode;
  readonly type?: Open<"INTERNAL_FIAT" | "INTERNAL_CRYPTO" | "EMBEDDED_WALLET">;
  /** `true`: default accounts alone; `false`: those opened beside them alone. */
  readonly isDefault?: boolean;
  /**
   * Exactly these values, as `metadata[orderId]=17`; up to three keys, which `searchableMetadata` of the
   * configuration has to name. Where more than 1,000 objects have the value there is no `totalCount`, and a page
   * with other filters may hold few objects, or none, and still have a next one.
   */
  readonly metadata?: Readonly<Record<string, string>>;
  /** How many items a page holds at most. */
  readonly limit?: number;
  /** The `nextCursor` of the page before, with the same filters. */
  readonly cursor?: string;
}

export interface ListPostingsQuery {
  /** With a leg on this account. */
  readonly accountId?: string;
  /** Why money was moved. */
  readonly reason?: string;
  /** Of commands that told of this transaction. */
  readonly transactionId?: string;
  /** Of this time or later. */
  readonly since?: string;
  /** Of this time or earlier. */
  readonly until?: string;
  /**
   * How many items a page holds at most. A page of very large items ends earlier; `hasMore` tells whether there
   * are more.
   */
  readonly limit?: number;
  /** The `nextCursor` of the page before, with the same filters. */
  readonly cursor?: string;
}

export interface ListQuotesQuery {
  /** The sender: a customer, or the platform's own id for its own quotes. */
  readonly customerId?: string;
  /** The account that pays. */
  readonly sendingAccountId?: string;
  /** The account that is paid. */
  readonly receivingAccountId?: string;
  /** The UMA address of the sender. */
  readonly sendingUmaAddress?: string;
  /** The UMA address of the receiver. */
  readonly receivingUmaAddress?: string;
  readonly status?: Open<"PENDING" | "PROCESSING" | "COMPLETED" | "FAILED" | "EXPIRED">;
  /** Created at this time or later. */
  readonly createdAfter?: string;
  /** Created at this time or earlier. */
  readonly createdBefore?: string;
  /** `parties`: the answer names the parties, in `parties`. */
  readonly expand?: Open<"parties">;
  /**
   * How many items a page holds at most. A page of very large items ends earlier; `hasMore` tells whether there
   * are more.
   */
  readonly limit?: number;
  /** The `nextCursor` of the page before, with the same filters. */
  readonly cursor?: string;
}

export interface ListRailConnectionsQuery {
  readonly kind?: Open<"HTTP" | "MANUAL" | "SANDBOX">;
  readonly status?: Open<"SETUP" | "ACTIVE" | "PAUSED" | "DEGRADED" | "ARCHIVED">;
  /** Currency code, in capitals. */
  readonly currency?: CurrencyCode;
  /**
   * How many items a page holds at most. A page of very large items ends earlier; `hasMore` tells whether there
   * are more.
   */
  readonly limit?: number;
  /** The `nextCursor` of the page before, with the same filters. */
  readonly cursor?: string;
}

export interface ListRailEntriesQuery {
  readonly connectionId?: string;
  readonly direction?: Open<"CREDIT" | "DEBIT">;
  readonly bankReference?: string;
  /** A reference of the bank, or an id. */
  readonly q?: string;
  /** Told at this time or later. */
  readonly from?: string;
  /** Told at this time or earlier. */
  readonly to?: string;
  /**
   * How many items a page holds at most. A page of very large items ends earlier; `hasMore` tells whether there
   * are more.
   */
  readonly limit?: number;
  /** The `nextCursor` of the page before, with the same filters. */
  readonly cursor?: string;
}

export interface ListRailItemsQuery {
  readonly connectionId?: string;
  readonly state?: Open<"OPEN" | "HELD" | "RESOLVED">;
  /** A reference of the bank, or an id. */
  readonly q?: string;
  /** `parties`: the answer names the parties, in `parties`. */
  readonly expand?: Open<"parties">;
  /**
   * How many items a page holds at most. A page of very large items ends earlier; `hasMore` tells whether there
   * are more.
   */
  readonly limit?: number;
  /** The `nextCursor` of the page before, with the same filters. */
  readonly cursor?: string;
}

export interface ListRailMarksQuery {
  readonly connectionId?: string;
  readonly state?: Open<"WAITING" | "CONFIRMED" | "REFUSED" | "EXPIRED">;
  /**
   * How many items a page holds at most. A page of very large items ends earlier; `hasMore` tells whether there
   * are more.
   */
  readonly limit?: number;
  /** The `nextCursor` of the page before, with the same filters. */
  readonly cursor?: string;
}

export interface ListRailPaymentsQuery {
  readonly connectionId?: string;
  readonly state?: Open<
    | "HELD"
    | "QUEUED"
    | "SENDING"
    | "UNKNOWN"
    | "SENT"
    | "ACCEPTED"
    | "SETTLED"
    | "RETURNED"
    | "DECLINED"
    | "CANCELLED"
  >;
  readonly direction?: Open<"OUT" | "PULL" | "BACK">;
  /** Only those in conflict. */
  readonly conflict?: Open<"true">;
  /** Only those that the rail is asked to give back. */
  readonly recall?: Open<"REQUESTED">;
  readonly transactionId?: string;
  readonly endToEndId?: string;
  /** Created at this time or later. */
  readonly from?: string;
  /** Created at this time or earlier. */
  readonly to?: string;
  /** Created this many seconds ago or earlier. */
  readonly minAgeSeconds?: number;
  /** The oldest first, as a queue is worked off. */
  readonly order?: Open<"OLDEST">;
  /**
   * What `GET /search` finds by this text, 200 objects at most. The search index follows about a second behind.
   * The orders of the transactions that it finds as well.
   */
  readonly q?: string;
  /** `parties`: the answer names the parties, in `parties`. */
  readonly expand?: Open<"parties">;
  /**
   * How many items a page holds at most. A page of very large items ends earlier; `hasMore` tells whether there
   * are more.
   */
  readonly limit?: number;
  /** The `nextCursor` of the page before, with the same filters. */
  readonly cursor?: string;
}

export interface ListRailRoutesQuery {
  readonly connectionId?: string;
  readonly direction?: Open<"OUT" | "PULL" | "FUNDING" | "INVOICE">;
  /** Currency code, in capitals. */
  readonly currency?: CurrencyCode;
  /**
   * How many items a page holds at most. A page of very large items ends earlier; `hasMore` tells whether there
   * are more.
   */
  readonly limit?: number;
  /** The `nextCursor` of the page before, with the same filters. */
  readonly cursor?: string;
}

export interface ListRateObservationsQuery {
  /**
   * How many items a page holds at most. A page of very large items ends earlier; `hasMore` tells whether there
   * are more.
   */
  readonly limit?: number;
  /** The `nextCursor` of the page before, with the same filters. */
  readonly cursor?: string;
}

export interface ListRateSourcesQuery {
  readonly kind?: Open<"FIXED" | "ECB" | "HTTP">;
  /**
   * How many items a page holds at most. A page of very large items ends earlier; `hasMore` tells whether there
   * are more.
   */
  readonly limit?: number;
  /** The `nextCursor` of the page before, with the same filters. */
  readonly cursor?: string;
}

export interface ListReceivablesQuery {
  readonly state?: Open<"OPEN" | "COLLECTED" | "WRITTEN_OFF">;
  readonly internalAccountId?: string;
  readonly customerId?: string;
  /** `parties`: the answer names the parties, in `parties`. */
  readonly expand?: Open<"parties">;
  /**
   * How many items a page holds at most. A page of very large items ends earlier; `hasMore` tells whether there
   * are more.
   */
  readonly limit?: number;
  /** The `nextCursor` of the page before, with the same filters. */
  readonly cursor?: string;
}

export interface ListRequestLogsQuery {
  readonly method?: Open<"GET" | "HEAD" | "POST" | "PATCH" | "PUT" | "DELETE">;
  /** Exactly this path, below the version. */
  readonly path?: string;
  /** The operation's `operationId`. */
  readonly operationId?: string;
  readonly status?: number;
  readonly statusClass?: Open<"2xx" | "4xx" | "5xx">;
  readonly errorCode?: Open<
    | "INVALID_INPUT"
    | "INVALID_REQUEST_FORMAT"
    | "INVALID_AMOUNT"
    | "AMOUNT_OUT_OF_RANGE"
    | "INVALID_CURRENCY"
    | "INVALID_TIMESTAMP"
    | "INVALID_NONCE"
    | "INVALID_UMA_ADDRESS"
    | "INVALID_BANK_ACCOUNT"
    | "INVITATION_ALREADY_CLAIMED"
    | "INVITATION_CANCELLED"
    | "INVITATION_EXPIRED"
    | "INVITATIONS_NOT_CONFIGURED"
    | "VERIFICATION_LINKS_NOT_CONFIGURED"
    | "INSUFFICIENT_BALANCE"
    | "MISSING_MANDATORY_USER_INFO"
    | "INVALID_RECEIVER"
    | "SELF_PAYMENT"
    | "LOOKUP_REQUEST_FAILED"
    | "PARSE_LNURLP_RESPONSE_ERROR"
    | "MISSING_REQUIRED_UMA_PARAMETERS"
    | "SENDER_NOT_ACCEPTED"
    | "QUOTE_REQUEST_FAILED"
    | "PARSE_PAYREQ_RESPONSE_ERROR"
    | "INVALID_PAYREQ_RESPONSE"
    | "INVALID_PUBKEY_FORMAT"
    | "CERT_CHAIN_INVALID"
    | "CERT_CHAIN_EXPIRED"
    | "EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS"
    | "PASSKEY_CREDENTIAL_ALREADY_EXISTS"
    | "LAST_CREDENTIAL"
    | "WEBHOOK_ENDPOINT_NOT_SET"
    | "WEBHOOK_DELIVERY_ERROR"
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "USER_NOT_READY"
    | "COUNTERPARTY_NOT_ALLOWED"
    | "VELOCITY_LIMIT_EXCEEDED"
    | "APPROVAL_NOT_YOURS"
    | "UMA_NOT_FOUND"
    | "NOT_FOUND"
    | "REFERENCE_NOT_FOUND"
    | "USER_NOT_FOUND"
    | "TOKEN_NOT_FOUND"
    | "INVITATION_NOT_FOUND"
    | "TRANSACTION_NOT_FOUND"
    | "BULK_UPLOAD_JOB_NOT_FOUND"
    | "QUOTE_NOT_FOUND"
    | "LEDGER_ACCOUNT_NOT_FOUND"
    | "POSTING_NOT_FOUND"
    | "STATEMENT_NOT_FOUND"
    | "EXPORT_NOT_FOUND"
    | "WEBHOOK_ENDPOINT_NOT_FOUND"
    | "EVENT_NOT_FOUND"
    | "APPROVAL_NOT_FOUND"
    | "REQUEST_LOG_NOT_FOUND"
    | "LOOKUP_REQUEST_NOT_FOUND"
    | "METHOD_NOT_ALLOWED"
    | "CONFLICT"
    | "ACCOUNT_FROZEN"
    | "CUSTOMER_FROZEN"
    | "DUPLICATE_ENTRY"
    | "RAIL_PAUSED"
    | "RATE_STALE"
    | "FX_LIMIT"
    | "RATE_MOVED"
    | "QUOTE_EXPIRED"
    | "UMA_ADDRESS_EXISTS"
    | "TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL"
    | "CUSTOMER_DELETED"
    | "UNSUPPORTED_UMA_VERSION"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "IDEMPOTENCY_KEY_REUSED"
    | "LNURLP_REQUEST_FAILED"
    | "PAYREQ_REQUEST_FAILED"
    | "COUNTERPARTY_PUBKEY_FETCH_ERROR"
    | "NO_COMPATIBLE_UMA_VERSION"
    | "RATE_LIMITED"
    | "INTERNAL_ERROR"
    | "NOT_IMPLEMENTED"
    | "UNRECOGNIZED_MANDATORY_PAYEE_DATA_KEY"
    | "SERVICE_UNAVAILABLE"
  >;
  /** The `Idempotency-Key` of the call. */
  readonly idempotencyKey?: string;
  /** The `X-Request-Id` of the answer. */
  readonly requestId?: string;
  /** The token that called. */
  readonly tokenId?: string;
  /** The agent that called. */
  readonly agentId?: string;
  /**
   * Calls of programs (`API`) or of people (`CONSOLE`). Without it, and without `requestId`, the reads of people
   * are left out.
   */
  readonly source?: Open<"API" | "CONSOLE">;
  /** The last id of the path. */
  readonly resourceId?: string;
  readonly replayed?: boolean;
  readonly minLatencyMs?: number;
  /** Calls of this time or later. */
  readonly since?: string;
  /** Calls of this time or earlier. */
  readonly until?: string;
  /**
   * How many items a page holds at most. A page of very large items ends earlier; `hasMore` tells whether there
   * are more.
   */
  readonly limit?: number;
  /** The `nextCursor` of the page before, with the same filters. */
  readonly cursor?: string;
}

export interface ListSessionsQuery {
  /** An embedded wallet. */
  readonly accountId: string;
}

export interface ListStatementsQuery {
  readonly accountId?: string;
  /**
   * How many items a page holds at most. A page of very large items ends earlier; `hasMore` tells whether there
   * are more.
   */
  readonly limit?: number;
  /** The `nextCursor` of the page before, with the same filters. */
  readonly cursor?: string;
}

export interface ListTokensQuery {
  /** Exactly this name. */
  readonly name?: string;
  /** Created at this time or later. */
  readonly createdAfter?: string;
  /** Created at this time or earlier. */
  readonly createdBefore?: string;
  /** Updated at this time or later. */
  readonly updatedAfter?: string;
  /** Updated at this time or earlier. */
  readonly updatedBefore?: string;
  /**
   * How many items a page holds at most. A page of very large items ends earlier; `hasMore` tells whether there
   * are more.
   */
  readonly limit?: number;
  /** The `nextCursor` of the page before, with the same filters. */
  readonly cursor?: string;
}

export interface ListTransactionsQuery {
  /** A customer, or the platform's own id for its own transactions. */
  readonly customerId?: string;
  readonly platformCustomerId?: string;
  /** Payments that failed or came back for this reason: `failure.code`. */
  readonly failureCode?: Open<
    | "INSUFFICIENT_FUNDS"
    | "ACCOUNT_CLOSED"
    | "ACCOUNT_INVALID"
    | "REJECTED_BY_BANK"
    | "TIMED_OUT"
    | "RETURNED_BY_BANK"
    | "CANCELLED"
    | "DELIVERY_FAILED"
    | "REFUND_FAILED"
    | "COMPLIANCE"
    | "FUNDING_MISMATCH"
    | "QUOTE_FAILED"
    | "RECEIVER_REFUSED"
    | "UNKNOWN"
  >;
  /** An account id or UMA address: either side. */
  readonly accountIdentifier?: string;
  /** An account id or UMA address: the sender. */
  readonly senderAccountIdentifier?: string;
  /** An account id or UMA address: the receiver. */
  readonly receiverAccountIdentifier?: string;
  readonly status?: Open<
    | "CREATED"
    | "PENDING"
    | "PROCESSING"
    | "COMPLETED"
    | "REJECTED"
    | "FAILED"
    | "REFUNDED"
    | "EXPIRED"
  >;
  readonly type?: Open<"INCOMING" | "OUTGOING">;
  /**
   * Exactly this reference: of the `reconciliationInstructions`, the beneficiary's `reference`, or the
   * `bankReference` of an entry. The second one is found about a second after the payment was made.
   */
  readonly reference?: string;
  /** The transactions of a transfer of several legs. */
  readonly groupId?: string;
  /** Created at this time or later. */
  readonly startDate?: string;
  /** Created at this time or earlier. */
  readonly endDate?: string;
  /**
   * What `GET /search` finds by this text, 200 objects at most. The search index follows about a second behind.
   * The transactions of the first five customers and external accounts that it names as well.
   */
  readonly q?: string;
  /**
   * The name, the last four characters or the UMA address of the other side: transactions with one of the first
   * five external accounts that have it.
   */
  readonly counterparty?: string;
  /** Beginnings of words of the description. */
  readonly description?: string;
  /** Currency code, in capitals. */
  readonly currency?: CurrencyCode;
  /** At least this amount was sent or received, in the smallest unit of its currency. */
  readonly minAmount?: number;
  /** At most this amount was sent or received, in the smallest unit of its currency. */
  readonly maxAmount?: number;
  readonly paymentRail?: string;
  /** Ordered or booked at this connection. */
  readonly connectionId?: string;
  /** Given back, whole or in part, or about to be. */
  readonly hasRefund?: boolean;
  /**
   * Exactly these values, as `metadata[orderId]=17`; up to three keys, which `searchableMetadata` of the
   * configuration has to name. Where more than 1,000 objects have the value there is no `totalCount`, and a page
   * with other filters may hold few objects, or none, and still have a next one.
   */
  readonly metadata?: Readonly<Record<string, string>>;
  readonly sortOrder?: Open<"asc" | "desc">;
  /** `parties`: the answer names the parties, in `parties`. */
  readonly expand?: Open<"parties">;
  /**
   * How many items a page holds at most. A page of very large items ends earlier; `hasMore` tells whether there
   * are more.
   */
  readonly limit?: number;
  /** The `nextCursor` of the page before, with the same filters. */
  readonly cursor?: string;
}

export interface ListUmaCounterpartiesQuery {
  readonly status?: Open<"DEFAULT" | "ALLOWED" | "BLOCKED">;
  readonly keyState?: Open<"OK" | "CHANGED" | "EXPIRED">;
  readonly domain?: string;
  /**
   * How many items a page holds at most. A page of very large items ends earlier; `hasMore` tells whether there
   * are more.
   */
  readonly limit?: number;
  /** The `nextCursor` of the page before, with the same filters. */
  readonly cursor?: string;
}

export interface ListUmaDomainsQuery {
  readonly status?: Open<"CLAIMED" | "ACTIVE" | "UNREACHABLE">;
  /**
   * How many items a page holds at most. A page of very large items ends earlier; `hasMore` tells whether there
   * are more.
   */
  readonly limit?: number;
  /** The `nextCursor` of the page before, with the same filters. */
  readonly cursor?: string;
}

export interface ListUmaExchangesQuery {
  readonly vaspDomain?: string;
  /**
   * How many items a page holds at most. A page of very large items ends earlier; `hasMore` tells whether there
   * are more.
   */
  readonly limit?: number;
  /** The `nextCursor` of the page before, with the same filters. */
  readonly cursor?: string;
}

export interface ListUmaKeysQuery {
  /**
   * How many items a page holds at most. A page of very large items ends earlier; `hasMore` tells whether there
   * are more.
   */
  readonly limit?: number;
  /** The `nextCursor` of the page before, with the same filters. */
  readonly cursor?: string;
}

export interface ListUmaProvidersQuery {
  /** Providers that serve this country. */
  readonly countryCode?: string;
  /** Providers that take this currency. */
  readonly currencyCode?: CurrencyCode;
  /** False leaves blocked providers out. */
  readonly hasBlockedProviders?: boolean;
  readonly sortOrder?: Open<"asc" | "desc">;
  /**
   * How many items a page holds at most. A page of very large items ends earlier; `hasMore` tells whether there
   * are more.
   */
  readonly limit?: number;
  /** The `nextCursor` of the page before, with the same filters. */
  readonly cursor?: string;
}

export interface ListVerificationsQuery {
  readonly customerId?: string;
  readonly verificationStatus?: Open<
    | "RESOLVE_ERRORS"
    | "IN_PROGRESS"
    | "PENDING_MANUAL_REVIEW"
    | "APPROVED"
    | "REJECTED"
    | "READY_FOR_VERIFICATION"
  >;
  /**
   * How many items a page holds at most. A page of very large items ends earlier; `hasMore` tells whether there
   * are more.
   */
  readonly limit?: number;
  /** The `nextCursor` of the page before, with the same filters. */
  readonly cursor?: string;
}

export interface ListWebhookDeliveriesQuery {
  /** Deliveries to this endpoint. */
  readonly endpointId?: string;
  /** Deliveries of this event. */
  readonly eventId?: string;
  readonly eventType?: string | readonly string[];
  /** The object that the event is about. */
  readonly resourceId?: string;
  /** `NOT_ARRIVED`: those that failed, and those that wait after a failure. */
  readonly state?: Open<"DELIVERED" | "WAITING" | "BEHIND" | "FAILED" | "NOT_ARRIVED">;
  /**
   * Of the last answer; `none` where there was none. What was delivered is `2xx`, and what was not attempted is in
   * no class.
   */
  readonly statusClass?: Open<"2xx" | "3xx" | "4xx" | "5xx" | "none">;
  /** Deliveries about the first object that `GET /search` finds by this text. */
  readonly q?: string;
  /** Of events of this time or later. */
  readonly since?: string;
  /** Of events of this time or earlier. */
  readonly until?: string;
  /**
   * How many items a page holds at most. A page of very large items ends earlier; `hasMore` tells whether there
   * are more.
   */
  readonly limit?: number;
  /** The `nextCursor` of the page before, with the same filters. */
  readonly cursor?: string;
}

export interface ListWebhookEndpointsQuery {
  /** Only those in this state. */
  readonly state?: Open<"ACTIVE" | "FAILING" | "STOPPED" | "DISABLED">;
}

export interface LookupExternalAccountReceiverQuery {
  /** The UMA address of the customer who would pay. */
  readonly senderUmaAddress?: string;
  /** The customer who would pay, when no address is given. */
  readonly customerId?: string;
}

export interface LookupUmaReceiverQuery {
  /** The UMA address of the customer who would pay. */
  readonly senderUmaAddress?: string;
  /** The customer who would pay, when no address is given. */
  readonly customerId?: string;
}

export interface MarkRailPaymentBody {
  /** `RECALL_REFUSED`: the bank does not give the payment back that was recalled; the payment stays as it is. */
  readonly outcome: Open<"SENT" | "SETTLED" | "DECLINED" | "RETURNED" | "RECALL_REFUSED">;
  /** The bank's reference. */
  readonly reference?: string;
  readonly valueDate?: string;
  readonly reason?: {
    readonly code: string;
    readonly text?: string;
  };
  /** Kept in the history of the order. */
  readonly note?: string;
}

export interface MarkRailPaymentsBody {
  readonly marks: readonly {
    /** `RailPayment:<uuid>` */
    readonly paymentId: string;
    /** `RECALL_REFUSED`: the bank does not give the payment back that was recalled; the payment stays as it is. */
    readonly outcome: Open<"SENT" | "SETTLED" | "DECLINED" | "RETURNED" | "RECALL_REFUSED">;
    /** The bank's reference. */
    readonly reference?: string;
    readonly valueDate?: string;
    readonly reason?: {
      readonly code: string;
      readonly text?: string;
    };
    /** Kept in the history of the order. */
    readonly note?: string;
  }[];
}

/**
 * Your own keys and values. They are given back and never interpreted. The keys `__proto__` and `constructor`
 * are refused.
 */
export type Metadata = Readonly<Record<string, string>>;

/** Currency: MWK. Held in MW. */
export interface MwkAccount extends NewMwkAccount {
  /** The rails that reach this account; in answers alone. */
  readonly paymentRails?: readonly Open<"MOBILE_MONEY">[];
}

/** Currency: MXN. Held in MX. */
export interface MxnAccount extends NewMxnAccount {
  /** The rails that reach this account; in answers alone. */
  readonly paymentRails?: readonly Open<"SPEI">[];
}

/** Currency: MYR. Held in MY. */
export interface MyrAccount extends NewMyrAccount {
  /** The rails that reach this account; in answers alone. */
  readonly paymentRails?: readonly Open<"BANK_TRANSFER">[];
}

export type NewAccountInfo =
  | NewAedAccount
  | BaseWallet
  | NewBdtAccount
  | NewBrlAccount
  | NewBwpAccount
  | NewCadAccount
  | NewCnyAccount
  | NewCopAccount
  | NewDkkAccount
  | NewEgpAccount
  | EthereumWallet
  | NewEurAccount
  | NewGbpAccount
  | NewGhsAccount
  | NewGtqAccount
  | NewHkdAccount
  | NewHtgAccount
  | NewIdrAccount
  | NewInrAccount
  | NewJmdAccount
  | NewKesAccount
  | Lightning
  | NewMwkAccount
  | NewMxnAccount
  | NewMyrAccount
  | NewNgnAccount
  | NewPhpAccount
  | NewPkrAccount
  | PlasmaWallet
  | PolygonWallet
  | NewRwfAccount
  | NewSgdAccount
  | NewSlvAccount
  | SolanaWallet
  | SparkWallet
  | NewSwiftAccount
  | NewThbAccount
  | TronWallet
  | NewTzsAccount
  | NewUgxAccount
  | NewUsdAccount
  | NewVndAccount
  | NewXafAccount
  | NewXofAccount
  | NewZarAccount
  | NewZmwAccount
  | { readonly accountType: Unlisted };

/** Currency: AED. Held in AE. */
export interface NewAedAccount {
  readonly accountType: "AED_ACCOUNT";
  /** Spaces and hyphens are taken, and stored without. */
  readonly iban: string;
  readonly swiftCode?: string;
  readonly platformAccountId?: string;
  readonly beneficiary:
    | {
        readonly beneficiaryType: "INDIVIDUAL";
        readonly fullName: string;
        readonly birthDate?: string;
        readonly nationality?: string;
        readonly address: BeneficiaryAddress;
        readonly email?: string;
        /** Spaces and hyphens are taken, and stored without. */
        readonly phoneNumber?: string;
        readonly countryOfResidence?: string;
      }
    | BusinessBeneficiary
    | { readonly beneficiaryType: Unlisted };
}

/** Currency: BDT. Held in BD. Named by `accountNumber`, or by `phoneNumber`. */
export type NewBdtAccount = AnyOf<
  {
    readonly accountType: "BDT_ACCOUNT";
    readonly accountNumber?: string;
    readonly bankName: string;
    /** Spaces and hyphens are taken, and stored without. */
    readonly phoneNumber?: string;
    readonly branchCode?: string;
    readonly swiftCode?: string;
    readonly platformAccountId?: string;
    readonly beneficiary: Beneficiary;
  },
  readonly ["accountNumber"] | readonly ["phoneNumber"]
>;

/** Currency: BRL. Held in BR. */
export interface NewBrlAccount {
  readonly accountType: "BRL_ACCOUNT";
  readonly pixKey: string;
  readonly pixKeyType: Open<"CPF" | "CNPJ" | "EMAIL" | "PHONE" | "RANDOM">;
  readonly taxId: string;
  readonly platformAccountId?: string;
  readonly beneficiary: Beneficiary;
}

export interface NewBusinessInfo {
  readonly legalName: string;
  readonly country: string;
  readonly taxId: string;
  readonly incorporatedOn: string;
  readonly registrationNumber?: string;
  readonly doingBusinessAs?: string;
  readonly entityType?: Open<
    | "SOLE_PROPRIETORSHIP"
    | "PARTNERSHIP"
    | "LLC"
    | "CORPORATION"
    | "S_CORPORATION"
    | "NON_PROFIT"
    | "PUBLICLY_LISTED_COMPANY"
    | "TRUST"
    | "PRIVATE_FOUNDATION"
    | "CHARITY"
    | "OTHER"
  >;
  readonly businessType?: Open<
    | "AGRICULTURE_FORESTRY_FISHING_AND_HUNTING"
    | "MINING_QUARRYING_AND_OIL_AND_GAS_EXTRACTION"
    | "UTILITIES"
    | "CONSTRUCTION"
    | "MANUFACTURING"
    | "WHOLESALE_TRADE"
    | "RETAIL_TRADE"
    | "TRANSPORTATION_AND_WAREHOUSING"
    | "INFORMATION"
    | "FINANCE_AND_INSURANCE"
    | "REAL_ESTATE_AND_RENTAL_AND_LEASING"
    | "PROFESSIONAL_SCIENTIFIC_AND_TECHNICAL_SERVICES"
    | "MANAGEMENT_OF_COMPANIES_AND_ENTERPRISES"
    | "ADMINISTRATIVE_AND_SUPPORT_AND_WASTE_MANAGEMENT_AND_REMEDIATION_SERVICES"
    | "EDUCATIONAL_SERVICES"
    | "HEALTH_CARE_AND_SOCIAL_ASSISTANCE"
    | "ARTS_ENTERTAINMENT_AND_RECREATION"
    | "ACCOMMODATION_AND_FOOD_SERVICES"
    | "OTHER_SERVICES"
    | "PUBLIC_ADMINISTRATION"
  >;
  readonly countriesOfOperation?: readonly string[];
  readonly purposeOfAccount?: Open<
    | "CONTRACTOR_PAYOUTS"
    | "CREATOR_PAYOUTS"
    | "EMPLOYEE_PAYOUTS"
    | "MARKETPLACE_SELLER_PAYOUTS"
    | "SUPPLIER_PAYMENTS"
    | "CROSS_BORDER_B2B"
    | "AR_AUTOMATION"
    | "AP_AUTOMATION"
    | "EMBEDDED_PAYMENTS"
    | "PLATFORM_FEE_COLLECTION"
    | "P2P_TRANSFERS"
    | "CHARITABLE_DONATIONS"
    | "OTHER"
  >;
  readonly purposeOfAccountOtherDescription?: string;
  readonly sourceOfFunds?: string;
  readonly sourceOfFundsCategories?: readonly Open<
    | "OPERATING_REVENUE"
    | "INVESTMENT_INCOME"
    | "LOANS"
    | "VENTURE_CAPITAL"
    | "PERSONAL_SAVINGS"
    | "DONATIONS"
    | "OTHER"
  >[];
  readonly sourceOfFundsOtherDescription?: string;
  readonly expectedMonthlyTransactionCount?: Open<
    | "COUNT_UNDER_10"
    | "COUNT_10_TO_100"
    | "COUNT_100_TO_500"
    | "COUNT_500_TO_1000"
    | "COUNT_OVER_1000"
  >;
  readonly expectedMonthlyTransactionVolume?: Open<
    | "VOLUME_UNDER_10K"
    | "VOLUME_10K_TO_100K"
    | "VOLUME_100K_TO_1M"
    | "VOLUME_1M_TO_10M"
    | "VOLUME_OVER_10M"
  >;
  readonly expectedRecipientJurisdictions?: readonly string[];
  readonly expectedCounterpartyCountries?: readonly string[];
  readonly naicsCode?: string;
  readonly primaryContactFirstName?: string;
  readonly primaryContactLastName?: string;
}

/** Currency: BWP. Held in BW. */
export interface NewBwpAccount {
  readonly accountType: "BWP_ACCOUNT";
  /** Spaces and hyphens are taken, and stored without. */
  readonly phoneNumber: string;
  readonly provider: string;
  readonly platformAccountId?: string;
  readonly beneficiary: Beneficiary;
}

/** Currency: CAD. Held in CA. */
export interface NewCadAccount {
  readonly accountType: "CAD_ACCOUNT";
  readonly bankCode: string;
  readonly branchCode: string;
  readonly accountNumber: string;
  readonly platformAccountId?: string;
  readonly beneficiary:
    | {
        readonly beneficiaryType: "INDIVIDUAL";
        readonly fullName: string;
        readonly birthDate?: string;
        readonly nationality?: string;
        readonly address?: BeneficiaryAddress;
        readonly email?: string;
        /** Spaces and hyphens are taken, and stored without. */
        readonly phoneNumber?: string;
        readonly countryOfResidence?: string;
        readonly registrationNumber?: string;
      }
    | BusinessBeneficiary
    | { readonly beneficiaryType: Unlisted };
}

/** Currency: CNY. Held in CN. Named by `accountNumber`, or by `phoneNumber`. */
export type NewCnyAccount = AnyOf<
  {
    readonly accountType: "CNY_ACCOUNT";
    readonly accountNumber?: string;
    readonly bankName: string;
    /** Spaces and hyphens are taken, and stored without. */
    readonly phoneNumber?: string;
    readonly platformAccountId?: string;
    readonly beneficiary: Beneficiary;
  },
  readonly ["accountNumber"] | readonly ["phoneNumber"]
>;

/** Currency: COP. Held in CO. Named by `accountNumber` with `bankAccountType`, or by `phoneNumber`. */
export type NewCopAccount = AnyOf<
  {
    readonly accountType: "COP_ACCOUNT";
    readonly accountNumber?: string;
    readonly bankName: string;
    /** Spaces and hyphens are taken, and stored without. */
    readonly phoneNumber?: string;
    readonly bankAccountType?: Open<"CHECKING" | "SAVINGS">;
    readonly platformAccountId?: string;
    readonly beneficiary:
      | {
          readonly beneficiaryType: "INDIVIDUAL";
          readonly fullName: string;
          readonly birthDate?: string;
          readonly nationality?: string;
          readonly address?: BeneficiaryAddress;
          readonly email?: string;
          /** Spaces and hyphens are taken, and stored without. */
          readonly phoneNumber?: string;
          readonly countryOfResidence?: string;
          readonly documentType?: Open<"CC" | "CE" | "TI" | "NIT" | "PP">;
          readonly documentNumber?: string;
        }
      | BusinessBeneficiary
      | { readonly beneficiaryType: Unlisted };
  },
  readonly ["accountNumber", "bankAccountType"] | readonly ["phoneNumber"]
>;

/** Currency: DKK. Held in DK. */
export interface NewDkkAccount {
  readonly accountType: "DKK_ACCOUNT";
  /** Spaces and hyphens are taken, and stored without. */
  readonly iban: string;
  readonly swiftCode?: string;
  readonly platformAccountId?: string;
  readonly beneficiary: Beneficiary;
}

/** Currency: EGP. Held in EG. Named by `iban`, or by `phoneNumber`. */
export type NewEgpAccount = AnyOf<
  {
    readonly accountType: "EGP_ACCOUNT";
    /** Spaces and hyphens are taken, and stored without. */
    readonly iban?: string;
    readonly bankName: string;
    /** Spaces and hyphens are taken, and stored without. */
    readonly phoneNumber?: string;
    readonly platformAccountId?: string;
    readonly beneficiary: Beneficiary;
  },
  readonly ["iban"] | readonly ["phoneNumber"]
>;

/**
 * Currency: EUR. Held in AT, BE, BG, HR, CY, CZ, EE, FI, FR, DE, GR, HU, IS, IE, IT, LV, LI, LT, LU, MT, NL, NO,
 * PL, PT, RO, SK, SI, ES, SE, CH.
 */
export interface NewEurAccount {
  readonly accountType: "EUR_ACCOUNT";
  /** Spaces and hyphens are taken, and stored without. */
  readonly iban: string;
  readonly swiftCode?: string;
  readonly platformAccountId?: string;
  readonly beneficiary:
    | {
        readonly beneficiaryType: "INDIVIDUAL";
        readonly fullName: string;
        readonly birthDate?: string;
        readonly nationality?: string;
        readonly address?: BeneficiaryAddress;
        readonly email?: string;
        /** Spaces and hyphens are taken, and stored without. */
        readonly phoneNumber?: string;
        readonly countryOfResidence: string;
      }
    | BusinessBeneficiary
    | { readonly beneficiaryType: Unlisted };
}

/** Currency: GBP. Held in GB. */
export interface NewGbpAccount {
  readonly accountType: "GBP_ACCOUNT";
  /** Spaces and hyphens are taken, and stored without. */
  readonly sortCode: string;
  readonly accountNumber: string;
  readonly platformAccountId?: string;
  readonly beneficiary: Beneficiary;
}

/** Currency: GHS. Held in GH. Named by `accountNumber`, or by `phoneNumber`. */
export type NewGhsAccount = AnyOf<
  {
    readonly accountType: "GHS_ACCOUNT";
    readonly accountNumber?: string;
    readonly bankName: string;
    /** Spaces and hyphens are taken, and stored without. */
    readonly phoneNumber?: string;
    readonly platformAccountId?: string;
    readonly beneficiary: Beneficiary;
  },
  readonly ["accountNumber"] | readonly ["phoneNumber"]
>;

/** Currency: GTQ. Held in GT. */
export interface NewGtqAccount {
  readonly accountType: "GTQ_ACCOUNT";
  readonly accountNumber: string;
  readonly bankAccountType: Open<"CHECKING" | "SAVINGS">;
  readonly bankName: string;
  readonly platformAccountId?: string;
  readonly beneficiary:
    | {
        readonly beneficiaryType: "INDIVIDUAL";
        readonly fullName: string;
        readonly birthDate?: string;
        readonly nationality?: string;
        readonly address?: BeneficiaryAddress;
        readonly email?: string;
        /** Spaces and hyphens are taken, and stored without. */
        readonly phoneNumber: string;
        readonly countryOfResidence: string;
      }
    | BusinessBeneficiary
    | { readonly beneficiaryType: Unlisted };
}

/** Currency: HKD. Held in HK. */
export interface NewHkdAccount {
  readonly accountType: "HKD_ACCOUNT";
  readonly bankName: string;
  readonly accountNumber: string;
  readonly swiftCode: string;
  readonly platformAccountId?: string;
  readonly beneficiary: Beneficiary;
}

/** Currency: HTG. Held in HT. */
export interface NewHtgAccount {
  readonly accountType: "HTG_ACCOUNT";
  /** Spaces and hyphens are taken, and stored without. */
  readonly phoneNumber: string;
  readonly platformAccountId?: string;
  readonly beneficiary: Beneficiary;
}

/** Currency: IDR. Held in ID. */
export interface NewIdrAccount {
  readonly accountType: "IDR_ACCOUNT";
  readonly bankName: string;
  readonly accountNumber: string;
  readonly swiftCode: string;
  /** Spaces and hyphens are taken, and stored without. */
  readonly phoneNumber: string;
  readonly platformAccountId?: string;
  readonly beneficiary: Beneficiary;
}

/** Currency: INR. Held in IN. Named by `vpa`, or by `accountNumber` with `ifsc` with `rail`. */
export type NewInrAccount = AnyOf<
  {
    readonly accountType: "INR_ACCOUNT";
    readonly vpa?: string;
    readonly accountNumber?: string;
    readonly ifsc?: string;
    readonly rail?: string;
    readonly bankName?: string;
    readonly platformAccountId?: string;
    readonly beneficiary: Beneficiary;
  },
  readonly ["vpa"] | readonly ["accountNumber", "ifsc", "rail"]
>;

/** Currency: JMD. Held in JM. */
export interface NewJmdAccount {
  readonly accountType: "JMD_ACCOUNT";
  readonly accountNumber: string;
  readonly branchCode: string;
  readonly bankAccountType: Open<"CHECKING" | "SAVINGS">;
  readonly bankName: string;
  readonly platformAccountId?: string;
  readonly beneficiary:
    | {
        readonly beneficiaryType: "INDIVIDUAL";
        readonly fullName: string;
        readonly birthDate?: string;
        readonly nationality?: string;
        readonly address: BeneficiaryAddress;
        readonly email?: string;
        /** Spaces and hyphens are taken, and stored without. */
        readonly phoneNumber: string;
        readonly countryOfResidence?: string;
      }
    | BusinessBeneficiary
    | { readonly beneficiaryType: Unlisted };
}

/** Currency: KES. Held in KE. */
export interface NewKesAccount {
  readonly accountType: "KES_ACCOUNT";
  /** Spaces and hyphens are taken, and stored without. */
  readonly phoneNumber: string;
  readonly provider: Open<"M-PESA">;
  readonly platformAccountId?: string;
  readonly beneficiary: Beneficiary;
}

/** Currency: MWK. Held in MW. */
export interface NewMwkAccount {
  readonly accountType: "MWK_ACCOUNT";
  /** Spaces and hyphens are taken, and stored without. */
  readonly phoneNumber: string;
  readonly provider: string;
  readonly platformAccountId?: string;
  readonly beneficiary: Beneficiary;
}

/** Currency: MXN. Held in MX. */
export interface NewMxnAccount {
  readonly accountType: "MXN_ACCOUNT";
  /** Spaces and hyphens are taken, and stored without. */
  readonly clabeNumber: string;
  readonly platformAccountId?: string;
  readonly beneficiary: Beneficiary;
}

/** Currency: MYR. Held in MY. */
export interface NewMyrAccount {
  readonly accountType: "MYR_ACCOUNT";
  readonly bankName: string;
  readonly accountNumber: string;
  readonly swiftCode: string;
  readonly platformAccountId?: string;
  readonly beneficiary: Beneficiary;
}

/** Currency: NGN. Held in NG. `bankName` is spelled as GET /discoveries lists it. */
export interface NewNgnAccount {
  readonly accountType: "NGN_ACCOUNT";
  readonly accountNumber: string;
  readonly bankName: string;
  readonly platformAccountId?: string;
  readonly beneficiary: Beneficiary;
}

export interface NewPaymentBatchItem {
  /** Unique in the batch. */
  readonly reference: string;
  /** `TRANSFER_OUT`: like `POST /transfer-out`. `BOOK`: like `POST /transfers`. */
  readonly kind: Open<"TRANSFER_OUT" | "BOOK">;
  readonly source: {
    readonly accountId: string;
  };
  readonly destination: {
    /** Of `TRANSFER_OUT` an external account, of `BOOK` an internal one. */
    readonly accountId: string;
    /** Of `TRANSFER_OUT` alone. */
    readonly paymentRail?: PaymentRail;
  };
  /** Whole number of the currency's smallest unit. */
  readonly amount: number;
  readonly description?: string;
  readonly metadata?: Metadata;
  /** Of `TRANSFER_OUT` alone. */
  readonly remittanceInformation?: string;
}

/** Currency: PHP. Held in PH. `bankName` is spelled as GET /discoveries lists it. */
export interface NewPhpAccount {
  readonly accountType: "PHP_ACCOUNT";
  readonly bankName: string;
  readonly accountNumber: string;
  readonly platformAccountId?: string;
  readonly beneficiary: Beneficiary;
}

/** Currency: PKR. Held in PK. Named by `accountNumber`, or by `iban`, or by `phoneNumber`. */
export type NewPkrAccount = AnyOf<
  {
    readonly accountType: "PKR_ACCOUNT";
    readonly accountNumber?: string;
    readonly bankName: string;
    /** Spaces and hyphens are taken, and stored without. */
    readonly phoneNumber?: string;
    /** Spaces and hyphens are taken, and stored without. */
    readonly iban?: string;
    readonly platformAccountId?: string;
    readonly beneficiary: Beneficiary;
  },
  readonly ["accountNumber"] | readonly ["iban"] | readonly ["phoneNumber"]
>;

/** Currency: RWF. Held in RW. */
export interface NewRwfAccount {
  readonly accountType: "RWF_ACCOUNT";
  /** Spaces and hyphens are taken, and stored without. */
  readonly phoneNumber: string;
  readonly provider: string;
  readonly platformAccountId?: string;
  readonly beneficiary: Beneficiary;
}

/** Currency: SGD. Held in SG. */
export interface NewSgdAccount {
  readonly accountType: "SGD_ACCOUNT";
  readonly bankName?: string;
  readonly accountNumber: string;
  readonly swiftCode: string;
  readonly platformAccountId?: string;
  readonly beneficiary: Beneficiary;
}

/**
 * Currency: USD. Held in SV. Named by `accountNumber` with `bankName` with `bankAccountType`, or by
 * `phoneNumber`.
 */
export type NewSlvAccount = AnyOf<
  {
    readonly accountType: "SLV_ACCOUNT";
    readonly bankName?: string;
    readonly accountNumber?: string;
    readonly bankAccountType?: Open<"CHECKING" | "SAVINGS">;
    /** Spaces and hyphens are taken, and stored without. */
    readonly phoneNumber?: string;
    readonly platformAccountId?: string;
    readonly beneficiary: Beneficiary;
  },
  readonly ["accountNumber", "bankName", "bankAccountType"] | readonly ["phoneNumber"]
>;

export interface NewSupportedCurrency {
  readonly currencyCode: CurrencyCode;
  /** The least that can be sent at once, in the smallest unit. */
  readonly minAmount: number;
  /** The most that can be sent at once, in the smallest unit. */
  readonly maxAmount: number;
  readonly requiredCounterpartyFields: readonly {
    readonly name: Open<
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
      | "ID_NUMBER"
    >;
    readonly mandatory: boolean;
  }[];
  readonly enabledTransactionTypes: readonly Open<"INCOMING" | "OUTGOING">[];
}

/** Currency: any national currency. Named by `accountNumber`, or by `iban`, one of them alone. */
export type NewSwiftAccount = AnyOf<
  {
    readonly accountType: "SWIFT_ACCOUNT";
    readonly country: string;
    readonly swiftCode: string;
    readonly bankName: string;
    readonly accountNumber?: string;
    /** Spaces and hyphens are taken, and stored without. */
    readonly iban?: string;
    readonly platformAccountId?: string;
    readonly beneficiary: Beneficiary;
  },
  readonly ["accountNumber"] | readonly ["iban"]
>;

/** Currency: THB. Held in TH. */
export interface NewThbAccount {
  readonly accountType: "THB_ACCOUNT";
  readonly bankName: string;
  readonly accountNumber: string;
  readonly swiftCode: string;
  readonly platformAccountId?: string;
  readonly beneficiary: Beneficiary;
}

/** Currency: TZS. Held in TZ. */
export interface NewTzsAccount {
  readonly accountType: "TZS_ACCOUNT";
  /** Spaces and hyphens are taken, and stored without. */
  readonly phoneNumber: string;
  readonly provider: string;
  readonly platformAccountId?: string;
  readonly beneficiary: Beneficiary;
}

/** Currency: UGX. Held in UG. */
export interface NewUgxAccount {
  readonly accountType: "UGX_ACCOUNT";
  /** Spaces and hyphens are taken, and stored without. */
  readonly phoneNumber: string;
  readonly provider: string;
  readonly platformAccountId?: string;
  readonly beneficiary: Beneficiary;
}

/** Currency: USD. Held in US. */
export interface NewUsdAccount {
  readonly accountType: "USD_ACCOUNT";
  readonly accountNumber: string;
  /** Spaces and hyphens are taken, and stored without. */
  readonly routingNumber: string;
  readonly bankName?: string;
  readonly bankAccountType?: Open<"CHECKING" | "SAVINGS">;
  readonly intermediaryBankName?: string;
  /** Spaces and hyphens are taken, and stored without. */
  readonly intermediaryRoutingNumber?: string;
  readonly fiToFiInformation?: string;
  readonly platformAccountId?: string;
  readonly beneficiary: Beneficiary;
}

/** Currency: VND. Held in VN. */
export interface NewVndAccount {
  readonly accountType: "VND_ACCOUNT";
  readonly bankName: string;
  readonly accountNumber: string;
  readonly swiftCode: string;
  readonly platformAccountId?: string;
  readonly beneficiary: Beneficiary;
}

/** Currency: XAF. Held in CM, CG. */
export interface NewXafAccount {
  readonly accountType: "XAF_ACCOUNT";
  /** Spaces and hyphens are taken, and stored without. */
  readonly phoneNumber: string;
  readonly provider: string;
  readonly region: Open<"CM" | "CG">;
  readonly platformAccountId?: string;
  readonly beneficiary: Beneficiary;
}

/** Currency: XOF. Held in BJ, CI, SN, TG. */
export interface NewXofAccount {
  readonly accountType: "XOF_ACCOUNT";
  /** Spaces and hyphens are taken, and stored without. */
  readonly phoneNumber: string;
  readonly provider: string;
  readonly region: Open<"BJ" | "CI" | "SN" | "TG">;
  readonly platformAccountId?: string;
  readonly beneficiary: Beneficiary;
}

/** Currency: ZAR. Held in ZA. `bankName` is spelled as GET /discoveries lists it. */
export interface NewZarAccount {
  readonly accountType: "ZAR_ACCOUNT";
  readonly accountNumber: string;
  readonly bankName: string;
  readonly platformAccountId?: string;
  readonly beneficiary: Beneficiary;
}

/** Currency: ZMW. Held in ZM. */
export interface NewZmwAccount {
  readonly accountType: "ZMW_ACCOUNT";
  /** Spaces and hyphens are taken, and stored without. */
  readonly phoneNumber: string;
  readonly provider: string;
  readonly platformAccountId?: string;
  readonly beneficiary: Beneficiary;
}

/** Currency: NGN. Held in NG. `bankName` is spelled as GET /discoveries lists it. */
export interface NgnAccount extends NewNgnAccount {
  /** The rails that reach this account; in answers alone. */
  readonly paymentRails?: readonly Open<"BANK_TRANSFER">[];
}

export interface OrderedResend {
  /** `EventResend:<uuid>` */
  readonly id?: string;
  /**
   * `STOPPED`: an endpoint was taken away, disabled, answered 410 or was down for seven days, and part of its
   * events was not sent.
   */
  readonly state?: Open<"RUNNING" | "COMPLETED" | "STOPPED" | "CANCELLED">;
  /** As it was asked for. */
  readonly filter: {
    readonly type?: readonly string[];
    readonly resourceId?: string;
    readonly after?: number;
    readonly before?: number;
    readonly since?: string;
    readonly until?: string;
    readonly failed?: boolean;
  };
  /** Deliveries that the filter selects: an event counts for each endpoint. */
  readonly matched: number;
  /** Deliveries that were taken. */
  readonly sent: number;
  /** Attempts that were not taken. Deliveries that were taken meanwhile count in neither. */
  readonly failed: number;
  readonly endpoints: readonly {
    readonly endpointId: string;
    readonly state: Open<"RUNNING" | "COMPLETED" | "STOPPED">;
    /** Events for this endpoint. */
    readonly matched: number;
    /** Events that it took. */
    readonly sent: number;
    /** Attempts that it did not take. */
    readonly failed: number;
  }[];
  readonly createdAt?: string;
  readonly updatedAt?: string;
  readonly endedAt?: string;
  /** Nothing was ordered: there is no `id` and no `state`. */
  readonly dryRun: boolean;
}

export interface OwnerPersonalInfo {
  readonly firstName: string;
  readonly middleName?: string;
  readonly lastName: string;
  readonly birthDate: string;
  readonly nationality: string;
  readonly email?: string;
  /** With its country code. Spaces and hyphens are taken, and stored without. */
  readonly phoneNumber?: string;
  readonly address: Address;
  readonly idType: Open<"SSN" | "ITIN" | "EIN" | "NON_US_TAX_ID">;
  readonly identifier: string;
  readonly countryOfIssuance?: string;
}

export interface OwnerPersonalInfoChanges {
  readonly firstName?: string;
  readonly middleName?: string;
  readonly lastName?: string;
  readonly birthDate?: string;
  readonly nationality?: string;
  readonly email?: string;
  /** With its country code. Spaces and hyphens are taken, and stored without. */
  readonly phoneNumber?: string;
  readonly address?: Address;
  readonly idType?: Open<"SSN" | "ITIN" | "EIN" | "NON_US_TAX_ID">;
  readonly identifier?: string;
  readonly countryOfIssuance?: string;
}

/** Who pays, is paid or acts, as people read it. */
export interface Party {
  /** `OUTSIDE`: a payer outside, as its bank told. `SYSTEM`: the server itself, its operator, or a hosted page. */
  readonly kind: Open<
    | "CUSTOMER"
    | "INTERNAL_ACCOUNT"
    | "EXTERNAL_ACCOUNT"
    | "UMA"
    | "OUTSIDE"
    | "PLATFORM"
    | "AGENT"
    | "PERSON"
    | "TOKEN"
    | "SYSTEM"
  >;
  /** The id of the account, the customer, the agent, the person or the token. */
  readonly id?: string;
  /** Of an external account its beneficiary, of an internal one its holder, of a UMA address the address. */
  readonly name: string;
  /**
   * What tells it from others of its name: bank, last four characters and type of an external account, the
   * currency of an internal one, the remittance text of a payer outside. May be empty.
   */
  readonly detail: string;
  /** The customer whose account, address or agent it is. */
  readonly holder?: {
    readonly id: string;
    readonly name: string;
    /** The `platformCustomerId` of the customer. */
    readonly yourId: string;
  };
}

export interface PauseRailConnectionBody {
  /** REFUSE when absent. */
  readonly newPayments?: Open<"REFUSE" | "QUEUE">;
}

export interface PayUmaInvoiceBody {
  /** What arrives. */
  readonly outcome: Open<"EXACT" | "LESS" | "MORE" | "TWICE" | "LATE" | "NEVER">;
}

export interface PayerDataField {
  readonly name: PayerDataFieldName;
  readonly mandatory: boolean;
}

/**
 * A field about a person, by its name here. Another institution's field that has none has its own name. More may
 * come.
 */
export type PayerDataFieldName = Open<
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
  | "ID_NUMBER"
>;

export interface PaymentBatch {
  /** `PaymentBatch:<uuid>` */
  readonly id: string;
  readonly name?: string;
  /** `INDEPENDENT`: a refused item stops no other. `ALL_OR_NOTHING`: all payments are made, or none. */
  readonly mode: Open<"INDEPENDENT" | "ALL_OR_NOTHING">;
  /** `COMPLETED`: each item was made a payment or was refused; payments may still be under way, see `counts`. */
  readonly status: Open<"PENDING" | "PROCESSING" | "COMPLETED" | "CANCELLED">;
  /** Sums of the items by the currencies of their source accounts. */
  readonly currencyTotals: readonly PaymentBatchTotal[];
  /** They agree with the items at every moment. */
  readonly counts: {
    /** Items of the batch. */
    readonly total: number;
    /** Items that were made a payment. */
    readonly accepted: number;
    /** Items that were refused. */
    readonly refused: number;
    /** Payments of the batch that have completed. */
    readonly completed: number;
    /** Payments of the batch that have failed. */
    readonly failed: number;
    /** Items that have not run. */
    readonly waiting: number;
    /** Items that had not run when the batch was cancelled. */
    readonly cancelled: number;
  };
  /** The time from which the items run. */
  readonly scheduledFor?: string;
  readonly error?: PaymentBatchError;
  readonly metadata?: Metadata;
  readonly createdAt: string;
  /** When the last item ran, or the batch was cancelled. */
  readonly completedAt?: string;
}

export interface PaymentBatchDryRun {
  readonly dryRun: true;
  readonly result: PaymentBatchWithoutIds;
  readonly effects: DryRunEffects;
}

/**
 * Why a scheduled batch was not run: too low a balance with `requireFunds`, or the first item that an
 * `ALL_OR_NOTHING` batch could not pay.
 */
export interface PaymentBatchError {
  readonly code: RefusalCode;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface PaymentBatchItem {
  /** The place in the batch, from 0. */
  readonly index: number;
  readonly reference: string;
  readonly kind: Open<"TRANSFER_OUT" | "BOOK">;
  readonly source: {
    readonly accountId: string;
  };
  readonly destination: {
    readonly accountId: string;
    readonly paymentRail?: PaymentRail;
  };
  /** Whole number of the currency's smallest unit. */
  readonly amount: number;
  readonly description?: string;
  readonly remittanceInformation?: string;
  readonly metadata?: Metadata;
  /** `CREATED`: a payment was made of it, whose own status says how it goes on. */
  readonly status: Open<"WAITING" | "CREATED" | "REFUSED" | "CANCELLED">;
  /** The payment that was made of it. */
  readonly transactionId?: string;
  readonly error?: PaymentBatchItemError;
}

/** What the single call would have answered. */
export interface PaymentBatchItemError {
  readonly code: RefusalCode;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface PaymentBatchTotal {
  readonly currency: CurrencyCode;
  /** Items in this currency. */
  readonly count: number;
  readonly sum: CurrencyAmount;
}

export interface PaymentBatchWithoutIds {
  readonly name?: string;
  /** `INDEPENDENT`: a refused item stops no other. `ALL_OR_NOTHING`: all payments are made, or none. */
  readonly mode: Open<"INDEPENDENT" | "ALL_OR_NOTHING">;
  /** `COMPLETED`: each item was made a payment or was refused; payments may still be under way, see `counts`. */
  readonly status: Open<"PENDING" | "PROCESSING" | "COMPLETED" | "CANCELLED">;
  /** Sums of the items by the currencies of their source accounts. */
  readonly currencyTotals: readonly PaymentBatchTotal[];
  /** They agree with the items at every moment. */
  readonly counts: {
    /** Items of the batch. */
    readonly total: number;
    /** Items that were made a payment. */
    readonly accepted: number;
    /** Items that were refused. */
    readonly refused: number;
    /** Payments of the batch that have completed. */
    readonly completed: number;
    /** Payments of the batch that have failed. */
    readonly failed: number;
    /** Items that have not run. */
    readonly waiting: number;
    /** Items that had not run when the batch was cancelled. */
    readonly cancelled: number;
  };
  /** The time from which the items run. */
  readonly scheduledFor?: string;
  readonly error?: PaymentBatchError;
  readonly metadata?: Metadata;
  readonly createdAt: string;
  /** When the last item ran, or the batch was cancelled. */
  readonly completedAt?: string;
}

export interface PaymentInstruction {
  /** Where to pay to. Which fields are there depends on `accountType`. */
  readonly accountOrWalletInfo: {
    readonly accountType: string;
    readonly iban?: string;
    readonly swiftCode?: string;
    readonly address?: string;
    readonly vaspName?: string;
    readonly accountNumber?: string;
    readonly bankName?: string;
    readonly phoneNumber?: string;
    readonly branchCode?: string;
    readonly pixKey?: string;
    readonly pixKeyType?: string;
    readonly taxId?: string;
    readonly provider?: string;
    readonly bankCode?: string;
    readonly bankAccountType?: string;
    readonly sortCode?: string;
    readonly vpa?: string;
    readonly ifsc?: string;
    readonly rail?: string;
    readonly invoice?: string;
    readonly bolt12?: string;
    readonly lightningAddress?: string;
    readonly clabeNumber?: string;
    readonly country?: string;
    readonly routingNumber?: string;
    readonly intermediaryBankName?: string;
    readonly intermediaryRoutingNumber?: string;
    readonly fiToFiInformation?: string;
    readonly region?: string;
    readonly qrCode?: string;
    readonly paymentUrl?: string;
    readonly assetType?: string;
    readonly network?: string;
    readonly paymentRails?: readonly PaymentRail[];
    /** To be given along, so that the money finds its account. */
    readonly reference?: string;
    /** Of a quote that an embedded wallet pays. */
    readonly payloadToSign?: string;
  };
  readonly instructionsNotes?: string;
  readonly isPlatformAccount?: boolean;
}

/**
 * The rail of a bank payment, or the network of a token; in answers also UMA for a UMA address, and BOOK for a
 * payment within the books. More may come.
 */
export type PaymentRail = Open<
  | "ACH"
  | "BANK_TRANSFER"
  | "BASE"
  | "BOOK"
  | "ETHEREUM"
  | "FAST"
  | "FASTER_PAYMENTS"
  | "FEDNOW"
  | "LIGHTNING"
  | "MOBILE_MONEY"
  | "NEFT"
  | "PAYNOW"
  | "PIX"
  | "PLASMA"
  | "POLYGON"
  | "RTGS"
  | "RTP"
  | "SEPA"
  | "SEPA_INSTANT"
  | "SOLANA"
  | "SPARK"
  | "SPEI"
  | "SWIFT"
  | "TRON"
  | "UMA"
  | "UPI"
  | "WIRE"
>;

export interface PaymentSchedule {
  readonly id: string;
  readonly name: string;
  readonly status: Open<"ACTIVE" | "PAUSED" | "ENDED">;
  readonly template: ScheduledPayment;
  readonly currency: CurrencyCode;
  readonly rule: ScheduleRule;
  readonly retry?: ScheduleRetry;
  /** The next due time. Absent unless `ACTIVE`. */
  readonly nextAt?: string;
  readonly lastRun?: {
    readonly id: string;
    readonly dueAt: string;
    /**
     * `CREATED`: the payment was made; what became of it is in its transaction. `WAITING`: refused for the balance,
     * and tried again at `retryAt`. `MISSED`: the server was down for more than a day.
     */
    readonly status: Open<"CREATED" | "REFUSED" | "WAITING" | "MISSED" | "SKIPPED">;
    readonly transactionId?: string;
    readonly error?: ScheduleRunError;
    readonly retryAt?: string;
  };
  /** How many runs were made or refused; missed and skipped ones do not count. */
  readonly runs: number;
  /** Only with `expand=parties`. A party that is not known is absent. */
  readonly parties?: {
    readonly from?: Party;
    readonly to?: Party;
  };
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Currency: PHP. Held in PH. `bankName` is spelled as GET /discoveries lists it. */
export interface PhpAccount extends NewPhpAccount {
  /** The rails that reach this account; in answers alone. */
  readonly paymentRails?: readonly Open<"BANK_TRANSFER">[];
}

/** Currency: PKR. Held in PK. Named by `accountNumber`, or by `iban`, or by `phoneNumber`. */
export type PkrAccount = NewPkrAccount & {
  /** The rails that reach this account; in answers alone. */
  readonly paymentRails?: readonly Open<"BANK_TRANSFER" | "MOBILE_MONEY">[];
};

/** Currency: USDT. */
export interface PlasmaWallet {
  readonly accountType: "PLASMA_WALLET";
  readonly address: string;
  readonly vaspName?: string;
  readonly platformAccountId?: string;
  readonly beneficiary?: WalletBeneficiary;
}

export interface PlatformConfig {
  /** `PlatformConfig:<uuid>` */
  readonly id: string;
  readonly umaDomain: string;
  readonly proxyUmaSubdomain: string;
  readonly webhookEndpoint?: string;
  /**
   * Which events go to `webhookEndpoint`: with `STANDARD` those of the first version of this API, with `ALL` also
   * those of types that were added later.
   */
  readonly webhookEvents: Open<"STANDARD" | "ALL">;
  readonly supportedCurrencies: readonly SupportedCurrency[];
  readonly isRegulatedFinancialInstitution: boolean;
  readonly embeddedWalletConfig?: EmbeddedWalletConfig;
  readonly branding?: Branding;
  /** The zone whose days are the periods of new statements. */
  readonly statementTimeZone: string;
  /**
   * With `REFUSE` a body with a field that the call does not know is refused with `INVALID_INPUT`, which names the
   * field. With `IGNORE` it is taken without the field, and `X-Ignored-Fields` names it.
   */
  readonly unknownFields: Open<"REFUSE" | "IGNORE">;
  /**
   * The keys of `metadata` by which lists can be filtered. New objects are found at once; those that are older are
   * added in the background.
   */
  readonly searchableMetadata?: readonly string[];
  /**
   * While older objects are added: how far this is, in the order `transactions`, `customers`, `internal_accounts`,
   * `external_accounts`, `holds`, `payment_batches`. Absent when all can be found.
   */
  readonly searchableMetadataBuild?: {
    /** The list that is read; absent while undeclared keys are taken out. */
    readonly list?: string;
    /** The last object of it that was added. */
    readonly lastId?: string;
  };
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Currency: USDC. */
export interface PolygonWallet {
  readonly accountType: "POLYGON_WALLET";
  readonly address: string;
  readonly vaspName?: string;
  readonly platformAccountId?: string;
  readonly beneficiary?: WalletBeneficiary;
}

export interface Posting {
  /** `<commandSeq>.<n>` */
  readonly id: string;
  readonly commandSeq: number;
  readonly reason: string;
  readonly at: string;
  readonly transactionId?: string;
  /** In each currency their amounts sum to zero. */
  readonly legs: readonly LedgerEntry[];
}

export interface PreviewPaymentScheduleQuery {
  /** How many at most. */
  readonly count?: number;
}

/** What a payment is for. */
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
  | "SALARY"
  | "OTHER"
>;

export interface Quote {
  /** `Quote:<uuid>` */
  readonly id: string;
  readonly status: Open<"PENDING" | "PROCESSING" | "COMPLETED" | "FAILED" | "EXPIRED">;
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
  /** The caller's choice, or the rail that was taken. */
  readonly paymentRail?: PaymentRail;
  /** What the beneficiary finds on a statement. */
  readonly reference?: string;
  readonly metadata?: Metadata;
  /** Only with `expand=parties`. A party that is not known is absent. */
  readonly parties?: {
    readonly from?: Party;
    readonly to?: Party;
    readonly by?: Party;
  };
  readonly createdAt: string;
  readonly expiresAt: string;
}

export type QuoteDestination =
  | {
      readonly destinationType: "ACCOUNT";
      readonly accountId: string;
      readonly paymentRail?: PaymentRail;
    }
  | {
      readonly destinationType: "UMA_ADDRESS";
      readonly umaAddress: string;
      readonly currency: CurrencyCode;
    }
  | { readonly destinationType: Unlisted };

export interface QuoteDryRun {
  readonly dryRun: true;
  readonly result: QuoteWithoutIds;
  readonly effects: DryRunEffects;
}

export interface QuotePrice {
  /** `Quote:<uuid>` */
  readonly quoteId: string;
  readonly rateSource?: {
    readonly id: string;
    readonly name: string;
  };
  readonly rateAsOf?: string;
  /** The source's rate: sending units for a receiving unit, as an exact fraction. */
  readonly mid?: string;
  readonly spreadBps?: number;
  readonly spreadsVersion?: number;
  /** The rate that the quote was priced with: `mid` and the spread. */
  readonly rate?: string;
  readonly feeRule?: FeeRule;
  readonly feesVersion?: number;
}

export interface QuoteRequest {
  readonly source:
    | {
        readonly sourceType: "ACCOUNT";
        /** An internal account, or an external one that money can be pulled from. */
        readonly accountId: string;
        /** For whom an account of the platform itself is used. */
        readonly customerId?: string;
      }
    | {
        readonly sourceType: "REALTIME_FUNDING";
        readonly currency: CurrencyCode;
        /** Absent when the platform pays for itself. */
        readonly customerId?: string;
        /** Required for stablecoins. */
        readonly cryptoNetwork?: string;
      }
    | { readonly sourceType: Unlisted };
  readonly destination:
    | {
        readonly destinationType: "ACCOUNT";
        /** An internal or external account. */
        readonly accountId: string;
        /** One of the destination's rails; of a wallet, its network. An internal account has none. */
        readonly paymentRail?: PaymentRail;
      }
    | {
        readonly destinationType: "UMA_ADDRESS";
        /** Looked up before: `lookupId` is required with it. */
        readonly umaAddress: string;
        /** One that the lookup listed; the receiver's first one when absent. */
        readonly currency?: CurrencyCode;
      }
    | { readonly destinationType: Unlisted };
  /** Which of the two amounts is exact; the other one follows. */
  readonly lockedCurrencySide: Open<"SENDING" | "RECEIVING">;
  /** Whole number of the currency's smallest unit. */
  readonly lockedCurrencyAmount: number;
  /** Required for UMA addresses. */
  readonly lookupId?: string;
  /** False when absent. */
  readonly immediatelyExecute?: boolean;
  readonly description?: string;
  readonly purposeOfPayment?: PurposeOfPayment;
  /** Facts about the sender, by the names that a lookup asked for. */
  readonly senderCustomerInfo?: Readonly<Record<string, string>>;
  readonly remittanceInformation?: string;
  readonly metadata?: Metadata;
}

export type QuoteSource =
  | {
      readonly sourceType: "ACCOUNT";
      readonly accountId: string;
      readonly customerId?: string;
    }
  | {
      readonly sourceType: "REALTIME_FUNDING";
      readonly currency: CurrencyCode;
      readonly customerId?: string;
      readonly cryptoNetwork?: string;
    }
  | { readonly sourceType: Unlisted };

export interface QuoteWithoutIds {
  readonly status: Open<"PENDING" | "PROCESSING" | "COMPLETED" | "FAILED" | "EXPIRED">;
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
  readonly paymentInstructions?: readonly PaymentInstruction[];
  readonly counterpartyInformation?: Readonly<Record<string, string>>;
  readonly rateDetails: RateDetails;
  readonly description?: string;
  /** The caller's choice, or the rail that was taken. */
  readonly paymentRail?: PaymentRail;
  readonly metadata?: Metadata;
  /** Only with `expand=parties`. A party that is not known is absent. */
  readonly parties?: {
    readonly from?: Party;
    readonly to?: Party;
    readonly by?: Party;
  };
  readonly createdAt: string;
  readonly expiresAt: string;
}

export interface RailCalendar {
  /** An IANA name; UTC unless set. */
  readonly timeZone?: string;
  /**
   * Saturdays and Sundays are no banking days, nor those of `TARGET` or `FEDERAL_RESERVE`, or the days that are
   * listed; with `NONE` every day is one. Empty unless set.
   */
  readonly holidays?: Open<"NONE" | "TARGET" | "FEDERAL_RESERVE"> | readonly string[];
  /**
   * Times of a banking day, in the zone, until which the bank takes orders. The console shows by when a queued
   * order must be made. Empty unless set.
   */
  readonly cutOffs?: readonly string[];
}

export interface RailCapability {
  readonly direction: Open<"OUT" | "PULL" | "BACK">;
  readonly currency: CurrencyCode;
  readonly accountTypes: readonly string[];
  readonly paymentRails: readonly string[];
  readonly minAmount?: number;
  readonly maxAmount?: number;
}

export interface RailConnection {
  /** `RailConnection:<uuid>` */
  readonly id: string;
  readonly name: string;
  /**
   * `HTTP`: a connector. `MANUAL`: people. `SANDBOX`: the layer `florin-sandbox`, which is built in; `PUT
   * /uma/policy` with the network `PROTOCOL` adds it.
   */
  readonly kind: Open<"HTTP" | "MANUAL" | "SANDBOX">;
  /** `DEGRADED` is set by the server when exchanges fail, and ends by itself; nothing is sent meanwhile. */
  readonly status: Open<"SETUP" | "ACTIVE" | "PAUSED" | "DEGRADED" | "ARCHIVED">;
  /** While it is paused. */
  readonly newPayments?: Open<"REFUSE" | "QUEUE">;
  readonly currencies: readonly CurrencyCode[];
  readonly account: RailConnectionAccount;
  /** What it carries: as its settings say, or as the connector told last. */
  readonly capabilities: readonly RailCapability[];
  readonly features?: RailConnectorFeatures;
  /** The layers on which it settles invoices, as the connector told last. Absent for none. */
  readonly settlement?: readonly RailSettlementLayer[];
  /**
   * What the connector told last and this version cannot take, such as an unknown direction, type of account or
   * rail: each is left out.
   */
  readonly missing?: readonly string[];
  readonly settings: RailConnectionSettings;
  readonly calendar: RailCalendar;
  readonly control: RailControl;
  readonly secrets: {
    /** When it was set, and the first eight hexadecimal digits of its SHA-256. A secret is never shown. */
    readonly signingSecret?: {
      readonly setAt: string;
      readonly fingerprint: string;
    };
    /** When it was set, and the first eight hexadecimal digits of its SHA-256. A secret is never shown. */
    readonly callbackSecret?: {
      readonly setAt: string;
      readonly fingerprint: string;
    };
    /** When it was set, and the first eight hexadecimal digits of its SHA-256. A secret is never shown. */
    readonly previousSigningSecret?: {
      readonly setAt: string;
      readonly fingerprint: string;
    };
    /** When it was set, and the first eight hexadecimal digits of its SHA-256. A secret is never shown. */
    readonly previousCallbackSecret?: {
      readonly setAt: string;
      readonly fingerprint: string;
    };
  };
  readonly funding: RailConnectionFunding;
  readonly health?: RailConnectionHealth;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface RailConnectionAccount {
  readonly holderName?: string;
  readonly iban?: string;
  readonly bic?: string;
  readonly otherId?: string;
  readonly routingNumber?: string;
  readonly accountNumber?: string;
  readonly bankName?: string;
  readonly label?: string;
  readonly townName?: string;
  readonly country?: string;
  readonly streetName?: string;
  readonly buildingNumber?: string;
  readonly postCode?: string;
}

export interface RailConnectionFunding {
  /**
   * By what a credit is recognised. `REFERENCE`: payers quote a reference. `VIRTUAL_ACCOUNTS`: each account has a
   * number of its own, from a pool. `CONNECTOR`: the connector tells where to pay to. `NONE`: payers are not told
   * of the connection.
   */
  readonly mode: Open<"REFERENCE" | "VIRTUAL_ACCOUNTS" | "CONNECTOR" | "NONE">;
  /** false. Whether several credits may add up to the amount of a quote. */
  readonly collectParts?: boolean;
  /**
   * SUSPENSE. `RETURN`: money that comes too late for its quote goes back to the payer, where the entry tells the
   * payer's account.
   */
  readonly onLate?: Open<"SUSPENSE" | "RETURN">;
  /**
   * How long a quote waits for its money: 15, of a `MANUAL` connection 1440; never longer than its rate source
   * permits.
   */
  readonly windowMinutes?: number;
  /** How long after that an entry may tell of money that was booked in time: 0, of a `MANUAL` connection 2880. */
  readonly graceMinutes?: number;
}

export interface RailConnectionHealth {
  readonly lastReportAt?: string;
  /**
   * When entries or a balance of the account outside were last taken in, to ten seconds: typed in, by a callback,
   * or by a page of the feed, also one without entries.
   */
  readonly lastImportAt?: string;
  readonly lastError?: {
    readonly code: string;
    readonly message: string;
    readonly at: string;
  };
  readonly oldestUnknownAt?: string;
  /** Payments above the ceiling that wait for another token. */
  readonly held: number;
  /** Payments that were not sent; counted up to 10,000. */
  readonly queued: number;
  readonly sending: number;
  /** Sent, and without a report for a minute or longer. */
  readonly unknown: number;
  /** Sent or accepted, and not settled yet. */
  readonly awaited: number;
  /** Payments that a person must decide about. */
  readonly conflicts: number;
  /** Items in suspense that a person must resolve. */
  readonly openItems: number;
  /** Acts that another token must confirm. */
  readonly waitingMarks: number;
  readonly suspense: RailSuspense;
  readonly unknownPayments: RailUnknownPayments;
  readonly refusedEntries?: RailRefusedEntries;
}

export interface RailConnectionSettings {
  /** HTTP. Where the connector is; a path in it is a prefix of every call. */
  readonly baseUrl?: string;
  /** HTTP, 20000. For a whole exchange. */
  readonly timeoutMs?: number;
  /** HTTP, 8. Exchanges with the connector at a time, for each server. */
  readonly concurrency?: number;
  /** HTTP, false. Whether the connector's entries are read (`GET /entries`) and booked. */
  readonly feed?: boolean;
  /** HTTP, 300. How often they are read. */
  readonly pollSeconds?: number;
  readonly accountTypes?: readonly Open<
    | "AED_ACCOUNT"
    | "BASE_WALLET"
    | "BDT_ACCOUNT"
    | "BRL_ACCOUNT"
    | "BWP_ACCOUNT"
    | "CAD_ACCOUNT"
    | "CNY_ACCOUNT"
    | "COP_ACCOUNT"
    | "DKK_ACCOUNT"
    | "EGP_ACCOUNT"
    | "ETHEREUM_WALLET"
    | "EUR_ACCOUNT"
    | "GBP_ACCOUNT"
    | "GHS_ACCOUNT"
    | "GTQ_ACCOUNT"
    | "HKD_ACCOUNT"
    | "HTG_ACCOUNT"
    | "IDR_ACCOUNT"
    | "INR_ACCOUNT"
    | "JMD_ACCOUNT"
    | "KES_ACCOUNT"
    | "LIGHTNING"
    | "MWK_ACCOUNT"
    | "MXN_ACCOUNT"
    | "MYR_ACCOUNT"
    | "NGN_ACCOUNT"
    | "PHP_ACCOUNT"
    | "PKR_ACCOUNT"
    | "PLASMA_WALLET"
    | "POLYGON_WALLET"
    | "RWF_ACCOUNT"
    | "SGD_ACCOUNT"
    | "SLV_ACCOUNT"
    | "SOLANA_WALLET"
    | "SPARK_WALLET"
    | "SWIFT_ACCOUNT"
    | "THB_ACCOUNT"
    | "TRON_WALLET"
    | "TZS_ACCOUNT"
    | "UGX_ACCOUNT"
    | "USD_ACCOUNT"
    | "VND_ACCOUNT"
    | "XAF_ACCOUNT"
    | "XOF_ACCOUNT"
    | "ZAR_ACCOUNT"
    | "ZMW_ACCOUNT"
  >[];
  /** Rails of the account types, such as `ACH`; of a wallet, its network. */
  readonly paymentRails?: readonly Open<
    | "ACH"
    | "BANK_TRANSFER"
    | "BASE"
    | "ETHEREUM"
    | "FAST"
    | "FASTER_PAYMENTS"
    | "FEDNOW"
    | "LIGHTNING"
    | "MOBILE_MONEY"
    | "NEFT"
    | "PAYNOW"
    | "PIX"
    | "PLASMA"
    | "POLYGON"
    | "RTGS"
    | "RTP"
    | "SEPA"
    | "SEPA_INSTANT"
    | "SOLANA"
    | "SPARK"
    | "SPEI"
    | "SWIFT"
    | "TRON"
    | "UPI"
    | "WIRE"
  >[];
  /** 0. For how many banking days a collection is held after it has settled, before its account is credited. */
  readonly holdDays?: number;
  /**
   * HTTP, 100. Up to this share of its order, in basis points, a charge that the connector names (`feeOf`) is
   * booked to own funds; a higher one is an item.
   */
  readonly feeCeilingBps?: number;
  /**
   * HTTP. By currency, in the smallest unit: a charge up to it is booked to own funds whatever its share. 0, and
   * 10000 of `MSAT`, unless set.
   */
  readonly feeCeilingMinor?: Readonly<Record<string, number>>;
  /** MANUAL. For the people who work off the queue. */
  readonly instructionsNote?: string;
}

/** What the connector said last. Absent where it has not said so. */
export interface RailConnectorFeatures {
  /** It can be asked to cancel an order. */
  readonly cancel: boolean;
  /** It tells its entries page by page. */
  readonly feed: boolean;
  /** It tells its balances. */
  readonly balance: boolean;
  /** It tells payment instructions. */
  readonly instructions: boolean;
  /** Its report of a return is all that it tells of one; no entry follows. */
  readonly settlesReturns: boolean;
  /** It makes and pays invoices on the layers of `settlement`. */
  readonly invoices: boolean;
}

export interface RailControl {
  /** `FOUR_EYES`: every mark, resolution and entry that is typed in waits for another token (`GET /rails/marks`). */
  readonly approval?: Open<"NONE" | "FOUR_EYES">;
  /** A payout above it, in the smallest unit of its currency, is `HELD` until another token confirms it. */
  readonly payoutCeiling?: number | null;
  /** A credit to an account above it waits, `HELD`, until a person resolves its item. */
  readonly creditCeiling?: number | null;
  /**
   * How many banking days of the connection after its settlement a payout may come back by itself; 10 unless set.
   * The money of a later return is an item.
   */
  readonly returnDays?: number;
  /** The only tokens that may type entries and balances in; null: every one that may move money. */
  readonly importers?: readonly string[] | null;
}

export interface RailEntry {
  /** `RailEntry:<uuid>` */
  readonly id: string;
  readonly connectionId: string;
  /** The keeper's own reference; a connection has one entry under it. */
  readonly bankReference: string;
  /** `CREDIT`: the account outside has more. */
  readonly direction: Open<"CREDIT" | "DEBIT">;
  readonly amount: CurrencyAmount;
  readonly bookedOn: string;
  readonly bookedAt?: string;
  readonly valueDate?: string;
  readonly reference?: string;
  readonly remittance?: string;
  readonly payer?: {
    readonly name?: string;
    /** Its last four characters. */
    readonly accountMasked?: string;
  };
  /** The number to which the payer paid. */
  readonly virtualAccount?: string;
  /**
   * `PAYMENT`: an order was settled by it, now or before. `RETURN`: an order came back by it. `DEPOSIT`: it
   * credited an internal account. `FUNDING`: a quote took it. `INVOICE`: it paid an invoice of a UMA payment.
   * `FEE`: it is the charge of an order, which own funds paid. `SUSPENSE`: nothing explains it, or what it is for
   * does not take it, and an item waits for a person.
   */
  readonly bookedAs: Open<
    "PAYMENT" | "RETURN" | "DEPOSIT" | "FUNDING" | "INVOICE" | "FEE" | "SUSPENSE"
  >;
  /** Of `DEPOSIT`: the credit. Of `FUNDING`: that of the quote. Of `INVOICE`: the UMA payment. */
  readonly transactionId?: string;
  /** The invoice that the connector names, also where it was not paid by it. */
  readonly invoiceId?: string;
  /** The order whose charge it is, as the connector names it, also where it was not booked as that. */
  readonly feeOf?: string;
  /** The order that it names, also where it was not booked as that. */
  readonly paymentId?: string;
  readonly source: Open<"MANUAL" | "CALLBACK" | "FEED" | "REPORT">;
  /** `token <id>`, `worker <kind>`. */
  readonly bookedBy: string;
  readonly createdAt: string;
}

export interface RailFigure {
  readonly count: number;
  readonly sum: LedgerAmount;
}

export interface RailItem {
  /** `RailItem:<uuid>` */
  readonly id: string;
  readonly connectionId: string;
  /** The entry that the money came by. */
  readonly entryId?: string;
  /** Of a `HELD` item: the account that the money is for. */
  readonly accountId?: string;
  /** The payment that failed and whose money it was; its refund ends with the item. */
  readonly transactionId?: string;
  /**
   * Without an entry: the order that came back, where no account takes its money or some of it is missing. With
   * one: the order that could not give the money back, or by which it came once more.
   */
  readonly paymentId?: string;
  /**
   * The order that the text of the entry names, or that the rail says came back while its return was not taken. It
   * decides nothing: a person who finds it right resolves the item with a part `PAYMENT`.
   */
  readonly suggestedPaymentId?: string;
  /**
   * Why the money waits, or waited. `SHORT_RETURN`: a payout came back, and a bank kept this much; the platform's
   * own funds stand in for it. `AMOUNT_DIFFERS`, `LATE`: also a return of less than 90 % of a payout, or after
   * `control.returnDays`. `NO_RATE`: the payout of a quote came back, and no rate source has a young rate to give
   * it back by.
   */
  readonly reason: Open<
    | "UNREFERENCED"
    | "AMOUNT_DIFFERS"
    | "ALREADY_BOOKED"
    | "CONTRADICTS_ORDER"
    | "ACCOUNT_CLOSED"
    | "ACCOUNT_FULL"
    | "CUSTOMER_DELETED"
    | "COLLECTION_RETURNED"
    | "AMBIGUOUS"
    | "CURRENCY"
    | "ACCOUNT_FROZEN"
    | "ABOVE_CEILING"
    | "ALREADY_FUNDED"
    | "LATE"
    | "OWN_QUOTE"
    | "QUOTE_ENDED"
    | "RETURN_DECLINED"
    | "NO_RATE"
    | "RETURN_CAME_BACK"
    | "SHORT_RETURN"
    | "OVERPAID"
    | "ALREADY_PAID"
    | "INVOICE_CLOSED"
    | "FEE_ABOVE_CEILING"
  >;
  /** As that of the entry. */
  readonly direction: Open<"CREDIT" | "DEBIT">;
  readonly amount: CurrencyAmount;
  /** `HELD`: for an account, and above the connection's `control.creditCeiling`. */
  readonly state: Open<"OPEN" | "HELD" | "RESOLVED">;
  /** The last age that was told: 0, 1, 5 or 20 banking days. */
  readonly agedDays: number;
  readonly openedAt: string;
  readonly resolution?: {
    readonly parts: readonly {
      readonly kind: Open<
        | "ACCOUNT"
        | "QUOTE"
        | "RETURN"
        | "PAYMENT"
        | "RECEIVABLE"
        | "FX"
        | "OWN_FUNDS"
        | "DUPLICATE_OF"
        | "INVOICE"
      >;
      readonly amount: CurrencyAmount;
      readonly accountId?: string;
      /** Of `ACCOUNT` and `INVOICE`: what was credited. */
      readonly transactionId?: string;
      readonly quoteId?: string;
      /** Of `RETURN`: the order that gives the money back. Of `PAYMENT`: the order. */
      readonly paymentId?: string;
      readonly outcome?: Open<"SETTLED" | "RETURNED">;
      readonly receivableId?: string;
      readonly label?: string;
      readonly entryId?: string;
      readonly invoiceId?: string;
      readonly price?: Open<"QUOTED" | "CURRENT">;
      /** Of `INVOICE`: the fee, and what rounding left, as part of the amount. */
      readonly fee?: {
        /** Whole number of the currency's smallest unit. */
        readonly amount: number;
        readonly currency: Currency;
      };
      /** Of `INVOICE`: the price, in units of the asset for one smallest unit of what was credited. */
      readonly multiplier?: string;
    }[];
    readonly note: string;
    /** `token <id>` */
    readonly by: string;
    readonly at: string;
  };
  /**
   * Only with `expand=parties`. Of a `CREDIT`, `from` is the payer, or the payee of an order that came back, and
   * `to` is the account that the money is for; of a `DEBIT` the other way round. `by` resolved it. A party that is
   * not known is absent.
   */
  readonly parties?: {
    readonly from?: Party;
    readonly to?: Party;
    readonly by?: Party;
  };
}

export interface RailMark {
  /** `RailMark:<uuid>` */
  readonly id: string;
  readonly connectionId: string;
  /**
   * `MARK` of orders, `RESOLUTION` of an item, `ENTRY` that was typed in, `RELEASE` of an order that is `HELD`,
   * `ADJUSTMENT` of positions, `WRITE_OFF` and `COLLECTION` of a receivable, `BALANCE` that was typed in and moves
   * own funds.
   */
  readonly kind: Open<
    | "MARK"
    | "RESOLUTION"
    | "ENTRY"
    | "RELEASE"
    | "ADJUSTMENT"
    | "WRITE_OFF"
    | "COLLECTION"
    | "BALANCE"
  >;
  /**
   * What is to be done, with the members of the request: `marks`; `itemId`, `parts` and `note`; those of an entry;
   * `paymentId`; `legs` and `note`; `receivableId`, of a write-off with `note`; or `currency`, `asOf` and
   * `booked`.
   */
  readonly request: {
    readonly marks?: readonly {
      readonly paymentId: string;
      /** `RECALL_REFUSED`: the bank does not give the payment back that was recalled; the payment stays as it is. */
      readonly outcome: Open<"SENT" | "SETTLED" | "DECLINED" | "RETURNED" | "RECALL_REFUSED">;
      /** The bank's reference. */
      readonly reference?: string;
      readonly valueDate?: string;
      readonly reason?: {
        readonly code: string;
        readonly text?: string;
      };
      /** Kept in the history of the order. */
      readonly note?: string;
    }[];
    readonly itemId?: string;
    readonly parts?: readonly {
      readonly kind: Open<
        | "ACCOUNT"
        | "QUOTE"
        | "RETURN"
        | "PAYMENT"
        | "RECEIVABLE"
        | "FX"
        | "OWN_FUNDS"
        | "DUPLICATE_OF"
        | "INVOICE"
      >;
      readonly amount: number;
      readonly accountId?: string;
      readonly quoteId?: string;
      readonly details?: {
        readonly name?: string;
        readonly accountMasked?: string;
      };
      readonly paymentId?: string;
      readonly outcome?: string;
      readonly receivableId?: string;
      readonly label?: string;
      readonly entryId?: string;
      readonly invoiceId?: string;
      readonly price?: string;
    }[];
    readonly bankReference?: string;
    readonly direction?: string;
    readonly bookedOn?: string;
    readonly valueDate?: string;
    readonly reference?: string;
    readonly remittance?: string;
    readonly payer?: {
      readonly name?: string;
      readonly accountMasked?: string;
    };
    readonly amount?: number;
    readonly currency?: string;
    readonly paymentId?: string;
    readonly legs?: readonly {
      readonly currency: string;
      readonly amount: number;
    }[];
    readonly receivableId?: string;
    readonly asOf?: string;
    readonly booked?: number;
    readonly note?: string;
  };
  readonly state: Open<"WAITING" | "CONFIRMED" | "REFUSED" | "EXPIRED">;
  /** `token <id>`, `agent <id>` */
  readonly requestedBy: string;
  readonly decidedBy?: string;
  readonly decidedAt?: string;
  /** Why it was refused. */
  readonly note?: string;
  /** What came of it. */
  readonly result?: {
    readonly entryId?: string;
  };
  /** It is not confirmed after this time; an order that is `HELD` is then cancelled. */
  readonly expiresAt: string;
  readonly createdAt: string;
}

export interface RailPayment {
  /** `RailPayment:<uuid>` */
  readonly id: string;
  /** Absent for money that goes back and was for no payment. */
  readonly transactionId?: string;
  /** Of `BACK`: the item whose money it is. */
  readonly itemId?: string;
  readonly connectionId: string;
  readonly routeId?: string;
  /** `BACK`: money goes back to its payer, by the connection that it came by. */
  readonly direction: Open<"OUT" | "PULL" | "BACK">;
  readonly paymentRail: PaymentRail;
  readonly amount: CurrencyAmount;
  readonly counterparty: {
    readonly name?: string;
    readonly accountType: string;
    /** Its last four characters. */
    readonly identifierMasked: string;
  };
  /** What the beneficiary finds on a statement. */
  readonly reference: string;
  /** What the rail carries through: the uuid of the payment, in capitals, without hyphens. */
  readonly endToEndId: string;
  /** The rail's own reference. */
  readonly bankReference?: string;
  /**
   * `SENDING`: the order may have left. `UNKNOWN`: it was sent and no report came for a minute; it is asked about
   * for ever. Only a report changes the state, never time.
   */
  readonly state: Open<
    | "HELD"
    | "QUEUED"
    | "SENDING"
    | "UNKNOWN"
    | "SENT"
    | "ACCEPTED"
    | "SETTLED"
    | "RETURNED"
    | "DECLINED"
    | "CANCELLED"
  >;
  /** A report contradicts what was recorded. No money was moved; a mark decides. */
  readonly conflict: boolean;
  readonly requestedOn: string;
  readonly sentAt?: string;
  /** What came back; less than `amount` when a bank kept a charge. */
  readonly returned?: {
    /** Whole number of the currency's smallest unit. */
    readonly amount: number;
    readonly currency: Currency;
  };
  /** Of a settled collection whose account is not credited before this time. */
  readonly heldUntil?: string;
  readonly settledOn?: string;
  readonly lastReport?: {
    readonly status: string;
    readonly scheme: string;
    readonly code?: string;
    readonly text?: string;
    readonly at: string;
    readonly source: Open<"CONNECTOR" | "CALLBACK" | "ENTRY" | "MARK" | "SERVER">;
  };
  /** The first line and the latest ones, at most fifty. */
  readonly history: readonly {
    readonly state: string;
    readonly at: string;
    readonly by: string;
    readonly why: string;
    /** Of a mark. */
    readonly note?: string;
  }[];
  readonly recall?: {
    readonly state: Open<"REQUESTED" | "REFUSED" | "DONE">;
    readonly reason: string;
    readonly note?: string;
    readonly at: string;
  };
  /**
   * Only with `expand=parties`. Those of the transaction; of `BACK` the platform, who had paid, and who ordered
   * it. A party that is not known is absent.
   */
  readonly parties?: {
    readonly from?: Party;
    readonly to?: Party;
    readonly by?: Party;
  };
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface RailReceivable {
  /** `RailReceivable:<uuid>` */
  readonly id: string;
  readonly amount: CurrencyAmount;
  readonly open: CurrencyAmount;
  readonly collected: CurrencyAmount;
  readonly writtenOff: CurrencyAmount;
  /** The account whose money was spent; of a quote, one of the platform. */
  readonly internalAccountId: string;
  /** Who owes it; absent when the platform does. */
  readonly customerId?: string;
  /** The collected payment that was taken back. */
  readonly transactionId: string;
  /** Its order. */
  readonly paymentId: string;
  readonly connectionId: string;
  /** `WRITTEN_OFF`: what was not collected was paid from the platform's own funds. */
  readonly state: Open<"OPEN" | "COLLECTED" | "WRITTEN_OFF">;
  /** Why it was written off. */
  readonly note?: string;
  /** `token <id>` */
  readonly decidedBy?: string;
  /** Only with `expand=parties`. Whose account owes it. A party that is not known is absent. */
  readonly parties?: {
    readonly from?: Party;
  };
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface RailReconciliation {
  readonly connectionId: string;
  readonly asOf: string;
  /** The last one of the day or before. Without it nothing is compared. */
  readonly statement?: {
    /** `RailStatement:<uuid>` */
    readonly id: string;
    readonly asOf: string;
    readonly readAt?: string;
    readonly closing: LedgerAmount;
  };
  /** What lies outside by the books as they are now: minus the balance of `clearing`. */
  readonly ours: {
    /**
     * Whole number of the currency's smallest unit, as text: sums of the books may be beyond what a JSON number
     * holds.
     */
    readonly amount: string;
    /** Currency code. */
    readonly currency: string;
  };
  readonly difference?: LedgerAmount;
  readonly explained: {
    /** Orders that reports or marks have settled or returned, and no entry has told. */
    readonly settledNotOnStatement: {
      readonly count: number;
      readonly sum: LedgerAmount;
    };
    /** Entries that the statement does not cover. */
    readonly notOnStatement?: {
      readonly count: number;
      readonly sum: LedgerAmount;
    };
  };
  /**
   * The difference and both explained sums. When it is not 0, the statement is wrong, or lines of the account were
   * never told.
   */
  readonly unexplained?: {
    /**
     * Whole number of the currency's smallest unit, as text: sums of the books may be beyond what a JSON number
     * holds.
     */
    readonly amount: string;
    /** Currency code. */
    readonly currency: string;
  };
  readonly open: {
    readonly suspense: RailFigure;
    /** Orders without a report. */
    readonly unknown: number;
    /** Orders that a person must decide about. */
    readonly conflicts: number;
    /** Acts that another token must confirm. */
    readonly marks: number;
  };
  /** Open items by their age in banking days of the connection. */
  readonly ageing: {
    readonly "0-1": RailFigure;
    readonly "2-5": RailFigure;
    readonly "6-20": RailFigure;
    readonly "20+": RailFigure;
  };
}

/**
 * Absent while there was none. Nothing is booked of them; the connector tells each again, soundly, by a
 * callback.
 */
export interface RailRefusedEntries {
  /** Entries of the feed that could not be taken. */
  readonly count: number;
  /** The last of them, the latest first. */
  readonly latest: readonly {
    /** As the connector told it. */
    readonly entryId?: string;
    readonly message: string;
    readonly at: string;
  }[];
}

export interface RailResolution {
  /** The rail that is taken; absent when no route takes the payment. */
  readonly paymentRail?: string;
  /** In the order in which they are tried, with the reason of each. */
  readonly candidates: readonly {
    readonly routeId: string;
    readonly connectionId: string;
    readonly taken: boolean;
    readonly reason: Open<
      | "TAKEN"
      | "LOWER_PRIORITY"
      | "DISABLED"
      | "OTHER_CRITERIA"
      | "AMOUNT"
      | "CONNECTION_PAUSED"
      | "CONNECTION_NOT_ACTIVE"
      | "NOT_COVERED"
    >;
  }[];
}

export interface RailRoute {
  /** `RailRoute:<uuid>` */
  readonly id: string;
  readonly name: string;
  readonly priority: number;
  readonly direction: Open<"OUT" | "PULL" | "FUNDING" | "INVOICE">;
  readonly currency: CurrencyCode;
  readonly accountTypes?: readonly string[];
  readonly paymentRails?: readonly string[];
  readonly minAmount?: number;
  readonly maxAmount?: number;
  readonly connectionId: string;
  readonly enabled: boolean;
  readonly fallbackAfterSeconds?: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface RailSettlementLayer {
  /** The network's name, such as `ln`. */
  readonly layer: string;
  /** It pays invoices. */
  readonly send: boolean;
  /** It makes invoices. */
  readonly receive: boolean;
  readonly assets: readonly {
    /** What moves there, by the layer's own name. */
    readonly identifier: string;
    readonly currency: CurrencyCode;
    readonly decimals: number;
    readonly minAmount?: number;
    readonly maxAmount?: number;
  }[];
  /** How long an invoice may live. */
  readonly invoiceSeconds: {
    readonly min: number;
    readonly max: number;
  };
  /** The layer refuses money that is not exactly the amount of the invoice. */
  readonly exactAmounts: boolean;
  /** Several payments may add up to the amount of an invoice. */
  readonly partialPayments: boolean;
}

/**
 * `opening` is what the account had before its first entry: the first statement less the entries that it covers.
 * `unexplained` is what neither the opening nor the entries explained when the statement was recorded.
 */
export interface RailStatement {
  /** `RailStatement:<uuid>` */
  readonly id: string;
  readonly connectionId: string;
  /** `MANUAL`: a person typed it in. `CONNECTOR`: the connector was asked. */
  readonly source: Open<"MANUAL" | "CONNECTOR">;
  /** `MANUAL`: it covers the entries that were booked up to the end of this day. */
  readonly asOf: string;
  /** `CONNECTOR`: it covers the entries that were told before. */
  readonly readAt?: string;
  readonly closing: LedgerAmount;
  readonly opening: LedgerAmount;
  readonly unexplained: LedgerAmount;
  /** `token <id>`, `worker <kind>` */
  readonly recordedBy: string;
  readonly createdAt: string;
}

export interface RailSuspense {
  /** Items that a person must resolve, as `openItems`. */
  readonly count: number;
  /**
   * The balance of suspense in the smallest unit, with what orders give back until they have settled. Of
   * connections with one currency; negative when more went out than came in.
   */
  readonly minor?: number;
  /** The same by currency; a currency without an item ever is not there. */
  readonly balances: readonly LedgerAmount[];
}

export interface RailUnknownPayments {
  /** Callbacks about payments that are not this connection's. */
  readonly count: number;
  /** The last of them, the latest first. */
  readonly latest: readonly {
    /** As the callback named it. */
    readonly paymentId: string;
    readonly status: string;
    /** The `providerReference`. */
    readonly reference?: string;
    readonly at: string;
  }[];
}

export interface RateDetails {
  /** Smallest receiving units for one millisatoshi. Outgoing payments alone. */
  readonly counterpartyMultiplier?: number;
  /** In the receiving currency. */
  readonly counterpartyFixedFee?: number;
  /**
   * Outgoing: millisatoshis for one smallest sending unit, the variable fee taken off. Incoming: smallest
   * receiving units for one millisatoshi.
   */
  readonly serviceApiMultiplier: number;
  readonly serviceApiFixedFee: number;
  /** A fraction: 0.003 is 0.3 percent. */
  readonly serviceApiVariableFeeRate: number;
  readonly serviceApiVariableFeeAmount: number;
}

export interface RateObservation {
  /** `RateObservation:<uuid>` */
  readonly id: string;
  readonly origin: Open<"PUT" | "UPLOAD" | "FETCH">;
  readonly asOf: string;
  /** The SHA-256 of the document, in hexadecimal digits. */
  readonly digest: string;
  readonly rates: readonly SourceRate[];
  readonly refused: readonly RefusedRate[];
  readonly createdAt: string;
}

export interface RateSource {
  /** `RateSource:<uuid>` */
  readonly id: string;
  readonly name: string;
  readonly kind: Open<"FIXED" | "ECB" | "HTTP">;
  readonly priority: number;
  readonly pivots: readonly string[];
  readonly maxAgeMinutes: number;
  readonly lockMinutes: number;
  readonly maxMovePercent?: number;
  readonly settings: RateSourceSettings;
  /** When each was set, and the first eight hexadecimal digits of its SHA-256. */
  readonly headers: Readonly<
    Record<
      string,
      {
        readonly setAt: string;
        readonly fingerprint: string;
      }
    >
  >;
  /** Those in use. */
  readonly rates: readonly SourceRate[];
  /** Values of the last document that were not taken; the rate before each stays in use. */
  readonly refused: readonly RefusedRate[];
  readonly asOf?: string;
  readonly readAt?: string;
  readonly lastError?: {
    readonly code: string;
    readonly message: string;
    readonly at: string;
  };
  readonly staleSince?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface RateSourceSettings {
  /**
   * ECB, HTTP. Where the document is; of ECB https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml without
   * it.
   */
  readonly url?: string;
  /**
   * ECB, required. The bank publishes its rates for information and discourages their use for transactions; true
   * says that the platform knows.
   */
  readonly acknowledged?: boolean;
  /** HTTP, 60. How often it is read. */
  readonly everySeconds?: number;
  /** HTTP, required. */
  readonly pairs?: readonly {
    readonly base: CurrencyCode;
    readonly quote: CurrencyCode;
    /** Where the value is in the document: a number or a decimal text of at most 30 significant digits. */
    readonly pointer: string;
    /** The value is the number of units of `base` for one unit of `quote`. */
    readonly invert?: boolean;
  }[];
  /**
   * HTTP. Where the time of the values is: a date-time, or seconds or milliseconds since 1970. Without it they are
   * of the moment of reading.
   */
  readonly asOfPointer?: string;
}

export interface RecallRailPaymentBody {
  readonly reason: Open<"DUPLICATE" | "WRONG_AMOUNT" | "WRONG_ACCOUNT" | "FRAUD" | "OTHER">;
  readonly note?: string;
}

export interface ReceiveUmaPaymentBody {
  /** A counterparty at the platform's sandbox UMA domain. */
  readonly senderUmaAddress: string;
  /** The customer who is paid; or `customerId`. */
  readonly receiverUmaAddress?: string;
  /** The customer who is paid; or `receiverUmaAddress`. */
  readonly customerId?: string;
  readonly receivingCurrencyCode: CurrencyCode;
  /** Whole number of the currency's smallest unit. */
  readonly receivingCurrencyAmount: number;
}

/** What finds the payment on a statement. */
export interface ReconciliationInstructions {
  readonly reference: string;
  /** Of a payment that a rail connection carries: that of its order. */
  readonly endToEndId?: string;
  /** The rail's own reference, once it has told it. */
  readonly bankReference?: string;
}

export interface RefreshSessionBody {
  /** P-256, uncompressed, hexadecimal. Make a fresh pair for each session and export. */
  readonly clientPublicKey: string;
}

export interface Refund {
  readonly reference: string;
  readonly initiatedAt: string;
  readonly settledAt?: string;
  readonly status: Open<"PENDING" | "COMPLETED" | "FAILED">;
  readonly reason?: Open<"TRANSACTION_FAILED" | "USER_CANCELLATION" | "TIMEOUT">;
  /**
   * Of a settled payout that came back by a connection: what is given back. Less than `sentAmount` when a bank
   * kept a charge, or when the payment was exchanged. Otherwise all that was taken is given back.
   */
  readonly amount?: {
    /** Whole number of the currency's smallest unit. */
    readonly amount: number;
    readonly currency: Currency;
  };
  /** What came back, where it is in another currency than `amount`. */
  readonly returnedAmount?: {
    /** Whole number of the currency's smallest unit. */
    readonly amount: number;
    readonly currency: Currency;
  };
  /**
   * Units of the currency of `amount` for a unit of `returnedAmount`: the rate of the platform's source when it
   * came back, without a spread.
   */
  readonly exchangeRate?: number;
}

export interface RefundTransactionBody {
  /** All that was not refunded yet, when absent. */
  readonly amount?: number;
  readonly reason: Open<"REQUESTED_BY_PAYER" | "DUPLICATE" | "WRONG_AMOUNT" | "FRAUD" | "OTHER">;
  readonly note?: string;
}

export interface RefusalBody {
  /** The HTTP status again. */
  readonly status: number;
  /** What went wrong, for programs. More codes may come. */
  readonly code: RefusalCode;
  /** What went wrong, for people. */
  readonly message: string;
  /** More about it; what is there depends on the code. */
  readonly details?: {
    /** The first field that is not valid. */
    readonly field?: string;
    /** The check that failed; beside `field`, what is wrong with it. */
    readonly reason?: string;
    /** In every 5xx: what to quote to the operator. */
    readonly requestId?: string;
    readonly retryAfterSeconds?: number;
    /** Every field that is not valid. */
    readonly errors?: readonly FieldError[];
  };
}

/** Why a call was refused. More may come. */
export type RefusalCode = Open<
  | "INVALID_INPUT"
  | "INVALID_REQUEST_FORMAT"
  | "INVALID_AMOUNT"
  | "AMOUNT_OUT_OF_RANGE"
  | "INVALID_CURRENCY"
  | "INVALID_TIMESTAMP"
  | "INVALID_NONCE"
  | "INVALID_UMA_ADDRESS"
  | "INVALID_BANK_ACCOUNT"
  | "INVITATION_ALREADY_CLAIMED"
  | "INVITATION_CANCELLED"
  | "INVITATION_EXPIRED"
  | "INVITATIONS_NOT_CONFIGURED"
  | "VERIFICATION_LINKS_NOT_CONFIGURED"
  | "INSUFFICIENT_BALANCE"
  | "MISSING_MANDATORY_USER_INFO"
  | "INVALID_RECEIVER"
  | "SELF_PAYMENT"
  | "LOOKUP_REQUEST_FAILED"
  | "PARSE_LNURLP_RESPONSE_ERROR"
  | "MISSING_REQUIRED_UMA_PARAMETERS"
  | "SENDER_NOT_ACCEPTED"
  | "QUOTE_REQUEST_FAILED"
  | "PARSE_PAYREQ_RESPONSE_ERROR"
  | "INVALID_PAYREQ_RESPONSE"
  | "INVALID_PUBKEY_FORMAT"
  | "CERT_CHAIN_INVALID"
  | "CERT_CHAIN_EXPIRED"
  | "EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS"
  | "PASSKEY_CREDENTIAL_ALREADY_EXISTS"
  | "LAST_CREDENTIAL"
  | "WEBHOOK_ENDPOINT_NOT_SET"
  | "WEBHOOK_DELIVERY_ERROR"
  | "UNAUTHORIZED"
  | "FORBIDDEN"
  | "USER_NOT_READY"
  | "COUNTERPARTY_NOT_ALLOWED"
  | "VELOCITY_LIMIT_EXCEEDED"
  | "APPROVAL_NOT_YOURS"
  | "UMA_NOT_FOUND"
  | "NOT_FOUND"
  | "REFERENCE_NOT_FOUND"
  | "USER_NOT_FOUND"
  | "TOKEN_NOT_FOUND"
  | "INVITATION_NOT_FOUND"
  | "TRANSACTION_NOT_FOUND"
  | "BULK_UPLOAD_JOB_NOT_FOUND"
  | "QUOTE_NOT_FOUND"
  | "LEDGER_ACCOUNT_NOT_FOUND"
  | "POSTING_NOT_FOUND"
  | "STATEMENT_NOT_FOUND"
  | "EXPORT_NOT_FOUND"
  | "WEBHOOK_ENDPOINT_NOT_FOUND"
  | "EVENT_NOT_FOUND"
  | "APPROVAL_NOT_FOUND"
  | "REQUEST_LOG_NOT_FOUND"
  | "LOOKUP_REQUEST_NOT_FOUND"
  | "METHOD_NOT_ALLOWED"
  | "CONFLICT"
  | "ACCOUNT_FROZEN"
  | "CUSTOMER_FROZEN"
  | "DUPLICATE_ENTRY"
  | "RAIL_PAUSED"
  | "RATE_STALE"
  | "FX_LIMIT"
  | "RATE_MOVED"
  | "QUOTE_EXPIRED"
  | "UMA_ADDRESS_EXISTS"
  | "TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL"
  | "CUSTOMER_DELETED"
  | "UNSUPPORTED_UMA_VERSION"
  | "PAYLOAD_TOO_LARGE"
  | "UNSUPPORTED_MEDIA_TYPE"
  | "IDEMPOTENCY_KEY_REUSED"
  | "LNURLP_REQUEST_FAILED"
  | "PAYREQ_REQUEST_FAILED"
  | "COUNTERPARTY_PUBKEY_FETCH_ERROR"
  | "NO_COMPATIBLE_UMA_VERSION"
  | "RATE_LIMITED"
  | "INTERNAL_ERROR"
  | "NOT_IMPLEMENTED"
  | "UNRECOGNIZED_MANDATORY_PAYEE_DATA_KEY"
  | "SERVICE_UNAVAILABLE"
>;

export interface RefuseRailMarkBody {
  readonly note: string;
}

export interface RefusedRate {
  readonly base: CurrencyCode;
  readonly quote: CurrencyCode;
  /** As it was read. */
  readonly value?: string;
  readonly reason: Open<"MISSING" | "NOT_A_RATE" | "MOVED">;
}

export interface RejectAgentActionBody {
  /** Shown to the agent. */
  readonly reason?: string;
}

export interface RejectTransactionBody {
  readonly reason?: string;
}

export interface ReplaceDocumentBody {
  /**
   * A PDF, JPEG or PNG, told by its content; a `PLATFORM_LOGO` is a PNG, JPEG or WebP of at most 256 kB. At most
   * 10 MB.
   */
  readonly file: Blob;
  readonly documentType: Open<
    | "PASSPORT"
    | "DRIVERS_LICENSE"
    | "NATIONAL_ID"
    | "PROOF_OF_ADDRESS"
    | "BANK_STATEMENT"
    | "TAX_RETURN"
    | "CERTIFICATE_OF_INCORPORATION"
    | "ARTICLES_OF_INCORPORATION"
    | "ARTICLES_OF_ASSOCIATION"
    | "STATE_REGISTRY_EXCERPT"
    | "GOOD_STANDING_CERTIFICATE"
    | "INFORMATION_STATEMENT"
    | "INCUMBENCY_CERTIFICATE"
    | "BUSINESS_LICENSE"
    | "SHAREHOLDER_REGISTER"
    | "POWER_OF_ATTORNEY"
    | "UTILITY_BILL"
    | "ELECTRICITY_BILL"
    | "RENT_OR_LEASE_AGREEMENT"
    | "DIRECTOR_REGISTRY"
    | "TRUST_AGREEMENT"
    | "STATE_COMPANY_REGISTRY"
    | "PARTNERSHIP_CONTROL_AGREEMENT"
    | "PARTNERSHIP_AGREEMENT"
    | "SELFIE"
    | "PLATFORM_LOGO"
    | "OTHER"
  >;
  /** Who issued it; the country of the platform for its logo. */
  readonly country: string;
  readonly side?: Open<"FRONT" | "BACK">;
  readonly documentNumber?: string;
  readonly issuingAuthority?: string;
}

export interface RequestLog {
  /** `RequestLog:<uuid>` */
  readonly id: string;
  /** When the call arrived, in the time of the server. */
  readonly createdAt: string;
  readonly method: string;
  /** Below the version. A segment that is no id is `[redacted]`. */
  readonly path: string;
  readonly operationId: string;
  readonly status: number;
  /** Of a refusal. */
  readonly errorCode?: string;
  /** From the head of the request to its answer. */
  readonly durationMs: number;
  /** Of the body. */
  readonly requestBytes: number;
  /** Of the body. */
  readonly responseBytes: number;
  /** The token that called. */
  readonly tokenId?: string;
  /** The agent that called. */
  readonly agentId?: string;
  /** The person who called, in a browser. */
  readonly personId?: string;
  /** The address that the call came from. */
  readonly address: string;
  /** The `X-Request-Id` of the answer. */
  readonly requestId: string;
  /** The last id of the path. */
  readonly resourceId?: string;
  /** The stored answer of an idempotency key. */
  readonly replayed: boolean;
  /** For how many calls this one stands; more than 1 where the log was thinned. */
  readonly sampledOneIn: number;
}

export interface RequestLogDetail {
  /** `RequestLog:<uuid>` */
  readonly id: string;
  /** When the call arrived, in the time of the server. */
  readonly createdAt: string;
  readonly method: string;
  /** Below the version. A segment that is no id is `[redacted]`. */
  readonly path: string;
  readonly operationId: string;
  readonly status: number;
  /** Of a refusal. */
  readonly errorCode?: string;
  /** From the head of the request to its answer. */
  readonly durationMs: number;
  /** Of the body. */
  readonly requestBytes: number;
  /** Of the body. */
  readonly responseBytes: number;
  /** The token that called. */
  readonly tokenId?: string;
  /** The agent that called. */
  readonly agentId?: string;
  /** The person who called, in a browser. */
  readonly personId?: string;
  /** The address that the call came from. */
  readonly address: string;
  /** The `X-Request-Id` of the answer. */
  readonly requestId: string;
  /** The last id of the path. */
  readonly resourceId?: string;
  /** The stored answer of an idempotency key. */
  readonly replayed: boolean;
  /** For how many calls this one stands; more than 1 where the log was thinned. */
  readonly sampledOneIn: number;
  readonly idempotencyKey?: string;
  /** Those that are known to hold no secret, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The parameters, for tokens with `MANAGE` as well. Secrets and what the operation does not declare are
   * `[redacted]`; `[omitted]` when it is larger than 16 kB or a form.
   */
  readonly query?: Readonly<Record<string, unknown>> | string;
  /**
   * The body of the request, for tokens with `MANAGE` as well. Secrets and what the operation does not declare are
   * `[redacted]`; `[omitted]` when it is larger than 16 kB or a form.
   */
  readonly requestBody?: Readonly<Record<string, unknown>> | string;
  /**
   * The body of the answer, for tokens with `MANAGE` as well. Secrets and what the operation does not declare are
   * `[redacted]`; `[omitted]` when it is larger than 16 kB or a form.
   */
  readonly responseBody?: Readonly<Record<string, unknown>> | string;
}

export interface RequestedField {
  readonly name: Open<
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
    | "ID_NUMBER"
  >;
  readonly mandatory: boolean;
}

export interface RerouteRailPaymentBody {
  /** `RailConnection:<uuid>`; the next route's when absent. */
  readonly connectionId?: string;
}

export interface ResendEventBody {
  /** `WebhookEndpoint:<uuid>`: only this endpoint. */
  readonly endpointId?: string;
}

export interface ResendEventsBody {
  readonly filter: ResendFilter;
  /** `WebhookEndpoint:<uuid>`: only this endpoint. */
  readonly endpointId?: string;
  /** Answers what the order would do, and orders nothing. */
  readonly dryRun?: boolean;
}

/** As of `GET /events`. An empty one selects every event, so a field that is no filter is refused. */
export interface ResendFilter {
  readonly type?: readonly string[];
  /** The object that the event is about. */
  readonly resourceId?: string;
  /** Events with a higher `sequence`. */
  readonly after?: number;
  /** Events with a lower `sequence`. */
  readonly before?: number;
  /** Events of this time or later. */
  readonly since?: string;
  /** Events of this time or earlier. */
  readonly until?: string;
  /** Only events that the endpoint has not taken: those that are to be tried again and those that were given up. */
  readonly failed?: boolean;
}

export interface ResentDelivery {
  /** `WebhookDelivery:<uuid>.<uuid>` */
  readonly id: string;
  readonly eventId: string;
  readonly eventSequence: number;
  readonly eventType: string;
  readonly resourceId: string;
  readonly endpointId: string;
  /**
   * Before the attempt. One that is WAITING is attempted now, or keeps the attempt that is under way. One that is
   * BEHIND follows the event of its resource that it waits for, which is due now, or gets its first attempt in its
   * turn.
   */
  readonly state: Open<"DELIVERED" | "WAITING" | "BEHIND" | "FAILED">;
}

export interface ResolveRailItemBody {
  readonly parts: readonly {
    readonly kind: Open<
      | "ACCOUNT"
      | "QUOTE"
      | "RETURN"
      | "PAYMENT"
      | "RECEIVABLE"
      | "FX"
      | "OWN_FUNDS"
      | "DUPLICATE_OF"
      | "INVOICE"
    >;
    /** Whole number of the currency's smallest unit. */
    readonly amount: number;
    /** `InternalAccount:<uuid>`. Of `ACCOUNT`: the account to credit. */
    readonly accountId?: string;
    /** `Quote:<uuid>`. Of `QUOTE`: one that waits for exactly this amount. */
    readonly quoteId?: string;
    /** `RailPayment:<uuid>`. Of `PAYMENT`: the order, whose amount is that of the part. */
    readonly paymentId?: string;
    /** Of `PAYMENT`: what the line was to the order. */
    readonly outcome?: Open<"SETTLED" | "RETURNED">;
    /** `RailReceivable:<uuid>`. Of `RECEIVABLE`: what is paid. */
    readonly receivableId?: string;
    /** Of `RETURN`: the payer, where the entry did not tell the account. Another token must confirm it. */
    readonly details?: {
      readonly name?: string;
      readonly account: string;
    };
    /** Of `OWN_FUNDS`: what it is, such as a charge or interest. */
    readonly label?: string;
    /** `RailEntry:<uuid>`. Of `DUPLICATE_OF`: the same line, told before. */
    readonly entryId?: string;
    /** `UmaInvoice:<uuid>`. Of `INVOICE`: one of the connection, in the item's asset. */
    readonly invoiceId?: string;
    /**
     * Of `INVOICE`: `QUOTED` credits the share of the invoice's amount, its fee included; `CURRENT` is today's
     * price.
     */
    readonly price?: Open<"QUOTED" | "CURRENT">;
  }[];
  readonly note: string;
}

export interface ResolveRailRouteBody {
  /**
   * `OUT` pays, `PULL` collects, `FUNDING` is for instructions by which money comes in, `INVOICE` makes invoices
   * that other institutions pay.
   */
  readonly direction: Open<"OUT" | "PULL" | "FUNDING" | "INVOICE">;
  readonly currency: CurrencyCode;
  /** `UMA_ADDRESS` for an order that pays an invoice. Needed, and not given for `INVOICE`. */
  readonly accountType?: AccountType;
  readonly paymentRail?: PaymentRail;
  /** Whole number of the currency's smallest unit. */
  readonly amount: number;
}

export interface RotateUmaKeyBody {
  readonly use: Open<"SIGNING" | "ENCRYPTION">;
  /** At least 600 unless the key is compromised. 3600 without it; 0 for a compromised key. */
  readonly takesOverInSeconds?: number;
  /** Another party may have the private part of the present key. */
  readonly compromised?: boolean;
}

export interface RotateWebhookEndpointKeyBody {
  /** 24 when absent. */
  readonly overlapHours?: number;
}

export interface RotateWebhookKeyBody {
  /** 24 when absent. */
  readonly overlapHours?: number;
}

/** Currency: RWF. Held in RW. */
export interface RwfAccount extends NewRwfAccount {
  /** The rails that reach this account; in answers alone. */
  readonly paymentRails?: readonly Open<"MOBILE_MONEY">[];
}

/** How a run is tried again that `INSUFFICIENT_BALANCE` has refused. */
export interface ScheduleRetry {
  readonly times: number;
  readonly everyMinutes: number;
}

export interface ScheduleRule {
  /** Once, at this time; no other member then. */
  readonly at?: string;
  readonly every?: Open<"DAY" | "WEEK" | "MONTH">;
  /** Every second, third … day, week or month. 1 when absent. */
  readonly interval?: number;
  /**
   * A weekday for `WEEK`, a day of the month for `MONTH`; a month that is shorter has its last day. That of the
   * first day when absent.
   */
  readonly on?:
    | Open<"SUNDAY" | "MONDAY" | "TUESDAY" | "WEDNESDAY" | "THURSDAY" | "FRIDAY" | "SATURDAY">
    | number;
  /**
   * On the clock of `timeZone`. A time that the clock skips is due at the end of the gap, one that it shows twice
   * the first time.
   */
  readonly time?: string;
  /** An IANA name, such as Europe/Berlin. */
  readonly timeZone?: string;
  /** The calendar of `adjust`. `NONE` when absent: every day is a banking day. */
  readonly holidays?: Open<"NONE" | "TARGET" | "FEDERAL_RESERVE">;
  /** Where a day moves that is no banking day. Without `holidays` `NONE`, else `NEXT` when absent. */
  readonly adjust?: Open<"NONE" | "NEXT" | "PREVIOUS">;
  /** No due day is before this one, and the interval counts from the first. */
  readonly from?: string;
  /** No due day is after this one, before `adjust` moves it. */
  readonly until?: string;
  /** The number of due times. */
  readonly count?: number;
}

export interface ScheduleRun {
  readonly id: string;
  readonly scheduleId: string;
  readonly dueAt: string;
  /** `RULE`: due by the rule. `CALL`: made at once by a call. */
  readonly trigger: Open<"RULE" | "CALL">;
  /**
   * `CREATED`: the payment was made; what became of it is in its transaction. `WAITING`: refused for the balance,
   * and tried again at `retryAt`. `MISSED`: the server was down for more than a day.
   */
  readonly status: Open<"CREATED" | "REFUSED" | "WAITING" | "MISSED" | "SKIPPED">;
  readonly transactionId?: string;
  readonly error?: ScheduleRunError;
  readonly attempts: number;
  readonly retryAt?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Why the run was refused. */
export interface ScheduleRunError {
  readonly code: RefusalCode;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface ScheduledPayment {
  /** `TRANSFER_OUT`: as by `POST /transfer-out`. `BOOK`: as by `POST /transfers`. */
  readonly kind: Open<"TRANSFER_OUT" | "BOOK">;
  readonly source: {
    /** An internal account. */
    readonly accountId: string;
  };
  readonly destination: {
    /** An external account; for `BOOK` an internal one. */
    readonly accountId: string;
    readonly paymentRail?: PaymentRail;
  };
  /** Whole number of the currency's smallest unit. */
  readonly amount: number;
  readonly description?: string;
  readonly metadata?: Metadata;
  readonly remittanceInformation?: string;
}

export interface SearchQuery {
  readonly q: string;
  readonly kinds?:
    | Open<
        | "Customer"
        | "BeneficialOwner"
        | "ExternalAccount"
        | "Agent"
        | "Transaction"
        | "InternalAccount"
        | "Quote"
        | "Verification"
        | "Document"
        | "AgentAction"
        | "Job"
        | "WebhookEndpoint"
        | "EventResend"
        | "Statement"
        | "Export"
        | "Checkpoint"
        | "Token"
        | "RailConnection"
        | "RailRoute"
        | "RailPayment"
        | "RailEntry"
        | "RailItem"
        | "RailReceivable"
        | "RailMark"
        | "RailStatement"
        | "RateSource"
      >
    | readonly Open<
        | "Customer"
        | "BeneficialOwner"
        | "ExternalAccount"
        | "Agent"
        | "Transaction"
        | "InternalAccount"
        | "Quote"
        | "Verification"
        | "Document"
        | "AgentAction"
        | "Job"
        | "WebhookEndpoint"
        | "EventResend"
        | "Statement"
        | "Export"
        | "Checkpoint"
        | "Token"
        | "RailConnection"
        | "RailRoute"
        | "RailPayment"
        | "RailEntry"
        | "RailItem"
        | "RailReceivable"
        | "RailMark"
        | "RailStatement"
        | "RateSource"
      >[];
  /** Of each kind. */
  readonly limit?: number;
  /** `parties`: the answer names the parties, in `parties`. */
  readonly expand?: Open<"parties">;
}

export interface SearchResults {
  /** The sequence of the last event that is in the index. */
  readonly indexedTo: number;
  /** The sequence of the last event. */
  readonly lastEvent: number;
  /** The index is being built, so what is found is not all there is. */
  readonly isBuilding: boolean;
  readonly groups: readonly {
    readonly kind: string;
    readonly results: readonly {
      /** With its kind. */
      readonly id: string;
      /** Initials, where it is a name that a person may not see. */
      readonly title: string;
      readonly subtitle?: string;
      readonly status?: string;
      /** When it was created. */
      readonly at: string;
      /** What it was found by. */
      readonly matched: Open<
        | "id"
        | "name"
        | "reference"
        | "platformCustomerId"
        | "description"
        | "umaAddress"
        | "email"
        | "phoneNumber"
        | "lastFour"
        | "platformAccountId"
        | "amount"
        | "bankReference"
      >;
      /** Only with `expand=parties`. A party that is not known is absent. */
      readonly parties?: {
        readonly from?: Party;
        readonly to?: Party;
      };
    }[];
  }[];
}

export interface SendSandboxFundsBody {
  readonly quoteId: string;
  /** The currency of the quote's funding. */
  readonly currencyCode: CurrencyCode;
  /** What is sent; the quote's total when absent. */
  readonly currencyAmount?: number;
}

export interface SetFeesBody {
  readonly rules: readonly FeeRule[];
}

export interface SetFxLimitsBody {
  /** Whole numbers of the smallest unit; null or absent: no limit. */
  readonly limits: readonly {
    readonly currency: CurrencyCode;
    readonly maxLong?: number | null;
    readonly maxShort?: number | null;
  }[];
}

export interface SetRatesBody {
  readonly rates: readonly {
    readonly base: CurrencyCode;
    readonly quote: CurrencyCode;
    /** Units of `quote` for one unit of `base`, as a decimal. */
    readonly rate: string;
  }[];
  readonly asOf?: string;
}

export interface SetSpreadsBody {
  readonly spreads: readonly Spread[];
}

export interface SetUmaCounterpartyBody {
  /**
   * `DEFAULT`: the policy decides. `ALLOWED`: taken where the policy takes listed counterparties alone. `BLOCKED`:
   * nothing is taken from it or sent to it.
   */
  readonly status: Open<"DEFAULT" | "ALLOWED" | "BLOCKED">;
  /** What holds for this counterparty in place of the policy. */
  readonly overrides?: {
    /** Whether institutions are taken that say they are not subject to the travel rule. */
    readonly unregulated?: Open<"ALLOW" | "REFUSE">;
    /**
     * `ANY`: the TLS of the domain vouches for its keys. `DOMAIN`: the certificates of both keys name the domain.
     * `AUTHORITY`: and their chains end at one of `authorities`.
     */
    readonly certificates?: Open<"ANY" | "DOMAIN" | "AUTHORITY">;
    /** Whether a changed signing key is refused until `POST /uma/counterparties/{domain}/accept-key`. */
    readonly pinKeys?: boolean;
    /** `SAME_DOMAIN`: the URLs that an institution gives for its calls are at its domain or below it. */
    readonly callbackHosts?: Open<"ANY" | "SAME_DOMAIN">;
  };
}

export interface SetUmaFaultsBody {
  /**
   * `HANG`: no answer. `HUGE`: more than is read. `VERSION_0_3`: an answer in that version. `VERSION_9`: a refusal
   * of version 1.0. `REFUSE_KYC`: `SENDER_NOT_ACCEPTED`. `REPLAYED_NONCE`: an answer that the sandbox which asks
   * has had before.
   */
  readonly kind: Open<
    | "BAD_SIGNATURE"
    | "OLD_TIMESTAMP"
    | "REPLAYED_NONCE"
    | "WRONG_CURRENCY"
    | "VERSION_0_3"
    | "VERSION_9"
    | "HANG"
    | "HUGE"
    | "REDIRECT"
    | "REFUSE_KYC"
    | "WRONG_AMOUNT"
    | "SHORT_EXPIRY"
  >;
  /** How many answers have it. */
  readonly next: number;
}

export interface SetUmaKeyChainBody {
  /** Certificates in PEM. */
  readonly pem: string;
}

export interface SetUmaPolicyBody {
  /** Whether other institutions may pay customers here. */
  readonly receive: boolean;
  /** Whether customers here may pay customers of other institutions. */
  readonly send: boolean;
  /** `LISTED`: only institutions whose counterparty has the status `ALLOWED`. */
  readonly counterparties: Open<"ALL" | "LISTED">;
  /** Whether institutions are taken that say they are not subject to the travel rule. */
  readonly unregulated: Open<"ALLOW" | "REFUSE">;
  /** What an institution must say of its customer before the platform pays. */
  readonly receiverKyc: Open<"ANY" | "VERIFIED">;
  /** What an institution must say of its customer before the platform is asked. */
  readonly payerKyc: Open<"ANY" | "VERIFIED">;
  /**
   * `ANY`: the TLS of the domain vouches for its keys. `DOMAIN`: the certificates of both keys name the domain.
   * `AUTHORITY`: and their chains end at one of `authorities`.
   */
  readonly certificates: Open<"ANY" | "DOMAIN" | "AUTHORITY">;
  /** Root certificates for `AUTHORITY`. */
  readonly authorities: readonly string[];
  /** Whether a changed signing key is refused until `POST /uma/counterparties/{domain}/accept-key`. */
  readonly pinKeys: boolean;
  /** `SAME_DOMAIN`: the URLs that an institution gives for its calls are at its domain or below it. */
  readonly callbackHosts: Open<"ANY" | "SAME_DOMAIN">;
  /** How long an invoice lives. The lock of a rate source may end it earlier. */
  readonly invoiceSeconds: number;
  /** The settlement layers by preference, for payments to others. One that is not named comes last. */
  readonly layers: readonly string[];
  /**
   * Of a sandbox, for payments to other sandboxes of the deployment: `SIMULATED`, or by the messages of UMA
   * (`PROTOCOL`) where both sides say so. `SIMULATED` when absent.
   */
  readonly network?: Open<"SIMULATED" | "PROTOCOL">;
}

/** Currency: SGD. Held in SG. */
export interface SgdAccount extends NewSgdAccount {
  /** The rails that reach this account; in answers alone. */
  readonly paymentRails?: readonly Open<"PAYNOW" | "FAST" | "BANK_TRANSFER">[];
}

export interface SignedRetryChallenge {
  /** To be signed as it is, character by character. */
  readonly payloadToSign: string;
  /** To be sent in `Request-Id` on the second call. */
  readonly requestId: string;
  readonly expiresAt: string;
  readonly type?: Open<"OAUTH" | "EMAIL_OTP" | "PASSKEY">;
}

/**
 * Currency: USD. Held in SV. Named by `accountNumber` with `bankName` with `bankAccountType`, or by
 * `phoneNumber`.
 */
export type SlvAccount = NewSlvAccount & {
  /** The rails that reach this account; in answers alone. */
  readonly paymentRails?: readonly Open<"BANK_TRANSFER" | "MOBILE_MONEY">[];
};

/** Currency: USDC. */
export interface SolanaWallet {
  readonly accountType: "SOLANA_WALLET";
  readonly address: string;
  readonly vaspName?: string;
  readonly platformAccountId?: string;
  readonly beneficiary?: WalletBeneficiary;
}

export interface SourceRate {
  readonly base: CurrencyCode;
  readonly quote: CurrencyCode;
  /** Units of `quote` for one unit of `base`, as a decimal. */
  readonly rate: string;
  readonly asOf: string;
}

/** Currency: BTC, USDB. */
export interface SparkWallet {
  readonly accountType: "SPARK_WALLET";
  readonly address: string;
  readonly vaspName?: string;
  readonly platformAccountId?: string;
  readonly beneficiary?: WalletBeneficiary;
}

export interface Spread {
  /** The code of a currency, or `*` for any. */
  readonly from: string;
  /** The code of a currency, or `*` for any. */
  readonly to: string;
  /** Hundredths of a percent by which the customer's rate is worse than the source's. */
  readonly bps: number;
}

export interface Spreads {
  /** 0 before the first was set. */
  readonly version: number;
  readonly spreads: readonly Spread[];
  readonly updatedAt?: string;
}

/** The figures are there once `state` is `READY`. */
export interface Statement {
  /** `Statement:<uuid>` */
  readonly id: string;
  /** Of a whole month: 1 for the month in which the account came to be. */
  readonly number?: number;
  readonly accountId: string;
  /** The first day. */
  readonly from: string;
  /** The last day. */
  readonly to: string;
  /** The time zone of the days. */
  readonly zone: string;
  readonly format: Open<"JSON" | "CSV">;
  readonly state: Open<"PENDING" | "READY">;
  readonly openingBalance?: LedgerAmount;
  readonly closingBalance?: LedgerAmount;
  readonly totalIn?: LedgerAmount;
  readonly totalOut?: LedgerAmount;
  /** How many entries it has. */
  readonly entries?: number;
  /** Of the file's bytes, in hexadecimal digits. */
  readonly sha256?: string;
  readonly createdAt: string;
}

export interface SupportedCurrency {
  readonly currencyCode: CurrencyCode;
  /** The least that can be sent at once, in the smallest unit. */
  readonly minAmount: number;
  /** The most that can be sent at once, in the smallest unit. */
  readonly maxAmount: number;
  readonly requiredCounterpartyFields: readonly {
    readonly name: Open<
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
      | "ID_NUMBER"
    >;
    readonly mandatory: boolean;
  }[];
  readonly enabledTransactionTypes: readonly Open<"INCOMING" | "OUTGOING">[];
  /** What a customer must have to use the currency. */
  readonly providerRequiredCustomerFields?: readonly Open<
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
    | "ID_NUMBER"
  >[];
  /** What must be known of the other side of a payment. */
  readonly providerRequiredCounterpartyCustomerFields?: readonly Open<
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
    | "ID_NUMBER"
  >[];
}

/** Currency: any national currency. Named by `accountNumber`, or by `iban`, one of them alone. */
export type SwiftAccount = NewSwiftAccount & {
  /** The rails that reach this account; in answers alone. */
  readonly paymentRails?: readonly Open<"SWIFT">[];
};

export interface TakeRailCallbackBody {
  readonly eventId: string;
  readonly type: Open<"payment.updated" | "entry.booked">;
  readonly payment?: {
    /** As in the order. */
    readonly id: string;
    readonly status: Open<
      "accepted" | "settled" | "declined" | "returned" | "cancelled" | "unknown"
    >;
    readonly providerReference?: string;
    readonly reason?: {
      readonly code: string;
      readonly text?: string;
    };
    readonly settledOn?: string;
    /** Of a return that is not the whole. */
    readonly amount?: string;
  };
  readonly entry?: {
    /** The keeper's own reference: the entry is booked once. */
    readonly id: string;
    readonly currency: string;
    /** Digits, of the smallest unit. */
    readonly amount: string;
    readonly direction: Open<"CREDIT" | "DEBIT">;
    /** A date, or a date-time. */
    readonly bookedAt: string;
    readonly valueDate?: string;
    /** Such as an order's `endToEndId`. */
    readonly reference?: string;
    /** The order that it is about. */
    readonly paymentId?: string;
    /** The order, or the entry, that it gives back. */
    readonly returnOf?: string;
    /** The id under which it was asked for payment instructions. */
    readonly instructionId?: string;
    /** The id of the invoice that the money is for. */
    readonly invoiceId?: string;
    /** The order whose charge this debit is. */
    readonly feeOf?: string;
    /** The number to which the payer paid. */
    readonly virtualAccount?: string;
    readonly remittance?: string;
    readonly payer?: {
      readonly name?: string;
      readonly account?: string;
    };
  };
}

/** Currency: THB. Held in TH. */
export interface ThbAccount extends NewThbAccount {
  /** The rails that reach this account; in answers alone. */
  readonly paymentRails?: readonly Open<"BANK_TRANSFER">[];
}

export interface Timeline {
  /** Oldest first. */
  readonly entries: readonly TimelineEntry[];
  /** Whether these are all. */
  readonly isComplete: boolean;
  /** Only with `expand=parties`. A party that is not known is absent. */
  readonly parties?: {
    readonly from?: Party;
    readonly to?: Party;
    readonly by?: Party;
  };
  /** Only with `expand=parties`. Who acted, each once. */
  readonly actors?: readonly TimelineActor[];
  /** Only with `expand=parties`. The commands of the entries, with who gave them. */
  readonly commands?: readonly TimelineCommand[];
  /** Only with `expand=parties`. What happened beside the entries, oldest first. */
  readonly steps?: readonly TimelineStep[];
  readonly alike?: AlikeFailures;
}

export interface TimelineActor {
  /** As the entries and steps have it. */
  readonly actor: string;
  readonly party: Party;
}

export interface TimelineCommand {
  readonly commandSeq: number;
  readonly command: string;
  readonly actor: string;
}

export interface TimelineEntry {
  readonly at: string;
  /**
   * `CREATED`: the transaction. `STATUS`: it has this status from now on. `POSTING`: money was moved. `JOB`: a
   * worker recorded something, such as the answer of a rail. `EVENT`: the platform was told. `DELIVERY`: the last
   * attempt to deliver an event to an endpoint. `APPROVAL`: the platform was asked, or has decided. `REFUND`:
   * money is on its way back, or is back.
   */
  readonly kind: Open<
    "CREATED" | "STATUS" | "POSTING" | "JOB" | "EVENT" | "DELIVERY" | "APPROVAL" | "REFUND"
  >;
  /** The command that did it. */
  readonly commandSeq?: number;
  /** On whose behalf: `token:`, `agent:`, `link:`, `worker:` … */
  readonly actor?: string;
  /** The name of the command. */
  readonly command?: string;
  /** Of the transaction, the delivery, the approval or the refund. */
  readonly status?: string;
  readonly reason?: string;
  /** `<commandSeq>.<n>` */
  readonly posting?: string;
  readonly legs?: readonly {
    /** `LedgerAccount:<uuid>` */
    readonly accountId: string;
    readonly amount: LedgerAmount;
  }[];
  readonly eventId?: string;
  readonly eventType?: string;
  readonly sequence?: number;
  readonly attempts?: number;
  /** `WebhookDelivery:<uuid>.<uuid>` */
  readonly deliveryId?: string;
  /** `WebhookEndpoint:<uuid>` */
  readonly endpointId?: string;
  readonly nextAttemptAt?: string;
  readonly deliverySummary?: DeliverySummary;
}

export interface TimelineStep {
  readonly at: string;
  /**
   * `ASKED`, `APPROVED`, `REJECTED`: an order that waited for people. `RAIL`: the order at a bank has this state
   * from now on. `RECALLED`: it was called back.
   */
  readonly act: Open<"ASKED" | "APPROVED" | "REJECTED" | "RAIL" | "RECALLED">;
  /** As in the entries; named in `actors`. */
  readonly actor?: string;
  /** Of the order at the bank, or of its recall. */
  readonly state?: string;
  /** Why it waited, or was recalled. Of `RAIL`: `REROUTED`, `FELL_BACK`, `RECALL_REFUSED`, where the state stayed. */
  readonly reason?: string;
  /** The bank's. */
  readonly code?: string;
  /** The name of the rail connection. */
  readonly connection?: string;
  /** `RailPayment:<uuid>` */
  readonly railPaymentId?: string;
}

export interface Token {
  /** `Token:<uuid>` */
  readonly id: string;
  readonly name: string;
  readonly permissions: readonly Open<"VIEW" | "TRANSACT" | "MANAGE">[];
  /** The user name of HTTP Basic. */
  readonly clientId: string;
  /** The password of HTTP Basic; only in the answer that creates the token. */
  readonly clientSecret?: string;
  /** From then on it is refused like an unknown one. Absent for never. */
  readonly expiresAt?: string;
  /** The UTC day of its last use, by the clock of the server, about a second late. */
  readonly lastUsedAt?: string;
  /** The token or the person that created it, or `operator`. */
  readonly createdBy?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface Transaction {
  /** `Transaction:<uuid>` */
  readonly id: string;
  readonly status: Open<
    | "CREATED"
    | "PENDING"
    | "PROCESSING"
    | "COMPLETED"
    | "REJECTED"
    | "FAILED"
    | "REFUNDED"
    | "EXPIRED"
  >;
  readonly type: Open<"INCOMING" | "OUTGOING">;
  /** CREDIT: INCOMING, to the holder. DEBIT: OUTGOING. */
  readonly direction: Open<"CREDIT" | "DEBIT">;
  readonly source?: TransactionSource;
  readonly destination: TransactionDestination;
  /** The platform's own id when it moves its own money. */
  readonly customerId: string;
  readonly platformCustomerId: string;
  readonly sentAmount?: CurrencyAmount;
  readonly receivedAmount?: CurrencyAmount;
  /** Whole sending units for one whole receiving unit. */
  readonly exchangeRate?: number;
  /** In the sending currency. */
  readonly fees?: number;
  readonly rateDetails?: RateDetails;
  readonly paymentInstructions?: readonly PaymentInstruction[];
  readonly counterpartyInformation?: Readonly<Record<string, string>>;
  /** The caller's choice, or the rail that was taken. */
  readonly paymentRail?: PaymentRail;
  /**
   * What the beneficiary finds on a statement. It follows from the transaction's id. To a bank account or a
   * wallet: `FL` and 13 characters of 0-9 and A-Z without I, L, O, U. To a UMA address: the receiver's
   * reconciliation reference.
   */
  readonly reference?: string;
  readonly remittanceInformation?: string;
  readonly purposeOfPayment?: PurposeOfPayment;
  readonly quoteId?: string;
  readonly agentId?: string;
  readonly description?: string;
  /** Of a book transfer: the transaction of the other side. */
  readonly counterpartTransactionId?: string;
  /** Of a payment that is an item of a batch: `PaymentBatch:<uuid>`. */
  readonly batchId?: string;
  /** The reference of the item in its batch. */
  readonly batchReference?: string;
  /**
   * Of an incoming UMA payment: the customer's external account that the money goes on to. Absent where it stays
   * on an internal account.
   */
  readonly depositAccountId?: string;
  /** Of an incoming UMA payment of another institution with `depositAccountId`: the payout that takes the money on. */
  readonly depositTransactionId?: string;
  /**
   * Of an incoming UMA payment of another institution with `depositAccountId`: no payout could be made, so the
   * money stays on the internal account.
   */
  readonly depositFallback?: true;
  /** Of a payout that takes the money of an incoming UMA payment on: that payment. */
  readonly depositOf?: string;
  /**
   * Of a transfer that a rail connection carries: when it is expected to have settled, by its rail and the
   * connection's calendar.
   */
  readonly expectedSettlementAt?: string;
  /** Of money of a payout that came back and was credited by a person: its order. */
  readonly railPaymentId?: string;
  /** Of money that came in at a rail connection: the entry that told of it. */
  readonly railEntryId?: string;
  /** Of money for an invoice that its own payment did not take and a person credited: `UmaInvoice:<uuid>`. */
  readonly invoiceId?: string;
  /** Of a refund: the INCOMING transaction whose money goes back. */
  readonly refundOf?: string;
  readonly refundReason?: Open<
    "REQUESTED_BY_PAYER" | "DUPLICATE" | "WRONG_AMOUNT" | "FRAUD" | "OTHER"
  >;
  /** Of a leg of a transfer of several legs: the transfer. All of its transactions have it. */
  readonly groupId?: string;
  /** Of a payment that captured a hold: the hold. */
  readonly holdId?: string;
  readonly refundedAmount?: CurrencyAmount;
  readonly refundPendingAmount?: CurrencyAmount;
  readonly reconciliationInstructions?: ReconciliationInstructions;
  readonly failureReason?: FailureReason;
  readonly failure?: Failure;
  /** Why the platform turned an incoming payment away, in its words. */
  readonly rejectionReason?: string;
  /** What the receiver's platform must know of the sender to take such a payment. */
  readonly requiredPayerDataFields?: readonly {
    readonly name: string;
    readonly mandatory: boolean;
  }[];
  readonly refund?: Refund;
  readonly metadata?: Metadata;
  /** Only with `expand=parties`. A party that is not known is absent. */
  readonly parties?: {
    readonly from?: Party;
    readonly to?: Party;
    readonly by?: Party;
  };
  readonly settledAt?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export type TransactionDestination =
  | {
      readonly destinationType: "ACCOUNT";
      readonly accountId: string;
      readonly currency: CurrencyCode;
      readonly customerId?: string;
    }
  | {
      readonly destinationType: "UMA_ADDRESS";
      readonly umaAddress: string;
      readonly currency?: CurrencyCode;
      readonly customerId?: string;
    }
  | { readonly destinationType: Unlisted };

export interface TransactionDryRun {
  readonly dryRun: true;
  readonly result: TransactionWithoutIds;
  readonly effects: DryRunEffects;
}

export type TransactionSource =
  | {
      readonly sourceType: "ACCOUNT";
      readonly accountId: string;
      readonly currency: CurrencyCode;
      readonly customerId?: string;
    }
  | {
      readonly sourceType: "UMA_ADDRESS";
      readonly umaAddress: string;
      readonly currency?: CurrencyCode;
      readonly customerId?: string;
    }
  | {
      readonly sourceType: "REALTIME_FUNDING";
      readonly currency: CurrencyCode;
      readonly accountHolderName?: string;
      /** Its last four characters. */
      readonly accountIdentifier?: string;
      readonly remittanceInformation?: string;
      readonly endToEndId?: string;
      readonly customerId?: string;
    }
  | { readonly sourceType: Unlisted };

export interface TransactionWithoutIds {
  readonly status: Open<
    | "CREATED"
    | "PENDING"
    | "PROCESSING"
    | "COMPLETED"
    | "REJECTED"
    | "FAILED"
    | "REFUNDED"
    | "EXPIRED"
  >;
  readonly type: Open<"INCOMING" | "OUTGOING">;
  /** CREDIT: INCOMING, to the holder. DEBIT: OUTGOING. */
  readonly direction: Open<"CREDIT" | "DEBIT">;
  readonly source?: TransactionSource;
  readonly destination: TransactionDestination;
  /** The platform's own id when it moves its own money. */
  readonly customerId: string;
  readonly platformCustomerId: string;
  readonly sentAmount?: CurrencyAmount;
  readonly receivedAmount?: CurrencyAmount;
  /** Whole sending units for one whole receiving unit. */
  readonly exchangeRate?: number;
  /** In the sending currency. */
  readonly fees?: number;
  readonly rateDetails?: RateDetails;
  readonly paymentInstructions?: readonly PaymentInstruction[];
  readonly counterpartyInformation?: Readonly<Record<string, string>>;
  /** The caller's choice, or the rail that was taken. */
  readonly paymentRail?: PaymentRail;
  readonly remittanceInformation?: string;
  readonly purposeOfPayment?: PurposeOfPayment;
  readonly quoteId?: string;
  readonly agentId?: string;
  readonly description?: string;
  /** Of a payment that is an item of a batch: `PaymentBatch:<uuid>`. */
  readonly batchId?: string;
  /** The reference of the item in its batch. */
  readonly batchReference?: string;
  /**
   * Of an incoming UMA payment: the customer's external account that the money goes on to. Absent where it stays
   * on an internal account.
   */
  readonly depositAccountId?: string;
  /** Of an incoming UMA payment of another institution with `depositAccountId`: the payout that takes the money on. */
  readonly depositTransactionId?: string;
  /**
   * Of an incoming UMA payment of another institution with `depositAccountId`: no payout could be made, so the
   * money stays on the internal account.
   */
  readonly depositFallback?: true;
  /** Of a payout that takes the money of an incoming UMA payment on: that payment. */
  readonly depositOf?: string;
  /**
   * Of a transfer that a rail connection carries: when it is expected to have settled, by its rail and the
   * connection's calendar.
   */
  readonly expectedSettlementAt?: string;
  /** Of money of a payout that came back and was credited by a person: its order. */
  readonly railPaymentId?: string;
  /** Of money that came in at a rail connection: the entry that told of it. */
  readonly railEntryId?: string;
  /** Of money for an invoice that its own payment did not take and a person credited: `UmaInvoice:<uuid>`. */
  readonly invoiceId?: string;
  /** Of a refund: the INCOMING transaction whose money goes back. */
  readonly refundOf?: string;
  readonly refundReason?: Open<
    "REQUESTED_BY_PAYER" | "DUPLICATE" | "WRONG_AMOUNT" | "FRAUD" | "OTHER"
  >;
  /** Of a payment that captured a hold: the hold. */
  readonly holdId?: string;
  readonly refundedAmount?: CurrencyAmount;
  readonly refundPendingAmount?: CurrencyAmount;
  readonly failureReason?: FailureReason;
  readonly failure?: Failure;
  /** Why the platform turned an incoming payment away, in its words. */
  readonly rejectionReason?: string;
  /** What the receiver's platform must know of the sender to take such a payment. */
  readonly requiredPayerDataFields?: readonly {
    readonly name: string;
    readonly mandatory: boolean;
  }[];
  readonly refund?: Refund;
  readonly metadata?: Metadata;
  /** Only with `expand=parties`. A party that is not known is absent. */
  readonly parties?: {
    readonly from?: Party;
    readonly to?: Party;
    readonly by?: Party;
  };
  readonly settledAt?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface Transfer {
  /** `Transaction:<uuid>` */
  readonly id: string;
  readonly status: Open<
    | "CREATED"
    | "PENDING"
    | "PROCESSING"
    | "COMPLETED"
    | "REJECTED"
    | "FAILED"
    | "REFUNDED"
    | "EXPIRED"
  >;
  readonly type: Open<"INCOMING" | "OUTGOING">;
  /** CREDIT: INCOMING, to the holder. DEBIT: OUTGOING. */
  readonly direction: Open<"CREDIT" | "DEBIT">;
  readonly source?: TransactionSource;
  readonly destination: TransactionDestination;
  /** The platform's own id when it moves its own money. */
  readonly customerId: string;
  readonly platformCustomerId: string;
  readonly sentAmount?: CurrencyAmount;
  readonly receivedAmount?: CurrencyAmount;
  /** Whole sending units for one whole receiving unit. */
  readonly exchangeRate?: number;
  /** In the sending currency. */
  readonly fees?: number;
  readonly rateDetails?: RateDetails;
  readonly paymentInstructions?: readonly PaymentInstruction[];
  readonly counterpartyInformation?: Readonly<Record<string, string>>;
  /** The caller's choice, or the rail that was taken. */
  readonly paymentRail?: PaymentRail;
  /**
   * What the beneficiary finds on a statement. It follows from the transaction's id. To a bank account or a
   * wallet: `FL` and 13 characters of 0-9 and A-Z without I, L, O, U. To a UMA address: the receiver's
   * reconciliation reference.
   */
  readonly reference?: string;
  readonly remittanceInformation?: string;
  readonly purposeOfPayment?: PurposeOfPayment;
  readonly quoteId?: string;
  readonly agentId?: string;
  readonly description?: string;
  /** Of a book transfer: the transaction of the other side. */
  readonly counterpartTransactionId?: string;
  /** Of a payment that is an item of a batch: `PaymentBatch:<uuid>`. */
  readonly batchId?: string;
  /** The reference of the item in its batch. */
  readonly batchReference?: string;
  /**
   * Of an incoming UMA payment: the customer's external account that the money goes on to. Absent where it stays
   * on an internal account.
   */
  readonly depositAccountId?: string;
  /** Of an incoming UMA payment of another institution with `depositAccountId`: the payout that takes the money on. */
  readonly depositTransactionId?: string;
  /**
   * Of an incoming UMA payment of another institution with `depositAccountId`: no payout could be made, so the
   * money stays on the internal account.
   */
  readonly depositFallback?: true;
  /** Of a payout that takes the money of an incoming UMA payment on: that payment. */
  readonly depositOf?: string;
  /**
   * Of a transfer that a rail connection carries: when it is expected to have settled, by its rail and the
   * connection's calendar.
   */
  readonly expectedSettlementAt?: string;
  /** Of money of a payout that came back and was credited by a person: its order. */
  readonly railPaymentId?: string;
  /** Of money that came in at a rail connection: the entry that told of it. */
  readonly railEntryId?: string;
  /** Of money for an invoice that its own payment did not take and a person credited: `UmaInvoice:<uuid>`. */
  readonly invoiceId?: string;
  /** Of a refund: the INCOMING transaction whose money goes back. */
  readonly refundOf?: string;
  readonly refundReason?: Open<
    "REQUESTED_BY_PAYER" | "DUPLICATE" | "WRONG_AMOUNT" | "FRAUD" | "OTHER"
  >;
  /** Of a leg of a transfer of several legs: the transfer. All of its transactions have it. */
  readonly groupId?: string;
  /** Of a payment that captured a hold: the hold. */
  readonly holdId?: string;
  readonly refundedAmount?: CurrencyAmount;
  readonly refundPendingAmount?: CurrencyAmount;
  readonly reconciliationInstructions?: ReconciliationInstructions;
  readonly failureReason?: FailureReason;
  readonly failure?: Failure;
  /** Why the platform turned an incoming payment away, in its words. */
  readonly rejectionReason?: string;
  /** What the receiver's platform must know of the sender to take such a payment. */
  readonly requiredPayerDataFields?: readonly {
    readonly name: string;
    readonly mandatory: boolean;
  }[];
  readonly refund?: Refund;
  readonly metadata?: Metadata;
  /** Only with `expand=parties`. A party that is not known is absent. */
  readonly parties?: {
    readonly from?: Party;
    readonly to?: Party;
    readonly by?: Party;
  };
  readonly settledAt?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Of a transfer of several legs: the payers' transactions, in their order. */
  readonly legs?: readonly Transaction[];
}

export interface TransferDryRun {
  readonly dryRun: true;
  readonly result: TransferWithoutIds;
  readonly effects: DryRunEffects;
}

export interface TransferInBody {
  readonly source: {
    /** An external account. */
    readonly accountId: string;
  };
  readonly destination: {
    /** An internal account. */
    readonly accountId: string;
  };
  /** Whole number of the currency's smallest unit. */
  readonly amount: number;
  readonly description?: string;
  readonly metadata?: Metadata;
}

export interface TransferOutBody {
  readonly source: {
    /** An internal account. */
    readonly accountId: string;
  };
  readonly destination: {
    /** An external account. */
    readonly accountId: string;
    /** One of the destination's rails; of a wallet, its network. */
    readonly paymentRail?: PaymentRail;
  };
  /** Whole number of the currency's smallest unit. */
  readonly amount: number;
  readonly description?: string;
  readonly metadata?: Metadata;
  readonly remittanceInformation?: string;
}

export interface TransferWithoutIds {
  readonly status: Open<
    | "CREATED"
    | "PENDING"
    | "PROCESSING"
    | "COMPLETED"
    | "REJECTED"
    | "FAILED"
    | "REFUNDED"
    | "EXPIRED"
  >;
  readonly type: Open<"INCOMING" | "OUTGOING">;
  /** CREDIT: INCOMING, to the holder. DEBIT: OUTGOING. */
  readonly direction: Open<"CREDIT" | "DEBIT">;
  readonly source?: TransactionSource;
  readonly destination: TransactionDestination;
  /** The platform's own id when it moves its own money. */
  readonly customerId: string;
  readonly platformCustomerId: string;
  readonly sentAmount?: CurrencyAmount;
  readonly receivedAmount?: CurrencyAmount;
  /** Whole sending units for one whole receiving unit. */
  readonly exchangeRate?: number;
  /** In the sending currency. */
  readonly fees?: number;
  readonly rateDetails?: RateDetails;
  readonly paymentInstructions?: readonly PaymentInstruction[];
  readonly counterpartyInformation?: Readonly<Record<string, string>>;
  /** The caller's choice, or the rail that was taken. */
  readonly paymentRail?: PaymentRail;
  readonly remittanceInformation?: string;
  readonly purposeOfPayment?: PurposeOfPayment;
  readonly quoteId?: string;
  readonly agentId?: string;
  readonly description?: string;
  /** Of a payment that is an item of a batch: `PaymentBatch:<uuid>`. */
  readonly batchId?: string;
  /** The reference of the item in its batch. */
  readonly batchReference?: string;
  /**
   * Of an incoming UMA payment: the customer's external account that the money goes on to. Absent where it stays
   * on an internal account.
   */
  readonly depositAccountId?: string;
  /** Of an incoming UMA payment of another institution with `depositAccountId`: the payout that takes the money on. */
  readonly depositTransactionId?: string;
  /**
   * Of an incoming UMA payment of another institution with `depositAccountId`: no payout could be made, so the
   * money stays on the internal account.
   */
  readonly depositFallback?: true;
  /** Of a payout that takes the money of an incoming UMA payment on: that payment. */
  readonly depositOf?: string;
  /**
   * Of a transfer that a rail connection carries: when it is expected to have settled, by its rail and the
   * connection's calendar.
   */
  readonly expectedSettlementAt?: string;
  /** Of money of a payout that came back and was credited by a person: its order. */
  readonly railPaymentId?: string;
  /** Of money that came in at a rail connection: the entry that told of it. */
  readonly railEntryId?: string;
  /** Of money for an invoice that its own payment did not take and a person credited: `UmaInvoice:<uuid>`. */
  readonly invoiceId?: string;
  /** Of a refund: the INCOMING transaction whose money goes back. */
  readonly refundOf?: string;
  readonly refundReason?: Open<
    "REQUESTED_BY_PAYER" | "DUPLICATE" | "WRONG_AMOUNT" | "FRAUD" | "OTHER"
  >;
  /** Of a payment that captured a hold: the hold. */
  readonly holdId?: string;
  readonly refundedAmount?: CurrencyAmount;
  readonly refundPendingAmount?: CurrencyAmount;
  readonly failureReason?: FailureReason;
  readonly failure?: Failure;
  /** Why the platform turned an incoming payment away, in its words. */
  readonly rejectionReason?: string;
  /** What the receiver's platform must know of the sender to take such a payment. */
  readonly requiredPayerDataFields?: readonly {
    readonly name: string;
    readonly mandatory: boolean;
  }[];
  readonly refund?: Refund;
  readonly metadata?: Metadata;
  /** Only with `expand=parties`. A party that is not known is absent. */
  readonly parties?: {
    readonly from?: Party;
    readonly to?: Party;
    readonly by?: Party;
  };
  readonly settledAt?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly legs?: readonly TransactionWithoutIds[];
}

/** Currency: USDT. */
export interface TronWallet {
  readonly accountType: "TRON_WALLET";
  readonly address: string;
  readonly vaspName?: string;
  readonly platformAccountId?: string;
  readonly beneficiary?: WalletBeneficiary;
}

/** Currency: TZS. Held in TZ. */
export interface TzsAccount extends NewTzsAccount {
  /** The rails that reach this account; in answers alone. */
  readonly paymentRails?: readonly Open<"MOBILE_MONEY">[];
}

/** Currency: UGX. Held in UG. */
export interface UgxAccount extends NewUgxAccount {
  /** The rails that reach this account; in answers alone. */
  readonly paymentRails?: readonly Open<"MOBILE_MONEY">[];
}

export interface UmaCounterparty {
  /** `UmaCounterparty:<uuid>` */
  readonly id: string;
  /** The part of its addresses after `@`. */
  readonly domain: string;
  /**
   * `DEFAULT`: the policy decides. `ALLOWED`: taken where the policy takes listed counterparties alone. `BLOCKED`:
   * nothing is taken from it or sent to it.
   */
  readonly status: Open<"DEFAULT" | "ALLOWED" | "BLOCKED">;
  /** What holds for this counterparty in place of the policy. */
  readonly overrides: {
    /** Whether institutions are taken that say they are not subject to the travel rule. */
    readonly unregulated?: Open<"ALLOW" | "REFUSE">;
    /**
     * `ANY`: the TLS of the domain vouches for its keys. `DOMAIN`: the certificates of both keys name the domain.
     * `AUTHORITY`: and their chains end at one of `authorities`.
     */
    readonly certificates?: Open<"ANY" | "DOMAIN" | "AUTHORITY">;
    /** Whether a changed signing key is refused until `POST /uma/counterparties/{domain}/accept-key`. */
    readonly pinKeys?: boolean;
    /** `SAME_DOMAIN`: the URLs that an institution gives for its calls are at its domain or below it. */
    readonly callbackHosts?: Open<"ANY" | "SAME_DOMAIN">;
  };
  /** What it calls itself in its configuration document. */
  readonly name?: string;
  /** The versions of UMA that its messages had, the last one first. */
  readonly versions: readonly string[];
  /** The key that signed its last message. */
  readonly signingKey?: {
    /** SHA-256 of the uncompressed point, in hexadecimal. */
    readonly fingerprint: string;
    readonly since: string;
    /** The key before it; the one that is still accepted while the state is `CHANGED`. */
    readonly previous?: string;
  };
  /**
   * `CHANGED`: keys are pinned, and its messages are refused until the new key is accepted. `EXPIRED`: its
   * certificates have expired.
   */
  readonly keyState: Open<"OK" | "CHANGED" | "EXPIRED">;
  /** Its first message whose signature held. */
  readonly firstSeenAt?: string;
  /** Its last one, to the hour. */
  readonly lastSeenAt?: string;
  /** In lists alone. Counted about a second later; a server that dies loses what it has not written. */
  readonly counts?: {
    /** Lookups of it that were answered. */
    readonly lookupsIn: number;
    /** Lookups that it has answered. */
    readonly lookupsOut: number;
    /** Pay requests of it that got an invoice. */
    readonly paymentsIn: number;
    /** Pay requests for which it gave an invoice. */
    readonly paymentsOut: number;
  };
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface UmaDomain {
  /** `UmaDomain:<uuid>` */
  readonly id: string;
  /** The part of an address after `@`. */
  readonly domain: string;
  /**
   * `CLAIMED`: no check has found the routing in order, and nothing is served for it outside the deployment.
   * `ACTIVE`: served. `UNREACHABLE`: served, but the last three checks or more have found faults.
   */
  readonly status: Open<"CLAIMED" | "ACTIVE" | "UNREACHABLE">;
  /** Whether new customers get their addresses there: the `umaDomain` of the configuration. */
  readonly isPrimary: boolean;
  readonly callbackBase: Open<"PUBLIC_URL" | "DOMAIN">;
  /** When a check first found the routing in order. */
  readonly verifiedAt?: string;
  readonly lastCheck?: UmaDomainCheck;
  readonly createdAt: string;
}

export interface UmaDomainCheck {
  readonly at: string;
  /** Whether it found no fault. */
  readonly ok: boolean;
  readonly faults: readonly {
    readonly code: Open<
      | "NO_ADDRESS"
      | "ADDRESS_NOT_PUBLIC"
      | "NO_CONNECTION"
      | "CERTIFICATE_EXPIRED"
      | "CERTIFICATE_OF_ANOTHER_NAME"
      | "CERTIFICATE_CHAIN"
      | "TLS_FAILED"
      | "NO_ANSWER"
      | "REDIRECT"
      | "OTHER_SERVER"
      | "CONFIGURATION_NOT_ROUTED"
      | "LNURLP_NOT_ROUTED"
      | "LNURLPUBKEY_NOT_ROUTED"
      | "HOST_NOT_PASSED_ON"
      | "PATH_CHANGED"
      | "QUERY_CHANGED"
      | "MARKED_AS_HTTP"
      | "ANSWER_CACHED"
      | "CLOCK_OFF"
    >;
    /** One sentence. */
    readonly message: string;
  }[];
}

export interface UmaExchange {
  /** `UmaExchange:<uuid>` */
  readonly id: string;
  /** When it ended. */
  readonly at: string;
  /** `IN`: the other institution asked. */
  readonly direction: Open<"IN" | "OUT">;
  readonly kind: Open<"LOOKUP" | "PAY_REQUEST" | "HOOK">;
  /** The domain of the other institution. */
  readonly vaspDomain: string;
  /** The version of its message, where that could be read. */
  readonly umaVersion?: string;
  /** `OK`, or the code of the refusal. */
  readonly outcome: string;
  /** How long it took, in milliseconds. */
  readonly ms: number;
  readonly transactionId?: string;
  readonly lookupId?: string;
}

export interface UmaKey {
  /** `UmaKey:<uuid>` */
  readonly id: string;
  /** `SIGNING` signs messages. With `ENCRYPTION` other institutions encrypt travel-rule data for the platform. */
  readonly use: Open<"SIGNING" | "ENCRYPTION">;
  /**
   * `NEXT` takes over at `takesOverAt`. `CURRENT` is published. `PREVIOUS` opens messages for a day after the
   * takeover. Of a `DESTROYED` key only the public part is left.
   */
  readonly status: Open<"NEXT" | "CURRENT" | "PREVIOUS" | "DESTROYED">;
  /** The uncompressed point on secp256k1, 65 bytes in hexadecimal. */
  readonly publicKey: string;
  /** Certificates in PEM, that of the key first. */
  readonly chain: readonly string[];
  /** From when all certificates of the chain are valid. */
  readonly notBefore: string;
  /** Until when all certificates of the chain are valid. */
  readonly notAfter: string;
  /** When a key of a rotation takes over, or has taken over. */
  readonly takesOverAt?: string;
  /**
   * `SELF_SIGNED`: the platform's own certificate, which is replaced 30 days before it expires. `AUTHORITY`: a
   * chain that was uploaded.
   */
  readonly source: Open<"SELF_SIGNED" | "AUTHORITY">;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface UmaPayment {
  readonly transactionId: string;
  readonly direction: Open<"INCOMING" | "OUTGOING">;
  /** Of an incoming payment. The id under which the connector has the invoice, and by which its entries name it. */
  readonly invoiceId?: string;
  /**
   * `ASKED`: the platform is asked whether it takes the payment. `WANTED`: a connector makes the invoice. `OPEN`:
   * the payer's institution has it. `PAID`: an entry paid it. `CLOSED`: nothing is taken for it any more;
   * `endedAs` says why. An outgoing payment is `OPEN`, `PAID` or `CLOSED`, as its transaction is under way,
   * completed or over.
   */
  readonly state: Open<"ASKED" | "WANTED" | "OPEN" | "PAID" | "CLOSED">;
  /**
   * `REFUSED`: the platform did not take the payment. `NOT_MADE`: no connector made the invoice. `EXPIRED`: it was
   * not paid in time. `UNDELIVERABLE`: money came, and the account took none.
   */
  readonly endedAs?: Open<"REFUSED" | "NOT_MADE" | "EXPIRED" | "UNDELIVERABLE">;
  /** The other institution. */
  readonly vaspDomain: string;
  readonly connectionId: string;
  /** The network on which it is settled. */
  readonly layer: string;
  /** What moves there, by the layer's own name. */
  readonly assetIdentifier: string;
  /** What is to be paid. */
  readonly settlementAmount: {
    /** Whole number of the currency's smallest unit. */
    readonly amount: number;
    readonly currency: Currency;
  };
  /**
   * The fee of the payee's institution, as part of the settlement amount. Of an incoming payment it is the
   * platform's, with what rounding leaves.
   */
  readonly fee: {
    /** Whole number of the currency's smallest unit. */
    readonly amount: number;
    readonly currency: Currency;
  };
  /** What the payee gets. */
  readonly receivingAmount: {
    /** Whole number of the currency's smallest unit. */
    readonly amount: number;
    readonly currency: Currency;
  };
  /** Units of the asset for one smallest unit of the receiving currency: the price. */
  readonly multiplier: string;
  /** Absent until the connector has made the invoice. */
  readonly invoiceExpiresAt?: string;
  /** Of an outgoing payment: the order that pays the invoice, once there is one. */
  readonly railPaymentId?: string;
  readonly umaVersion?: string;
  /** What the payee's institution says of the payee. */
  readonly receiverKyc?: string;
  /** What the payee's institution says of itself. */
  readonly isSubjectToTravelRule?: boolean;
  /** Of an outgoing payment, where something was told under the travel rule. */
  readonly travelRule?: {
    readonly format: string;
    /** The digest of what was told. */
    readonly sha256: string;
  };
  /** The fields about the payer that were told, by their names in the protocol. */
  readonly fieldsSent?: readonly string[];
  /** The fields about the payee that were told, by their names in the protocol. */
  readonly fieldsReceived?: readonly string[];
  /** The message that tells the other institution of the settled payment. */
  readonly hook: {
    /**
     * `NONE`: the payment has not settled, or the institution does not want to be told. `PENDING`: it will be told,
     * or told again. `SENT`: it has taken the message. `FAILED`: it did not in five tries over a day, or the payment
     * came back. The payment does not depend on it.
     */
    readonly state: Open<"NONE" | "PENDING" | "SENT" | "FAILED">;
    /** How many times the message was sent. */
    readonly tries: number;
  };
  /**
   * The channels over which the payment went, as the other institution tells it; absent until it has told. Nothing
   * is compared with it.
   */
  readonly utxos?: readonly {
    /** The channel, as the institution names it. */
    readonly utxo: string;
    /** Millisatoshis, in digits. */
    readonly amountMsats: string;
  }[];
  readonly createdAt: string;
}

export interface UmaPolicy {
  /** Whether other institutions may pay customers here. */
  readonly receive: boolean;
  /** Whether customers here may pay customers of other institutions. */
  readonly send: boolean;
  /** `LISTED`: only institutions whose counterparty has the status `ALLOWED`. */
  readonly counterparties: Open<"ALL" | "LISTED">;
  /** Whether institutions are taken that say they are not subject to the travel rule. */
  readonly unregulated: Open<"ALLOW" | "REFUSE">;
  /** What an institution must say of its customer before the platform pays. */
  readonly receiverKyc: Open<"ANY" | "VERIFIED">;
  /** What an institution must say of its customer before the platform is asked. */
  readonly payerKyc: Open<"ANY" | "VERIFIED">;
  /**
   * `ANY`: the TLS of the domain vouches for its keys. `DOMAIN`: the certificates of both keys name the domain.
   * `AUTHORITY`: and their chains end at one of `authorities`.
   */
  readonly certificates: Open<"ANY" | "DOMAIN" | "AUTHORITY">;
  /** Root certificates for `AUTHORITY`. */
  readonly authorities: readonly string[];
  /** Whether a changed signing key is refused until `POST /uma/counterparties/{domain}/accept-key`. */
  readonly pinKeys: boolean;
  /** `SAME_DOMAIN`: the URLs that an institution gives for its calls are at its domain or below it. */
  readonly callbackHosts: Open<"ANY" | "SAME_DOMAIN">;
  /** How long an invoice lives. The lock of a rate source may end it earlier. */
  readonly invoiceSeconds: number;
  /** The settlement layers by preference, for payments to others. One that is not named comes last. */
  readonly layers: readonly string[];
  /**
   * Of a sandbox, for payments to other sandboxes of the deployment: `SIMULATED`, or by the messages of UMA
   * (`PROTOCOL`) where both sides say so. `SIMULATED` when absent.
   */
  readonly network?: Open<"SIMULATED" | "PROTOCOL">;
  readonly updatedAt?: string;
}

export interface UmaProvider {
  readonly name: string;
  /** What the provider's UMA addresses end in. */
  readonly domain: string;
  readonly supportedRegions: readonly string[];
  readonly supportedCurrencies: readonly Currency[];
  readonly logoUrl?: string;
  /** Legal entity identifier, where one is known. */
  readonly lei?: string;
  /** False for a provider that the platform refuses: it is blocked, or not allowed where only listed ones are. */
  readonly allowListStatus: boolean;
}

export interface UmaReceiver {
  readonly receiverUmaAddress: string;
  /** `Lookup:<uuid>`; good for ten minutes. */
  readonly lookupId: string;
  readonly supportedCurrencies: readonly {
    readonly currency: Currency;
    /** Whole receiving units for one whole sending unit. Not locked. */
    readonly estimatedExchangeRate: number;
    /** The least that can be received at once. */
    readonly min: number;
    /** The most that can be received at once. */
    readonly max: number;
  }[];
  readonly requiredPayerDataFields?: readonly PayerDataField[];
}

export interface UmaSandboxFault {
  /** Absent while none was set. */
  readonly kind?: Open<
    | "BAD_SIGNATURE"
    | "OLD_TIMESTAMP"
    | "REPLAYED_NONCE"
    | "WRONG_CURRENCY"
    | "VERSION_0_3"
    | "VERSION_9"
    | "HANG"
    | "HUGE"
    | "REDIRECT"
    | "REFUSE_KYC"
    | "WRONG_AMOUNT"
    | "SHORT_EXPIRY"
  >;
  /** How many answers are still to have it; 0: none. */
  readonly next: number;
  readonly updatedAt?: string;
}

export interface UmaTravelRule {
  readonly transactionId: string;
  /** The format, by the name that the payer's institution gave. Absent where it gave none. */
  readonly format?: string;
  /** What the payer's institution has told: a JSON value where it can be read as one, else the text. */
  readonly document: unknown;
  /** SHA-256 of the bytes as they were received, before they were read as JSON. */
  readonly sha256: string;
  readonly receivedAt: string;
}

export interface UpdateAgentBody {
  readonly name?: string;
  readonly isPaused?: boolean;
}

export interface UpdateBeneficialOwnerBody {
  readonly roles?: readonly Open<
    "UBO" | "DIRECTOR" | "COMPANY_OFFICER" | "CONTROL_PERSON" | "TRUSTEE" | "GENERAL_PARTNER"
  >[];
  readonly ownershipPercentage?: number;
  readonly personalInfo?: OwnerPersonalInfoChanges;
}

export interface UpdateConfigBody {
  readonly umaDomain?: string;
  /** Null takes the endpoint away. */
  readonly webhookEndpoint?: string | null;
  /**
   * Which events go to `webhookEndpoint`: with `STANDARD` those of the first version of this API, with `ALL` also
   * those of types that were added later.
   */
  readonly webhookEvents?: Open<"STANDARD" | "ALL">;
  readonly supportedCurrencies?: readonly NewSupportedCurrency[];
  readonly embeddedWalletConfig?: EmbeddedWalletConfig;
  /** Replaces the whole branding of the hosted pages. Null takes it away. */
  readonly branding?: {
    /** The name that the pages show. */
    readonly name: string;
    /** Of buttons and links. Where its contrast is too low, the pages use a darker or lighter shade. */
    readonly color?: string;
    /** A document of the platform of the type `PLATFORM_LOGO`. */
    readonly logoDocument?: string;
  } | null;
  /** The IANA name of a time zone. Statements that are ordered already keep theirs. */
  readonly statementTimeZone?: string;
  /**
   * With `REFUSE` a body with a field that the call does not know is refused with `INVALID_INPUT`, which names the
   * field. With `IGNORE` it is taken without the field, and `X-Ignored-Fields` names it.
   */
  readonly unknownFields?: Open<"REFUSE" | "IGNORE">;
  /**
   * The keys of `metadata` by which lists can be filtered. New objects are found at once; those that are older are
   * added in the background.
   */
  readonly searchableMetadata?: readonly string[];
}

export type UpdateCustomerBody =
  | {
      readonly customerType: "INDIVIDUAL";
      readonly umaAddress?: string;
      readonly currencies?: readonly CurrencyCode[];
      readonly email?: string;
      /** With its country code. Spaces and hyphens are taken, and stored without. */
      readonly phoneNumber?: string;
      readonly address?: Address;
      readonly metadata?: Metadata;
      readonly fullName?: string;
      readonly birthDate?: string;
      readonly nationality?: string;
      readonly identifier?: string;
      readonly idType?: Open<"SSN" | "ITIN">;
      readonly countryOfIssuance?: Open<"US">;
      readonly sourceOfFundsCategories?: readonly Open<
        | "SALARY"
        | "SELF_EMPLOYMENT_INCOME"
        | "INVESTMENT_INCOME"
        | "PENSION"
        | "RENTAL_INCOME"
        | "GIFT"
        | "INHERITANCE"
        | "LOAN"
        | "SAVINGS"
        | "SALE_OF_ASSETS"
        | "OTHER"
      >[];
      /** Required when `sourceOfFundsCategories` is OTHER. */
      readonly sourceOfFundsOtherDescription?: string;
      readonly sourceOfWealthCategories?: readonly Open<
        | "SALARY"
        | "BUSINESS_INCOME"
        | "INVESTMENTS"
        | "INHERITANCE"
        | "PROPERTY_SALE"
        | "GIFT"
        | "RETIREMENT"
        | "SAVINGS"
        | "OTHER"
      >[];
      /** Required when `sourceOfWealthCategories` is OTHER. */
      readonly sourceOfWealthOtherDescription?: string;
      readonly purposeOfAccount?: Open<
        | "CONTRACTOR_PAYOUTS"
        | "CREATOR_PAYOUTS"
        | "EMPLOYEE_PAYOUTS"
        | "MARKETPLACE_SELLER_PAYOUTS"
        | "SUPPLIER_PAYMENTS"
        | "CROSS_BORDER_B2B"
        | "AR_AUTOMATION"
        | "AP_AUTOMATION"
        | "EMBEDDED_PAYMENTS"
        | "PLATFORM_FEE_COLLECTION"
        | "P2P_TRANSFERS"
        | "CHARITABLE_DONATIONS"
        | "OTHER"
      >;
      /** Required when `purposeOfAccount` is OTHER. */
      readonly purposeOfAccountOtherDescription?: string;
      readonly expectedMonthlyTransactionCount?: Open<
        | "COUNT_UNDER_10"
        | "COUNT_10_TO_100"
        | "COUNT_100_TO_500"
        | "COUNT_500_TO_1000"
        | "COUNT_OVER_1000"
      >;
      readonly expectedMonthlyTransactionVolume?: Open<
        | "VOLUME_UNDER_10K"
        | "VOLUME_10K_TO_100K"
        | "VOLUME_100K_TO_1M"
        | "VOLUME_1M_TO_10M"
        | "VOLUME_OVER_10M"
      >;
      readonly annualIncomeRange?: Open<
        "UNDER_50K" | "RANGE_50K_100K" | "RANGE_100K_250K" | "RANGE_250K_1M" | "OVER_1M"
      >;
      readonly netWorthRange?: Open<
        | "UNDER_100K"
        | "RANGE_100K_500K"
        | "RANGE_500K_1M"
        | "RANGE_1M_5M"
        | "RANGE_5M_25M"
        | "OVER_25M"
      >;
      readonly pepStatus?: Open<"NONE" | "DOMESTIC" | "FOREIGN" | "HIO" | "FAMILY_OR_ASSOCIATE">;
    }
  | {
      readonly customerType: "BUSINESS";
      readonly umaAddress?: string;
      readonly currencies?: readonly CurrencyCode[];
      readonly email?: string;
      /** With its country code. Spaces and hyphens are taken, and stored without. */
      readonly phoneNumber?: string;
      readonly address?: Address;
      readonly metadata?: Metadata;
      readonly businessInfo?: BusinessInfoChanges;
    }
  | { readonly customerType: Unlisted };

export interface UpdateInternalAccountBody {
  readonly name?: string;
  readonly metadata?: Metadata;
}

export interface UpdatePaymentScheduleBody {
  /** Shown to everyone who reads payments, so it should hold no personal data. */
  readonly name?: string;
  readonly template?: ScheduledPayment;
  readonly rule?: ScheduleRule;
  readonly retry?: ScheduleRetry | null;
}

export interface UpdateRailConnectionBody {
  readonly name?: string;
  readonly currencies?: readonly CurrencyCode[];
  readonly account?: {
    readonly holderName?: string | null;
    readonly iban?: string | null;
    readonly bic?: string | null;
    readonly otherId?: string | null;
    readonly routingNumber?: string | null;
    readonly accountNumber?: string | null;
    readonly bankName?: string | null;
    readonly label?: string | null;
    readonly townName?: string | null;
    readonly country?: string | null;
    readonly streetName?: string | null;
    readonly buildingNumber?: string | null;
    readonly postCode?: string | null;
  };
  readonly settings?: {
    readonly baseUrl?: string | null;
    readonly timeoutMs?: number | null;
    readonly concurrency?: number | null;
    readonly feed?: boolean | null;
    readonly pollSeconds?: number | null;
    readonly accountTypes?:
      | readonly Open<
          | "AED_ACCOUNT"
          | "BASE_WALLET"
          | "BDT_ACCOUNT"
          | "BRL_ACCOUNT"
          | "BWP_ACCOUNT"
          | "CAD_ACCOUNT"
          | "CNY_ACCOUNT"
          | "COP_ACCOUNT"
          | "DKK_ACCOUNT"
          | "EGP_ACCOUNT"
          | "ETHEREUM_WALLET"
          | "EUR_ACCOUNT"
          | "GBP_ACCOUNT"
          | "GHS_ACCOUNT"
          | "GTQ_ACCOUNT"
          | "HKD_ACCOUNT"
          | "HTG_ACCOUNT"
          | "IDR_ACCOUNT"
          | "INR_ACCOUNT"
          | "JMD_ACCOUNT"
          | "KES_ACCOUNT"
          | "LIGHTNING"
          | "MWK_ACCOUNT"
          | "MXN_ACCOUNT"
          | "MYR_ACCOUNT"
          | "NGN_ACCOUNT"
          | "PHP_ACCOUNT"
          | "PKR_ACCOUNT"
          | "PLASMA_WALLET"
          | "POLYGON_WALLET"
          | "RWF_ACCOUNT"
          | "SGD_ACCOUNT"
          | "SLV_ACCOUNT"
          | "SOLANA_WALLET"
          | "SPARK_WALLET"
          | "SWIFT_ACCOUNT"
          | "THB_ACCOUNT"
          | "TRON_WALLET"
          | "TZS_ACCOUNT"
          | "UGX_ACCOUNT"
          | "USD_ACCOUNT"
          | "VND_ACCOUNT"
          | "XAF_ACCOUNT"
          | "XOF_ACCOUNT"
          | "ZAR_ACCOUNT"
          | "ZMW_ACCOUNT"
        >[]
      | null;
    readonly paymentRails?:
      | readonly Open<
          | "ACH"
          | "BANK_TRANSFER"
          | "BASE"
          | "ETHEREUM"
          | "FAST"
          | "FASTER_PAYMENTS"
          | "FEDNOW"
          | "LIGHTNING"
          | "MOBILE_MONEY"
          | "NEFT"
          | "PAYNOW"
          | "PIX"
          | "PLASMA"
          | "POLYGON"
          | "RTGS"
          | "RTP"
          | "SEPA"
          | "SEPA_INSTANT"
          | "SOLANA"
          | "SPARK"
          | "SPEI"
          | "SWIFT"
          | "TRON"
          | "UPI"
          | "WIRE"
        >[]
      | null;
    readonly holdDays?: number | null;
    readonly feeCeilingBps?: number | null;
    readonly feeCeilingMinor?: Readonly<Record<string, number>> | null;
    readonly instructionsNote?: string | null;
  };
  readonly secrets?: {
    readonly signingSecret?: string | null;
    readonly callbackSecret?: string | null;
    readonly previousSigningSecret?: string | null;
    readonly previousCallbackSecret?: string | null;
  };
  readonly calendar?: RailCalendar;
  readonly funding?: {
    /**
     * By what a credit is recognised. `REFERENCE`: payers quote a reference. `VIRTUAL_ACCOUNTS`: each account has a
     * number of its own, from a pool. `CONNECTOR`: the connector tells where to pay to. `NONE`: payers are not told
     * of the connection.
     */
    readonly mode?: Open<"REFERENCE" | "VIRTUAL_ACCOUNTS" | "CONNECTOR" | "NONE">;
    readonly collectParts?: boolean | null;
    readonly onLate?: Open<"SUSPENSE" | "RETURN"> | null;
    readonly windowMinutes?: number | null;
    readonly graceMinutes?: number | null;
  };
  readonly control?: RailControl;
}

export interface UpdateRailRouteBody {
  readonly name?: string;
  /** The lowest that fits is taken; of equal ones the older route. */
  readonly priority?: number;
  readonly accountTypes?:
    | readonly Open<
        | "AED_ACCOUNT"
        | "BASE_WALLET"
        | "BDT_ACCOUNT"
        | "BRL_ACCOUNT"
        | "BWP_ACCOUNT"
        | "CAD_ACCOUNT"
        | "CNY_ACCOUNT"
        | "COP_ACCOUNT"
        | "DKK_ACCOUNT"
        | "EGP_ACCOUNT"
        | "ETHEREUM_WALLET"
        | "EUR_ACCOUNT"
        | "GBP_ACCOUNT"
        | "GHS_ACCOUNT"
        | "GTQ_ACCOUNT"
        | "HKD_ACCOUNT"
        | "HTG_ACCOUNT"
        | "IDR_ACCOUNT"
        | "INR_ACCOUNT"
        | "JMD_ACCOUNT"
        | "KES_ACCOUNT"
        | "LIGHTNING"
        | "MWK_ACCOUNT"
        | "MXN_ACCOUNT"
        | "MYR_ACCOUNT"
        | "NGN_ACCOUNT"
        | "PHP_ACCOUNT"
        | "PKR_ACCOUNT"
        | "PLASMA_WALLET"
        | "POLYGON_WALLET"
        | "RWF_ACCOUNT"
        | "SGD_ACCOUNT"
        | "SLV_ACCOUNT"
        | "SOLANA_WALLET"
        | "SPARK_WALLET"
        | "SWIFT_ACCOUNT"
        | "THB_ACCOUNT"
        | "TRON_WALLET"
        | "TZS_ACCOUNT"
        | "UGX_ACCOUNT"
        | "USD_ACCOUNT"
        | "VND_ACCOUNT"
        | "XAF_ACCOUNT"
        | "XOF_ACCOUNT"
        | "ZAR_ACCOUNT"
        | "ZMW_ACCOUNT"
        | "UMA_ADDRESS"
      >[]
    | null;
  readonly paymentRails?:
    | readonly Open<
        | "ACH"
        | "BANK_TRANSFER"
        | "BASE"
        | "ETHEREUM"
        | "FAST"
        | "FASTER_PAYMENTS"
        | "FEDNOW"
        | "LIGHTNING"
        | "MOBILE_MONEY"
        | "NEFT"
        | "PAYNOW"
        | "PIX"
        | "PLASMA"
        | "POLYGON"
        | "RTGS"
        | "RTP"
        | "SEPA"
        | "SEPA_INSTANT"
        | "SOLANA"
        | "SPARK"
        | "SPEI"
        | "SWIFT"
        | "TRON"
        | "UPI"
        | "WIRE"
      >[]
    | null;
  readonly minAmount?: number | null;
  readonly maxAmount?: number | null;
  /** `RailConnection:<uuid>` */
  readonly connectionId?: string;
  readonly enabled?: boolean;
  readonly fallbackAfterSeconds?: number | null;
}

export interface UpdateRateSourceBody {
  readonly name?: string;
  /** 100. The first source, by priority and age, that has a pair young enough gives its rate. */
  readonly priority?: number;
  /** EUR and USD. Currencies through which a pair is found that the source does not have. */
  readonly pivots?: readonly CurrencyCode[];
  /** A rate that is older gives no quote: FIXED 1440, ECB 7200, HTTP 15 without it. */
  readonly maxAgeMinutes?: number;
  /** 5. How long a quote at these rates may hold. */
  readonly lockMinutes?: number;
  /**
   * 20. A value is not taken that is further from the last one, or from the rate at the beginning of this day or
   * of the day before (UTC); null takes any, and a change counts anew from the last rate.
   */
  readonly maxMovePercent?: number | null;
  readonly settings?: RateSourceSettings;
  /** HTTP. Headers of the calls, such as an API key. Kept sealed; answers show when each was set and a fingerprint. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface UpdateTransactionBody {
  readonly metadata: Metadata;
}

export interface UpdateUmaDomainBody {
  /**
   * The URL that other institutions are given for calls about payments: below the PUBLIC_URL of the deployment, or
   * below the domain, which then needs a route for `/uma/` as well.
   */
  readonly callbackBase: Open<"PUBLIC_URL" | "DOMAIN">;
}

export interface UpdateWebhookEndpointBody {
  readonly url?: string;
  readonly description?: string;
  /** Event types, or prefixes such as `OUTGOING_PAYMENT.*`. Empty: every type. */
  readonly events?: readonly string[];
  readonly state?: Open<"ACTIVE" | "DISABLED">;
  /** Another way to say `state`. */
  readonly isDisabled?: boolean;
  /** Replaces the setting; null for one event a request. */
  readonly delivery?: {
    /** The most events of one request. */
    readonly maxEvents: number;
    /** How long an event waits for others while there are fewer than `maxEvents`; 0 when absent. */
    readonly maxWaitMs?: number;
  } | null;
}

export interface UploadCustomersCsvBody {
  /** The CSV file. At most 100 MB. */
  readonly file: Blob;
}

export interface UploadDocumentBody {
  /**
   * A PDF, JPEG or PNG, told by its content; a `PLATFORM_LOGO` is a PNG, JPEG or WebP of at most 256 kB. At most
   * 10 MB.
   */
  readonly file: Blob;
  /** Id of the customer or owner, or of the platform's configuration for its logo. */
  readonly documentHolder: string;
  readonly documentType: Open<
    | "PASSPORT"
    | "DRIVERS_LICENSE"
    | "NATIONAL_ID"
    | "PROOF_OF_ADDRESS"
    | "BANK_STATEMENT"
    | "TAX_RETURN"
    | "CERTIFICATE_OF_INCORPORATION"
    | "ARTICLES_OF_INCORPORATION"
    | "ARTICLES_OF_ASSOCIATION"
    | "STATE_REGISTRY_EXCERPT"
    | "GOOD_STANDING_CERTIFICATE"
    | "INFORMATION_STATEMENT"
    | "INCUMBENCY_CERTIFICATE"
    | "BUSINESS_LICENSE"
    | "SHAREHOLDER_REGISTER"
    | "POWER_OF_ATTORNEY"
    | "UTILITY_BILL"
    | "ELECTRICITY_BILL"
    | "RENT_OR_LEASE_AGREEMENT"
    | "DIRECTOR_REGISTRY"
    | "TRUST_AGREEMENT"
    | "STATE_COMPANY_REGISTRY"
    | "PARTNERSHIP_CONTROL_AGREEMENT"
    | "PARTNERSHIP_AGREEMENT"
    | "SELFIE"
    | "PLATFORM_LOGO"
    | "OTHER"
  >;
  /** Who issued it; the country of the platform for its logo. */
  readonly country: string;
  readonly side?: Open<"FRONT" | "BACK">;
  readonly documentNumber?: string;
  readonly issuingAuthority?: string;
}

export interface UploadRatesBody {
  /** The document, in UTF-8. At most 0.125 MB. */
  readonly file: Blob;
}

/** Currency: USD. Held in US. */
export interface UsdAccount extends NewUsdAccount {
  /** The rails that reach this account; in answers alone. */
  readonly paymentRails?: readonly Open<"ACH" | "WIRE" | "RTP" | "FEDNOW">[];
}

export interface Verification {
  /** `Verification:<uuid>` */
  readonly id: string;
  readonly customerId: string;
  readonly verificationStatus: Open<
    | "RESOLVE_ERRORS"
    | "IN_PROGRESS"
    | "PENDING_MANUAL_REVIEW"
    | "APPROVED"
    | "REJECTED"
    | "READY_FOR_VERIFICATION"
  >;
  readonly errors: readonly VerificationError[];
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface VerificationError {
  /** The customer, beneficial owner or document. */
  readonly resourceId: string;
  readonly type: Open<
    | "MISSING_FIELD"
    | "INVALID_FIELD"
    | "MISSING_LEGAL_PRESENCE_DOCUMENT"
    | "MISSING_CONTROL_STRUCTURE_DOCUMENT"
    | "MISSING_OWNERSHIP_STRUCTURE_DOCUMENT"
    | "MISSING_PROOF_OF_ADDRESS_DOCUMENT"
    | "MISSING_IDENTITY_DOCUMENT"
    | "MISSING_GOOD_STANDING_DOCUMENT"
    | "INVALID_DOCUMENT"
    | "EXPIRED_DOCUMENT"
    | "POOR_QUALITY_DOCUMENT"
    | "SUSPECTED_FRAUD_DOCUMENT"
    | "WRONG_DOCUMENT_TYPE"
    | "INCOMPLETE_DOCUMENT"
    | "UNREADABLE_DOCUMENT"
    | "DOCUMENT_VERIFICATION_FAILED"
    | "APPLICANT_SANCTIONED"
    | "APPLICANT_FRAUD"
    | "APPLICANT_CRIMINAL_RECORD"
    | "APPLICANT_REJECTED"
    | "MISSING_BENEFICIAL_OWNER"
    | "MISSING_CONTROL_PERSON"
  >;
  readonly reason: string;
  /** Dot path to the field. */
  readonly field?: string;
  readonly acceptedDocumentTypes?: readonly string[];
}

export interface VerificationLink {
  /** The pages to send the customer to. Shown only once. */
  readonly kycUrl: string;
  readonly expiresAt: string;
  /** Who asks for the data and shows the pages: this deployment. More may come. */
  readonly provider: Open<"FLORIN">;
}

export type VerifyCredentialBody =
  | {
      readonly type: "EMAIL_OTP";
      readonly otp: string;
      /** P-256, uncompressed, hexadecimal. Make a fresh pair for each session and export. */
      readonly clientPublicKey: string;
    }
  | {
      readonly type: "OAUTH";
      readonly oidcToken: string;
      /** P-256, uncompressed, hexadecimal. Make a fresh pair for each session and export. */
      readonly clientPublicKey: string;
    }
  | {
      readonly type: "PASSKEY";
      readonly assertion: {
        readonly credentialId: string;
        readonly clientDataJson: string;
        readonly authenticatorData: string;
        readonly signature: string;
        readonly userHandle?: string | null;
      };
    }
  | { readonly type: Unlisted };

/** Currency: VND. Held in VN. */
export interface VndAccount extends NewVndAccount {
  /** The rails that reach this account; in answers alone. */
  readonly paymentRails?: readonly Open<"BANK_TRANSFER">[];
}

export type WalletBeneficiary =
  | WalletOwner
  | BusinessBeneficiary
  | { readonly beneficiaryType: Unlisted };

export interface WalletExport {
  /** The account that was exported. */
  readonly id: string;
  /**
   * JSON text: `version`, `data`, `dataSignature`, `enclaveQuorumPublic`. The words of the wallet, sealed to the
   * client; check the signature with the key of `GET /wallet/issuer-key` first. In a sandbox nothing is signed.
   */
  readonly encryptedWalletCredentials: string;
}

export interface WalletOwner {
  readonly beneficiaryType: "INDIVIDUAL";
  readonly fullName: string;
  readonly countryOfResidence: string;
}

export interface WebhookDelivery {
  /** `WebhookDelivery:<uuid>.<uuid>`, of the endpoint and the event. */
  readonly id: string;
  /** `Webhook:<uuid>` */
  readonly eventId: string;
  readonly eventSequence: number;
  readonly eventType: string;
  /** The object that the event is about. */
  readonly resourceId: string;
  /** `WebhookEndpoint:<uuid>` */
  readonly endpointId: string;
  /**
   * `DELIVERED`: the endpoint has taken it. `WAITING`: it failed and is tried again at `nextAttemptAt`. `BEHIND`:
   * it waits for an earlier event of its object, or the endpoint has not got so far. `FAILED`: it is not tried
   * again.
   */
  readonly state: Open<"DELIVERED" | "WAITING" | "BEHIND" | "FAILED">;
  /** At least so many were made. */
  readonly attempts: number;
  /**
   * Whether the log has each attempt. It may lack successes where a platform gets more than 500 events a second,
   * and has none that are older than it is kept.
   */
  readonly attemptsComplete: boolean;
  /** Of the last answer. */
  readonly lastStatus?: number;
  /** Why the last attempt got no answer. */
  readonly lastError?: string;
  readonly lastLatencyMs?: number;
  readonly firstAttemptAt?: string;
  readonly lastAttemptAt?: string;
  readonly nextAttemptAt?: string;
  /** Whether the delivery can be retried. TEST events and questions about payments are sent once. */
  readonly canResend: boolean;
}

export interface WebhookEndpoint {
  /** `WebhookEndpoint:<uuid>` */
  readonly id: string;
  readonly url: string;
  readonly description?: string;
  /** Event types, or prefixes such as `OUTGOING_PAYMENT.*`. Empty: every type. */
  readonly events: readonly string[];
  /** The `webhookEndpoint` of the configuration, which `PATCH /config` changes. */
  readonly isDefault: boolean;
  /**
   * `FAILING`: no connection can be made, see `outage`, or there were at least ten failures over a quarter of an
   * hour and no success. `STOPPED`: it answered 410 and gets events again once it is set again. `DISABLED`: by the
   * platform, or see `disabledReason`.
   */
  readonly state: Open<"ACTIVE" | "FAILING" | "STOPPED" | "DISABLED">;
  /**
   * Why it was disabled, when the platform did not do it. An endpoint that is not the default one is disabled
   * after five days of nothing but failures.
   */
  readonly disabledReason?: string;
  readonly signature: Open<"P256" | "STANDARD_WEBHOOKS">;
  /** Several events a request. Absent: one event a request. */
  readonly delivery?: {
    /** The most events of one request. */
    readonly maxEvents: number;
    readonly maxWaitMs: number;
  };
  /** SPKI PEM; of P256 alone. */
  readonly publicKey?: string;
  /** As in `X-Service-Key-Id`. */
  readonly keyId?: string;
  /** The key that takes over at `from`; deliveries carry both signatures until then. */
  readonly next?: {
    /** SPKI PEM; of P256 alone. */
    readonly publicKey?: string;
    readonly keyId: string;
    readonly from: string;
  };
  readonly outage?: {
    readonly since: string;
    readonly reason: string;
    readonly nextProbeAt: string;
  };
  readonly stats?: WebhookEndpointStats;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface WebhookEndpointStats {
  /** Every event up to this one was attempted. */
  readonly position: number;
  /** Events after `position`, of any type. */
  readonly waiting: number;
  /** Events that failed, or wait behind such a one; counted up to 10,000. */
  readonly retrying: number;
  /** Events that were given up, and those that wait after a failure; counted up to 10,000. */
  readonly notArrived: number;
  /** The share of the attempts of the last 24 hours that were taken. */
  readonly successRate?: number;
  /**
   * Of the answers of the last 24 hours, 95 in 100 came within this time. It is at most a third above the exact
   * one.
   */
  readonly p95LatencyMs?: number;
  /** The time of the oldest event that waits. */
  readonly oldestUndeliveredAt?: string;
  readonly lastSuccessAt?: string;
  readonly lastFailureAt?: string;
}

export interface WebhookKey {
  /** SPKI PEM. It verifies `X-Service-Signature`. */
  readonly publicKey: string;
  /** As in `X-Service-Key-Id`, which deliveries have from the first rotation on. */
  readonly keyId: string;
  /** The key that takes over at `from`; deliveries carry both signatures until then. */
  readonly next?: {
    /** SPKI PEM. It verifies `X-Service-Signature-Next`. */
    readonly publicKey: string;
    readonly keyId: string;
    readonly from: string;
  };
}

export interface WriteReceivableOffBody {
  readonly note: string;
}

/** Currency: XAF. Held in CM, CG. */
export interface XafAccount extends NewXafAccount {
  /** The rails that reach this account; in answers alone. */
  readonly paymentRails?: readonly Open<"MOBILE_MONEY">[];
}

/** Currency: XOF. Held in BJ, CI, SN, TG. */
export interface XofAccount extends NewXofAccount {
  /** The rails that reach this account; in answers alone. */
  readonly paymentRails?: readonly Open<"MOBILE_MONEY">[];
}

/** Currency: ZAR. Held in ZA. `bankName` is spelled as GET /discoveries lists it. */
export interface ZarAccount extends NewZarAccount {
  /** The rails that reach this account; in answers alone. */
  readonly paymentRails?: readonly Open<"BANK_TRANSFER">[];
}

/** Currency: ZMW. Held in ZM. */
export interface ZmwAccount extends NewZmwAccount {
  /** The rails that reach this account; in answers alone. */
  readonly paymentRails?: readonly Open<"MOBILE_MONEY">[];
}

/** What every operation can refuse a call with. */
export type CommonRefusal =
  | "INTERNAL_ERROR"
  | "INVALID_INPUT"
  | "INVALID_REQUEST_FORMAT"
  | "RATE_LIMITED"
  | "SERVICE_UNAVAILABLE";

/** By operation: the call, its answer, and the codes that it can be refused with. */
export interface Operations {
  /** Get the platform configuration */
  readonly getConfig: {
    readonly call: { readonly method: "GET"; readonly path: readonly ["config"] };
    readonly answer: PlatformConfig;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Update the platform configuration */
  readonly updateConfig: {
    readonly call: {
      readonly method: "PATCH";
      readonly path: readonly ["config"];
      readonly body: UpdateConfigBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: PlatformConfig;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "INVALID_AMOUNT"
      | "INVALID_CURRENCY"
      | "PAYLOAD_TOO_LARGE"
      | "REFERENCE_NOT_FOUND"
      | "UMA_ADDRESS_EXISTS"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** Create an API token */
  readonly createToken: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["tokens"];
      readonly body: CreateTokenBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: CreatedToken;
    readonly refusal:
      | CommonRefusal
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "PAYLOAD_TOO_LARGE"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** List API tokens */
  readonly listTokens: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["tokens"];
      readonly isList?: true;
      readonly query?: ListTokensQuery | undefined;
    };
    readonly answer: Page<Token>;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Get an API token */
  readonly getToken: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["tokens", string | SecretPart];
    };
    readonly answer: Token;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "TOKEN_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** Delete an API token */
  readonly deleteToken: {
    readonly call: {
      readonly method: "DELETE";
      readonly path: readonly ["tokens", string | SecretPart];
    };
    readonly answer: undefined;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "TOKEN_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** Create a customer */
  readonly createCustomer: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["customers"];
      readonly body: CreateCustomerBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: Customer;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "INVALID_CURRENCY"
      | "INVALID_UMA_ADDRESS"
      | "MISSING_MANDATORY_USER_INFO"
      | "PAYLOAD_TOO_LARGE"
      | "UMA_ADDRESS_EXISTS"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** List customers */
  readonly listCustomers: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["customers"];
      readonly isList?: true;
      readonly query?: ListCustomersQuery | undefined;
    };
    readonly answer: Page<Customer>;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Get a customer */
  readonly getCustomer: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["customers", string | SecretPart];
    };
    readonly answer: Customer;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED" | "USER_NOT_FOUND";
  };
  /** Update a customer */
  readonly updateCustomer: {
    readonly call: {
      readonly method: "PATCH";
      readonly path: readonly ["customers", string | SecretPart];
      readonly body: UpdateCustomerBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: Customer;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "CUSTOMER_DELETED"
      | "FORBIDDEN"
      | "INVALID_CURRENCY"
      | "INVALID_UMA_ADDRESS"
      | "MISSING_MANDATORY_USER_INFO"
      | "PAYLOAD_TOO_LARGE"
      | "UMA_ADDRESS_EXISTS"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE"
      | "USER_NOT_FOUND";
  };
  /** Delete a customer */
  readonly deleteCustomer: {
    readonly call: {
      readonly method: "DELETE";
      readonly path: readonly ["customers", string | SecretPart];
    };
    readonly answer: Customer;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "CUSTOMER_DELETED"
      | "FORBIDDEN"
      | "UNAUTHORIZED"
      | "USER_NOT_FOUND";
  };
  /** Create a KYC link */
  readonly createKycLink: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["customers", string | SecretPart, "kyc-link"];
      readonly body?: CreateKycLinkBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: VerificationLink;
    readonly refusal:
      | CommonRefusal
      | "CUSTOMER_DELETED"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "PAYLOAD_TOO_LARGE"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE"
      | "USER_NOT_FOUND"
      | "VERIFICATION_LINKS_NOT_CONFIGURED";
  };
  /** Create a beneficial owner */
  readonly createBeneficialOwner: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["beneficial-owners"];
      readonly body: CreateBeneficialOwnerBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: BeneficialOwner;
    readonly refusal:
      | CommonRefusal
      | "CUSTOMER_DELETED"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "PAYLOAD_TOO_LARGE"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE"
      | "USER_NOT_FOUND";
  };
  /** List beneficial owners */
  readonly listBeneficialOwners: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["beneficial-owners"];
      readonly isList?: true;
      readonly query: ListBeneficialOwnersQuery;
    };
    readonly answer: Page<BeneficialOwner>;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Get a beneficial owner */
  readonly getBeneficialOwner: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["beneficial-owners", string | SecretPart];
    };
    readonly answer: BeneficialOwner;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "REFERENCE_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** Update a beneficial owner */
  readonly updateBeneficialOwner: {
    readonly call: {
      readonly method: "PATCH";
      readonly path: readonly ["beneficial-owners", string | SecretPart];
      readonly body: UpdateBeneficialOwnerBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: BeneficialOwner;
    readonly refusal:
      | CommonRefusal
      | "CUSTOMER_DELETED"
      | "FORBIDDEN"
      | "PAYLOAD_TOO_LARGE"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** Create a verification */
  readonly createVerification: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["verifications"];
      readonly body: CreateVerificationBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: Verification;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "CUSTOMER_DELETED"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "PAYLOAD_TOO_LARGE"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE"
      | "USER_NOT_FOUND";
  };
  /** List verifications */
  readonly listVerifications: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["verifications"];
      readonly isList?: true;
      readonly query?: ListVerificationsQuery | undefined;
    };
    readonly answer: Page<Verification>;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Get a verification */
  readonly getVerification: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["verifications", string | SecretPart];
    };
    readonly answer: Verification;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "REFERENCE_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** Decide a verification */
  readonly decideVerification: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["verifications", string | SecretPart, "decide"];
      readonly body: DecideVerificationBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: Verification;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "CUSTOMER_DELETED"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "PAYLOAD_TOO_LARGE"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** Create customers from a CSV file */
  readonly uploadCustomersCsv: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["customers", "bulk", "csv"];
      readonly body: FormData;
    };
    readonly answer: {
      readonly jobId: string;
      readonly status: Open<"PENDING" | "PROCESSING" | "COMPLETED" | "FAILED">;
    };
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** Get a bulk upload job */
  readonly getBulkCustomerJob: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["customers", "bulk", "jobs", string | SecretPart];
    };
    readonly answer: BulkJob;
    readonly refusal: CommonRefusal | "BULK_UPLOAD_JOB_NOT_FOUND" | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Upload a document */
  readonly uploadDocument: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["documents"];
      readonly body: FormData;
    };
    readonly answer: Document;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "CUSTOMER_DELETED"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE"
      | "USER_NOT_FOUND";
  };
  /** List documents */
  readonly listDocuments: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["documents"];
      readonly isList?: true;
      readonly query?: ListDocumentsQuery | undefined;
    };
    readonly answer: Page<Document>;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Get a document */
  readonly getDocument: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["documents", string | SecretPart];
    };
    readonly answer: Document;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "REFERENCE_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** Replace a document */
  readonly replaceDocument: {
    readonly call: {
      readonly method: "PUT";
      readonly path: readonly ["documents", string | SecretPart];
      readonly body: FormData;
    };
    readonly answer: Document;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "CUSTOMER_DELETED"
      | "FORBIDDEN"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** Delete a document */
  readonly deleteDocument: {
    readonly call: {
      readonly method: "DELETE";
      readonly path: readonly ["documents", string | SecretPart];
    };
    readonly answer: undefined;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED";
  };
  /** List customer internal accounts */
  readonly listCustomerInternalAccounts: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["customers", "internal-accounts"];
      readonly isList?: true;
      readonly query?: ListCustomerInternalAccountsQuery | undefined;
    };
    readonly answer: Page<InternalAccount>;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** List platform internal accounts */
  readonly listPlatformInternalAccounts: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["platform", "internal-accounts"];
      readonly isList?: true;
      readonly query?: ListPlatformInternalAccountsQuery | undefined;
    };
    readonly answer: Page<InternalAccount>;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Get an internal account */
  readonly getInternalAccount: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["internal-accounts", string | SecretPart];
    };
    readonly answer: InternalAccount;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "REFERENCE_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** Get the balance of an internal account at a time */
  readonly getInternalAccountBalance: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["internal-accounts", string | SecretPart, "balance"];
      readonly query?: GetInternalAccountBalanceQuery | undefined;
    };
    readonly answer: BalanceAt;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "REFERENCE_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** Create a customer external account */
  readonly createCustomerExternalAccount: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["customers", "external-accounts"];
      readonly body: CreateCustomerExternalAccountBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: ExternalAccount;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "INVALID_BANK_ACCOUNT"
      | "INVALID_CURRENCY"
      | "PAYLOAD_TOO_LARGE"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE"
      | "USER_NOT_FOUND";
  };
  /** List customer external accounts */
  readonly listCustomerExternalAccounts: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["customers", "external-accounts"];
      readonly isList?: true;
      readonly query?: ListCustomerExternalAccountsQuery | undefined;
    };
    readonly answer: Page<ExternalAccount>;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Get a customer external account */
  readonly getCustomerExternalAccount: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["customers", "external-accounts", string | SecretPart];
    };
    readonly answer: ExternalAccount;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "REFERENCE_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** Delete a customer external account */
  readonly deleteCustomerExternalAccount: {
    readonly call: {
      readonly method: "DELETE";
      readonly path: readonly ["customers", "external-accounts", string | SecretPart];
    };
    readonly answer: undefined;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "REFERENCE_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** Create a platform external account */
  readonly createPlatformExternalAccount: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["platform", "external-accounts"];
      readonly body: CreatePlatformExternalAccountBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: ExternalAccount;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "INVALID_BANK_ACCOUNT"
      | "INVALID_CURRENCY"
      | "PAYLOAD_TOO_LARGE"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE"
      | "USER_NOT_FOUND";
  };
  /** List platform external accounts */
  readonly listPlatformExternalAccounts: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["platform", "external-accounts"];
      readonly isList?: true;
      readonly query?: ListPlatformExternalAccountsQuery | undefined;
    };
    readonly answer: Page<ExternalAccount>;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Get a platform external account */
  readonly getPlatformExternalAccount: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["platform", "external-accounts", string | SecretPart];
    };
    readonly answer: ExternalAccount;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "REFERENCE_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** Delete a platform external account */
  readonly deletePlatformExternalAccount: {
    readonly call: {
      readonly method: "DELETE";
      readonly path: readonly ["platform", "external-accounts", string | SecretPart];
    };
    readonly answer: undefined;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "REFERENCE_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** List banks and mobile-money operators */
  readonly listDiscoveries: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["discoveries"];
      readonly isList?: true;
      readonly query?: ListDiscoveriesQuery | undefined;
    };
    readonly answer: {
      readonly data: readonly Discovery[];
    };
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Freeze a customer */
  readonly freezeCustomer: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["customers", string | SecretPart, "freeze"];
      readonly body: FreezeCustomerBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: Customer;
    readonly refusal:
      | CommonRefusal
      | "CUSTOMER_DELETED"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "PAYLOAD_TOO_LARGE"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE"
      | "USER_NOT_FOUND";
  };
  /** Unfreeze a customer */
  readonly unfreezeCustomer: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["customers", string | SecretPart, "unfreeze"];
    };
    readonly answer: Customer;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "CUSTOMER_DELETED"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "UNAUTHORIZED"
      | "USER_NOT_FOUND";
  };
  /** Freeze an internal account */
  readonly freezeInternalAccount: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["internal-accounts", string | SecretPart, "freeze"];
      readonly body: FreezeInternalAccountBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: InternalAccount;
    readonly refusal:
      | CommonRefusal
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "PAYLOAD_TOO_LARGE"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** Unfreeze an internal account */
  readonly unfreezeInternalAccount: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["internal-accounts", string | SecretPart, "unfreeze"];
    };
    readonly answer: InternalAccount;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED";
  };
  /** Open an internal account */
  readonly createInternalAccount: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["internal-accounts"];
      readonly body: CreateInternalAccountBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: InternalAccount;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "INVALID_CURRENCY"
      | "PAYLOAD_TOO_LARGE"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE"
      | "USER_NOT_FOUND";
  };
  /** Name an internal account */
  readonly updateInternalAccount: {
    readonly call: {
      readonly method: "PATCH";
      readonly path: readonly ["internal-accounts", string | SecretPart];
      readonly body: UpdateInternalAccountBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: InternalAccount;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "PAYLOAD_TOO_LARGE"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** Close an internal account */
  readonly closeInternalAccount: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["internal-accounts", string | SecretPart, "close"];
    };
    readonly answer: InternalAccount;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED";
  };
  /** Request funding instructions of an internal account */
  readonly requestFundingInstructions: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["internal-accounts", string | SecretPart, "funding-instructions"];
    };
    readonly answer: InternalAccount;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED";
  };
  /** Create an alert on a balance */
  readonly createBalanceAlert: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["internal-accounts", string | SecretPart, "alerts"];
      readonly body: CreateBalanceAlertBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: BalanceAlert;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "INVALID_AMOUNT"
      | "PAYLOAD_TOO_LARGE"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** List alerts on a balance */
  readonly listBalanceAlerts: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["internal-accounts", string | SecretPart, "alerts"];
      readonly isList?: true;
      readonly query?: ListBalanceAlertsQuery | undefined;
    };
    readonly answer: Page<BalanceAlert>;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "REFERENCE_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** Delete an alert on a balance */
  readonly deleteBalanceAlert: {
    readonly call: {
      readonly method: "DELETE";
      readonly path: readonly [
        "internal-accounts",
        string | SecretPart,
        "alerts",
        string | SecretPart,
      ];
    };
    readonly answer: undefined;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "REFERENCE_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** Create a book transfer */
  readonly createTransfer: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["transfers"];
      readonly body: CreateTransferBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: Transfer;
    readonly dryRun: TransferDryRun;
    readonly refusal:
      | CommonRefusal
      | "ACCOUNT_FROZEN"
      | "AMOUNT_OUT_OF_RANGE"
      | "CUSTOMER_FROZEN"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "INSUFFICIENT_BALANCE"
      | "INVALID_AMOUNT"
      | "INVALID_CURRENCY"
      | "PAYLOAD_TOO_LARGE"
      | "REFERENCE_NOT_FOUND"
      | "SELF_PAYMENT"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE"
      | "USER_NOT_READY";
  };
  /** Create a transfer out */
  readonly transferOut: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["transfer-out"];
      readonly body: TransferOutBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: Transaction;
    readonly dryRun: TransactionDryRun;
    readonly refusal:
      | CommonRefusal
      | "ACCOUNT_FROZEN"
      | "AMOUNT_OUT_OF_RANGE"
      | "CUSTOMER_FROZEN"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "INSUFFICIENT_BALANCE"
      | "INVALID_AMOUNT"
      | "INVALID_CURRENCY"
      | "NOT_IMPLEMENTED"
      | "PAYLOAD_TOO_LARGE"
      | "RAIL_PAUSED"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE"
      | "USER_NOT_READY";
  };
  /** Create a transfer in */
  readonly transferIn: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["transfer-in"];
      readonly body: TransferInBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: Transaction;
    readonly dryRun: TransactionDryRun;
    readonly refusal:
      | CommonRefusal
      | "ACCOUNT_FROZEN"
      | "AMOUNT_OUT_OF_RANGE"
      | "CUSTOMER_FROZEN"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "INVALID_AMOUNT"
      | "INVALID_CURRENCY"
      | "NOT_IMPLEMENTED"
      | "PAYLOAD_TOO_LARGE"
      | "RAIL_PAUSED"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE"
      | "USER_NOT_READY";
  };
  /** Create a hold */
  readonly createHold: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["internal-accounts", string | SecretPart, "holds"];
      readonly body: CreateHoldBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: Hold;
    readonly refusal:
      | CommonRefusal
      | "ACCOUNT_FROZEN"
      | "AMOUNT_OUT_OF_RANGE"
      | "CUSTOMER_FROZEN"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "INSUFFICIENT_BALANCE"
      | "INVALID_AMOUNT"
      | "PAYLOAD_TOO_LARGE"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE"
      | "USER_NOT_READY";
  };
  /** List holds */
  readonly listHolds: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["holds"];
      readonly isList?: true;
      readonly query?: ListHoldsQuery | undefined;
    };
    readonly answer: Page<Hold>;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Get a hold */
  readonly getHold: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["holds", string | SecretPart];
      readonly query?: GetHoldQuery | undefined;
    };
    readonly answer: Hold;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "REFERENCE_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** Capture a hold */
  readonly captureHold: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["holds", string | SecretPart, "capture"];
      readonly body: CaptureHoldBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: Transaction;
    readonly dryRun: TransactionDryRun;
    readonly refusal:
      | CommonRefusal
      | "ACCOUNT_FROZEN"
      | "AMOUNT_OUT_OF_RANGE"
      | "CONFLICT"
      | "CUSTOMER_FROZEN"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "INVALID_AMOUNT"
      | "INVALID_CURRENCY"
      | "NOT_IMPLEMENTED"
      | "PAYLOAD_TOO_LARGE"
      | "RAIL_PAUSED"
      | "REFERENCE_NOT_FOUND"
      | "SELF_PAYMENT"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE"
      | "USER_NOT_READY";
  };
  /** Release a hold */
  readonly releaseHold: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["holds", string | SecretPart, "release"];
    };
    readonly answer: Hold;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED";
  };
  /** Create a payment batch */
  readonly createPaymentBatch: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["payment-batches"];
      readonly body: CreatePaymentBatchBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: Either<PaymentBatch, PaymentBatch>;
    readonly dryRun: PaymentBatchDryRun;
    readonly refusal:
      | CommonRefusal
      | "ACCOUNT_FROZEN"
      | "AMOUNT_OUT_OF_RANGE"
      | "CONFLICT"
      | "CUSTOMER_FROZEN"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "INSUFFICIENT_BALANCE"
      | "INVALID_AMOUNT"
      | "INVALID_CURRENCY"
      | "NOT_IMPLEMENTED"
      | "PAYLOAD_TOO_LARGE"
      | "RAIL_PAUSED"
      | "REFERENCE_NOT_FOUND"
      | "SELF_PAYMENT"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE"
      | "USER_NOT_READY";
  };
  /** List payment batches */
  readonly listPaymentBatches: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["payment-batches"];
      readonly isList?: true;
      readonly query?: ListPaymentBatchesQuery | undefined;
    };
    readonly answer: Page<PaymentBatch>;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Create a payment batch from a CSV file */
  readonly createPaymentBatchFromCsv: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["payment-batches", "csv"];
      readonly body: FormData;
    };
    readonly answer: Either<PaymentBatch, PaymentBatch>;
    readonly dryRun: PaymentBatchDryRun;
    readonly refusal:
      | CommonRefusal
      | "ACCOUNT_FROZEN"
      | "AMOUNT_OUT_OF_RANGE"
      | "CONFLICT"
      | "CUSTOMER_FROZEN"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "INSUFFICIENT_BALANCE"
      | "INVALID_AMOUNT"
      | "INVALID_CURRENCY"
      | "NOT_IMPLEMENTED"
      | "PAYLOAD_TOO_LARGE"
      | "RAIL_PAUSED"
      | "REFERENCE_NOT_FOUND"
      | "SELF_PAYMENT"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE"
      | "USER_NOT_READY";
  };
  /** Get a payment batch */
  readonly getPaymentBatch: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["payment-batches", string | SecretPart];
    };
    readonly answer: PaymentBatch;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "REFERENCE_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** List the items of a payment batch */
  readonly listPaymentBatchItems: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["payment-batches", string | SecretPart, "items"];
      readonly isList?: true;
      readonly query?: ListPaymentBatchItemsQuery | undefined;
    };
    readonly answer: Page<PaymentBatchItem>;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "REFERENCE_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** Cancel a payment batch */
  readonly cancelPaymentBatch: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["payment-batches", string | SecretPart, "cancel"];
    };
    readonly answer: PaymentBatch;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED";
  };
  /** Create a payment schedule */
  readonly createPaymentSchedule: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["payment-schedules"];
      readonly body: CreatePaymentScheduleBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: PaymentSchedule;
    readonly refusal:
      | CommonRefusal
      | "ACCOUNT_FROZEN"
      | "AMOUNT_OUT_OF_RANGE"
      | "CUSTOMER_FROZEN"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "INVALID_AMOUNT"
      | "INVALID_CURRENCY"
      | "NOT_IMPLEMENTED"
      | "PAYLOAD_TOO_LARGE"
      | "RAIL_PAUSED"
      | "REFERENCE_NOT_FOUND"
      | "SELF_PAYMENT"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE"
      | "USER_NOT_READY";
  };
  /** List payment schedules */
  readonly listPaymentSchedules: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["payment-schedules"];
      readonly isList?: true;
      readonly query?: ListPaymentSchedulesQuery | undefined;
    };
    readonly answer: Page<PaymentSchedule>;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Get a payment schedule */
  readonly getPaymentSchedule: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["payment-schedules", string | SecretPart];
      readonly query?: GetPaymentScheduleQuery | undefined;
    };
    readonly answer: PaymentSchedule;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "REFERENCE_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** Update a payment schedule */
  readonly updatePaymentSchedule: {
    readonly call: {
      readonly method: "PATCH";
      readonly path: readonly ["payment-schedules", string | SecretPart];
      readonly body: UpdatePaymentScheduleBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: PaymentSchedule;
    readonly refusal:
      | CommonRefusal
      | "ACCOUNT_FROZEN"
      | "AMOUNT_OUT_OF_RANGE"
      | "CONFLICT"
      | "CUSTOMER_FROZEN"
      | "FORBIDDEN"
      | "INVALID_AMOUNT"
      | "INVALID_CURRENCY"
      | "NOT_IMPLEMENTED"
      | "PAYLOAD_TOO_LARGE"
      | "RAIL_PAUSED"
      | "REFERENCE_NOT_FOUND"
      | "SELF_PAYMENT"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE"
      | "USER_NOT_READY";
  };
  /** Pause a payment schedule */
  readonly pausePaymentSchedule: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["payment-schedules", string | SecretPart, "pause"];
    };
    readonly answer: PaymentSchedule;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED";
  };
  /** Resume a payment schedule */
  readonly resumePaymentSchedule: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["payment-schedules", string | SecretPart, "resume"];
    };
    readonly answer: PaymentSchedule;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED";
  };
  /** Skip the next run of a payment schedule */
  readonly skipPaymentScheduleRun: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["payment-schedules", string | SecretPart, "skip"];
    };
    readonly answer: PaymentSchedule;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED";
  };
  /** Run a payment schedule now */
  readonly runPaymentSchedule: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["payment-schedules", string | SecretPart, "run"];
    };
    readonly answer: ScheduleRun;
    readonly refusal:
      | CommonRefusal
      | "ACCOUNT_FROZEN"
      | "AMOUNT_OUT_OF_RANGE"
      | "CONFLICT"
      | "CUSTOMER_FROZEN"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "INSUFFICIENT_BALANCE"
      | "INVALID_AMOUNT"
      | "INVALID_CURRENCY"
      | "NOT_IMPLEMENTED"
      | "RAIL_PAUSED"
      | "REFERENCE_NOT_FOUND"
      | "SELF_PAYMENT"
      | "UNAUTHORIZED"
      | "USER_NOT_READY";
  };
  /** End a payment schedule */
  readonly endPaymentSchedule: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["payment-schedules", string | SecretPart, "end"];
    };
    readonly answer: PaymentSchedule;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED";
  };
  /** List the runs of a payment schedule */
  readonly listPaymentScheduleRuns: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["payment-schedules", string | SecretPart, "runs"];
      readonly isList?: true;
      readonly query?: ListPaymentScheduleRunsQuery | undefined;
    };
    readonly answer: Page<ScheduleRun>;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "REFERENCE_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** List the next due times of a payment schedule */
  readonly previewPaymentSchedule: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["payment-schedules", string | SecretPart, "preview"];
      readonly isList?: true;
      readonly query?: PreviewPaymentScheduleQuery | undefined;
    };
    readonly answer: {
      readonly data: readonly {
        readonly dueAt: string;
        /** What the clock of the rule's `timeZone` shows then. */
        readonly localTime?: string;
      }[];
    };
    readonly refusal: CommonRefusal | "FORBIDDEN" | "REFERENCE_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** List exchange rates and fees */
  readonly listExchangeRates: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["exchange-rates"];
      readonly isList?: true;
      readonly query?: ListExchangeRatesQuery | undefined;
    };
    readonly answer: {
      readonly data: readonly ExchangeRate[];
    };
    readonly refusal:
      | CommonRefusal
      | "FORBIDDEN"
      | "INVALID_AMOUNT"
      | "INVALID_CURRENCY"
      | "UNAUTHORIZED";
  };
  /** Create a quote */
  readonly createQuote: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["quotes"];
      readonly body: QuoteRequest;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: Quote;
    readonly dryRun: QuoteDryRun;
    readonly refusal:
      | CommonRefusal
      | "ACCOUNT_FROZEN"
      | "AMOUNT_OUT_OF_RANGE"
      | "CERT_CHAIN_EXPIRED"
      | "CERT_CHAIN_INVALID"
      | "CONFLICT"
      | "COUNTERPARTY_NOT_ALLOWED"
      | "COUNTERPARTY_PUBKEY_FETCH_ERROR"
      | "CUSTOMER_FROZEN"
      | "FORBIDDEN"
      | "FX_LIMIT"
      | "IDEMPOTENCY_KEY_REUSED"
      | "INSUFFICIENT_BALANCE"
      | "INVALID_AMOUNT"
      | "INVALID_CURRENCY"
      | "INVALID_NONCE"
      | "INVALID_PAYREQ_RESPONSE"
      | "INVALID_PUBKEY_FORMAT"
      | "INVALID_RECEIVER"
      | "INVALID_TIMESTAMP"
      | "INVALID_UMA_ADDRESS"
      | "LOOKUP_REQUEST_NOT_FOUND"
      | "MISSING_MANDATORY_USER_INFO"
      | "NOT_IMPLEMENTED"
      | "NO_COMPATIBLE_UMA_VERSION"
      | "PARSE_PAYREQ_RESPONSE_ERROR"
      | "PAYLOAD_TOO_LARGE"
      | "PAYREQ_REQUEST_FAILED"
      | "QUOTE_REQUEST_FAILED"
      | "RAIL_PAUSED"
      | "RATE_STALE"
      | "SELF_PAYMENT"
      | "SENDER_NOT_ACCEPTED"
      | "UMA_NOT_FOUND"
      | "UNAUTHORIZED"
      | "UNRECOGNIZED_MANDATORY_PAYEE_DATA_KEY"
      | "UNSUPPORTED_MEDIA_TYPE"
      | "UNSUPPORTED_UMA_VERSION"
      | "USER_NOT_READY"
      | "VELOCITY_LIMIT_EXCEEDED";
  };
  /** List quotes */
  readonly listQuotes: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["quotes"];
      readonly isList?: true;
      readonly query?: ListQuotesQuery | undefined;
    };
    readonly answer: Page<Quote>;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Get a quote */
  readonly getQuote: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["quotes", string | SecretPart];
      readonly query?: GetQuoteQuery | undefined;
    };
    readonly answer: Quote;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "QUOTE_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** Execute a quote */
  readonly executeQuote: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["quotes", string | SecretPart, "execute"];
      readonly headers?: Readonly<Partial<Record<"service-wallet-signature", string>>> | undefined;
    };
    readonly answer: Quote;
    readonly dryRun: QuoteDryRun;
    readonly refusal:
      | CommonRefusal
      | "ACCOUNT_FROZEN"
      | "AMOUNT_OUT_OF_RANGE"
      | "CONFLICT"
      | "CUSTOMER_FROZEN"
      | "FORBIDDEN"
      | "FX_LIMIT"
      | "IDEMPOTENCY_KEY_REUSED"
      | "INSUFFICIENT_BALANCE"
      | "NOT_IMPLEMENTED"
      | "QUOTE_EXPIRED"
      | "QUOTE_NOT_FOUND"
      | "RAIL_PAUSED"
      | "UNAUTHORIZED"
      | "USER_NOT_READY";
  };
  /** List transactions */
  readonly listTransactions: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["transactions"];
      readonly isList?: true;
      readonly query?: ListTransactionsQuery | undefined;
    };
    readonly answer: Page<Transaction>;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Get a transaction */
  readonly getTransaction: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["transactions", string | SecretPart];
      readonly query?: GetTransactionQuery | undefined;
    };
    readonly answer: Transaction;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "TRANSACTION_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** Change the metadata of a transaction */
  readonly updateTransaction: {
    readonly call: {
      readonly method: "PATCH";
      readonly path: readonly ["transactions", string | SecretPart];
      readonly body: UpdateTransactionBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: Transaction;
    readonly refusal:
      | CommonRefusal
      | "FORBIDDEN"
      | "PAYLOAD_TOO_LARGE"
      | "TRANSACTION_NOT_FOUND"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** Get the timeline of a transaction */
  readonly getTransactionTimeline: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["transactions", string | SecretPart, "timeline"];
      readonly query?: GetTransactionTimelineQuery | undefined;
    };
    readonly answer: Timeline;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "TRANSACTION_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** Approve an incoming payment */
  readonly approveTransaction: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["transactions", string | SecretPart, "approve"];
      readonly body?: ApproveTransactionBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: Transaction;
    readonly refusal:
      | CommonRefusal
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "MISSING_MANDATORY_USER_INFO"
      | "PAYLOAD_TOO_LARGE"
      | "TRANSACTION_NOT_FOUND"
      | "TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** Reject an incoming payment */
  readonly rejectTransaction: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["transactions", string | SecretPart, "reject"];
      readonly body?: RejectTransactionBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: Transaction;
    readonly refusal:
      | CommonRefusal
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "PAYLOAD_TOO_LARGE"
      | "TRANSACTION_NOT_FOUND"
      | "TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** Refund an incoming payment */
  readonly refundTransaction: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["transactions", string | SecretPart, "refund"];
      readonly body: RefundTransactionBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: Transaction;
    readonly dryRun: TransactionDryRun;
    readonly refusal:
      | CommonRefusal
      | "ACCOUNT_FROZEN"
      | "AMOUNT_OUT_OF_RANGE"
      | "CONFLICT"
      | "CUSTOMER_FROZEN"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "INSUFFICIENT_BALANCE"
      | "INVALID_AMOUNT"
      | "INVALID_CURRENCY"
      | "NOT_IMPLEMENTED"
      | "PAYLOAD_TOO_LARGE"
      | "RAIL_PAUSED"
      | "REFERENCE_NOT_FOUND"
      | "TRANSACTION_NOT_FOUND"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE"
      | "USER_NOT_READY";
  };
  /** Look up a UMA receiver */
  readonly lookupUmaReceiver: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["receiver", "uma", string | SecretPart];
      readonly query?: LookupUmaReceiverQuery | undefined;
    };
    readonly answer: UmaReceiver;
    readonly refusal:
      | CommonRefusal
      | "CERT_CHAIN_EXPIRED"
      | "CERT_CHAIN_INVALID"
      | "CONFLICT"
      | "COUNTERPARTY_NOT_ALLOWED"
      | "COUNTERPARTY_PUBKEY_FETCH_ERROR"
      | "CUSTOMER_DELETED"
      | "FORBIDDEN"
      | "INVALID_NONCE"
      | "INVALID_PUBKEY_FORMAT"
      | "INVALID_TIMESTAMP"
      | "INVALID_UMA_ADDRESS"
      | "LNURLP_REQUEST_FAILED"
      | "LOOKUP_REQUEST_FAILED"
      | "MISSING_REQUIRED_UMA_PARAMETERS"
      | "NOT_IMPLEMENTED"
      | "NO_COMPATIBLE_UMA_VERSION"
      | "PARSE_LNURLP_RESPONSE_ERROR"
      | "SENDER_NOT_ACCEPTED"
      | "UMA_NOT_FOUND"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_UMA_VERSION"
      | "USER_NOT_FOUND"
      | "USER_NOT_READY"
      | "VELOCITY_LIMIT_EXCEEDED";
  };
  /** Look up an external account receiver */
  readonly lookupExternalAccountReceiver: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["receiver", "external-account", string | SecretPart];
      readonly query?: LookupExternalAccountReceiverQuery | undefined;
    };
    readonly answer: ExternalAccountReceiver;
    readonly refusal:
      | CommonRefusal
      | "CUSTOMER_DELETED"
      | "FORBIDDEN"
      | "INVALID_UMA_ADDRESS"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED"
      | "USER_NOT_FOUND";
  };
  /** List UMA providers */
  readonly listUmaProviders: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["uma-providers"];
      readonly isList?: true;
      readonly query?: ListUmaProvidersQuery | undefined;
    };
    readonly answer: Page<UmaProvider>;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** List UMA keys */
  readonly listUmaKeys: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["uma", "keys"];
      readonly isList?: true;
      readonly query?: ListUmaKeysQuery | undefined;
    };
    readonly answer: Page<UmaKey>;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Get a UMA key */
  readonly getUmaKey: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["uma", "keys", string | SecretPart];
    };
    readonly answer: UmaKey;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "REFERENCE_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** Get the certificate request of a UMA key */
  readonly getUmaKeyRequest: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["uma", "keys", string | SecretPart, "csr"];
    };
    readonly answer: {
      /** PKCS#10, in PEM. */
      readonly pem: string;
    };
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED";
  };
  /** Set the certificates of a UMA key */
  readonly setUmaKeyChain: {
    readonly call: {
      readonly method: "PUT";
      readonly path: readonly ["uma", "keys", string | SecretPart, "chain"];
      readonly body: SetUmaKeyChainBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: UmaKey;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "PAYLOAD_TOO_LARGE"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** Rotate a UMA key */
  readonly rotateUmaKey: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["uma", "keys", "rotate"];
      readonly body: RotateUmaKeyBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: UmaKey;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "PAYLOAD_TOO_LARGE"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** Destroy a UMA key */
  readonly destroyUmaKey: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["uma", "keys", string | SecretPart, "destroy"];
    };
    readonly answer: UmaKey;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED";
  };
  /** List UMA domains */
  readonly listUmaDomains: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["uma", "domains"];
      readonly isList?: true;
      readonly query?: ListUmaDomainsQuery | undefined;
    };
    readonly answer: Page<UmaDomain>;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Get a UMA domain */
  readonly getUmaDomain: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["uma", "domains", string | SecretPart];
    };
    readonly answer: UmaDomain;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "REFERENCE_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** Update a UMA domain */
  readonly updateUmaDomain: {
    readonly call: {
      readonly method: "PATCH";
      readonly path: readonly ["uma", "domains", string | SecretPart];
      readonly body: UpdateUmaDomainBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: UmaDomain;
    readonly refusal:
      | CommonRefusal
      | "FORBIDDEN"
      | "PAYLOAD_TOO_LARGE"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** Check the routing of a UMA domain */
  readonly checkUmaDomain: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["uma", "domains", string | SecretPart, "check"];
    };
    readonly answer: UmaDomain;
    readonly refusal:
      | CommonRefusal
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED";
  };
  /** Get what UMA says of a payment */
  readonly getUmaPayment: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["uma", "payments", string | SecretPart];
    };
    readonly answer: UmaPayment;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "TRANSACTION_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** Get the travel-rule data of a payment */
  readonly getUmaTravelRule: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["uma", "payments", string | SecretPart, "travel-rule"];
    };
    readonly answer: UmaTravelRule;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "TRANSACTION_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** Get the UMA policy */
  readonly getUmaPolicy: {
    readonly call: { readonly method: "GET"; readonly path: readonly ["uma", "policy"] };
    readonly answer: UmaPolicy;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Set the UMA policy */
  readonly setUmaPolicy: {
    readonly call: {
      readonly method: "PUT";
      readonly path: readonly ["uma", "policy"];
      readonly body: SetUmaPolicyBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: UmaPolicy;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "PAYLOAD_TOO_LARGE"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** List UMA counterparties */
  readonly listUmaCounterparties: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["uma", "counterparties"];
      readonly isList?: true;
      readonly query?: ListUmaCounterpartiesQuery | undefined;
    };
    readonly answer: Page<UmaCounterparty>;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Set a UMA counterparty */
  readonly setUmaCounterparty: {
    readonly call: {
      readonly method: "PUT";
      readonly path: readonly ["uma", "counterparties", string | SecretPart];
      readonly body: SetUmaCounterpartyBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: UmaCounterparty;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "PAYLOAD_TOO_LARGE"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** Accept the changed key of a UMA counterparty */
  readonly acceptUmaCounterpartyKey: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["uma", "counterparties", string | SecretPart, "accept-key"];
      readonly body?: AcceptUmaCounterpartyKeyBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: UmaCounterparty;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "PAYLOAD_TOO_LARGE"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** List UMA exchanges */
  readonly listUmaExchanges: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["uma", "exchanges"];
      readonly isList?: true;
      readonly query?: ListUmaExchangesQuery | undefined;
    };
    readonly answer: Page<UmaExchange>;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Create an invitation */
  readonly createInvitation: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["invitations"];
      readonly body: CreateInvitationBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: Invitation;
    readonly refusal:
      | CommonRefusal
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "INVALID_AMOUNT"
      | "INVALID_UMA_ADDRESS"
      | "INVITATIONS_NOT_CONFIGURED"
      | "PAYLOAD_TOO_LARGE"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** Get an invitation */
  readonly getInvitation: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["invitations", string | SecretPart];
    };
    readonly answer: Invitation;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "INVITATION_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** Claim an invitation */
  readonly claimInvitation: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["invitations", string | SecretPart, "claim"];
      readonly body: ClaimInvitationBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: Invitation;
    readonly refusal:
      | CommonRefusal
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "INVALID_UMA_ADDRESS"
      | "INVITATION_ALREADY_CLAIMED"
      | "INVITATION_CANCELLED"
      | "INVITATION_EXPIRED"
      | "INVITATION_NOT_FOUND"
      | "PAYLOAD_TOO_LARGE"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** Cancel an invitation */
  readonly cancelInvitation: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["invitations", string | SecretPart, "cancel"];
    };
    readonly answer: Invitation;
    readonly refusal:
      | CommonRefusal
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "INVITATION_ALREADY_CLAIMED"
      | "INVITATION_CANCELLED"
      | "INVITATION_EXPIRED"
      | "INVITATION_NOT_FOUND"
      | "UNAUTHORIZED";
  };
  /** Fund an internal account */
  readonly fundInternalAccount: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["sandbox", "internal-accounts", string | SecretPart, "fund"];
      readonly body: FundInternalAccountBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: InternalAccount;
    readonly refusal:
      | CommonRefusal
      | "ACCOUNT_FROZEN"
      | "AMOUNT_OUT_OF_RANGE"
      | "CONFLICT"
      | "CUSTOMER_FROZEN"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "INVALID_AMOUNT"
      | "PAYLOAD_TOO_LARGE"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** Fund a quote */
  readonly sendSandboxFunds: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["sandbox", "send"];
      readonly body: SendSandboxFundsBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: Transaction;
    readonly refusal:
      | CommonRefusal
      | "AMOUNT_OUT_OF_RANGE"
      | "CONFLICT"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "INVALID_AMOUNT"
      | "INVALID_CURRENCY"
      | "PAYLOAD_TOO_LARGE"
      | "QUOTE_EXPIRED"
      | "QUOTE_NOT_FOUND"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** Simulate an incoming UMA payment */
  readonly receiveUmaPayment: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["sandbox", "uma", "receive"];
      readonly body: ReceiveUmaPaymentBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: Transaction;
    readonly refusal:
      | CommonRefusal
      | "AMOUNT_OUT_OF_RANGE"
      | "CUSTOMER_DELETED"
      | "CUSTOMER_FROZEN"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "INVALID_AMOUNT"
      | "INVALID_CURRENCY"
      | "INVALID_UMA_ADDRESS"
      | "PAYLOAD_TOO_LARGE"
      | "UMA_NOT_FOUND"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE"
      | "USER_NOT_FOUND"
      | "USER_NOT_READY";
  };
  /** Advance the sandbox clock */
  readonly advanceClock: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["sandbox", "clock", "advance"];
      readonly body: AdvanceClockBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: {
      readonly now: string;
    };
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "PAYLOAD_TOO_LARGE"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** Get the sandbox clock */
  readonly getClock: {
    readonly call: { readonly method: "GET"; readonly path: readonly ["sandbox", "clock"] };
    readonly answer: {
      readonly now: string;
    };
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Test the webhook endpoint */
  readonly testWebhook: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["sandbox", "webhooks", "test"];
    };
    readonly answer: {
      readonly url?: string;
      readonly response_status: number;
      readonly response_body?: string;
    };
    readonly refusal:
      | CommonRefusal
      | "FORBIDDEN"
      | "UNAUTHORIZED"
      | "WEBHOOK_DELIVERY_ERROR"
      | "WEBHOOK_ENDPOINT_NOT_SET";
  };
  /** Pay the invoice of an incoming UMA payment */
  readonly payUmaInvoice: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["sandbox", "uma", "invoices", string | SecretPart, "pay"];
      readonly body: PayUmaInvoiceBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: Transaction;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "PAYLOAD_TOO_LARGE"
      | "TRANSACTION_NOT_FOUND"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** Get the fault of UMA answers */
  readonly getUmaFaults: {
    readonly call: { readonly method: "GET"; readonly path: readonly ["sandbox", "uma", "faults"] };
    readonly answer: UmaSandboxFault;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Set the fault of UMA answers */
  readonly setUmaFaults: {
    readonly call: {
      readonly method: "PUT";
      readonly path: readonly ["sandbox", "uma", "faults"];
      readonly body: SetUmaFaultsBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: UmaSandboxFault;
    readonly refusal:
      | CommonRefusal
      | "FORBIDDEN"
      | "PAYLOAD_TOO_LARGE"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** Get the webhook public key */
  readonly getWebhookPublicKey: {
    readonly call: { readonly method: "GET"; readonly path: readonly ["webhooks", "public-key"] };
    readonly answer: WebhookKey;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Rotate the webhook key */
  readonly rotateWebhookKey: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["webhooks", "public-key", "rotate"];
      readonly body?: RotateWebhookKeyBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: WebhookKey;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "PAYLOAD_TOO_LARGE"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** List events */
  readonly listEvents: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["events"];
      readonly isList?: true;
      readonly query?: ListEventsQuery | undefined;
    };
    readonly answer: Page<Event>;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Get an event */
  readonly getEvent: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["events", string | SecretPart];
    };
    readonly answer: EventDetail;
    readonly refusal: CommonRefusal | "EVENT_NOT_FOUND" | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Get the raw bytes of an event */
  readonly getEventRaw: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["events", string | SecretPart, "raw"];
    };
    readonly answer: Readonly<Record<string, unknown>>;
    readonly refusal: CommonRefusal | "EVENT_NOT_FOUND" | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Resend an event */
  readonly resendEvent: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["events", string | SecretPart, "resend"];
      readonly body?: ResendEventBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: {
      readonly deliveries: readonly ResentDelivery[];
    };
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "EVENT_NOT_FOUND"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "PAYLOAD_TOO_LARGE"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE"
      | "WEBHOOK_ENDPOINT_NOT_FOUND"
      | "WEBHOOK_ENDPOINT_NOT_SET";
  };
  /** Resend events */
  readonly resendEvents: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["events", "resend"];
      readonly body: ResendEventsBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: OrderedResend;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "PAYLOAD_TOO_LARGE"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE"
      | "WEBHOOK_ENDPOINT_NOT_FOUND"
      | "WEBHOOK_ENDPOINT_NOT_SET";
  };
  /** Get a resend */
  readonly getEventResend: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["event-resends", string | SecretPart];
    };
    readonly answer: EventResend;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "REFERENCE_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** Cancel a resend */
  readonly cancelEventResend: {
    readonly call: {
      readonly method: "DELETE";
      readonly path: readonly ["event-resends", string | SecretPart];
    };
    readonly answer: undefined;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED";
  };
  /** List ledger accounts */
  readonly listLedgerAccounts: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["ledger", "accounts"];
      readonly isList?: true;
      readonly query?: ListLedgerAccountsQuery | undefined;
    };
    readonly answer: Page<LedgerAccount>;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** List ledger entries */
  readonly listLedgerEntries: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["ledger", "accounts", string | SecretPart, "entries"];
      readonly isList?: true;
      readonly query?: ListLedgerEntriesQuery | undefined;
    };
    readonly answer: Page<LedgerEntry>;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "LEDGER_ACCOUNT_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** List postings */
  readonly listPostings: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["ledger", "postings"];
      readonly isList?: true;
      readonly query?: ListPostingsQuery | undefined;
    };
    readonly answer: Page<Posting>;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Get a posting */
  readonly getPosting: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["ledger", "postings", string | SecretPart];
    };
    readonly answer: Posting;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "POSTING_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** Get ledger balances */
  readonly getLedgerBalances: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["ledger", "balances"];
      readonly query?: GetLedgerBalancesQuery | undefined;
    };
    readonly answer: {
      /** The last command that is in them. */
      readonly commandSeq: number;
      readonly balances: readonly KindBalance[];
    };
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Get a trial balance */
  readonly getTrialBalance: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["ledger", "trial-balance"];
      readonly query?: GetTrialBalanceQuery | undefined;
    };
    readonly answer: string;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Search */
  readonly search: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["search"];
      readonly query: SearchQuery;
    };
    readonly answer: SearchResults;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Get a command */
  readonly getLedgerCommand: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["ledger", "commands", string | SecretPart];
    };
    readonly answer: LedgerCommand;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "REFERENCE_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** Get the proof of a command */
  readonly getCommandProof: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["ledger", "commands", string | SecretPart, "proof"];
    };
    readonly answer: CommandProof;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "REFERENCE_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** Get a stretch of the chain */
  readonly getChain: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["ledger", "chain"];
      readonly query: GetChainQuery;
    };
    readonly answer: Chain;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** List checkpoints */
  readonly listCheckpoints: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["ledger", "checkpoints"];
      readonly isList?: true;
      readonly query?: ListCheckpointsQuery | undefined;
    };
    readonly answer: Page<Checkpoint>;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Create a checkpoint */
  readonly createCheckpoint: {
    readonly call: { readonly method: "POST"; readonly path: readonly ["ledger", "checkpoints"] };
    readonly answer: Checkpoint;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "IDEMPOTENCY_KEY_REUSED" | "UNAUTHORIZED";
  };
  /** List webhook endpoints */
  readonly listWebhookEndpoints: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["webhook-endpoints"];
      readonly isList?: true;
      readonly query?: ListWebhookEndpointsQuery | undefined;
    };
    readonly answer: Page<WebhookEndpoint>;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Create a webhook endpoint */
  readonly createWebhookEndpoint: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["webhook-endpoints"];
      readonly body: CreateWebhookEndpointBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: CreatedWebhookEndpoint;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "PAYLOAD_TOO_LARGE"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** Get a webhook endpoint */
  readonly getWebhookEndpoint: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["webhook-endpoints", string | SecretPart];
    };
    readonly answer: WebhookEndpoint;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED" | "WEBHOOK_ENDPOINT_NOT_FOUND";
  };
  /** Update a webhook endpoint */
  readonly updateWebhookEndpoint: {
    readonly call: {
      readonly method: "PATCH";
      readonly path: readonly ["webhook-endpoints", string | SecretPart];
      readonly body: UpdateWebhookEndpointBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: WebhookEndpoint;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "PAYLOAD_TOO_LARGE"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE"
      | "WEBHOOK_ENDPOINT_NOT_FOUND";
  };
  /** Delete a webhook endpoint */
  readonly deleteWebhookEndpoint: {
    readonly call: {
      readonly method: "DELETE";
      readonly path: readonly ["webhook-endpoints", string | SecretPart];
    };
    readonly answer: undefined;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "UNAUTHORIZED"
      | "WEBHOOK_ENDPOINT_NOT_FOUND";
  };
  /** Rotate the key of a webhook endpoint */
  readonly rotateWebhookEndpointKey: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["webhook-endpoints", string | SecretPart, "rotate-key"];
      readonly body?: RotateWebhookEndpointKeyBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: CreatedWebhookEndpoint;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "PAYLOAD_TOO_LARGE"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE"
      | "WEBHOOK_ENDPOINT_NOT_FOUND";
  };
  /** Test a webhook endpoint */
  readonly testWebhookEndpoint: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["webhook-endpoints", string | SecretPart, "test"];
    };
    readonly answer: {
      readonly url: string;
      readonly responseStatus: number;
      /** The first kilobyte. */
      readonly responseBody: string;
      /** From the connection to the end of the answer. */
      readonly latencyMs: number;
    };
    readonly refusal:
      | CommonRefusal
      | "FORBIDDEN"
      | "UNAUTHORIZED"
      | "WEBHOOK_DELIVERY_ERROR"
      | "WEBHOOK_ENDPOINT_NOT_FOUND"
      | "WEBHOOK_ENDPOINT_NOT_SET";
  };
  /** List webhook deliveries */
  readonly listWebhookDeliveries: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["webhook-deliveries"];
      readonly isList?: true;
      readonly query?: ListWebhookDeliveriesQuery | undefined;
    };
    readonly answer: Page<WebhookDelivery>;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Get a webhook delivery */
  readonly getWebhookDelivery: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["webhook-deliveries", string | SecretPart];
    };
    readonly answer: WebhookDelivery;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "REFERENCE_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** List the attempts of a webhook delivery */
  readonly listDeliveryAttempts: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["webhook-deliveries", string | SecretPart, "attempts"];
      readonly isList?: true;
      readonly query?: ListDeliveryAttemptsQuery | undefined;
    };
    readonly answer: Page<DeliveryAttempt>;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "REFERENCE_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** Retry a webhook delivery */
  readonly retryWebhookDelivery: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["webhook-deliveries", string | SecretPart, "retry"];
    };
    readonly answer: {
      readonly deliveries: readonly ResentDelivery[];
    };
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED"
      | "WEBHOOK_ENDPOINT_NOT_FOUND"
      | "WEBHOOK_ENDPOINT_NOT_SET";
  };
  /** Create a statement */
  readonly createStatement: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["statements"];
      readonly body: CreateStatementBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: Statement;
    readonly refusal:
      | CommonRefusal
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "PAYLOAD_TOO_LARGE"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** List statements */
  readonly listStatements: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["statements"];
      readonly isList?: true;
      readonly query?: ListStatementsQuery | undefined;
    };
    readonly answer: Page<Statement>;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Get a statement */
  readonly getStatement: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["statements", string | SecretPart];
    };
    readonly answer: Statement;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "STATEMENT_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** Download a statement */
  readonly getStatementFile: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["statements", string | SecretPart, "file"];
    };
    readonly answer: string;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "STATEMENT_NOT_FOUND"
      | "UNAUTHORIZED";
  };
  /** Create an export */
  readonly createExport: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["exports"];
      readonly body: CreateExportBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: Export;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "PAYLOAD_TOO_LARGE"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** List exports */
  readonly listExports: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["exports"];
      readonly isList?: true;
      readonly query?: ListExportsQuery | undefined;
    };
    readonly answer: Page<Export>;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Get an export */
  readonly getExport: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["exports", string | SecretPart];
    };
    readonly answer: Export;
    readonly refusal: CommonRefusal | "EXPORT_NOT_FOUND" | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** List request logs */
  readonly listRequestLogs: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["request-logs"];
      readonly isList?: true;
      readonly query?: ListRequestLogsQuery | undefined;
    };
    readonly answer: Page<RequestLog>;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Get a request log */
  readonly getRequestLog: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["request-logs", string | SecretPart];
    };
    readonly answer: RequestLogDetail;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "REQUEST_LOG_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** List audit entries */
  readonly listAuditEntries: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["audit-entries"];
      readonly isList?: true;
      readonly query?: ListAuditEntriesQuery | undefined;
    };
    readonly answer: Page<AuditEntry>;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** List people */
  readonly listPeople: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["people"];
      readonly isList?: true;
      readonly query?: ListPeopleQuery | undefined;
    };
    readonly answer: Page<Actor>;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Create a rail connection */
  readonly createRailConnection: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["rails", "connections"];
      readonly body: CreateRailConnectionBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: Either<RailConnection, Approval>;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "PAYLOAD_TOO_LARGE"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** List rail connections */
  readonly listRailConnections: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["rails", "connections"];
      readonly isList?: true;
      readonly query?: ListRailConnectionsQuery | undefined;
    };
    readonly answer: Page<RailConnection>;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Get a rail connection */
  readonly getRailConnection: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["rails", "connections", string | SecretPart];
    };
    readonly answer: RailConnection;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "REFERENCE_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** Update a rail connection */
  readonly updateRailConnection: {
    readonly call: {
      readonly method: "PATCH";
      readonly path: readonly ["rails", "connections", string | SecretPart];
      readonly body: UpdateRailConnectionBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: Either<RailConnection, Approval>;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "PAYLOAD_TOO_LARGE"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** Archive a rail connection */
  readonly archiveRailConnection: {
    readonly call: {
      readonly method: "DELETE";
      readonly path: readonly ["rails", "connections", string | SecretPart];
    };
    readonly answer: undefined;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED";
  };
  /** Test a rail connection */
  readonly testRailConnection: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["rails", "connections", string | SecretPart, "test"];
    };
    readonly answer: {
      readonly ok: boolean;
      readonly checks: readonly {
        readonly name: string;
        readonly ok: boolean;
        readonly message: string;
        readonly ms: number;
      }[];
    };
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED";
  };
  /** Activate a rail connection */
  readonly activateRailConnection: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["rails", "connections", string | SecretPart, "activate"];
    };
    readonly answer: Either<RailConnection, Approval>;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED";
  };
  /** Pause a rail connection */
  readonly pauseRailConnection: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["rails", "connections", string | SecretPart, "pause"];
      readonly body?: PauseRailConnectionBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: RailConnection;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "PAYLOAD_TOO_LARGE"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** Resume a rail connection */
  readonly resumeRailConnection: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["rails", "connections", string | SecretPart, "resume"];
    };
    readonly answer: RailConnection;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED";
  };
  /** Add virtual accounts */
  readonly addVirtualAccounts: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["rails", "connections", string | SecretPart, "virtual-accounts"];
      readonly body: AddVirtualAccountsBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: {
      readonly added: number;
      /** Those that the pool had already, or that came twice. */
      readonly known: number;
      /** Numbers of the pool that no account has; counted up to 10,000. */
      readonly free: number;
    };
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "PAYLOAD_TOO_LARGE"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** Create a rail route */
  readonly createRailRoute: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["rails", "routes"];
      readonly body: CreateRailRouteBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: Either<RailRoute, Approval>;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "INVALID_AMOUNT"
      | "PAYLOAD_TOO_LARGE"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** List rail routes */
  readonly listRailRoutes: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["rails", "routes"];
      readonly isList?: true;
      readonly query?: ListRailRoutesQuery | undefined;
    };
    readonly answer: Page<RailRoute>;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Resolve a rail route */
  readonly resolveRailRoute: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["rails", "routes", "resolve"];
      readonly body: ResolveRailRouteBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: RailResolution;
    readonly refusal:
      | CommonRefusal
      | "FORBIDDEN"
      | "INVALID_AMOUNT"
      | "PAYLOAD_TOO_LARGE"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** Get a rail route */
  readonly getRailRoute: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["rails", "routes", string | SecretPart];
    };
    readonly answer: RailRoute;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "REFERENCE_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** Update a rail route */
  readonly updateRailRoute: {
    readonly call: {
      readonly method: "PATCH";
      readonly path: readonly ["rails", "routes", string | SecretPart];
      readonly body: UpdateRailRouteBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: Either<RailRoute, Approval>;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "INVALID_AMOUNT"
      | "PAYLOAD_TOO_LARGE"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** Delete a rail route */
  readonly deleteRailRoute: {
    readonly call: {
      readonly method: "DELETE";
      readonly path: readonly ["rails", "routes", string | SecretPart];
    };
    readonly answer: undefined;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "REFERENCE_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** List rail payments */
  readonly listRailPayments: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["rails", "payments"];
      readonly isList?: true;
      readonly query?: ListRailPaymentsQuery | undefined;
    };
    readonly answer: Page<RailPayment>;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Get a rail payment */
  readonly getRailPayment: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["rails", "payments", string | SecretPart];
      readonly query?: GetRailPaymentQuery | undefined;
    };
    readonly answer: RailPayment;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "REFERENCE_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** Mark a rail payment */
  readonly markRailPayment: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["rails", "payments", string | SecretPart, "mark"];
      readonly body: MarkRailPaymentBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: Either<RailPayment, RailMark>;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "PAYLOAD_TOO_LARGE"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** Mark rail payments */
  readonly markRailPayments: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["rails", "marks"];
      readonly isList?: true;
      readonly body: MarkRailPaymentsBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: Either<
      {
        readonly data: readonly RailPayment[];
      },
      RailMark
    >;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "PAYLOAD_TOO_LARGE"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** List marks that wait */
  readonly listRailMarks: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["rails", "marks"];
      readonly isList?: true;
      readonly query?: ListRailMarksQuery | undefined;
    };
    readonly answer: Page<RailMark>;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Get a mark that waits */
  readonly getRailMark: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["rails", "marks", string | SecretPart];
    };
    readonly answer: RailMark;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "REFERENCE_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** Confirm a mark */
  readonly confirmRailMark: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["rails", "marks", string | SecretPart, "confirm"];
    };
    readonly answer: RailMark;
    readonly refusal:
      | CommonRefusal
      | "AMOUNT_OUT_OF_RANGE"
      | "CONFLICT"
      | "DUPLICATE_ENTRY"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED";
  };
  /** Refuse a mark */
  readonly refuseRailMark: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["rails", "marks", string | SecretPart, "refuse"];
      readonly body: RefuseRailMarkBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: RailMark;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "PAYLOAD_TOO_LARGE"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** Reroute a rail payment */
  readonly rerouteRailPayment: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["rails", "payments", string | SecretPart, "reroute"];
      readonly body?: RerouteRailPaymentBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: RailPayment;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "PAYLOAD_TOO_LARGE"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** Recall a rail payment */
  readonly recallRailPayment: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["rails", "payments", string | SecretPart, "recall"];
      readonly body: RecallRailPaymentBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: RailPayment;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "PAYLOAD_TOO_LARGE"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** Book an entry */
  readonly createRailEntry: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["rails", "connections", string | SecretPart, "entries"];
      readonly body: CreateRailEntryBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: Either<RailEntry, RailMark>;
    readonly refusal:
      | CommonRefusal
      | "AMOUNT_OUT_OF_RANGE"
      | "CONFLICT"
      | "DUPLICATE_ENTRY"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "INVALID_AMOUNT"
      | "PAYLOAD_TOO_LARGE"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** List entries */
  readonly listRailEntries: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["rails", "entries"];
      readonly isList?: true;
      readonly query?: ListRailEntriesQuery | undefined;
    };
    readonly answer: Page<RailEntry>;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Get an entry */
  readonly getRailEntry: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["rails", "entries", string | SecretPart];
    };
    readonly answer: RailEntry;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "REFERENCE_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** Record a balance */
  readonly createRailBalance: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["rails", "connections", string | SecretPart, "balances"];
      readonly body: CreateRailBalanceBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: Either<RailStatement, RailMark>;
    readonly refusal:
      | CommonRefusal
      | "AMOUNT_OUT_OF_RANGE"
      | "CONFLICT"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "PAYLOAD_TOO_LARGE"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** Reconcile a connection */
  readonly getRailReconciliation: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["rails", "connections", string | SecretPart, "reconciliation"];
      readonly query?: GetRailReconciliationQuery | undefined;
    };
    readonly answer: RailReconciliation;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "REFERENCE_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** List receivables */
  readonly listReceivables: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["rails", "receivables"];
      readonly isList?: true;
      readonly query?: ListReceivablesQuery | undefined;
    };
    readonly answer: Page<RailReceivable>;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Get a receivable */
  readonly getReceivable: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["rails", "receivables", string | SecretPart];
      readonly query?: GetReceivableQuery | undefined;
    };
    readonly answer: RailReceivable;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "REFERENCE_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** Collect a receivable */
  readonly collectReceivable: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["rails", "receivables", string | SecretPart, "collect"];
    };
    readonly answer: Either<RailReceivable, RailMark>;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED";
  };
  /** Write a receivable off */
  readonly writeReceivableOff: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["rails", "receivables", string | SecretPart, "write-off"];
      readonly body: WriteReceivableOffBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: Either<RailReceivable, RailMark>;
    readonly refusal:
      | CommonRefusal
      | "AMOUNT_OUT_OF_RANGE"
      | "CONFLICT"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "PAYLOAD_TOO_LARGE"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** List items in suspense */
  readonly listRailItems: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["rails", "items"];
      readonly isList?: true;
      readonly query?: ListRailItemsQuery | undefined;
    };
    readonly answer: Page<RailItem>;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Get an item in suspense */
  readonly getRailItem: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["rails", "items", string | SecretPart];
      readonly query?: GetRailItemQuery | undefined;
    };
    readonly answer: RailItem;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "REFERENCE_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** Resolve an item in suspense */
  readonly resolveRailItem: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["rails", "items", string | SecretPart, "resolve"];
      readonly body: ResolveRailItemBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: Either<RailItem, RailMark>;
    readonly refusal:
      | CommonRefusal
      | "AMOUNT_OUT_OF_RANGE"
      | "CONFLICT"
      | "FORBIDDEN"
      | "FX_LIMIT"
      | "IDEMPOTENCY_KEY_REUSED"
      | "INVALID_AMOUNT"
      | "PAYLOAD_TOO_LARGE"
      | "RATE_STALE"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** Report the outcome of a rail payment, or an entry */
  readonly takeRailCallback: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["rails", "callbacks", string | SecretPart];
      readonly body: TakeRailCallbackBody;
      readonly headers?: Readonly<Partial<Record<"florin-rail-signature", string>>> | undefined;
    };
    readonly answer: undefined;
    readonly refusal: CommonRefusal | "CONFLICT" | "PAYLOAD_TOO_LARGE" | "UNAUTHORIZED";
  };
  /** Create a rate source */
  readonly createRateSource: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["rates", "sources"];
      readonly body: CreateRateSourceBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: RateSource;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "PAYLOAD_TOO_LARGE"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** List rate sources */
  readonly listRateSources: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["rates", "sources"];
      readonly isList?: true;
      readonly query?: ListRateSourcesQuery | undefined;
    };
    readonly answer: Page<RateSource>;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Get a rate source */
  readonly getRateSource: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["rates", "sources", string | SecretPart];
    };
    readonly answer: RateSource;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "REFERENCE_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** Update a rate source */
  readonly updateRateSource: {
    readonly call: {
      readonly method: "PATCH";
      readonly path: readonly ["rates", "sources", string | SecretPart];
      readonly body: UpdateRateSourceBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: RateSource;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "PAYLOAD_TOO_LARGE"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** Delete a rate source */
  readonly deleteRateSource: {
    readonly call: {
      readonly method: "DELETE";
      readonly path: readonly ["rates", "sources", string | SecretPart];
    };
    readonly answer: undefined;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "REFERENCE_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** Set the rates of a fixed source */
  readonly setRates: {
    readonly call: {
      readonly method: "PUT";
      readonly path: readonly ["rates", "sources", string | SecretPart, "rates"];
      readonly body: SetRatesBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: RateSource;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "PAYLOAD_TOO_LARGE"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** Read a rate source now */
  readonly refreshRateSource: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["rates", "sources", string | SecretPart, "refresh"];
    };
    readonly answer: RateSource;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED";
  };
  /** Upload the reference rates of a day */
  readonly uploadRates: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["rates", "sources", string | SecretPart, "upload"];
      readonly body: FormData;
    };
    readonly answer: RateSource;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** List what a rate source said */
  readonly listRateObservations: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["rates", "sources", string | SecretPart, "observations"];
      readonly isList?: true;
      readonly query?: ListRateObservationsQuery | undefined;
    };
    readonly answer: Page<RateObservation>;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "REFERENCE_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** Get the spreads */
  readonly getSpreads: {
    readonly call: { readonly method: "GET"; readonly path: readonly ["rates", "spreads"] };
    readonly answer: Spreads;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Set the spreads */
  readonly setSpreads: {
    readonly call: {
      readonly method: "PUT";
      readonly path: readonly ["rates", "spreads"];
      readonly body: SetSpreadsBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: Either<Spreads, Approval>;
    readonly refusal:
      | CommonRefusal
      | "FORBIDDEN"
      | "PAYLOAD_TOO_LARGE"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** Get the fees */
  readonly getFees: {
    readonly call: { readonly method: "GET"; readonly path: readonly ["fees"] };
    readonly answer: Fees;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Set the fees */
  readonly setFees: {
    readonly call: {
      readonly method: "PUT";
      readonly path: readonly ["fees"];
      readonly body: SetFeesBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: Either<Fees, Approval>;
    readonly refusal:
      | CommonRefusal
      | "FORBIDDEN"
      | "PAYLOAD_TOO_LARGE"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** List the versions of the fees */
  readonly listFeeVersions: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["fees", "versions"];
      readonly isList?: true;
      readonly query?: ListFeeVersionsQuery | undefined;
    };
    readonly answer: Page<FeesVersion>;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Get how a quote was priced */
  readonly getQuotePrice: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["rates", "quotes", string | SecretPart];
    };
    readonly answer: QuotePrice;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "QUOTE_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** List the positions */
  readonly listFxPositions: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["fx", "positions"];
      readonly isList?: true;
      readonly query?: ListFxPositionsQuery | undefined;
    };
    readonly answer: {
      readonly data: readonly FxPosition[];
    };
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Set the limits of positions */
  readonly setFxLimits: {
    readonly call: {
      readonly method: "PUT";
      readonly path: readonly ["fx", "limits"];
      readonly body: SetFxLimitsBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: Either<FxLimits, Approval>;
    readonly refusal:
      | CommonRefusal
      | "FORBIDDEN"
      | "INVALID_AMOUNT"
      | "PAYLOAD_TOO_LARGE"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** Adjust positions */
  readonly adjustFxPositions: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["fx", "adjustments"];
      readonly body: AdjustFxPositionsBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: RailMark;
    readonly refusal:
      | CommonRefusal
      | "AMOUNT_OUT_OF_RANGE"
      | "CONFLICT"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "PAYLOAD_TOO_LARGE"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** Ask for an adjustment */
  readonly createAdjustment: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["adjustments"];
      readonly body: CreateAdjustmentBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: Approval;
    readonly dryRun: AdjustmentDryRun;
    readonly refusal:
      | CommonRefusal
      | "ACCOUNT_FROZEN"
      | "AMOUNT_OUT_OF_RANGE"
      | "CUSTOMER_FROZEN"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "INSUFFICIENT_BALANCE"
      | "INVALID_AMOUNT"
      | "INVALID_CURRENCY"
      | "PAYLOAD_TOO_LARGE"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** List adjustments */
  readonly listAdjustments: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["adjustments"];
      readonly isList?: true;
      readonly query?: ListAdjustmentsQuery | undefined;
    };
    readonly answer: Page<Adjustment>;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** List approvals */
  readonly listApprovals: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["approvals"];
      readonly isList?: true;
      readonly query?: ListApprovalsQuery | undefined;
    };
    readonly answer: Page<Approval>;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Get an approval */
  readonly getApproval: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["approvals", string | SecretPart];
      readonly query?: GetApprovalQuery | undefined;
    };
    readonly answer: Approval;
    readonly refusal: CommonRefusal | "APPROVAL_NOT_FOUND" | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Create an agent */
  readonly createAgent: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["agents"];
      readonly body: CreateAgentBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: {
      readonly agent: Agent;
      readonly deviceCode: AgentDeviceCode;
    };
    readonly refusal:
      | CommonRefusal
      | "CUSTOMER_DELETED"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "INVALID_AMOUNT"
      | "INVALID_CURRENCY"
      | "INVALID_UMA_ADDRESS"
      | "PAYLOAD_TOO_LARGE"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE"
      | "USER_NOT_FOUND";
  };
  /** List agents */
  readonly listAgents: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["agents"];
      readonly isList?: true;
      readonly query?: ListAgentsQuery | undefined;
    };
    readonly answer: Page<Agent>;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** List agent actions that wait for approval */
  readonly listAgentApprovals: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["agents", "approvals"];
      readonly isList?: true;
      readonly query?: ListAgentApprovalsQuery | undefined;
    };
    readonly answer: Page<AgentAction>;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Get an agent */
  readonly getAgent: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["agents", string | SecretPart];
    };
    readonly answer: Agent;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "REFERENCE_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** Update an agent */
  readonly updateAgent: {
    readonly call: {
      readonly method: "PATCH";
      readonly path: readonly ["agents", string | SecretPart];
      readonly body: UpdateAgentBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: Agent;
    readonly refusal:
      | CommonRefusal
      | "FORBIDDEN"
      | "PAYLOAD_TOO_LARGE"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** Delete an agent */
  readonly deleteAgent: {
    readonly call: {
      readonly method: "DELETE";
      readonly path: readonly ["agents", string | SecretPart];
    };
    readonly answer: undefined;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "REFERENCE_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** Update an agent policy */
  readonly updateAgentPolicy: {
    readonly call: {
      readonly method: "PATCH";
      readonly path: readonly ["agents", string | SecretPart, "policy"];
      readonly body: AgentPolicyChanges;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: Agent;
    readonly refusal:
      | CommonRefusal
      | "FORBIDDEN"
      | "INVALID_AMOUNT"
      | "INVALID_CURRENCY"
      | "INVALID_UMA_ADDRESS"
      | "PAYLOAD_TOO_LARGE"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** Preview a change of an agent policy */
  readonly previewAgentPolicy: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["agents", string | SecretPart, "policy", "preview"];
      readonly body: AgentPolicyChanges;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: AgentPolicyPreview;
    readonly refusal:
      | CommonRefusal
      | "FORBIDDEN"
      | "INVALID_AMOUNT"
      | "INVALID_CURRENCY"
      | "INVALID_UMA_ADDRESS"
      | "PAYLOAD_TOO_LARGE"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** List the actions of an agent */
  readonly listAgentActions: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["agents", string | SecretPart, "actions"];
      readonly isList?: true;
      readonly query?: ListAgentActionsQuery | undefined;
    };
    readonly answer: Page<AgentAction>;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "REFERENCE_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** Create a device code */
  readonly createAgentDeviceCode: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["agents", string | SecretPart, "device-codes"];
    };
    readonly answer: AgentDeviceCode;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "CUSTOMER_DELETED"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED";
  };
  /** Get the status of a device code */
  readonly getAgentDeviceCodeStatus: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["agents", "device-codes", string | SecretPart, "status"];
    };
    readonly answer: {
      readonly code: string;
      readonly redeemed: boolean;
    };
    readonly refusal: CommonRefusal | "FORBIDDEN" | "REFERENCE_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** Redeem a device code */
  readonly redeemAgentDeviceCode: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["agents", "device-codes", string | SecretPart, "redeem"];
    };
    readonly answer: {
      readonly agentId: string;
      readonly agentName: string;
      readonly accessToken: string;
      readonly policy: AgentPolicy;
    };
    readonly refusal: CommonRefusal | "REFERENCE_NOT_FOUND";
  };
  /** Approve an agent action */
  readonly approveAgentAction: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly [
        "agents",
        string | SecretPart,
        "actions",
        string | SecretPart,
        "approve",
      ];
    };
    readonly answer: AgentAction;
    readonly refusal:
      | CommonRefusal
      | "APPROVAL_NOT_YOURS"
      | "CONFLICT"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED";
  };
  /** Reject an agent action */
  readonly rejectAgentAction: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly [
        "agents",
        string | SecretPart,
        "actions",
        string | SecretPart,
        "reject",
      ];
      readonly body?: RejectAgentActionBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: AgentAction;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "PAYLOAD_TOO_LARGE"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** Get your agent */
  readonly agentMe: {
    readonly call: { readonly method: "GET"; readonly path: readonly ["agents", "me"] };
    readonly answer: Agent;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** List your actions */
  readonly agentListActions: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["agents", "me", "actions"];
      readonly isList?: true;
      readonly query?: AgentListActionsQuery | undefined;
    };
    readonly answer: Page<AgentAction>;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Get one of your actions */
  readonly agentGetAction: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["agents", "me", "actions", string | SecretPart];
    };
    readonly answer: AgentAction;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "REFERENCE_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** List your internal accounts */
  readonly agentListInternalAccounts: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["agents", "me", "internal-accounts"];
      readonly isList?: true;
      readonly query?: AgentListInternalAccountsQuery | undefined;
    };
    readonly answer: Page<InternalAccount>;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** List transactions of your customer */
  readonly agentListTransactions: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["agents", "me", "transactions"];
      readonly isList?: true;
      readonly query?: AgentListTransactionsQuery | undefined;
    };
    readonly answer: Page<Transaction>;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Get a transaction of your customer */
  readonly agentGetTransaction: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["agents", "me", "transactions", string | SecretPart];
    };
    readonly answer: Transaction;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "TRANSACTION_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** Create a quote as an agent */
  readonly agentCreateQuote: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["agents", "me", "quotes"];
      readonly body: QuoteRequest;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: Quote;
    readonly dryRun: QuoteDryRun;
    readonly refusal:
      | CommonRefusal
      | "ACCOUNT_FROZEN"
      | "AMOUNT_OUT_OF_RANGE"
      | "CERT_CHAIN_EXPIRED"
      | "CERT_CHAIN_INVALID"
      | "CONFLICT"
      | "COUNTERPARTY_NOT_ALLOWED"
      | "COUNTERPARTY_PUBKEY_FETCH_ERROR"
      | "CUSTOMER_FROZEN"
      | "FORBIDDEN"
      | "FX_LIMIT"
      | "IDEMPOTENCY_KEY_REUSED"
      | "INVALID_AMOUNT"
      | "INVALID_CURRENCY"
      | "INVALID_NONCE"
      | "INVALID_PAYREQ_RESPONSE"
      | "INVALID_PUBKEY_FORMAT"
      | "INVALID_RECEIVER"
      | "INVALID_TIMESTAMP"
      | "INVALID_UMA_ADDRESS"
      | "LOOKUP_REQUEST_NOT_FOUND"
      | "MISSING_MANDATORY_USER_INFO"
      | "NOT_IMPLEMENTED"
      | "NO_COMPATIBLE_UMA_VERSION"
      | "PARSE_PAYREQ_RESPONSE_ERROR"
      | "PAYLOAD_TOO_LARGE"
      | "PAYREQ_REQUEST_FAILED"
      | "QUOTE_REQUEST_FAILED"
      | "RAIL_PAUSED"
      | "RATE_STALE"
      | "SELF_PAYMENT"
      | "SENDER_NOT_ACCEPTED"
      | "UMA_NOT_FOUND"
      | "UNAUTHORIZED"
      | "UNRECOGNIZED_MANDATORY_PAYEE_DATA_KEY"
      | "UNSUPPORTED_MEDIA_TYPE"
      | "UNSUPPORTED_UMA_VERSION"
      | "USER_NOT_READY"
      | "VELOCITY_LIMIT_EXCEEDED";
  };
  /** Get a quote of yours */
  readonly agentGetQuote: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["agents", "me", "quotes", string | SecretPart];
    };
    readonly answer: Quote;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "QUOTE_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** Execute a quote of yours */
  readonly agentExecuteQuote: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["agents", "me", "quotes", string | SecretPart, "execute"];
      readonly headers?: Readonly<Partial<Record<"service-wallet-signature", string>>> | undefined;
    };
    readonly answer: AgentAction;
    readonly dryRun: AgentActionDryRun;
    readonly refusal:
      | CommonRefusal
      | "ACCOUNT_FROZEN"
      | "CONFLICT"
      | "CUSTOMER_FROZEN"
      | "FORBIDDEN"
      | "FX_LIMIT"
      | "IDEMPOTENCY_KEY_REUSED"
      | "INVALID_CURRENCY"
      | "NOT_IMPLEMENTED"
      | "QUOTE_EXPIRED"
      | "QUOTE_NOT_FOUND"
      | "RAIL_PAUSED"
      | "UNAUTHORIZED"
      | "USER_NOT_READY";
  };
  /** Create a transfer out as an agent */
  readonly agentTransferOut: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["agents", "me", "transfer-out"];
      readonly body: AgentTransferOutBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: AgentAction;
    readonly dryRun: AgentActionDryRun;
    readonly refusal:
      | CommonRefusal
      | "ACCOUNT_FROZEN"
      | "AMOUNT_OUT_OF_RANGE"
      | "CONFLICT"
      | "CUSTOMER_FROZEN"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "INVALID_AMOUNT"
      | "INVALID_CURRENCY"
      | "NOT_IMPLEMENTED"
      | "PAYLOAD_TOO_LARGE"
      | "RAIL_PAUSED"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE"
      | "USER_NOT_READY";
  };
  /** Create a transfer in as an agent */
  readonly agentTransferIn: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["agents", "me", "transfer-in"];
      readonly body: AgentTransferInBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: AgentAction;
    readonly dryRun: AgentActionDryRun;
    readonly refusal:
      | CommonRefusal
      | "ACCOUNT_FROZEN"
      | "AMOUNT_OUT_OF_RANGE"
      | "CONFLICT"
      | "CUSTOMER_FROZEN"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "INVALID_AMOUNT"
      | "INVALID_CURRENCY"
      | "NOT_IMPLEMENTED"
      | "PAYLOAD_TOO_LARGE"
      | "RAIL_PAUSED"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE"
      | "USER_NOT_READY";
  };
  /** List external accounts of your customer */
  readonly agentListExternalAccounts: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["agents", "me", "external-accounts"];
      readonly isList?: true;
      readonly query?: AgentListExternalAccountsQuery | undefined;
    };
    readonly answer: Page<ExternalAccount>;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Create an external account of your customer */
  readonly agentCreateExternalAccount: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["agents", "me", "external-accounts"];
      readonly body: AgentCreateExternalAccountBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: ExternalAccount;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "INVALID_BANK_ACCOUNT"
      | "INVALID_CURRENCY"
      | "PAYLOAD_TOO_LARGE"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE"
      | "USER_NOT_FOUND";
  };
  /** Get an external account of your customer */
  readonly agentGetExternalAccount: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["agents", "me", "external-accounts", string | SecretPart];
    };
    readonly answer: ExternalAccount;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "REFERENCE_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** Delete an external account of your customer */
  readonly agentDeleteExternalAccount: {
    readonly call: {
      readonly method: "DELETE";
      readonly path: readonly ["agents", "me", "external-accounts", string | SecretPart];
    };
    readonly answer: undefined;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "REFERENCE_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** Create a credential */
  readonly createCredential: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["auth", "credentials"];
      readonly body: CreateCredentialBody;
      readonly headers?:
        | Readonly<Partial<Record<"service-wallet-signature" | "request-id" | "prefer", string>>>
        | undefined;
    };
    readonly answer: Either<AuthMethod, SignedRetryChallenge>;
    readonly refusal:
      | CommonRefusal
      | "CONFLICT"
      | "EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "NOT_IMPLEMENTED"
      | "PASSKEY_CREDENTIAL_ALREADY_EXISTS"
      | "PAYLOAD_TOO_LARGE"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** List credentials */
  readonly listCredentials: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["auth", "credentials"];
      readonly isList?: true;
      readonly query: ListCredentialsQuery;
    };
    readonly answer: Page<AuthMethod>;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Challenge a credential */
  readonly challengeCredential: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["auth", "credentials", string | SecretPart, "challenge"];
      readonly body?: ChallengeCredentialBody;
      readonly headers?: Readonly<Partial<Record<"prefer", string>>> | undefined;
    };
    readonly answer: ChallengedAuthMethod;
    readonly refusal:
      | CommonRefusal
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "NOT_IMPLEMENTED"
      | "PAYLOAD_TOO_LARGE"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** Verify a credential */
  readonly verifyCredential: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["auth", "credentials", string | SecretPart, "verify"];
      readonly body: VerifyCredentialBody;
      readonly headers?: Readonly<Partial<Record<"request-id" | "prefer", string>>> | undefined;
    };
    readonly answer: AuthSession;
    readonly refusal:
      | CommonRefusal
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "PAYLOAD_TOO_LARGE"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** Revoke a credential */
  readonly revokeCredential: {
    readonly call: {
      readonly method: "DELETE";
      readonly path: readonly ["auth", "credentials", string | SecretPart];
      readonly headers?:
        | Readonly<Partial<Record<"service-wallet-signature" | "request-id", string>>>
        | undefined;
    };
    readonly answer: SignedRetryChallenge | undefined;
    readonly refusal:
      | CommonRefusal
      | "FORBIDDEN"
      | "LAST_CREDENTIAL"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED";
  };
  /** List wallet sessions */
  readonly listSessions: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["auth", "sessions"];
      readonly isList?: true;
      readonly query: ListSessionsQuery;
    };
    readonly answer: Page<AuthSession>;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
  /** Refresh a wallet session */
  readonly refreshSession: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["auth", "sessions", string | SecretPart, "refresh"];
      readonly body: RefreshSessionBody;
      readonly headers?:
        | Readonly<Partial<Record<"service-wallet-signature" | "request-id" | "prefer", string>>>
        | undefined;
    };
    readonly answer: Either<AuthSession, SignedRetryChallenge>;
    readonly refusal:
      | CommonRefusal
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "PAYLOAD_TOO_LARGE"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** Revoke a wallet session */
  readonly revokeSession: {
    readonly call: {
      readonly method: "DELETE";
      readonly path: readonly ["auth", "sessions", string | SecretPart];
      readonly headers?:
        | Readonly<Partial<Record<"service-wallet-signature" | "request-id", string>>>
        | undefined;
    };
    readonly answer: SignedRetryChallenge | undefined;
    readonly refusal: CommonRefusal | "FORBIDDEN" | "REFERENCE_NOT_FOUND" | "UNAUTHORIZED";
  };
  /** Export an embedded wallet */
  readonly exportWallet: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["internal-accounts", string | SecretPart, "export"];
      readonly body: ExportWalletBody;
      readonly headers?:
        | Readonly<Partial<Record<"service-wallet-signature" | "request-id" | "prefer", string>>>
        | undefined;
    };
    readonly answer: Either<WalletExport, SignedRetryChallenge>;
    readonly refusal:
      | CommonRefusal
      | "ACCOUNT_FROZEN"
      | "CUSTOMER_FROZEN"
      | "FORBIDDEN"
      | "IDEMPOTENCY_KEY_REUSED"
      | "PAYLOAD_TOO_LARGE"
      | "REFERENCE_NOT_FOUND"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE";
  };
  /** Get the issuer key */
  readonly getIssuerKey: {
    readonly call: { readonly method: "GET"; readonly path: readonly ["wallet", "issuer-key"] };
    readonly answer: {
      /** P-256, uncompressed, lower-case hexadecimal. */
      readonly publicKey: string;
    };
    readonly refusal: CommonRefusal | "FORBIDDEN" | "UNAUTHORIZED";
  };
}

/** What an event carries under `data`, by the event's type. */
export interface WebhookData {
  /** A transfer out was accepted and its amount is held, or a quote was made. */
  readonly "OUTGOING_PAYMENT.PENDING": Transaction;
  /** The payment is on its way. */
  readonly "OUTGOING_PAYMENT.PROCESSING": Transaction;
  /** The payment has reached its destination. */
  readonly "OUTGOING_PAYMENT.COMPLETED": Transaction;
  /** The payment failed; `failureReason` says why. */
  readonly "OUTGOING_PAYMENT.FAILED": Transaction;
  /** A quote was neither executed nor funded in time. No money was moved. */
  readonly "OUTGOING_PAYMENT.EXPIRED": Transaction;
  /** What was taken for a payment is on its way back; `refund.reason` says why. */
  readonly "OUTGOING_PAYMENT.REFUND_PENDING": Transaction;
  /** What was taken for a payment is back where it came from. */
  readonly "OUTGOING_PAYMENT.REFUND_COMPLETED": Transaction;
  /** What was taken for a payment could not be given back; it is held until somebody sees to it. */
  readonly "OUTGOING_PAYMENT.REFUND_FAILED": Transaction;
  /**
   * Money was announced or asked for and has not arrived yet. Of a UMA payment it asks whether to take it. Sent
   * once: a delivery that fails is not tried again.
   */
  readonly "INCOMING_PAYMENT.PENDING": AskedTransaction;
  /** Money has arrived and was credited. */
  readonly "INCOMING_PAYMENT.COMPLETED": Transaction;
  /** Money that was announced or asked for will not come, or was turned away. */
  readonly "INCOMING_PAYMENT.FAILED": Transaction;
  /** A refund of an incoming payment was accepted and is on its way back to the payer. */
  readonly "INCOMING_PAYMENT.REFUND_PENDING": Transaction;
  /** Money of an incoming payment is back with the payer; the payment is REFUNDED once all of it is. */
  readonly "INCOMING_PAYMENT.REFUND_COMPLETED": Transaction;
  /** A refund of an incoming payment failed; its money is back on the account and can be refunded again. */
  readonly "INCOMING_PAYMENT.REFUND_FAILED": Transaction;
  /**
   * A run of a payment schedule was refused; `lastRun.error` has the code, and `lastRun.retryAt` says when it is
   * tried again, if it is.
   */
  readonly "PAYMENT_SCHEDULE.RUN_FAILED": PaymentSchedule;
  /**
   * The server was down at a due time of a payment schedule and for more than a day after it. That run is not
   * made.
   */
  readonly "PAYMENT_SCHEDULE.RUN_MISSED": PaymentSchedule;
  /**
   * The `balance` of an internal account has changed: what can be spent. Money on its way out is in `totalBalance`
   * until its payment is settled; that `totalBalance` follows then is not told by an event of its own.
   */
  readonly "INTERNAL_ACCOUNT.BALANCE_UPDATED": InternalAccount;
  /** The available balance of an account has passed the amount of an alert. */
  readonly "INTERNAL_ACCOUNT.ALERT": AlertedBalance;
  /** Money of an internal account is held. */
  readonly "HOLD.CREATED": Hold;
  /** A payment was made from a hold; `transactionIds` names it last. An OPEN hold can be captured again. */
  readonly "HOLD.CAPTURED": Hold;
  /** A hold was called off; what was left of it is available again. */
  readonly "HOLD.RELEASED": Hold;
  /** The time of a hold has passed; what was left of it is available again. */
  readonly "HOLD.EXPIRED": Hold;
  /** An internal account was frozen, or its freeze has another reason or scope. */
  readonly "INTERNAL_ACCOUNT.FROZEN": InternalAccount;
  /** The freeze of an internal account was lifted. */
  readonly "INTERNAL_ACCOUNT.UNFROZEN": InternalAccount;
  /** A customer was frozen with all accounts, or the freeze has another reason or scope. */
  readonly "CUSTOMER.FROZEN": Customer;
  /** The freeze of a customer was lifted. */
  readonly "CUSTOMER.UNFROZEN": Customer;
  /** The checks on an individual customer have begun. */
  readonly "CUSTOMER.KYC_PENDING": Customer;
  /** An individual customer passed the checks and can move money. */
  readonly "CUSTOMER.KYC_APPROVED": Customer;
  /** An individual customer did not pass the checks. */
  readonly "CUSTOMER.KYC_REJECTED": Customer;
  /**
   * Somebody has claimed an invitation and awaits the money at `inviteeUma`. Elsewhere this type is also spelled
   * `INVITATION.CLAIMED`.
   */
  readonly INVITATION_CLAIMED: Invitation;
  /** The checks on a business customer have begun. */
  readonly "CUSTOMER.KYB_PENDING": Customer;
  /** A business customer passed the checks and can move money. */
  readonly "CUSTOMER.KYB_APPROVED": Customer;
  /** A business customer did not pass the checks. */
  readonly "CUSTOMER.KYB_REJECTED": Customer;
  /** Something is missing or wrong before a customer can be checked; `errors` lists it. */
  readonly "VERIFICATION.RESOLVE_ERRORS": Verification;
  /** What was submitted of a customer is complete and is being checked. */
  readonly "VERIFICATION.IN_PROGRESS": Verification;
  /** A person decides about the customer. */
  readonly "VERIFICATION.PENDING_MANUAL_REVIEW": Verification;
  /** The check has ended well. */
  readonly "VERIFICATION.APPROVED": Verification;
  /** The check has ended with a refusal. */
  readonly "VERIFICATION.REJECTED": Verification;
  /**
   * No item of a batch of payments waits any more: each was made a payment, was refused, or was cancelled. Its
   * payments tell of themselves.
   */
  readonly "PAYMENT_BATCH.COMPLETED": PaymentBatch;
  /** Every row of a bulk upload was taken or refused. */
  readonly "BULK_UPLOAD.COMPLETED": BulkJob;
  /** The file of a bulk upload could not be read; nothing was taken from it. */
  readonly "BULK_UPLOAD.FAILED": BulkJob;
  /** An agent has asked for something that the platform must approve or reject first. */
  readonly "AGENT_ACTION.PENDING_APPROVAL": AgentAction;
  /** A webhook endpoint beside the default one was disabled, because every attempt had failed for five days. */
  readonly "WEBHOOK_ENDPOINT.DISABLED": WebhookEndpoint;
  /**
   * Exchanges with a connector fail. What is queued waits; the connection is probed once a minute and goes on by
   * itself.
   */
  readonly "RAIL_CONNECTION.DEGRADED": RailConnection;
  /** A degraded connection answers again; what was queued is sent. */
  readonly "RAIL_CONNECTION.RECOVERED": RailConnection;
  /**
   * A payment was sent and its rail has not reported about it for a minute. It is asked about for ever; its money
   * stays held.
   */
  readonly "RAIL_PAYMENT.UNKNOWN": RailPayment;
  /**
   * A rail reports about a payment what contradicts an earlier report. No money was moved; a person decides by a
   * mark.
   */
  readonly "RAIL_PAYMENT.CONFLICT": RailPayment;
  /**
   * Money moved at a connection and nothing says what for. It is in the connection's suspense account until a
   * person resolves the item.
   */
  readonly "RAIL_ITEM.OPEN": RailItem;
  /** An item is open for 1, 5 or 20 banking days of its connection. */
  readonly "RAIL_ITEM.AGED": RailItem;
  /**
   * A statement of a rail connection says another balance than its entries explain. Of a connector the same
   * difference is told once.
   */
  readonly "RAIL_RECONCILIATION.DIFFERENCE": RailStatement;
  /**
   * The oldest rate of a source is older than its `maxAgeMinutes`; quotes at it are refused, or priced by the next
   * source. Told once until the source has new rates.
   */
  readonly "RATE_SOURCE.STALE": RateSource;
  /**
   * A source said a value that is no rate, or that is further from the last one than `maxMovePercent`. The rate
   * before it stays in use.
   */
  readonly "RATE_SOURCE.REFUSED": RateSource;
  /**
   * The certificate that an authority gave for a UMA key expires in 30, 7 or 1 days: `notAfter` says when. Sent
   * once for each. A self-signed certificate is replaced by itself.
   */
  readonly "UMA_KEY.EXPIRING": UmaKey;
  /**
   * The certificate of a UMA key has expired. Payments to and from other institutions are refused until the key
   * has another one.
   */
  readonly "UMA_KEY.EXPIRED": UmaKey;
  /** A new UMA key has taken over; `use` says which one. */
  readonly "UMA_KEY.ROTATED": UmaKey;
  /**
   * Three checks in a row have found faults in the routing of a UMA domain; `lastCheck.faults` lists them. Other
   * institutions may not reach it.
   */
  readonly "UMA_DOMAIN.UNREACHABLE": UmaDomain;
  /** A check has found the routing of an unreachable UMA domain in order again. */
  readonly "UMA_DOMAIN.REACHABLE": UmaDomain;
  /** The first message of another institution at UMA has come, with a signature that held. */
  readonly "UMA_COUNTERPARTY.SEEN": UmaCounterparty;
  /**
   * Another institution signs with another key than before: `signingKey.fingerprint` in place of
   * `signingKey.previous`. While `keyState` is `CHANGED`, its messages are refused until the key is accepted.
   */
  readonly "UMA_COUNTERPARTY.KEY_CHANGED": UmaCounterparty;
  /**
   * Another institution has asked for more than 100 unknown users within ten minutes. Its lookups get 429 for ten
   * minutes; each server of the deployment counts for itself.
   */
  readonly "UMA_COUNTERPARTY.PROBING": UmaCounterparty;
  /** An order waits until other people have agreed to it. */
  readonly "APPROVAL.PENDING": Approval;
  /** The people have agreed, and the order was carried out; `resultId` names what it made. */
  readonly "APPROVAL.DONE": Approval;
  /**
   * The people have agreed, and the order was refused when it was to be carried out; `failure` says why. Nothing
   * was done.
   */
  readonly "APPROVAL.FAILED": Approval;
  /** A person has refused an order that waited. Nothing was done. */
  readonly "APPROVAL.REJECTED": Approval;
  /** The person who asked for an order has taken it back. Nothing was done. */
  readonly "APPROVAL.CANCELLED": Approval;
  /** An order was not decided within a week. Nothing was done. */
  readonly "APPROVAL.EXPIRED": Approval;
  /** The balance of an internal account was corrected, as people had agreed. */
  readonly "ADJUSTMENT.POSTED": Adjustment;
  /**
   * A checkpoint of the command log was signed. A receiver that keeps it can tell later whether anything before it
   * was changed.
   */
  readonly "LEDGER.CHECKPOINT": Checkpoint;
  /**
   * The platform has set a new webhook endpoint, or asked for a test of it. Sent once: a delivery that fails is
   * not tried again.
   */
  readonly TEST: Readonly<Record<string, unknown>>;
}
