/** A valid call of each operation on a platform, for tests of all routes. */

import { operations } from "../../src/http/operations/routes.ts";
import type { Operation } from "../../src/http/request/operation.ts";
import type { Services } from "../../src/http/request/services.ts";
import { present } from "../../src/std/assert.ts";
import { bookCalls } from "./book-calls.ts";
import { csvForm, csvOf, passportForm } from "./forms.ts";
import { placesOf } from "./isolation-places.ts";
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
import { batchCsv, batchForm, longBatch, payersOf, payoutItem } from "./story-batches.ts";
import { registrationBody, signedCall } from "./story-wallets.ts";
import { approvalValidCalls } from "./valid-approval-calls.ts";
import { railCalls } from "./valid-rail-calls.ts";
import { rateCalls } from "./valid-rate-calls.ts";
import { scheduleCalls } from "./valid-schedule-calls.ts";
import { umaCalls } from "./valid-uma-calls.ts";
import { umaDomainCalls } from "./valid-uma-domain-calls.ts";
import { umaPaymentCalls } from "./valid-uma-payment-calls.ts";
import { umaPolicyCalls } from "./valid-uma-policy-calls.ts";
import { umaSandboxCalls } from "./valid-uma-sandbox-calls.ts";
import { webhookCalls } from "./valid-webhook-calls.ts";

