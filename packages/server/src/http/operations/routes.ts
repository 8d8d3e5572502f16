/** Every operation of the API. */

import type { Operation } from "../request/operation.ts";
import type { Services } from "../request/services.ts";
import { listDiscoveries } from "./accounts/discoveries/list-discoveries.ts";
import { createCustomerExternalAccount } from "./accounts/external/create-customer-external-account.ts";
import { createPlatformExternalAccount } from "./accounts/external/create-platform-external-account.ts";
import { deleteCustomerExternalAccount } from "./accounts/external/delete-customer-external-account.ts";
import { deletePlatformExternalAccount } from "./accounts/external/delete-platform-external-account.ts";
import { getCustomerExternalAccount } from "./accounts/external/get-customer-external-account.ts";
import { getPlatformExternalAccount } from "./accounts/external/get-platform-external-account.ts";
import { listCustomerExternalAccounts } from "./accounts/external/list-customer-external-accounts.ts";
import { listPlatformExternalAccounts } from "./accounts/external/list-platform-external-accounts.ts";
import { freezeCustomer } from "./accounts/freezes/freeze-customer.ts";
import { freezeInternalAccount } from "./accounts/freezes/freeze-internal-account.ts";
import { unfreezeCustomer } from "./accounts/freezes/unfreeze-customer.ts";
import { unfreezeInternalAccount } from "./accounts/freezes/unfreeze-internal-account.ts";
import { getInternalAccount } from "./accounts/internal/get-internal-account.ts";
import { listCustomerInternalAccounts } from "./accounts/internal/list-customer-internal-accounts.ts";
import { listPlatformInternalAccounts } from "./accounts/internal/list-platform-internal-accounts.ts";
import { createStatement } from "./accounts/statements/create-statement.ts";
import { getStatement } from "./accounts/statements/get-statement.ts";
import { getStatementFile } from "./accounts/statements/get-statement-file.ts";
import { listStatements } from "./accounts/statements/list-statements.ts";
import { approveAgentAction } from "./agents/approve-agent-action.ts";
import { createAgent } from "./agents/create-agent.ts";
import { createAgentDeviceCode } from "./agents/create-agent-device-code.ts";
import { deleteAgent } from "./agents/delete-agent.ts";
import { getAgent } from "./agents/get-agent.ts";
import { getAgentDeviceCodeStatus } from "./agents/get-agent-device-code-status.ts";
import { listAgentActions } from "./agents/list-agent-actions.ts";
import { listAgentApprovals } from "./agents/list-agent-approvals.ts";
import { listAgents } from "./agents/list-agents.ts";
import { agentCreateExternalAccount } from "./agents/me/agent-create-external-account.ts";
import { agentCreateQuote } from "./agents/me/agent-create-quote.ts";
import { agentDeleteExternalAccount } from "./agents/me/agent-delete-external-account.ts";
import { agentExecuteQuote } from "./agents/me/agent-execute-quote.ts";
import { agentGetAction } from "./agents/me/agent-get-action.ts";
import { agentGetExternalAccount } from "./agents/me/agent-get-external-account.ts";
import { agentGetQuote } from "./agents/me/agent-get-quote.ts";
import { agentGetTransaction } from "./agents/me/agent-get-transaction.ts";
import { agentListActions } from "./agents/me/agent-list-actions.ts";
import { agentListExternalAccounts } from "./agents/me/agent-list-external-accounts.ts";
import { agentListInternalAccounts } from "./agents/me/agent-list-internal-accounts.ts";
import { agentListTransactions } from "./agents/me/agent-list-transactions.ts";
import { agentMe } from "./agents/me/agent-me.ts";
import { agentTransferIn } from "./agents/me/agent-transfer-in.ts";
import { agentTransferOut } from "./agents/me/agent-transfer-out.ts";
import { previewAgentPolicy } from "./agents/preview-agent-policy.ts";
import { redeemAgentDeviceCode } from "./agents/redeem-agent-device-code.ts";
import { rejectAgentAction } from "./agents/reject-agent-action.ts";
import { updateAgent } from "./agents/update-agent.ts";
import { updateAgentPolicy } from "./agents/update-agent-policy.ts";
import { createBeneficialOwner } from "./customers/beneficial-owners/create-beneficial-owner.ts";
import { getBeneficialOwner } from "./customers/beneficial-owners/get-beneficial-owner.ts";
import { listBeneficialOwners } from "./customers/beneficial-owners/list-beneficial-owners.ts";
import { updateBeneficialOwner } from "./customers/beneficial-owners/update-beneficial-owner.ts";
import { getBulkCustomerJob } from "./customers/bulk-jobs/get-bulk-customer-job.ts";
import { uploadCustomersCsv } from "./customers/bulk-jobs/upload-customers-csv.ts";
import { createCustomer } from "./customers/create-customer.ts";
import { createKycLink } from "./customers/create-kyc-link.ts";
import { deleteCustomer } from "./customers/delete-customer.ts";
import { deleteDocument } from "./customers/documents/delete-document.ts";
import { getDocument } from "./customers/documents/get-document.ts";
import { listDocuments } from "./customers/documents/list-documents.ts";
import { replaceDocument } from "./customers/documents/replace-document.ts";
import { uploadDocument } from "./customers/documents/upload-document.ts";
import { getCustomer } from "./customers/get-customer.ts";
import { listCustomers } from "./customers/list-customers.ts";
import { updateCustomer } from "./customers/update-customer.ts";
import { createVerification } from "./customers/verifications/create-verification.ts";
import { decideVerification } from "./customers/verifications/decide-verification.ts";
import { getVerification } from "./customers/verifications/get-verification.ts";
import { listVerifications } from "./customers/verifications/list-verifications.ts";
import { cancelEventResend } from "./events/cancel-event-resend.ts";
import { createWebhookEndpoint } from "./events/endpoints/create-webhook-endpoint.ts";
import { deleteWebhookEndpoint } from "./events/endpoints/delete-webhook-endpoint.ts";
import { getWebhookDelivery } from "./events/endpoints/get-webhook-delivery.ts";
import { getWebhookEndpoint } from "./events/endpoints/get-webhook-endpoint.ts";
import { getWebhookPublicKey } from "./events/endpoints/get-webhook-public-key.ts";
import { listDeliveryAttempts } from "./events/endpoints/list-delivery-attempts.ts";
import { listWebhookDeliveries } from "./events/endpoints/list-webhook-deliveries.ts";
import { listWebhookEndpoints } from "./events/endpoints/list-webhook-endpoints.ts";
import { retryDelivery } from "./events/endpoints/retry-delivery.ts";
import { rotateEndpointKey } from "./events/endpoints/rotate-endpoint-key.ts";
import { rotateWebhookKey } from "./events/endpoints/rotate-webhook-key.ts";
import { testWebhookEndpoint } from "./events/endpoints/test-webhook-endpoint.ts";
import { updateWebhookEndpoint } from "./events/endpoints/update-webhook-endpoint.ts";
import { getEvent } from "./events/get-event.ts";
import { getEventRaw } from "./events/get-event-raw.ts";
import { getEventResend } from "./events/get-event-resend.ts";
import { listEvents } from "./events/list-events.ts";
import { resendEvent } from "./events/resend-event.ts";
import { resendEvents } from "./events/resend-events.ts";
import { streamEvents } from "./events/stream-events.ts";
import { createAdjustment } from "./payments/adjustments/create-adjustment.ts";
import { listAdjustments } from "./payments/adjustments/list-adjustments.ts";
import { createQuote } from "./payments/quotes/create-quote.ts";
import { executeQuote } from "./payments/quotes/execute-quote.ts";
import { getQuote } from "./payments/quotes/get-quote.ts";
import { listQuotes } from "./payments/quotes/list-quotes.ts";
import { approveTransaction } from "./payments/transactions/approve-transaction.ts";
import { getTransaction } from "./payments/transactions/get-transaction.ts";
import { getTransactionTimeline } from "./payments/transactions/get-transaction-timeline.ts";
import { listTransactions } from "./payments/transactions/list-transactions.ts";
import { refundTransaction } from "./payments/transactions/refund-transaction.ts";
import { rejectTransaction } from "./payments/transactions/reject-transaction.ts";
import { bookTransfer } from "./payments/transfers/book-transfer.ts";
import { transferIn } from "./payments/transfers/transfer-in.ts";
import { transferOut } from "./payments/transfers/transfer-out.ts";
import { getApproval } from "./people/approvals/get-approval.ts";
import { listApprovals } from "./people/approvals/list-approvals.ts";
import { listActors } from "./people/audit/list-actors.ts";
import { listAuditEntries } from "./people/audit/list-audit-entries.ts";
import { createToken } from "./people/tokens/create-token.ts";
import { deleteToken } from "./people/tokens/delete-token.ts";
import { getToken } from "./people/tokens/get-token.ts";
import { listTokens } from "./people/tokens/list-tokens.ts";
import { getConfig } from "./platforms/config/get-config.ts";
import { updateConfig } from "./platforms/config/update-config.ts";
import { advanceClock } from "./platforms/sandbox/advance-clock.ts";
import { fundInternalAccount } from "./platforms/sandbox/fund-internal-account.ts";
import { getClock } from "./platforms/sandbox/get-clock.ts";
import { receiveUmaPayment } from "./platforms/sandbox/receive-uma-payment.ts";
import { sendSandboxFunds } from "./platforms/sandbox/send-sandbox-funds.ts";
import { testWebhook } from "./platforms/sandbox/test-webhook.ts";
import { createRateSource } from "./prices/rate-sources/create-rate-source.ts";
import { deleteRateSource } from "./prices/rate-sources/delete-rate-source.ts";
import { getRateSource } from "./prices/rate-sources/get-rate-source.ts";
import { listRateObservations } from "./prices/rate-sources/list-rate-observations.ts";
import { listRateSources } from "./prices/rate-sources/list-rate-sources.ts";
import { refreshRateSource } from "./prices/rate-sources/refresh-rate-source.ts";
import { setRates } from "./prices/rate-sources/set-rates.ts";
import { updateRateSource } from "./prices/rate-sources/update-rate-source.ts";
import { uploadRates } from "./prices/rate-sources/upload-rates.ts";
import { adjustFxPositions } from "./prices/rates/adjust-fx-positions.ts";
import { getFees } from "./prices/rates/get-fees.ts";
import { getQuotePrice } from "./prices/rates/get-quote-price.ts";
import { getSpreads } from "./prices/rates/get-spreads.ts";
import { listExchangeRates } from "./prices/rates/list-exchange-rates.ts";
import { listFeeVersions } from "./prices/rates/list-fee-versions.ts";
import { listFxPositions } from "./prices/rates/list-fx-positions.ts";
import { setFees } from "./prices/rates/set-fees.ts";
import { setFxLimits } from "./prices/rates/set-fx-limits.ts";
import { setSpreads } from "./prices/rates/set-spreads.ts";
import { createRailBalance } from "./rails/books/create-rail-balance.ts";
import { getRailReconciliation } from "./rails/books/get-rail-reconciliation.ts";
import { getRailReconciliationFile } from "./rails/books/get-rail-reconciliation-file.ts";
import { activateRailConnection } from "./rails/connections/activate-rail-connection.ts";
import { addVirtualAccounts } from "./rails/connections/add-virtual-accounts.ts";
import { archiveRailConnection } from "./rails/connections/archive-rail-connection.ts";
import { createRailConnection } from "./rails/connections/create-rail-connection.ts";
import { getRailConnection } from "./rails/connections/get-rail-connection.ts";
import { listRailConnections } from "./rails/connections/list-rail-connections.ts";
import { pauseRailConnection } from "./rails/connections/pause-rail-connection.ts";
import { resumeRailConnection } from "./rails/connections/resume-rail-connection.ts";
import { testRailConnection } from "./rails/connections/test-rail-connection.ts";
import { updateRailConnection } from "./rails/connections/update-rail-connection.ts";
import { createRailEntry } from "./rails/entries/create-rail-entry.ts";
import { getRailEntry } from "./rails/entries/get-rail-entry.ts";
import { getRailItem } from "./rails/entries/get-rail-item.ts";
import { listRailEntries } from "./rails/entries/list-rail-entries.ts";
import { listRailItems } from "./rails/entries/list-rail-items.ts";
import { resolveRailItem } from "./rails/entries/resolve-rail-item.ts";
import { confirmRailMark } from "./rails/marks/confirm-rail-mark.ts";
import { getRailMark } from "./rails/marks/get-rail-mark.ts";
import { listRailMarks } from "./rails/marks/list-rail-marks.ts";
import { refuseRailMark } from "./rails/marks/refuse-rail-mark.ts";
import { getRailPayment } from "./rails/orders/get-rail-payment.ts";
import { getRailQueueFile } from "./rails/orders/get-rail-queue-file.ts";
import { listRailPayments } from "./rails/orders/list-rail-payments.ts";
import { markRailPayment } from "./rails/orders/mark-rail-payment.ts";
import { markRailPayments } from "./rails/orders/mark-rail-payments.ts";
import { recallRailPayment } from "./rails/orders/recall-rail-payment.ts";
import { rerouteRailPayment } from "./rails/orders/reroute-rail-payment.ts";
import { takeRailCallback } from "./rails/orders/take-rail-callback.ts";
import { collectReceivable } from "./rails/receivables/collect-receivable.ts";
import { getReceivable } from "./rails/receivables/get-receivable.ts";
import { listReceivables } from "./rails/receivables/list-receivables.ts";
import { writeReceivableOff } from "./rails/receivables/write-receivable-off.ts";
import { createRailRoute } from "./rails/routes/create-rail-route.ts";
import { deleteRailRoute } from "./rails/routes/delete-rail-route.ts";
import { getRailRoute } from "./rails/routes/get-rail-route.ts";
import { listRailRoutes } from "./rails/routes/list-rail-routes.ts";
import { resolveRailRoute } from "./rails/routes/resolve-rail-route.ts";
import { updateRailRoute } from "./rails/routes/update-rail-route.ts";
import { createExport } from "./reading/exports/create-export.ts";
import { getExport } from "./reading/exports/get-export.ts";
import { getExportFile } from "./reading/exports/get-export-file.ts";
import { listExports } from "./reading/exports/list-exports.ts";
import { getLedgerBalances } from "./reading/ledger/get-ledger-balances.ts";
import { getPosting } from "./reading/ledger/get-posting.ts";
import { getTrialBalance } from "./reading/ledger/get-trial-balance.ts";
import { listLedgerAccounts } from "./reading/ledger/list-ledger-accounts.ts";
import { listLedgerEntries } from "./reading/ledger/list-ledger-entries.ts";
import { listPostings } from "./reading/ledger/list-postings.ts";
import { createCheckpoint } from "./reading/proofs/create-checkpoint.ts";
import { getChain } from "./reading/proofs/get-chain.ts";
import { getCommandProof } from "./reading/proofs/get-command-proof.ts";
import { getLedgerCommand } from "./reading/proofs/get-ledger-command.ts";
import { listCheckpoints } from "./reading/proofs/list-checkpoints.ts";
import { getRequestLog } from "./reading/request-logs/get-request-log.ts";
import { listRequestLogs } from "./reading/request-logs/list-request-logs.ts";
import { streamRequestLogs } from "./reading/request-logs/stream-request-logs.ts";
import { search } from "./reading/search/search.ts";
import { cancelInvitation } from "./uma/invitations/cancel-invitation.ts";
import { claimInvitation } from "./uma/invitations/claim-invitation.ts";
import { createInvitation } from "./uma/invitations/create-invitation.ts";
import { getInvitation } from "./uma/invitations/get-invitation.ts";
import { listUmaProviders } from "./uma/providers/list-uma-providers.ts";
import { lookupExternalAccountReceiver } from "./uma/receivers/lookup-external-account-receiver.ts";
import { lookupUmaReceiver } from "./uma/receivers/lookup-uma-receiver.ts";
import { challengeCredential } from "./wallets/challenge-credential.ts";
import { createCredential } from "./wallets/create-credential.ts";
import { exportWallet } from "./wallets/export-wallet.ts";
import { getIssuerKey } from "./wallets/get-issuer-key.ts";
import { listCredentials } from "./wallets/list-credentials.ts";
import { listSessions } from "./wallets/list-sessions.ts";
import { refreshSession } from "./wallets/refresh-session.ts";
import { revokeCredential } from "./wallets/revoke-credential.ts";
import { revokeSession } from "./wallets/revoke-session.ts";
import { verifyCredential } from "./wallets/verify-credential.ts";

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
