/** Every operation of the API. */

import { createAdjustment } from "../operations/adjustments/create-adjustment.ts";
import { listAdjustments } from "../operations/adjustments/list-adjustments.ts";
import { approveAgentAction } from "../operations/agents/approve-agent-action.ts";
import { createAgent } from "../operations/agents/create-agent.ts";
import { createAgentDeviceCode } from "../operations/agents/create-agent-device-code.ts";
import { deleteAgent } from "../operations/agents/delete-agent.ts";
import { getAgent } from "../operations/agents/get-agent.ts";
import { getAgentDeviceCodeStatus } from "../operations/agents/get-agent-device-code-status.ts";
import { listAgentActions } from "../operations/agents/list-agent-actions.ts";
import { listAgentApprovals } from "../operations/agents/list-agent-approvals.ts";
import { listAgents } from "../operations/agents/list-agents.ts";
import { previewAgentPolicy } from "../operations/agents/preview-agent-policy.ts";
import { redeemAgentDeviceCode } from "../operations/agents/redeem-agent-device-code.ts";
import { rejectAgentAction } from "../operations/agents/reject-agent-action.ts";
import { updateAgent } from "../operations/agents/update-agent.ts";
import { updateAgentPolicy } from "../operations/agents/update-agent-policy.ts";
import { agentCreateExternalAccount } from "../operations/agents-me/agent-create-external-account.ts";
import { agentCreateQuote } from "../operations/agents-me/agent-create-quote.ts";
import { agentDeleteExternalAccount } from "../operations/agents-me/agent-delete-external-account.ts";
import { agentExecuteQuote } from "../operations/agents-me/agent-execute-quote.ts";
import { agentGetAction } from "../operations/agents-me/agent-get-action.ts";
import { agentGetExternalAccount } from "../operations/agents-me/agent-get-external-account.ts";
import { agentGetQuote } from "../operations/agents-me/agent-get-quote.ts";
import { agentGetTransaction } from "../operations/agents-me/agent-get-transaction.ts";
import { agentListActions } from "../operations/agents-me/agent-list-actions.ts";
import { agentListExternalAccounts } from "../operations/agents-me/agent-list-external-accounts.ts";
import { agentListInternalAccounts } from "../operations/agents-me/agent-list-internal-accounts.ts";
import { agentListTransactions } from "../operations/agents-me/agent-list-transactions.ts";
import { agentMe } from "../operations/agents-me/agent-me.ts";
import { agentTransferIn } from "../operations/agents-me/agent-transfer-in.ts";
import { agentTransferOut } from "../operations/agents-me/agent-transfer-out.ts";
import { getApproval } from "../operations/approvals/get-approval.ts";
import { listApprovals } from "../operations/approvals/list-approvals.ts";
import { listActors } from "../operations/audit/list-actors.ts";
import { listAuditEntries } from "../operations/audit/list-audit-entries.ts";
import { createBeneficialOwner } from "../operations/beneficial-owners/create-beneficial-owner.ts";
import { getBeneficialOwner } from "../operations/beneficial-owners/get-beneficial-owner.ts";
import { listBeneficialOwners } from "../operations/beneficial-owners/list-beneficial-owners.ts";
import { updateBeneficialOwner } from "../operations/beneficial-owners/update-beneficial-owner.ts";
import { getBulkCustomerJob } from "../operations/bulk-jobs/get-bulk-customer-job.ts";
import { uploadCustomersCsv } from "../operations/bulk-jobs/upload-customers-csv.ts";
import { getConfig } from "../operations/config/get-config.ts";
import { updateConfig } from "../operations/config/update-config.ts";
import { createCustomer } from "../operations/customers/create-customer.ts";
import { createKycLink } from "../operations/customers/create-kyc-link.ts";
import { deleteCustomer } from "../operations/customers/delete-customer.ts";
import { getCustomer } from "../operations/customers/get-customer.ts";
import { listCustomers } from "../operations/customers/list-customers.ts";
import { updateCustomer } from "../operations/customers/update-customer.ts";
import { listDiscoveries } from "../operations/discoveries/list-discoveries.ts";
import { deleteDocument } from "../operations/documents/delete-document.ts";
import { getDocument } from "../operations/documents/get-document.ts";
import { listDocuments } from "../operations/documents/list-documents.ts";
import { replaceDocument } from "../operations/documents/replace-document.ts";
import { uploadDocument } from "../operations/documents/upload-document.ts";
import { cancelEventResend } from "../operations/events/cancel-event-resend.ts";
import { getEvent } from "../operations/events/get-event.ts";
import { getEventRaw } from "../operations/events/get-event-raw.ts";
import { getEventResend } from "../operations/events/get-event-resend.ts";
import { listEvents } from "../operations/events/list-events.ts";
import { resendEvent } from "../operations/events/resend-event.ts";
import { resendEvents } from "../operations/events/resend-events.ts";
import { streamEvents } from "../operations/events/stream-events.ts";
import { createExport } from "../operations/exports/create-export.ts";
import { getExport } from "../operations/exports/get-export.ts";
import { getExportFile } from "../operations/exports/get-export-file.ts";
import { listExports } from "../operations/exports/list-exports.ts";
import { createCustomerExternalAccount } from "../operations/external-accounts/create-customer-external-account.ts";
import { createPlatformExternalAccount } from "../operations/external-accounts/create-platform-external-account.ts";
import { deleteCustomerExternalAccount } from "../operations/external-accounts/delete-customer-external-account.ts";
import { deletePlatformExternalAccount } from "../operations/external-accounts/delete-platform-external-account.ts";
import { getCustomerExternalAccount } from "../operations/external-accounts/get-customer-external-account.ts";
import { getPlatformExternalAccount } from "../operations/external-accounts/get-platform-external-account.ts";
import { listCustomerExternalAccounts } from "../operations/external-accounts/list-customer-external-accounts.ts";
import { listPlatformExternalAccounts } from "../operations/external-accounts/list-platform-external-accounts.ts";
import { freezeCustomer } from "../operations/freezes/freeze-customer.ts";
import { freezeInternalAccount } from "../operations/freezes/freeze-internal-account.ts";
import { unfreezeCustomer } from "../operations/freezes/unfreeze-customer.ts";
import { unfreezeInternalAccount } from "../operations/freezes/unfreeze-internal-account.ts";
import { getInternalAccount } from "../operations/internal-accounts/get-internal-account.ts";
import { listCustomerInternalAccounts } from "../operations/internal-accounts/list-customer-internal-accounts.ts";
import { listPlatformInternalAccounts } from "../operations/internal-accounts/list-platform-internal-accounts.ts";
import { cancelInvitation } from "../operations/invitations/cancel-invitation.ts";
import { claimInvitation } from "../operations/invitations/claim-invitation.ts";
import { createInvitation } from "../operations/invitations/create-invitation.ts";
import { getInvitation } from "../operations/invitations/get-invitation.ts";
import { getLedgerBalances } from "../operations/ledger/get-ledger-balances.ts";
import { getPosting } from "../operations/ledger/get-posting.ts";
import { getTrialBalance } from "../operations/ledger/get-trial-balance.ts";
import { listLedgerAccounts } from "../operations/ledger/list-ledger-accounts.ts";
import { listLedgerEntries } from "../operations/ledger/list-ledger-entries.ts";
import { listPostings } from "../operations/ledger/list-postings.ts";
import { createCheckpoint } from "../operations/proofs/create-checkpoint.ts";
import { getChain } from "../operations/proofs/get-chain.ts";
import { getCommandProof } from "../operations/proofs/get-command-proof.ts";
import { getLedgerCommand } from "../operations/proofs/get-ledger-command.ts";
import { listCheckpoints } from "../operations/proofs/list-checkpoints.ts";
import { createQuote } from "../operations/quotes/create-quote.ts";
import { executeQuote } from "../operations/quotes/execute-quote.ts";
import { getQuote } from "../operations/quotes/get-quote.ts";
import { listQuotes } from "../operations/quotes/list-quotes.ts";
import { createRailBalance } from "../operations/rail-books/create-rail-balance.ts";
import { getRailReconciliation } from "../operations/rail-books/get-rail-reconciliation.ts";
import { getRailReconciliationFile } from "../operations/rail-books/get-rail-reconciliation-file.ts";
import { activateRailConnection } from "../operations/rail-connections/activate-rail-connection.ts";
import { addVirtualAccounts } from "../operations/rail-connections/add-virtual-accounts.ts";
import { archiveRailConnection } from "../operations/rail-connections/archive-rail-connection.ts";
import { createRailConnection } from "../operations/rail-connections/create-rail-connection.ts";
import { getRailConnection } from "../operations/rail-connections/get-rail-connection.ts";
import { listRailConnections } from "../operations/rail-connections/list-rail-connections.ts";
import { pauseRailConnection } from "../operations/rail-connections/pause-rail-connection.ts";
import { resumeRailConnection } from "../operations/rail-connections/resume-rail-connection.ts";
import { testRailConnection } from "../operations/rail-connections/test-rail-connection.ts";
import { updateRailConnection } from "../operations/rail-connections/update-rail-connection.ts";
import { createRailEntry } from "../operations/rail-entries/create-rail-entry.ts";
import { getRailEntry } from "../operations/rail-entries/get-rail-entry.ts";
import { getRailItem } from "../operations/rail-entries/get-rail-item.ts";
import { listRailEntries } from "../operations/rail-entries/list-rail-entries.ts";
import { listRailItems } from "../operations/rail-entries/list-rail-items.ts";
import { resolveRailItem } from "../operations/rail-entries/resolve-rail-item.ts";
import { confirmRailMark } from "../operations/rail-marks/confirm-rail-mark.ts";
import { getRailMark } from "../operations/rail-marks/get-rail-mark.ts";
import { listRailMarks } from "../operations/rail-marks/list-rail-marks.ts";
import { refuseRailMark } from "../operations/rail-marks/refuse-rail-mark.ts";
import { getRailPayment } from "../operations/rail-payments/get-rail-payment.ts";
import { getRailQueueFile } from "../operations/rail-payments/get-rail-queue-file.ts";
import { listRailPayments } from "../operations/rail-payments/list-rail-payments.ts";
import { markRailPayment } from "../operations/rail-payments/mark-rail-payment.ts";
import { markRailPayments } from "../operations/rail-payments/mark-rail-payments.ts";
import { recallRailPayment } from "../operations/rail-payments/recall-rail-payment.ts";
import { rerouteRailPayment } from "../operations/rail-payments/reroute-rail-payment.ts";
import { takeRailCallback } from "../operations/rail-payments/take-rail-callback.ts";
import { collectReceivable } from "../operations/rail-receivables/collect-receivable.ts";
import { getReceivable } from "../operations/rail-receivables/get-receivable.ts";
import { listReceivables } from "../operations/rail-receivables/list-receivables.ts";
import { writeReceivableOff } from "../operations/rail-receivables/write-receivable-off.ts";
import { createRailRoute } from "../operations/rail-routes/create-rail-route.ts";
import { deleteRailRoute } from "../operations/rail-routes/delete-rail-route.ts";
import { getRailRoute } from "../operations/rail-routes/get-rail-route.ts";
import { listRailRoutes } from "../operations/rail-routes/list-rail-routes.ts";
import { resolveRailRoute } from "../operations/rail-routes/resolve-rail-route.ts";
import { updateRailRoute } from "../operations/rail-routes/update-rail-route.ts";
import { createRateSource } from "../operations/rate-sources/create-rate-source.ts";
import { deleteRateSource } from "../operations/rate-sources/delete-rate-source.ts";
import { getRateSource } from "../operations/rate-sources/get-rate-source.ts";
import { listRateObservations } from "../operations/rate-sources/list-rate-observations.ts";
import { listRateSources } from "../operations/rate-sources/list-rate-sources.ts";
import { refreshRateSource } from "../operations/rate-sources/refresh-rate-source.ts";
import { setRates } from "../operations/rate-sources/set-rates.ts";
import { updateRateSource } from "../operations/rate-sources/update-rate-source.ts";
import { uploadRates } from "../operations/rate-sources/upload-rates.ts";
import { adjustFxPositions } from "../operations/rates/adjust-fx-positions.ts";
import { getFees } from "../operations/rates/get-fees.ts";
import { getQuotePrice } from "../operations/rates/get-quote-price.ts";
import { getSpreads } from "../operations/rates/get-spreads.ts";
import { listExchangeRates } from "../operations/rates/list-exchange-rates.ts";
import { listFeeVersions } from "../operations/rates/list-fee-versions.ts";
import { listFxPositions } from "../operations/rates/list-fx-positions.ts";
import { setFees } from "../operations/rates/set-fees.ts";
import { setFxLimits } from "../operations/rates/set-fx-limits.ts";
import { setSpreads } from "../operations/rates/set-spreads.ts";
import { lookupExternalAccountReceiver } from "../operations/receivers/lookup-external-account-receiver.ts";
import { lookupUmaReceiver } from "../operations/receivers/lookup-uma-receiver.ts";
import { getRequestLog } from "../operations/request-logs/get-request-log.ts";
import { listRequestLogs } from "../operations/request-logs/list-request-logs.ts";
import { streamRequestLogs } from "../operations/request-logs/stream-request-logs.ts";
import { advanceClock } from "../operations/sandbox/advance-clock.ts";
import { fundInternalAccount } from "../operations/sandbox/fund-internal-account.ts";
import { getClock } from "../operations/sandbox/get-clock.ts";
import { receiveUmaPayment } from "../operations/sandbox/receive-uma-payment.ts";
import { sendSandboxFunds } from "../operations/sandbox/send-sandbox-funds.ts";
import { testWebhook } from "../operations/sandbox/test-webhook.ts";
import { search } from "../operations/search/search.ts";
import { createStatement } from "../operations/statements/create-statement.ts";
import { getStatement } from "../operations/statements/get-statement.ts";
import { getStatementFile } from "../operations/statements/get-statement-file.ts";
import { listStatements } from "../operations/statements/list-statements.ts";
import { createToken } from "../operations/tokens/create-token.ts";
import { deleteToken } from "../operations/tokens/delete-token.ts";
import { getToken } from "../operations/tokens/get-token.ts";
import { listTokens } from "../operations/tokens/list-tokens.ts";
import { approveTransaction } from "../operations/transactions/approve-transaction.ts";
import { getTransaction } from "../operations/transactions/get-transaction.ts";
import { getTransactionTimeline } from "../operations/transactions/get-transaction-timeline.ts";
import { listTransactions } from "../operations/transactions/list-transactions.ts";
import { refundTransaction } from "../operations/transactions/refund-transaction.ts";
import { rejectTransaction } from "../operations/transactions/reject-transaction.ts";
import { bookTransfer } from "../operations/transfers/book-transfer.ts";
import { transferIn } from "../operations/transfers/transfer-in.ts";
import { transferOut } from "../operations/transfers/transfer-out.ts";
import { listUmaProviders } from "../operations/uma-providers/list-uma-providers.ts";
import { createVerification } from "../operations/verifications/create-verification.ts";
import { decideVerification } from "../operations/verifications/decide-verification.ts";
import { getVerification } from "../operations/verifications/get-verification.ts";
import { listVerifications } from "../operations/verifications/list-verifications.ts";
import { challengeCredential } from "../operations/wallets/challenge-credential.ts";
import { createCredential } from "../operations/wallets/create-credential.ts";
import { exportWallet } from "../operations/wallets/export-wallet.ts";
import { getIssuerKey } from "../operations/wallets/get-issuer-key.ts";
import { listCredentials } from "../operations/wallets/list-credentials.ts";
import { listSessions } from "../operations/wallets/list-sessions.ts";
import { refreshSession } from "../operations/wallets/refresh-session.ts";
import { revokeCredential } from "../operations/wallets/revoke-credential.ts";
import { revokeSession } from "../operations/wallets/revoke-session.ts";
import { verifyCredential } from "../operations/wallets/verify-credential.ts";
import { createWebhookEndpoint } from "../operations/webhooks/create-webhook-endpoint.ts";
import { deleteWebhookEndpoint } from "../operations/webhooks/delete-webhook-endpoint.ts";
import { getWebhookDelivery } from "../operations/webhooks/get-webhook-delivery.ts";
import { getWebhookEndpoint } from "../operations/webhooks/get-webhook-endpoint.ts";
import { getWebhookPublicKey } from "../operations/webhooks/get-webhook-public-key.ts";
import { listDeliveryAttempts } from "../operations/webhooks/list-delivery-attempts.ts";
import { listWebhookDeliveries } from "../operations/webhooks/list-webhook-deliveries.ts";
import { listWebhookEndpoints } from "../operations/webhooks/list-webhook-endpoints.ts";
import { retryDelivery } from "../operations/webhooks/retry-delivery.ts";
import { rotateEndpointKey } from "../operations/webhooks/rotate-endpoint-key.ts";
import { rotateWebhookKey } from "../operations/webhooks/rotate-webhook-key.ts";
import { testWebhookEndpoint } from "../operations/webhooks/test-webhook-endpoint.ts";
import { updateWebhookEndpoint } from "../operations/webhooks/update-webhook-endpoint.ts";
import type { Operation } from "./operation.ts";
import type { Services } from "./services.ts";