const calls: Readonly<Record<string, Make>> = {
  ...bookCalls,
  ...scheduleCalls,
  ...umaDomainCalls,
  ...umaPaymentCalls,
  ...umaSandboxCalls,
  ...umaPolicyCalls,
  updateConfig: async (story) => ({
    path: "/config",
    body: {
      embeddedWalletConfig: { appName: "Wallet" },
      branding: { name: "Lind Pay", logoDocument: await made(story, "PlatformDocument") },
    },
  }),
  createToken: () => ({ path: "/tokens", body: TOKEN }),
  createCustomer: () => ({
    path: "/customers",
    body: { customerType: "INDIVIDUAL", fullName: "Ana Ruiz", currencies: ["USD"] },
  }),
  updateCustomer: async (story) => ({
    path: `/customers/${await made(story, "Customer")}`,
    body: { customerType: "INDIVIDUAL", fullName: "Ana Luz" },
  }),
  freezeCustomer: async (story) => ({
    path: `/customers/${await made(story, "Customer")}/freeze`,
    body: { reason: "COMPLIANCE" },
  }),
  unfreezeCustomer: async (story) => {
    const path = `/customers/${await made(story, "Customer")}`;
    await story.call("POST", `${path}/freeze`, { reason: "OTHER" });
    return { path: `${path}/unfreeze` };
  },
  createInternalAccount: async (story) => ({
    path: "/internal-accounts",
    body: { name: "Rent", currency: "USD", customerId: await made(story, "Customer") },
  }),
  updateInternalAccount: async (story) => ({
    path: `/internal-accounts/${await additionalAccount(story)}`,
    body: { name: "Bills" },
  }),
  closeInternalAccount: async (story) => ({
    path: `/internal-accounts/${await additionalAccount(story)}/close`,
  }),
  requestFundingInstructions: async (story) => ({
    path: `/internal-accounts/${await additionalAccount(story)}/funding-instructions`,
  }),
  createBalanceAlert: async (story) => ({
    path: `/internal-accounts/${await made(story, "InternalAccount")}/alerts`,
    body: { direction: "BELOW", amount: 500 },
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
  createHold: async (story) => ({
    path: `/internal-accounts/${await made(story, "InternalAccount")}/holds`,
    body: { amount: 100 },
  }),
  captureHold: async (story) => ({
    path: `/holds/${await made(story, "Hold")}/capture`,
    body: { amount: 10, destination: { accountId: (await fundedCustomer(story, 0)).accountId } },
  }),
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
  updateBeneficialOwner: async (story) => ({
    path: `/beneficial-owners/${await made(story, "BeneficialOwner")}`,
    body: { ownershipPercentage: 40, personalInfo: { email: "mara@example.com" } },
  }),
  createVerification: async (story) => ({
    path: "/verifications",
    body: { customerId: await made(story, "Business") },
  }),
  decideVerification: async (story) => ({
    path: `/verifications/${await openVerification(story)}/decide`,
    body: { outcome: "APPROVED" },
  }),
  uploadCustomersCsv: () => ({ path: "/customers/bulk/csv", body: csvForm(csvOf([])) }),
  uploadDocument: async (story) => ({
    path: "/documents",
    body: passportForm(await made(story, "Customer")),
  }),
  replaceDocument: async (story) => ({
    path: `/documents/${await made(story, "Document")}`,
    body: passportForm(undefined),
  }),
  createCustomerExternalAccount: async (story) => ({
    path: "/customers/external-accounts",
    body: { ...usdAccount(), customerId: await made(story, "Customer") },
  }),
  createPlatformExternalAccount: () => ({
    path: "/platform/external-accounts",
    body: usdAccount(),
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
  createPaymentBatch: async (story) => ({
    path: "/payment-batches",
    body: { mode: "ALL_OR_NOTHING", items: [payoutItem(await payersOf(story))] },
  }),
  createPaymentBatchFromCsv: async (story) => ({
    path: "/payment-batches/csv",
    body: batchForm(batchCsv([payoutItem(await payersOf(story))])),
  }),
  getPaymentBatchTemplate: () => ({ path: "/payment-batches/template.csv" }),
  getPaymentBatchItemsFile: async (story) => ({
    path: `/payment-batches/${await made(story, "PaymentBatch")}/items.csv`,
  }),
  listPaymentBatches: async (story) => {
    await made(story, "PaymentBatch");
    return { path: "/payment-batches" };
  },
  getPaymentBatch: async (story) => ({
    path: `/payment-batches/${await made(story, "PaymentBatch")}`,
  }),
  listPaymentBatchItems: async (story) => ({
    path: `/payment-batches/${await made(story, "PaymentBatch")}/items`,
  }),
  cancelPaymentBatch: async (story) => ({
    path: `/payment-batches/${await longBatch(story)}/cancel`,
  }),
  transferOut: (story) => transfer(story, "out"),
  transferIn: (story) => transfer(story, "in"),
  createQuote: quoteCall,
  sendSandboxFunds: async (story) => ({
    path: "/sandbox/send",
    body: { quoteId: await made(story, "FundableQuote"), currencyCode: "USD" },
  }),
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
  updateTransaction: async (story) => ({
    path: `/transactions/${await made(story, "Transaction")}`,
    body: { metadata: { orderId: "17" } },
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
  receiveUmaPayment: (story) => announcement(story),
  fundInternalAccount: async (story) => ({
    path: `/sandbox/internal-accounts/${await made(story, "InternalAccount")}/fund`,
    body: { amount: 500 },
  }),
  advanceClock: () => ({ path: "/sandbox/clock/advance", body: { seconds: 1 } }),
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
  exportWallet: async (story) => ({
    path: `/internal-accounts/${await made(story, "Wallet")}/export`,
    body: { clientPublicKey: CLIENT_KEY },
  }),
  ...webhookCalls,
  ...railCalls,
  ...rateCalls,
  ...umaCalls,
  ...approvalValidCalls,
  createAgent: async (story) => ({
    path: "/agents",
    body: { name: "Bills", customerId: await made(story, "Customer"), policy: OPEN_POLICY },
  }),
  updateAgent: async (story) => ({
    path: `/agents/${await made(story, "Agent")}`,
    body: { name: "Bills", isPaused: false },
  }),
  updateAgentPolicy: async (story) => ({
    path: `/agents/${await made(story, "Agent")}/policy`,
    body: OPEN_POLICY,
  }),
  previewAgentPolicy: async (story) => ({
    path: `/agents/${await made(story, "Agent")}/policy/preview`,
    body: OPEN_POLICY,
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

/** Fails for an operation that needs more than its path and has no valid call here. */
export async function validCall(story: Story, operationId: string): Promise<ValidCall> {
  const make = calls[operationId];
  return make === undefined ? plainCall(story, operationId) : make(story);
}

/** The path, with an object of the kind of each parameter. */
async function additionalAccount(story: Story): Promise<string> {
  const body = { name: "Rent", currency: "USD", customerId: await made(story, "Customer") };
  return (await story.call("POST", "/internal-accounts", body)).json.id;
}

async function plainCall(story: Story, operationId: string): Promise<ValidCall> {
  const operation = present(
    operations.find((one) => one.id === operationId && isPlain(one)),
    `a valid call of ${operationId} in valid-calls.ts`,
  );
  let { path } = operation;
  for (const [name, kind] of Object.entries(placesOf(operation).path ?? {})) {
    path = path.replace(`{${name}}`, await made(story, kind));
  }
  return { path };
}

function isPlain({ access, form, body, bodyOptional }: Operation<Services>): boolean {
  return access !== "AGENT" && form === undefined && (body === undefined || bodyOptional === true);
}
