/** Where a request can name an object of the platform, operation by operation, for the test of isolation. */
import { exportFilters } from "./book-calls.ts";
import { approvalPlaces } from "./valid-approval-calls.ts";
import { railPlaces } from "./valid-rail-calls.ts";
import { ratePlaces } from "./valid-rate-calls.ts";

export type Where = "path" | "body" | "query";
export type Places = Readonly<Partial<Record<Where, Readonly<Record<string, string>>>>>;

/** Every place of a request that names an object, and the kind of the object. */
export const places: Readonly<Record<string, Places>> = {
  updateConfig: { body: { "branding.logoDocument": "PlatformDocument" } },
  getToken: { path: { tokenId: "Token" } },
  deleteToken: { path: { tokenId: "Token" } },
  getCustomer: { path: { customerId: "Customer" } },
  updateCustomer: { path: { customerId: "Customer" } },
  deleteCustomer: { path: { customerId: "Customer" } },
  createBeneficialOwner: { body: { customerId: "Customer" } },
  listBeneficialOwners: { query: { customerId: "Customer" } },
  getBeneficialOwner: { path: { beneficialOwnerId: "BeneficialOwner" } },
  updateBeneficialOwner: { path: { beneficialOwnerId: "BeneficialOwner" } },
  createKycLink: { path: { customerId: "Customer" } },
  createVerification: { body: { customerId: "Customer" } },
  listVerifications: { query: { customerId: "Customer" } },
  getVerification: { path: { verificationId: "Verification" } },
  decideVerification: { path: { verificationId: "Verification" } },
  getBulkCustomerJob: { path: { jobId: "Job" } },
  listDocuments: { query: { documentHolder: "Customer" } },
  getDocument: { path: { documentId: "Document" } },
  replaceDocument: { path: { documentId: "Document" } },
  deleteDocument: { path: { documentId: "Document" } },
  listCustomerInternalAccounts: { query: { customerId: "Customer" } },
  getInternalAccount: { path: { id: "InternalAccount" } },
  createCustomerExternalAccount: { body: { customerId: "Customer" } },
  listCustomerExternalAccounts: { query: { customerId: "Customer" } },
  getCustomerExternalAccount: { path: { externalAccountId: "ExternalAccount" } },
  deleteCustomerExternalAccount: { path: { externalAccountId: "ExternalAccount" } },
  getPlatformExternalAccount: { path: { externalAccountId: "PlatformExternalAccount" } },
  deletePlatformExternalAccount: { path: { externalAccountId: "PlatformExternalAccount" } },
  freezeCustomer: { path: { customerId: "Customer" } },
  unfreezeCustomer: { path: { customerId: "Customer" } },
  freezeInternalAccount: { path: { internalAccountId: "InternalAccount" } },
  unfreezeInternalAccount: { path: { internalAccountId: "InternalAccount" } },
  createTransfer: {
    body: { "source.accountId": "InternalAccount", "destination.accountId": "InternalAccount" },
  },
  transferOut: {
    body: { "source.accountId": "InternalAccount", "destination.accountId": "ExternalAccount" },
  },
  transferIn: {
    body: { "source.accountId": "ExternalAccount", "destination.accountId": "InternalAccount" },
  },
  createQuote: {
    body: {
      "source.accountId": "InternalAccount",
      "source.customerId": "Customer",
      "destination.accountId": "ExternalAccount",
    },
  },
  listQuotes: {
    query: {
      customerId: "Customer",
      sendingAccountId: "InternalAccount",
      receivingAccountId: "ExternalAccount",
    },
  },
  getQuote: { path: { quoteId: "Quote" } },
  executeQuote: { path: { quoteId: "Quote" } },
  sendSandboxFunds: { body: { quoteId: "FundableQuote" } },
  listTransactions: {
    query: {
      customerId: "Customer",
      accountIdentifier: "InternalAccount",
      senderAccountIdentifier: "InternalAccount",
      receiverAccountIdentifier: "ExternalAccount",
    },
  },
  getTransaction: { path: { transactionId: "Transaction" } },
  getTransactionTimeline: { path: { transactionId: "Transaction" } },
  approveTransaction: { path: { transactionId: "AskedTransaction" } },
  rejectTransaction: { path: { transactionId: "AskedTransaction" } },
  refundTransaction: { path: { transactionId: "ReceivedTransaction" } },
  lookupUmaReceiver: { query: { customerId: "Customer" } },
  lookupExternalAccountReceiver: {
    path: { accountId: "ExternalAccount" },
    query: { customerId: "Customer" },
  },
  receiveUmaPayment: { body: { customerId: "Customer" } },
  fundInternalAccount: { path: { accountId: "InternalAccount" } },
  listAgents: { query: { customerId: "Customer" } },
  listAgentApprovals: { query: { agentId: "Agent", customerId: "Customer" } },
  createAgent: { body: { customerId: "Customer" } },
  getAgent: { path: { agentId: "Agent" } },
  updateAgent: { path: { agentId: "Agent" } },
  deleteAgent: { path: { agentId: "Agent" } },
  updateAgentPolicy: { path: { agentId: "Agent" } },
  previewAgentPolicy: { path: { agentId: "Agent" } },
  listAgentActions: { path: { agentId: "Agent" } },
  createAgentDeviceCode: { path: { agentId: "Agent" } },
  getAgentDeviceCodeStatus: { path: { code: "DeviceCode" } },
  approveAgentAction: { path: { agentId: "Agent", actionId: "AgentAction" } },
  rejectAgentAction: { path: { agentId: "Agent", actionId: "AgentAction" } },
  agentGetAction: { path: { actionId: "AgentAction" } },
  agentListTransactions: {
    query: {
      accountIdentifier: "InternalAccount",
      senderAccountIdentifier: "InternalAccount",
      receiverAccountIdentifier: "ExternalAccount",
    },
  },
  agentGetTransaction: { path: { transactionId: "Transaction" } },
  agentCreateQuote: {
    body: {
      "source.accountId": "InternalAccount",
      "source.customerId": "Customer",
      "destination.accountId": "ExternalAccount",
    },
  },
  agentGetQuote: { path: { quoteId: "Quote" } },
  agentExecuteQuote: { path: { quoteId: "Quote" } },
  agentTransferOut: {
    body: { "source.accountId": "InternalAccount", "destination.accountId": "ExternalAccount" },
  },
  agentTransferIn: {
    body: { "source.accountId": "ExternalAccount", "destination.accountId": "InternalAccount" },
  },
  agentCreateExternalAccount: { body: { customerId: "Customer" } },
  agentGetExternalAccount: { path: { externalAccountId: "ExternalAccount" } },
  agentDeleteExternalAccount: { path: { externalAccountId: "ExternalAccount" } },
  listEvents: { query: { resourceId: "Transaction" } },
  getEvent: { path: { eventId: "Webhook" } },
  getEventRaw: { path: { eventId: "Webhook" } },
  listLedgerAccounts: {
    query: {
      internalAccountId: "InternalAccount",
      customerId: "Customer",
      connectionId: "RailConnection",
    },
  },
  listLedgerEntries: { path: { ledgerAccountId: "LedgerAccount" } },
  listPostings: { query: { accountId: "LedgerAccount", transactionId: "Transaction" } },
  resendEvent: { path: { eventId: "Webhook" }, body: { endpointId: "WebhookEndpoint" } },
  resendEvents: { body: { endpointId: "WebhookEndpoint", "filter.resourceId": "Transaction" } },
  getEventResend: { path: { resendId: "EventResend" } },
  cancelEventResend: { path: { resendId: "EventResend" } },
  retryWebhookDelivery: { path: { deliveryId: "WebhookDelivery" } },
  getWebhookEndpoint: { path: { endpointId: "WebhookEndpoint" } },
  updateWebhookEndpoint: { path: { endpointId: "WebhookEndpoint" } },
  deleteWebhookEndpoint: { path: { endpointId: "WebhookEndpoint" } },
  rotateWebhookEndpointKey: { path: { endpointId: "WebhookEndpoint" } },
  testWebhookEndpoint: { path: { endpointId: "WebhookEndpoint" } },
  listWebhookDeliveries: {
    query: { endpointId: "WebhookEndpoint", eventId: "Webhook", resourceId: "Transaction" },
  },
  getWebhookDelivery: { path: { deliveryId: "WebhookDelivery" } },
  listDeliveryAttempts: { path: { deliveryId: "WebhookDelivery" } },
  createStatement: { body: { accountId: "InternalAccount" } },
  listStatements: { query: { accountId: "InternalAccount" } },
  getStatement: { path: { statementId: "Statement" } },
  getStatementFile: { path: { statementId: "Statement" } },
  createExport: { body: exportFilters },
  listExports: {},
  getExport: { path: { exportId: "Export" } },
  getExportFile: { path: { exportId: "Export" } },
  listRequestLogs: { query: { tokenId: "Token", resourceId: "Transaction" } },
  streamRequestLogs: { query: { tokenId: "Token", resourceId: "Transaction" } },
  getRequestLog: { path: { requestLogId: "RequestLog" } },
  listAuditEntries: { query: { actorId: "Token", targetId: "Token" } },
  ...railPlaces,
  ...ratePlaces,
  ...approvalPlaces,
  createCredential: { body: { accountId: "Wallet" } },
  listCredentials: { query: { accountId: "Wallet" } },
  challengeCredential: { path: { id: "AuthMethod" } },
  verifyCredential: { path: { id: "AuthMethod" } },
  revokeCredential: { path: { id: "AuthMethod" } },
  listSessions: { query: { accountId: "Wallet" } },
  refreshSession: { path: { id: "Session" } },
  revokeSession: { path: { id: "Session" } },
  exportWallet: { path: { id: "Wallet" } },
};

/** In the body of these an object that does not exist is a bad field. */
export const BAD_FIELDS: ReadonlySet<string> = new Set(["createQuote", "agentCreateQuote"]);
/** Places that take a code whose very purpose is to lead across platforms: see invitations-across.test.ts, agents.test.ts. */
export const crossings: Readonly<Record<string, Places>> = {
  getInvitation: { path: { invitationCode: "InvitationCode" } },
  claimInvitation: { path: { invitationCode: "InvitationCode" } },
  cancelInvitation: { path: { invitationCode: "InvitationCode" } },
  redeemAgentDeviceCode: { path: { code: "DeviceCode" } },
  // A callback has a signature for its credentials: see rails-callbacks.test.ts.
  takeRailCallback: { path: { connectionUuid: "RailConnection" } },
};
