import type { ExternalAccount, NewPlatformExternalAccount } from "./account-types.ts";
import type { Quote } from "./quote-types.ts";
import type {
  Transaction,
  TransactionQuery,
  TransferIn,
  TransferOut,
} from "./transaction-types.ts";
import type { Open, PageQuery, TimeQuery, Timestamp } from "./types.ts";

export type AgentPermission = Open<
  | "VIEW_TRANSACTIONS"
  | "CREATE_TRANSFERS"
  | "CREATE_QUOTES"
  | "EXECUTE_QUOTES"
  | "MANAGE_EXTERNAL_ACCOUNTS"
>;

export type ExecutionMode = Open<"AUTO" | "APPROVAL_REQUIRED">;

/** Amounts in the smallest unit of `currency`; null or absent is no limit. */
export interface SpendingLimits {
  readonly currency: string;
  readonly perTransactionLimit: number;
  readonly dailyLimit?: number | null;
  readonly dailyTransactionLimit?: number | null;
  readonly monthlyLimit?: number | null;
}

export interface AccountRule {
  readonly accountId: string;
  readonly executionMode?: ExecutionMode;
  readonly perTransactionLimit?: number | null;
}

export interface AccountRestrictions {
  /** Null is every account, an empty list none. */
  readonly allowedAccountIds?: readonly string[] | null;
  readonly accountRules?: readonly AccountRule[];
}

export interface ApprovalThresholds {
  readonly currency?: string;
  /** Whatever is above it waits for approval. */
  readonly amount?: number | null;
}

export interface AgentPolicy {
  readonly permissions: readonly AgentPermission[];
  readonly defaultExecutionMode: ExecutionMode;
  readonly spendingLimits: SpendingLimits;
  readonly accountRestrictions?: AccountRestrictions;
  readonly approvalThresholds?: ApprovalThresholds;
}

/** Permissions are replaced as a whole, everything else member by member. */
export interface AgentPolicyChanges {
  readonly permissions?: readonly AgentPermission[];
  readonly defaultExecutionMode?: ExecutionMode;
  readonly spendingLimits?: Partial<SpendingLimits>;
  readonly accountRestrictions?: AccountRestrictions;
  readonly approvalThresholds?: ApprovalThresholds;
}

export interface AgentUsage {
  readonly dailyTransactionCount: number;
  readonly dailySpend: number;
  readonly monthlySpend: number;
  readonly dailyResetDate: string;
  readonly monthlyResetMonth: string;
}

export interface Agent {
  readonly id: string;
  readonly name: string;
  readonly customerId: string;
  readonly isPaused: boolean;
  readonly isConnected: boolean;
  readonly policy: AgentPolicy;
  readonly usage: AgentUsage;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}

export interface NewAgent {
  readonly name: string;
  readonly customerId: string;
  readonly policy: AgentPolicy;
}

/** At least one of them. */
export interface AgentChanges {
  readonly name?: string;
  readonly isPaused?: boolean;
}

export interface AgentQuery extends PageQuery, TimeQuery {
  readonly customerId?: string;
  readonly isPaused?: boolean;
  readonly isConnected?: boolean;
}

export interface AgentDeviceCode {
  readonly code: string;
  readonly agentId: string;
  readonly expiresAt: Timestamp;
  readonly redeemed: boolean;
}

/** The one answer that shows the code. */
export interface CreatedAgent {
  readonly agent: Agent;
  readonly deviceCode: AgentDeviceCode;
}

export interface DeviceCodeStatus {
  readonly code: string;
  readonly redeemed: boolean;
}

/** The one answer that shows the access token. */
export interface RedeemedDeviceCode {
  readonly agentId: string;
  readonly agentName: string;
  readonly accessToken: string;
  readonly policy: AgentPolicy;
}

export type AgentActionStatus = Open<"PENDING_APPROVAL" | "APPROVED" | "REJECTED" | "FAILED">;

export type AgentActionType = Open<"EXECUTE_QUOTE" | "TRANSFER_OUT" | "TRANSFER_IN">;

export interface AgentAction {
  readonly id: string;
  readonly agentId: string;
  readonly customerId: string;
  readonly platformCustomerId: string;
  readonly status: AgentActionStatus;
  readonly type: AgentActionType;
  readonly quote?: Quote;
  readonly transferDetails?: {
    readonly amount: number;
    readonly currency: string;
    readonly sourceAccountId: string;
    readonly destinationAccountId: string;
  };
  /** Once it was carried out. */
  readonly transaction?: Transaction;
  readonly rejectionReason?: string;
  readonly failureReason?: string;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}

/** Both ends are inclusive. */
export interface AgentApprovalQuery extends PageQuery {
  readonly agentId?: string;
  readonly customerId?: string;
  readonly startDate?: Timestamp;
  readonly endDate?: Timestamp;
  readonly sortOrder?: "asc" | "desc";
}

export interface AgentActionQuery extends PageQuery {
  readonly status?: AgentActionStatus;
}

export type AgentTransferOut = Omit<TransferOut, "remittanceInformation">;
export type AgentTransferIn = TransferIn;
export type AgentTransactionQuery = Omit<TransactionQuery, "customerId" | "platformCustomerId">;

export interface NewAgentExternalAccount extends NewPlatformExternalAccount {
  /** The agent's own customer, when given. */
  readonly customerId?: string;
  readonly defaultUmaDepositAccount?: boolean;
}

export type AgentExternalAccount = ExternalAccount;
