/** Every function of the client, with the request that it makes. */
import type { Client } from "../src/client.ts";
import { approvalRows } from "./approval-rows.ts";
import { batchRows } from "./batch-rows.ts";
import { bookRows } from "./book-rows.ts";
import { dryRunRows } from "./dry-run-rows.ts";
import { holdRows } from "./hold-rows.ts";
import { railRows } from "./rail-rows.ts";
import { rateRows } from "./rate-rows.ts";
import { scheduleRows } from "./schedule-rows.ts";
import { umaKeyRows } from "./uma-key-rows.ts";
import { umaRows } from "./uma-rows.ts";
import { webhookRows } from "./webhook-rows.ts";

const usd = {
  accountType: "USD_ACCOUNT",
  accountNumber: "1",
  routingNumber: "021000021",
  beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Ana Ruiz" },
} as const;
const account = { currency: "USD", accountInfo: usd } as const;
const quote = {
  source: { sourceType: "ACCOUNT", accountId: "InternalAccount:1" },
  destination: { destinationType: "ACCOUNT", accountId: "ExternalAccount:1" },
  lockedCurrencySide: "SENDING",
  lockedCurrencyAmount: 100,
} as const;
const file = new Blob(["%PDF-1.7"]);
export const passport = {
  documentType: "PASSPORT",
  country: "US",
  file,
  fileName: "p.pdf",
} as const;
export const move = { source: { accountId: "a" }, destination: { accountId: "b" }, amount: 5 };
const announced = {
  senderUmaAddress: "$success.usd@sandbox.x.test",
  receiverUmaAddress: "$a@x.test",
  receivingCurrencyCode: "USD",
  receivingCurrencyAmount: 5,
} as const;
const business = {
  customerType: "BUSINESS",
  businessInfo: { legalName: "A", country: "US", taxId: "1", incorporatedOn: "2020-01-01" },
} as const;

const owner = {
  customerId: "Customer:1",
  roles: ["UBO"],
  ownershipPercentage: 50,
  personalInfo: {
    firstName: "Mara",
    lastName: "Lind",
    birthDate: "1980-04-05",
    nationality: "US",
    address: { line1: "1", postalCode: "2", country: "US" },
    idType: "SSN",
    identifier: "123-45-6789",
  },
} as const;
const clientPublicKey = "04ab";
export const signature = { requestId: "Request:1", stamp: "abc" };
const login = { type: "EMAIL_OTP", otp: "000000", clientPublicKey } as const;

const policy = {
  permissions: ["CREATE_TRANSFERS"],
  defaultExecutionMode: "AUTO",
  spendingLimits: { currency: "USD", perTransactionLimit: 5 },
} as const;

type Row = readonly [name: string, call: (c: Client) => Promise<unknown>, request: string];

