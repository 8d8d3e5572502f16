import type { EventType } from "../../domain/event-catalogue.ts";

const VERIFICATION = [
  "VERIFICATION.RESOLVE_ERRORS",
  "VERIFICATION.IN_PROGRESS",
  "VERIFICATION.PENDING_MANUAL_REVIEW",
  "VERIFICATION.APPROVED",
  "VERIFICATION.REJECTED",
  "CUSTOMER.KYC_PENDING",
  "CUSTOMER.KYC_APPROVED",
  "CUSTOMER.KYC_REJECTED",
  "CUSTOMER.KYB_PENDING",
  "CUSTOMER.KYB_APPROVED",
  "CUSTOMER.KYB_REJECTED",
] as const;

const BALANCE = "INTERNAL_ACCOUNT.BALANCE_UPDATED";

/** Of an order that waits for people. */
const APPROVAL = [
  "APPROVAL.PENDING",
  "APPROVAL.DONE",
  "APPROVAL.FAILED",
  "APPROVAL.REJECTED",
  "APPROVAL.CANCELLED",
  "APPROVAL.EXPIRED",
] as const;

const PAYOUT = [
  "OUTGOING_PAYMENT.PENDING",
  "OUTGOING_PAYMENT.PROCESSING",
  "OUTGOING_PAYMENT.COMPLETED",
  "OUTGOING_PAYMENT.FAILED",
  BALANCE,
] as const;

const COLLECTION = [
  "INCOMING_PAYMENT.PENDING",
  "INCOMING_PAYMENT.COMPLETED",
  "INCOMING_PAYMENT.FAILED",
  BALANCE,
] as const;

/** What follows when a quote is paid for: the payment, its refund, and what a customer who is paid sees. */
const EXECUTION = [
  "OUTGOING_PAYMENT.PROCESSING",
  "OUTGOING_PAYMENT.COMPLETED",
  "OUTGOING_PAYMENT.FAILED",
  "OUTGOING_PAYMENT.REFUND_PENDING",
  "OUTGOING_PAYMENT.REFUND_COMPLETED",
  "OUTGOING_PAYMENT.REFUND_FAILED",
  "INCOMING_PAYMENT.PENDING",
  "INCOMING_PAYMENT.COMPLETED",
  "INCOMING_PAYMENT.FAILED",
  BALANCE,
] as const;

const QUOTE = ["OUTGOING_PAYMENT.PENDING", "OUTGOING_PAYMENT.EXPIRED"] as const;

/** What a report about an order that a connection carries leads to. */
const REPORT = [
  ...PAYOUT,
  "OUTGOING_PAYMENT.REFUND_PENDING",
  "OUTGOING_PAYMENT.REFUND_COMPLETED",
  "INCOMING_PAYMENT.COMPLETED",
  "INCOMING_PAYMENT.FAILED",
  "INCOMING_PAYMENT.REFUND_COMPLETED",
  "INCOMING_PAYMENT.REFUND_FAILED",
  "OUTGOING_PAYMENT.REFUND_FAILED",
  "RAIL_PAYMENT.CONFLICT",
  "RAIL_ITEM.OPEN",
  "RAIL_ITEM.AGED",
] as const;
const RATES = ["RATE_SOURCE.STALE", "RATE_SOURCE.REFUSED"] as const;

const DIRECT = ["CUSTOMER.KYC_APPROVED", "CUSTOMER.KYB_APPROVED"] as const;