export const operations: readonly Operation<Services>[] = [
  getConfig,
  updateConfig,
  createToken,
  listTokens,
  getToken,
  deleteToken,
  createCustomer,
  listCustomers,
  getCustomer,
  updateCustomer,
  deleteCustomer,
  createKycLink,
  createBeneficialOwner,
  listBeneficialOwners,
  getBeneficialOwner,
  updateBeneficialOwner,
  createVerification,
  listVerifications,
  getVerification,
  decideVerification,
  uploadCustomersCsv,
  getBulkCustomerJob,
  uploadDocument,
  listDocuments,
  getDocument,
  replaceDocument,
  deleteDocument,
  listCustomerInternalAccounts,
  listPlatformInternalAccounts,
  getInternalAccount,
  createCustomerExternalAccount,
  listCustomerExternalAccounts,
  getCustomerExternalAccount,
  deleteCustomerExternalAccount,
  createPlatformExternalAccount,
  listPlatformExternalAccounts,
  getPlatformExternalAccount,
  deletePlatformExternalAccount,
  listDiscoveries,
  freezeCustomer,
  unfreezeCustomer,
  freezeInternalAccount,
  unfreezeInternalAccount,
  bookTransfer,
  transferOut,
  transferIn,
  listExchangeRates,
  createQuote,
  listQuotes,
  getQuote,
  executeQuote,
  listTransactions,
  getTransaction,
  getTransactionTimeline,
  approveTransaction,
  rejectTransaction,
  refundTransaction,
  lookupUmaReceiver,
  lookupExternalAccountReceiver,
  listUmaProviders,
  createInvitation,
  getInvitation,
  claimInvitation,
  cancelInvitation,
  fundInternalAccount,
  sendSandboxFunds,
  receiveUmaPayment,
  advanceClock,
  getClock,
  testWebhook,
  getWebhookPublicKey,
  rotateWebhookKey,
  listEvents,
  streamEvents,
  getEvent,
  getEventRaw,
  resendEvent,
  resendEvents,
  getEventResend,
  cancelEventResend,
  listLedgerAccounts,
  listLedgerEntries,
  listPostings,
  getPosting,
  getLedgerBalances,
  getTrialBalance,
  search,
  getLedgerCommand,
  getCommandProof,
  getChain,
  listCheckpoints,
  createCheckpoint,
  listWebhookEndpoints,
  createWebhookEndpoint,
  getWebhookEndpoint,
  updateWebhookEndpoint,
  deleteWebhookEndpoint,
  rotateEndpointKey,
  testWebhookEndpoint,
  listWebhookDeliveries,
  getWebhookDelivery,
  listDeliveryAttempts,
  retryDelivery,
  createStatement,
  listStatements,
  getStatement,
  getStatementFile,
  createExport,
  listExports,
  getExport,
  getExportFile,
  listRequestLogs,
  streamRequestLogs,
  getRequestLog,
  listAuditEntries,
  listActors,
  createRailConnection,
  listRailConnections,
  getRailConnection,
  updateRailConnection,
  testRailConnection,
  activateRailConnection,
  pauseRailConnection,
  resumeRailConnection,
  archiveRailConnection,
  getRailQueueFile,
  addVirtualAccounts,
  createRailRoute,
  listRailRoutes,
  resolveRailRoute,
  getRailRoute,
  updateRailRoute,
  deleteRailRoute,
  listRailPayments,
  getRailPayment,
  markRailPayment,
  markRailPayments,
  listRailMarks,
  getRailMark,
  confirmRailMark,
  refuseRailMark,
  rerouteRailPayment,
  recallRailPayment,
  createRailEntry,
  listRailEntries,
  getRailEntry,
  createRailBalance,
  getRailReconciliation,
  getRailReconciliationFile,
  listReceivables,
  getReceivable,
  collectReceivable,
  writeReceivableOff,
  listRailItems,
  getRailItem,
  resolveRailItem,
  takeRailCallback,
  createRateSource,
  listRateSources,
  getRateSource,
  updateRateSource,
  deleteRateSource,
  setRates,
  refreshRateSource,
  uploadRates,
  listRateObservations,
  getSpreads,
  setSpreads,
  getFees,
  setFees,
  listFeeVersions,
  getQuotePrice,
  listFxPositions,
  setFxLimits,
  adjustFxPositions,
  createAdjustment,
  listAdjustments,
  listApprovals,
  getApproval,
  createAgent,
  listAgents,
  listAgentApprovals,
  getAgent,
  updateAgent,
  deleteAgent,
  updateAgentPolicy,
  previewAgentPolicy,
  listAgentActions,
  createAgentDeviceCode,
  getAgentDeviceCodeStatus,
  redeemAgentDeviceCode,
  approveAgentAction,
  rejectAgentAction,
  agentMe,
  agentListActions,
  agentGetAction,
  agentListInternalAccounts,
  agentListTransactions,
  agentGetTransaction,
  agentCreateQuote,
  agentGetQuote,
  agentExecuteQuote,
  agentTransferOut,
  agentTransferIn,
  agentListExternalAccounts,
  agentCreateExternalAccount,
  agentGetExternalAccount,
  agentDeleteExternalAccount,
  createCredential,
  listCredentials,
  challengeCredential,
  verifyCredential,
  revokeCredential,
  listSessions,
  refreshSession,
  revokeSession,
  exportWallet,
  getIssuerKey,
];