export const callTable: readonly Row[] = [
  ...bookRows,
  ...railRows,
  ...rateRows,
  ...approvalRows,
  ...batchRows,
  ...holdRows,
  ...umaRows,
  ...webhookRows,
  [
    "credentials.create",
    (c) => c.credentials.create({ type: "EMAIL_OTP", accountId: "a" }),
    "POST /auth/credentials",
  ],
  [
    "credentials.list",
    (c) => c.credentials.list({ accountId: "InternalAccount:1" }),
    "GET /auth/credentials?accountId=InternalAccount%3A1",
  ],
  [
    "credentials.challenge",
    (c) => c.credentials.challenge("AuthMethod:1", { clientPublicKey }),
    "POST /auth/credentials/AuthMethod%3A1/challenge",
  ],
  [
    "credentials.verify",
    (c) => c.credentials.verify("AuthMethod:1", login),
    "POST /auth/credentials/AuthMethod%3A1/verify",
  ],
  [
    "credentials.revoke",
    (c) => c.credentials.revoke("AuthMethod:1", { signature }),
    "DELETE /auth/credentials/AuthMethod%3A1",
  ],
  [
    "sessions.list",
    (c) => c.sessions.list({ accountId: "InternalAccount:1" }),
    "GET /auth/sessions?accountId=InternalAccount%3A1",
  ],
  [
    "sessions.refresh",
    (c) => c.sessions.refresh("Session:1", { clientPublicKey }, { signature }),
    "POST /auth/sessions/Session%3A1/refresh",
  ],
  ["sessions.revoke", (c) => c.sessions.revoke("Session:1"), "DELETE /auth/sessions/Session%3A1"],
  [
    "wallets.export",
    (c) => c.wallets.export("InternalAccount:1", { clientPublicKey }, { signature }),
    "POST /internal-accounts/InternalAccount%3A1/export",
  ],
  ["wallets.issuerKey", (c) => c.wallets.issuerKey(), "GET /wallet/issuer-key"],
  ["config.get", (c) => c.config.get(), "GET /config"],
  ["config.update", (c) => c.config.update({ umaDomain: "x.test" }), "PATCH /config"],
  ["tokens.create", (c) => c.tokens.create({ name: "n", permissions: ["VIEW"] }), "POST /tokens"],
  ["tokens.list", (c) => c.tokens.list({ name: "n", limit: 3 }), "GET /tokens?name=n&limit=3"],
  ["tokens.get", (c) => c.tokens.get("Token:1"), "GET /tokens/Token%3A1"],
  ["tokens.delete", (c) => c.tokens.delete("Token:1"), "DELETE /tokens/Token%3A1"],
  ["customers.create", (c) => c.customers.create(business), "POST /customers"],
  [
    "customers.list",
    (c) => c.customers.list({ umaAddress: "$a+b@x.test", isIncludingDeleted: true }),
    "GET /customers?umaAddress=%24a%2Bb%40x.test&isIncludingDeleted=true",
  ],
  ["customers.get", (c) => c.customers.get("Customer:1"), "GET /customers/Customer%3A1"],
  [
    "customers.update",
    (c) => c.customers.update("Customer:1", { customerType: "INDIVIDUAL", email: "a@b.test" }),
    "PATCH /customers/Customer%3A1",
  ],
  ["customers.delete", (c) => c.customers.delete("Customer:1"), "DELETE /customers/Customer%3A1"],
  [
    "customers.freeze",
    (c) => c.customers.freeze("Customer:1", { reason: "OTHER" }),
    "POST /customers/Customer%3A1/freeze",
  ],
  [
    "customers.unfreeze",
    (c) => c.customers.unfreeze("Customer:1"),
    "POST /customers/Customer%3A1/unfreeze",
  ],
  [
    "customers.createKycLink",
    (c) => c.customers.createKycLink("Customer:1", { redirectUri: "https://app.test/" }),
    "POST /customers/Customer%3A1/kyc-link",
  ],
  ["beneficialOwners.create", (c) => c.beneficialOwners.create(owner), "POST /beneficial-owners"],
  [
    "beneficialOwners.list",
    (c) => c.beneficialOwners.list({ customerId: "Customer:1", limit: 2 }),
    "GET /beneficial-owners?customerId=Customer%3A1&limit=2",
  ],
  [
    "beneficialOwners.get",
    (c) => c.beneficialOwners.get("BeneficialOwner:1"),
    "GET /beneficial-owners/BeneficialOwner%3A1",
  ],
  [
    "beneficialOwners.update",
    (c) => c.beneficialOwners.update("BeneficialOwner:1", { ownershipPercentage: 5 }),
    "PATCH /beneficial-owners/BeneficialOwner%3A1",
  ],
  [
    "verifications.create",
    (c) => c.verifications.create({ customerId: "Customer:1" }),
    "POST /verifications",
  ],
  [
    "verifications.list",
    (c) => c.verifications.list({ verificationStatus: "APPROVED" }),
    "GET /verifications?verificationStatus=APPROVED",
  ],
  [
    "verifications.decide",
    (c) => c.verifications.decide("Verification:1", { outcome: "APPROVED" }),
    "POST /verifications/Verification%3A1/decide",
  ],
  [
    "verifications.get",
    (c) => c.verifications.get("Verification:1"),
    "GET /verifications/Verification%3A1",
  ],
  ["bulkCustomers.upload", (c) => c.bulkCustomers.upload(file), "POST /customers/bulk/csv"],
  ["bulkCustomers.job", (c) => c.bulkCustomers.job("Job:1"), "GET /customers/bulk/jobs/Job%3A1"],
  [
    "documents.upload",
    (c) => c.documents.upload({ ...passport, documentHolder: "Customer:1" }),
    "POST /documents",
  ],
  [
    "documents.list",
    (c) => c.documents.list({ documentHolder: "Customer:1" }),
    "GET /documents?documentHolder=Customer%3A1",
  ],
  ["documents.get", (c) => c.documents.get("Document:1"), "GET /documents/Document%3A1"],
  [
    "documents.replace",
    (c) => c.documents.replace("Document:1", passport),
    "PUT /documents/Document%3A1",
  ],
  ["documents.delete", (c) => c.documents.delete("Document:1"), "DELETE /documents/Document%3A1"],
  [
    "internalAccounts.create",
    (c) => c.internalAccounts.create({ name: "Rent", currency: "USD", customerId: "Customer:1" }),
    "POST /internal-accounts",
  ],
  [
    "internalAccounts.update",
    (c) => c.internalAccounts.update("InternalAccount:1", { name: "Bills" }),
    "PATCH /internal-accounts/InternalAccount%3A1",
  ],
  [
    "internalAccounts.close",
    (c) => c.internalAccounts.close("InternalAccount:1"),
    "POST /internal-accounts/InternalAccount%3A1/close",
  ],
  [
    "internalAccounts.balance",
    (c) => c.internalAccounts.balance("InternalAccount:1", { at: "2026-11-21T10:00:00Z" }),
    "GET /internal-accounts/InternalAccount%3A1/balance?at=2026-11-21T10%3A00%3A00Z",
  ],
  [
    "internalAccounts.requestFunding",
    (c) => c.internalAccounts.requestFunding("InternalAccount:1"),
    "POST /internal-accounts/InternalAccount%3A1/funding-instructions",
  ],
  [
    "internalAccounts.createAlert",
    (c) => c.internalAccounts.createAlert("InternalAccount:1", { direction: "BELOW", amount: 5 }),
    "POST /internal-accounts/InternalAccount%3A1/alerts",
  ],
  [
    "internalAccounts.alerts",
    (c) => c.internalAccounts.alerts("InternalAccount:1", { limit: 5 }),
    "GET /internal-accounts/InternalAccount%3A1/alerts?limit=5",
  ],
  [
    "internalAccounts.deleteAlert",
    (c) => c.internalAccounts.deleteAlert("InternalAccount:1", "BalanceAlert:2"),
    "DELETE /internal-accounts/InternalAccount%3A1/alerts/BalanceAlert%3A2",
  ],
  [
    "internalAccounts.freeze",
    (c) => c.internalAccounts.freeze("InternalAccount:1", { reason: "OTHER" }),
    "POST /internal-accounts/InternalAccount%3A1/freeze",
  ],
  [
    "internalAccounts.unfreeze",
    (c) => c.internalAccounts.unfreeze("InternalAccount:1"),
    "POST /internal-accounts/InternalAccount%3A1/unfreeze",
  ],
  [
    "internalAccounts.listForCustomers",
    (c) => c.internalAccounts.listForCustomers({ customerId: "Customer:1" }),
    "GET /customers/internal-accounts?customerId=Customer%3A1",
  ],
  ["internalAccounts.get", (c) => c.internalAccounts.get("I:1"), "GET /internal-accounts/I%3A1"],
  [
    "internalAccounts.listForPlatform",
    (c) => c.internalAccounts.listForPlatform({ currency: "USD" }),
    "GET /platform/internal-accounts?currency=USD",
  ],
  [
    "externalAccounts.createForCustomer",
    (c) => c.externalAccounts.createForCustomer({ ...account, customerId: "Customer:1" }),
    "POST /customers/external-accounts",
  ],
  [
    "externalAccounts.listForCustomers",
    (c) => c.externalAccounts.listForCustomers(),
    "GET /customers/external-accounts",
  ],
  [
    "externalAccounts.getForCustomer",
    (c) => c.externalAccounts.getForCustomer("ExternalAccount:1"),
    "GET /customers/external-accounts/ExternalAccount%3A1",
  ],
  [
    "externalAccounts.deleteForCustomer",
    (c) => c.externalAccounts.deleteForCustomer("ExternalAccount:1"),
    "DELETE /customers/external-accounts/ExternalAccount%3A1",
  ],
  [
    "externalAccounts.createForPlatform",
    (c) => c.externalAccounts.createForPlatform(account),
    "POST /platform/external-accounts",
  ],
  [
    "externalAccounts.listForPlatform",
    (c) => c.externalAccounts.listForPlatform({ currency: "USD" }),
    "GET /platform/external-accounts?currency=USD",
  ],
  [
    "externalAccounts.getForPlatform",
    (c) => c.externalAccounts.getForPlatform("ExternalAccount:1"),
    "GET /platform/external-accounts/ExternalAccount%3A1",
  ],
  [
    "externalAccounts.deleteForPlatform",
    (c) => c.externalAccounts.deleteForPlatform("ExternalAccount:1"),
    "DELETE /platform/external-accounts/ExternalAccount%3A1",
  ],
  [
    "discoveries.list",
    (c) => c.discoveries.list({ country: "PH", currency: "PHP" }),
    "GET /discoveries?country=PH&currency=PHP",
  ],
  [
    "umaProviders.list",
    (c) => c.umaProviders.list({ hasBlockedProviders: false, sortOrder: "asc" }),
    "GET /uma-providers?hasBlockedProviders=false&sortOrder=asc",
  ],
  [
    "invitations.create",
    (c) => c.invitations.create({ inviterUma: "$ana@x.test", amountToSend: 5 }),
    "POST /invitations",
  ],
  ["invitations.get", (c) => c.invitations.get("c0de"), "GET /invitations/c0de"],
  [
    "invitations.claim",
    (c) => c.invitations.claim("c0de", { inviteeUma: "$bea@x.test" }),
    "POST /invitations/c0de/claim",
  ],
  ["invitations.cancel", (c) => c.invitations.cancel("c0de"), "POST /invitations/c0de/cancel"],
  ["transfers.create", (c) => c.transfers.create(move), "POST /transfers"],
  ["transfers.out", (c) => c.transfers.out(move), "POST /transfer-out"],
  ["transfers.in", (c) => c.transfers.in(move), "POST /transfer-in"],
  ...dryRunRows,
  ...scheduleRows,
  ...umaKeyRows,
  [
    "transactions.list",
    (c) => c.transactions.list({ status: "PENDING", sortOrder: "asc" }),
    "GET /transactions?status=PENDING&sortOrder=asc",
  ],
  [
    "transactions.get",
    (c) => c.transactions.get("Transaction:1"),
    "GET /transactions/Transaction%3A1",
  ],
  [
    "rates.list",
    (c) => c.rates.list({ sourceCurrency: "USD", destinationCurrency: ["EUR", "MXN"] }),
    "GET /exchange-rates?sourceCurrency=USD&destinationCurrency=EUR&destinationCurrency=MXN",
  ],
  ["requestLogs.list", (c) => c.requestLogs.list({ status: 400 }), "GET /request-logs?status=400"],
  [
    "auditEntries.list",
    (c) => c.auditEntries.list({ act: "create-token" }),
    "GET /audit-entries?act=create-token",
  ],
  ["auditEntries.people", (c) => c.auditEntries.people(), "GET /people"],
  ["requestLogs.get", (c) => c.requestLogs.get("RequestLog:1"), "GET /request-logs/RequestLog%3A1"],
  ["quotes.create", (c) => c.quotes.create(quote), "POST /quotes"],
  ["quotes.list", (c) => c.quotes.list({ status: "PENDING" }), "GET /quotes?status=PENDING"],
  ["quotes.get", (c) => c.quotes.get("Quote:1"), "GET /quotes/Quote%3A1"],
  ["quotes.execute", (c) => c.quotes.execute("Quote:1"), "POST /quotes/Quote%3A1/execute"],
  [
    "sandbox.send",
    (c) => c.sandbox.send({ quoteId: "Quote:1", currencyCode: "USD" }),
    "POST /sandbox/send",
  ],
  [
    "transactions.update",
    (c) => c.transactions.update("Transaction:1", { metadata: { orderId: "17" } }),
    "PATCH /transactions/Transaction%3A1",
  ],
  [
    "transactions.approve",
    (c) => c.transactions.approve("Transaction:1", { receiverCustomerInfo: { FULL_NAME: "A" } }),
    "POST /transactions/Transaction%3A1/approve",
  ],
  [
    "transactions.reject",
    (c) => c.transactions.reject("Transaction:1"),
    "POST /transactions/Transaction%3A1/reject",
  ],
  [
    "transactions.refund",
    (c) => c.transactions.refund("Transaction:1", { reason: "OTHER" }),
    "POST /transactions/Transaction%3A1/refund",
  ],
  [
    "receivers.atUmaAddress",
    (c) => c.receivers.atUmaAddress("$a@x.test", { customerId: "Customer:1" }),
    "GET /receiver/uma/%24a%40x.test?customerId=Customer%3A1",
  ],
  [
    "receivers.atExternalAccount",
    (c) => c.receivers.atExternalAccount("ExternalAccount:1"),
    "GET /receiver/external-account/ExternalAccount%3A1",
  ],
  [
    "sandbox.receiveUmaPayment",
    (c) => c.sandbox.receiveUmaPayment(announced),
    "POST /sandbox/uma/receive",
  ],
  [
    "sandbox.payUmaInvoice",
    (c) => c.sandbox.payUmaInvoice("Transaction:1", { outcome: "LATE" }),
    "POST /sandbox/uma/invoices/Transaction%3A1/pay",
  ],
  ["sandbox.umaFaults", (c) => c.sandbox.umaFaults(), "GET /sandbox/uma/faults"],
  [
    "sandbox.setUmaFaults",
    (c) => c.sandbox.setUmaFaults({ kind: "HANG", next: 1 }),
    "PUT /sandbox/uma/faults",
  ],
  [
    "sandbox.fund",
    (c) => c.sandbox.fund("InternalAccount:1", { amount: 100 }),
    "POST /sandbox/internal-accounts/InternalAccount%3A1/fund",
  ],
  [
    "sandbox.advanceClock",
    (c) => c.sandbox.advanceClock({ seconds: 30 }),
    "POST /sandbox/clock/advance",
  ],
  ["sandbox.clock", (c) => c.sandbox.clock(), "GET /sandbox/clock"],
  ["sandbox.testWebhook", (c) => c.sandbox.testWebhook(), "POST /sandbox/webhooks/test"],
  ["agents.create", (c) => c.agents.create({ name: "n", customerId: "c", policy }), "POST /agents"],
  ["agents.list", (c) => c.agents.list({ isPaused: false }), "GET /agents?isPaused=false"],
  ["agents.get", (c) => c.agents.get("Agent:1"), "GET /agents/Agent%3A1"],
  ["agents.update", (c) => c.agents.update("Agent:1", { name: "n" }), "PATCH /agents/Agent%3A1"],
  ["agents.delete", (c) => c.agents.delete("Agent:1"), "DELETE /agents/Agent%3A1"],
  [
    "agents.updatePolicy",
    (c) => c.agents.updatePolicy("Agent:1", { permissions: [] }),
    "PATCH /agents/Agent%3A1/policy",
  ],
  [
    "agents.previewPolicy",
    (c) => c.agents.previewPolicy("Agent:1", { permissions: [] }),
    "POST /agents/Agent%3A1/policy/preview",
  ],
  [
    "agents.listActions",
    (c) => c.agents.listActions("Agent:1", { status: "FAILED" }),
    "GET /agents/Agent%3A1/actions?status=FAILED",
  ],
  [
    "agents.createDeviceCode",
    (c) => c.agents.createDeviceCode("Agent:1"),
    "POST /agents/Agent%3A1/device-codes",
  ],
  [
    "agents.deviceCodeStatus",
    (c) => c.agents.deviceCodeStatus("CODE-1"),
    "GET /agents/device-codes/CODE-1/status",
  ],
  [
    "agents.listApprovals",
    (c) => c.agents.listApprovals({ sortOrder: "asc" }),
    "GET /agents/approvals?sortOrder=asc",
  ],
  [
    "agents.approve",
    (c) => c.agents.approve("Agent:1", "AgentAction:2"),
    "POST /agents/Agent%3A1/actions/AgentAction%3A2/approve",
  ],
  [
    "agents.reject",
    (c) => c.agents.reject("Agent:1", "AgentAction:2", { reason: "No." }),
    "POST /agents/Agent%3A1/actions/AgentAction%3A2/reject",
  ],
  [
    "webhooks.listDeliveries",
    (c) => c.webhooks.listDeliveries({ state: "FAILED" }),
    "GET /webhook-deliveries?state=FAILED",
  ],
  [
    "webhooks.getDelivery",
    (c) => c.webhooks.getDelivery("WebhookDelivery:1"),
    "GET /webhook-deliveries/WebhookDelivery%3A1",
  ],
  [
    "webhooks.listAttempts",
    (c) => c.webhooks.listAttempts("WebhookDelivery:1", { limit: 5 }),
    "GET /webhook-deliveries/WebhookDelivery%3A1/attempts?limit=5",
  ],
  ["webhooks.publicKey", (c) => c.webhooks.publicKey(), "GET /webhooks/public-key"],
];