/** The events that a successful call leads to, at once or later; an operation without a row leads to none. */
export const operationEvents: Readonly<Record<string, readonly EventType[]>> = {
  updateConfig: ["TEST"],
  createAdjustment: [...APPROVAL, "ADJUSTMENT.POSTED", BALANCE],
  createCheckpoint: ["LEDGER.CHECKPOINT"],
  createCustomer: DIRECT,
  updateCustomer: VERIFICATION,
  createVerification: VERIFICATION,
  decideVerification: VERIFICATION,
  uploadCustomersCsv: ["BULK_UPLOAD.COMPLETED", "BULK_UPLOAD.FAILED", ...DIRECT],
  freezeCustomer: ["CUSTOMER.FROZEN", "INTERNAL_ACCOUNT.FROZEN"],
  unfreezeCustomer: ["CUSTOMER.UNFROZEN", "INTERNAL_ACCOUNT.UNFROZEN"],
  createBalanceAlert: ["INTERNAL_ACCOUNT.ALERT"],
  freezeInternalAccount: ["INTERNAL_ACCOUNT.FROZEN"],
  unfreezeInternalAccount: ["INTERNAL_ACCOUNT.UNFROZEN"],
  createTransfer: ["OUTGOING_PAYMENT.COMPLETED", "INCOMING_PAYMENT.COMPLETED", BALANCE],
  transferOut: [...PAYOUT, "RAIL_PAYMENT.UNKNOWN"],
  transferIn: [...COLLECTION, "RAIL_PAYMENT.UNKNOWN"],
  createRailConnection: APPROVAL,
  updateRailConnection: APPROVAL,
  activateRailConnection: ["RAIL_CONNECTION.DEGRADED", "RAIL_CONNECTION.RECOVERED", ...APPROVAL],
  createRailRoute: APPROVAL,
  updateRailRoute: APPROVAL,
  setFees: APPROVAL,
  setSpreads: APPROVAL,
  setFxLimits: APPROVAL,
  markRailPayment: REPORT,
  markRailPayments: REPORT,
  takeRailCallback: REPORT,
  confirmRailMark: REPORT,
  refuseRailMark: [
    "OUTGOING_PAYMENT.FAILED",
    "OUTGOING_PAYMENT.REFUND_PENDING",
    "OUTGOING_PAYMENT.REFUND_COMPLETED",
    "INCOMING_PAYMENT.REFUND_FAILED",
    BALANCE,
  ],
  recallRailPayment: [
    "OUTGOING_PAYMENT.FAILED",
    "OUTGOING_PAYMENT.REFUND_PENDING",
    "OUTGOING_PAYMENT.REFUND_COMPLETED",
    "INCOMING_PAYMENT.FAILED",
    "INCOMING_PAYMENT.REFUND_FAILED",
    BALANCE,
  ],
  createWebhookEndpoint: ["WEBHOOK_ENDPOINT.DISABLED"],
  createQuote: [...QUOTE, ...EXECUTION],
  executeQuote: EXECUTION,
  sendSandboxFunds: EXECUTION,
  approveTransaction: ["INCOMING_PAYMENT.COMPLETED", "INCOMING_PAYMENT.FAILED", BALANCE],
  rejectTransaction: ["INCOMING_PAYMENT.FAILED"],
  refundTransaction: [
    "INCOMING_PAYMENT.REFUND_PENDING",
    "INCOMING_PAYMENT.REFUND_COMPLETED",
    "INCOMING_PAYMENT.REFUND_FAILED",
    "INCOMING_PAYMENT.COMPLETED",
    ...PAYOUT,
  ],
  createRailEntry: [
    ...new Set([
      "RAIL_ITEM.OPEN",
      "RAIL_ITEM.AGED",
      ...PAYOUT,
      ...COLLECTION,
      ...EXECUTION,
    ] as const),
  ],
  collectReceivable: [BALANCE],
  createRailBalance: ["RAIL_RECONCILIATION.DIFFERENCE"],
  resolveRailItem: [
    ...new Set(["INCOMING_PAYMENT.COMPLETED", BALANCE, "RAIL_ITEM.OPEN", ...EXECUTION] as const),
  ],
  claimInvitation: ["INVITATION_CLAIMED"],
  fundInternalAccount: ["INCOMING_PAYMENT.COMPLETED", BALANCE],
  receiveUmaPayment: COLLECTION,
  createRateSource: RATES,
  updateRateSource: RATES,
  setRates: ["RATE_SOURCE.STALE"],
  refreshRateSource: RATES,
  uploadRates: RATES,
  testWebhook: ["TEST"],
  testWebhookEndpoint: ["TEST"],
  approveAgentAction: [...PAYOUT, ...COLLECTION, ...EXECUTION],
  agentCreateQuote: QUOTE,
  agentExecuteQuote: ["AGENT_ACTION.PENDING_APPROVAL", ...EXECUTION],
  agentTransferOut: ["AGENT_ACTION.PENDING_APPROVAL", ...PAYOUT],
  agentTransferIn: ["AGENT_ACTION.PENDING_APPROVAL", ...COLLECTION],
};
