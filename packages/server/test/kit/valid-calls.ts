/** A valid call of each operation on a platform, for tests of all routes. */

import { present } from "../../src/std/assert.ts";
import { bookCalls } from "./book-calls.ts";
import { csvForm, csvOf, passportForm } from "./forms.ts";
import {
  agentQuote,
  agentTransfer,
  announcement,
  byAgent,
  CLIENT_KEY,
  counterparty,
  credentialOf,
  emptyCustomer,
  type Make,
  made,
  OWNER,
  onAction,
  onAgentQuote,
  openVerification,
  quoteCall,
  TOKEN,
  transfer,
  usdAccount,
  type ValidCall,
} from "./made-objects.ts";
import { fundedCustomer, type Story } from "./story.ts";
import { OPEN_POLICY } from "./story-agents.ts";
import { registrationBody, signedCall } from "./story-wallets.ts";
import { approvalValidCalls } from "./valid-approval-calls.ts";
import { railCalls } from "./valid-rail-calls.ts";
import { rateCalls } from "./valid-rate-calls.ts";
import { webhookCalls } from "./valid-webhook-calls.ts";

const calls: Readonly<Record<string, Make>> = {
  ...bookCalls,
  getConfig: () => ({ path: "/config" }),
  updateConfig: async (story) => ({
    path: "/config",
    body: {
      embeddedWalletConfig: { appName: "Wallet" },
      branding: { name: "Lind Pay", logoDocument: await made(story, "PlatformDocument") },
    },
  }),
  createToken: () => ({ path: "/tokens", body: TOKEN }),
  listTokens: () => ({ path: "/tokens" }),
  getToken: async (story) => ({ path: `/tokens/${await made(story, "Token")}` }),
  deleteToken: async (story) => ({ path: `/tokens/${await made(story, "Token")}` }),
  createCustomer: () => ({
    path: "/customers",
    body: { customerType: "INDIVIDUAL", fullName: "Ana Ruiz", currencies: ["USD"] },
  }),
  listCustomers: () => ({ path: "/customers" }),
  getCustomer: async (story) => ({ path: `/customers/${await made(story, "Customer")}` }),
  updateCustomer: async (story) => ({
    path: `/customers/${await made(story, "Customer")}`,
    body: { customerType: "INDIVIDUAL", fullName: "Ana Luz" },
  }),
  deleteCustomer: async (story) => ({ path: `/customers/${await made(story, "Customer")}` }),
  freezeCustomer: async (story) => ({
    path: `/customers/${await made(story, "Customer")}/freeze`,
    body: { reason: "COMPLIANCE" },
  }),
  unfreezeCustomer: async (story) => {
    const path = `/customers/${await made(story, "Customer")}`;
    await story.call("POST", `${path}/freeze`, { reason: "OTHER" });
    return { path: `${path}/unfreeze` };
  },
  createBalanceAlert: async (story) => ({
    path: `/internal-accounts/${await made(story, "InternalAccount")}/alerts`,
    body: { direction: "BELOW", amount: 500 },
  }),
  listBalanceAlerts: async (story) => ({
    path: `/internal-accounts/${await made(story, "InternalAccount")}/alerts`,
  }),
  deleteBalanceAlert: async (story) => {
    const path = `/internal-accounts/${await made(story, "InternalAccount")}/alerts`;
    const { json } = await story.call("POST", path, { direction: "ABOVE", amount: 1_000_000 });
    return { path: `${path}/${json.id}` };
  },
  freezeInternalAccount: async (story) => ({
    path: `/internal-accounts/${await made(story, "InternalAccount")}/freeze`,
    body: { reason: "COMPLIANCE" },
  }),
  unfreezeInternalAccount: async (story) => {
    const path = `/internal-accounts/${await made(story, "InternalAccount")}`;
    await story.call("POST", `${path}/freeze`, { reason: "OTHER" });
    return { path: `${path}/unfreeze` };
  },
  createKycLink: async (story) => ({
    path: `/customers/${await made(story, "Customer")}/kyc-link`,
    body: { redirectUri: "https://app.example/verified" },
  }),
  createBeneficialOwner: async (story) => ({
    path: "/beneficial-owners",
    body: { ...OWNER, customerId: await made(story, "Business") },
  }),
  listBeneficialOwners: async (story) => ({
    path: `/beneficial-owners?customerId=${await made(story, "Business")}`,
  }),
  getBeneficialOwner: async (story) => ({
    path: `/beneficial-owners/${await made(story, "BeneficialOwner")}`,
  }),
  updateBeneficialOwner: async (story) => ({
    path: `/beneficial-owners/${await made(story, "BeneficialOwner")}`,
    body: { ownershipPercentage: 40, personalInfo: { email: "mara@example.com" } },
  }),
  createVerification: async (story) => ({
    path: "/verifications",
    body: { customerId: await made(story, "Business") },
  }),
  listVerifications: () => ({ path: "/verifications" }),
  decideVerification: async (story) => ({
    path: `/verifications/${await openVerification(story)}/decide`,
    body: { outcome: "APPROVED" },
  }),
  getVerification: async (story) => ({
    path: `/verifications/${await made(story, "Verification")}`,
  }),
  uploadCustomersCsv: () => ({ path: "/customers/bulk/csv", body: csvForm(csvOf([])) }),
  getBulkCustomerJob: async (story) => ({
    path: `/customers/bulk/jobs/${await made(story, "Job")}`,
  }),
  uploadDocument: async (story) => ({
    path: "/documents",
    body: passportForm(await made(story, "Customer")),
  }),
  listDocuments: () => ({ path: "/documents" }),
  getDocument: async (story) => ({ path: `/documents/${await made(story, "Document")}` }),
  replaceDocument: async (story) => ({
    path: `/documents/${await made(story, "Document")}`,
    body: passportForm(undefined),
  }),
  deleteDocument: async (story) => ({ path: `/documents/${await made(story, "Document")}` }),
  listCustomerInternalAccounts: () => ({ path: "/customers/internal-accounts" }),
  listPlatformInternalAccounts: () => ({ path: "/platform/internal-accounts" }),
  getInternalAccount: async (story) => ({
    path: `/internal-accounts/${await made(story, "InternalAccount")}`,
  }),
  createCustomerExternalAccount: async (story) => ({
    path: "/customers/external-accounts",
    body: { ...usdAccount(), customerId: await made(story, "Customer") },
  }),
  listCustomerExternalAccounts: () => ({ path: "/customers/external-accounts" }),
  getCustomerExternalAccount: async (story) => ({
    path: `/customers/external-accounts/${await made(story, "ExternalAccount")}`,
  }),
  deleteCustomerExternalAccount: async (story) => ({
    path: `/customers/external-accounts/${await made(story, "ExternalAccount")}`,
  }),
  createPlatformExternalAccount: () => ({
    path: "/platform/external-accounts",
    body: usdAccount(),
  }),
  listPlatformExternalAccounts: () => ({ path: "/platform/external-accounts" }),
  getPlatformExternalAccount: async (story) => ({
    path: `/platform/external-accounts/${await made(story, "PlatformExternalAccount")}`,
  }),
  deletePlatformExternalAccount: async (story) => ({
    path: `/platform/external-accounts/${await made(story, "PlatformExternalAccount")}`,
  }),
  createTransfer: async (story) => {
    const { accountId: source } = await fundedCustomer(story, 10_000);
    const { accountId: destination } = await fundedCustomer(story, 0);
    const body = {
      source: { accountId: source },
      destination: { accountId: destination },
      amount: 100,
    };
    return { path: "/transfers", body };
  },
  transferOut: (story) => transfer(story, "out"),
  transferIn: (story) => transfer(story, "in"),
  listExchangeRates: () => ({ path: "/exchange-rates" }),
  createQuote: quoteCall,
  listQuotes: () => ({ path: "/quotes" }),
  getQuote: async (story) => ({ path: `/quotes/${await made(story, "Quote")}` }),
  executeQuote: async (story) => ({ path: `/quotes/${await made(story, "Quote")}/execute` }),
  sendSandboxFunds: async (story) => ({
    path: "/sandbox/send",
    body: { quoteId: await made(story, "FundableQuote"), currencyCode: "USD" },
  }),
  listTransactions: () => ({ path: "/transactions" }),
  getTransaction: async (story) => ({
    path: `/transactions/${await made(story, "Transaction")}`,
  }),
  listDiscoveries: () => ({ path: "/discoveries" }),
  listUmaProviders: () => ({ path: "/uma-providers" }),
  createInvitation: async (story) => ({
    path: "/invitations",
    body: {
      inviterUma: (await emptyCustomer(story)).json.umaAddress,
      firstName: "Ana",
      amountToSend: 500,
      expiresAt: "2100-01-01T00:00:00Z",
    },
  }),
  getInvitation: async (story) => ({
    path: `/invitations/${await made(story, "InvitationCode")}`,
  }),
  claimInvitation: async (story) => ({
    path: `/invitations/${await made(story, "InvitationCode")}/claim`,
    body: { inviteeUma: "$bea@wallet.test" },
  }),
  cancelInvitation: async (story) => ({
    path: `/invitations/${await made(story, "InvitationCode")}/cancel`,
  }),
  approveTransaction: async (story) => ({
    path: `/transactions/${await made(story, "AskedTransaction")}/approve`,
    body: { receiverCustomerInfo: { NATIONALITY: "US" } },
  }),
  refundTransaction: async (story) => ({
    path: `/transactions/${await made(story, "ReceivedTransaction")}/refund`,
    body: { amount: 10, reason: "DUPLICATE" },
  }),
  rejectTransaction: async (story) => ({
    path: `/transactions/${await made(story, "AskedTransaction")}/reject`,
    body: { reason: "not wanted" },
  }),
  lookupUmaReceiver: async (story) => ({
    path: `/receiver/uma/${encodeURIComponent(await counterparty(story))}`,
  }),
  lookupExternalAccountReceiver: async (story) => ({
    path: `/receiver/external-account/${await made(story, "ExternalAccount")}`,
  }),
  receiveUmaPayment: (story) => announcement(story),
  fundInternalAccount: async (story) => ({
    path: `/sandbox/internal-accounts/${await made(story, "InternalAccount")}/fund`,
    body: { amount: 500 },
  }),
  advanceClock: () => ({ path: "/sandbox/clock/advance", body: { seconds: 1 } }),
  getClock: () => ({ path: "/sandbox/clock" }),
  testWebhook: () => ({ path: "/sandbox/webhooks/test" }),
  createCredential: async (story) => ({
    path: "/auth/credentials",
    body: registrationBody("OAUTH", await made(story, "Wallet")),
  }),
  listCredentials: async (story) => ({
    path: `/auth/credentials?accountId=${await made(story, "Wallet")}`,
  }),
  challengeCredential: async (story) => ({
    path: `/auth/credentials/${await made(story, "AuthMethod")}/challenge`,
    body: { clientPublicKey: CLIENT_KEY },
  }),
  verifyCredential: async (story) => ({
    path: `/auth/credentials/${(await credentialOf(story, "EMAIL_OTP")).id}/verify`,
    body: { type: "EMAIL_OTP", otp: "000000", clientPublicKey: CLIENT_KEY },
  }),
  revokeCredential: async (story) => {
    const { id, accountId } = await credentialOf(story, "PASSKEY");
    const body = registrationBody("OAUTH", accountId);
    await signedCall(story, { method: "POST", path: "/auth/credentials", body });
    return { path: `/auth/credentials/${id}` };
  },
  listSessions: async (story) => ({
    path: `/auth/sessions?accountId=${await made(story, "Wallet")}`,
  }),
  refreshSession: async (story) => ({
    path: `/auth/sessions/${await made(story, "Session")}/refresh`,
    body: { clientPublicKey: CLIENT_KEY },
  }),
  revokeSession: async (story) => ({ path: `/auth/sessions/${await made(story, "Session")}` }),
  exportWallet: async (story) => ({
    path: `/internal-accounts/${await made(story, "Wallet")}/export`,
    body: { clientPublicKey: CLIENT_KEY },
  }),
  getIssuerKey: () => ({ path: "/wallet/issuer-key" }),
  ...webhookCalls,
  ...railCalls,
  ...rateCalls,
  ...approvalValidCalls,
  listRequestLogs: () => ({ path: "/request-logs" }),
  streamRequestLogs: () => ({ path: "/request-logs/stream" }),
  getRequestLog: async (story) => ({
    path: `/request-logs/${await made(story, "RequestLog")}`,
  }),
  listAuditEntries: () => ({ path: "/audit-entries" }),
  listPeople: () => ({ path: "/people" }),
  createAgent: async (story) => ({
    path: "/agents",
    body: { name: "Bills", customerId: await made(story, "Customer"), policy: OPEN_POLICY },
  }),
  listAgents: () => ({ path: "/agents" }),
  listAgentApprovals: () => ({ path: "/agents/approvals" }),
  getAgent: async (story) => ({ path: `/agents/${await made(story, "Agent")}` }),
  updateAgent: async (story) => ({
    path: `/agents/${await made(story, "Agent")}`,
    body: { name: "Bills", isPaused: false },
  }),
  deleteAgent: async (story) => ({ path: `/agents/${await made(story, "Agent")}` }),
  updateAgentPolicy: async (story) => ({
    path: `/agents/${await made(story, "Agent")}/policy`,
    body: OPEN_POLICY,
  }),
  previewAgentPolicy: async (story) => ({
    path: `/agents/${await made(story, "Agent")}/policy/preview`,
    body: OPEN_POLICY,
  }),
  listAgentActions: async (story) => ({ path: `/agents/${await made(story, "Agent")}/actions` }),
  createAgentDeviceCode: async (story) => ({
    path: `/agents/${await made(story, "Agent")}/device-codes`,
  }),
  getAgentDeviceCodeStatus: async (story) => ({
    path: `/agents/device-codes/${await made(story, "DeviceCode")}/status`,
  }),
  redeemAgentDeviceCode: async (story) => ({
    path: `/agents/device-codes/${await made(story, "DeviceCode")}/redeem`,
  }),
  approveAgentAction: (story) => onAction(story, "approve"),
  rejectAgentAction: (story) => onAction(story, "reject", { reason: "No." }),
  agentMe: (story) => byAgent(story, ""),
  agentListActions: (story) => byAgent(story, "/actions"),
  agentGetAction: (story) => byAgent(story, "/actions/{actionId}"),
  agentListInternalAccounts: (story) => byAgent(story, "/internal-accounts"),
  agentListTransactions: (story) => byAgent(story, "/transactions"),
  agentGetTransaction: (story) => byAgent(story, "/transactions/{transactionId}"),
  agentCreateQuote: agentQuote,
  agentGetQuote: (story) => onAgentQuote(story, ""),
  agentExecuteQuote: (story) => onAgentQuote(story, "/execute"),
  agentTransferOut: (story) => agentTransfer(story, "out"),
  agentTransferIn: (story) => agentTransfer(story, "in"),
  agentListExternalAccounts: (story) => byAgent(story, "/external-accounts"),
  agentCreateExternalAccount: (story) => byAgent(story, "/external-accounts", usdAccount()),
  agentGetExternalAccount: (story) => byAgent(story, "/external-accounts/{externalAccountId}"),
  agentDeleteExternalAccount: (story) => byAgent(story, "/external-accounts/{externalAccountId}"),
};

/** Fails for an operation without a valid call here. */
export async function validCall(story: Story, operationId: string): Promise<ValidCall> {
  const make = present(calls[operationId], `a valid call of ${operationId} in valid-calls.ts`);
  return make(story);
}
