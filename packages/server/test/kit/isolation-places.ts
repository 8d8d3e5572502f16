/** Where a request can name an object of the platform, operation by operation, for the test of isolation. */
import { pathNames } from "../../src/http/reference/openapi.ts";
import { exampleOf } from "../../src/http/reference/schema-example.ts";
import type { Operation } from "../../src/http/request/operation.ts";
import type { Services } from "../../src/http/request/services.ts";
import { propertiesOf } from "../../src/validation/schema.ts";
import { exportFilters } from "./book-calls.ts";
import { approvalPlaces } from "./valid-approval-calls.ts";
import { railPlaces } from "./valid-rail-calls.ts";

export type Where = "path" | "body" | "query";
export type Places = Readonly<Partial<Record<Where, Readonly<Record<string, string>>>>>;

/** Every place of a request that names an object, and the kind of the object. The kind of an id in the path is that of its example. */
export function placesOf({ id, path, params }: Operation<Services>): Places {
  const schemas = params === undefined ? {} : propertiesOf(params);
  const inPath = pathNames(path).flatMap((name) => {
    const [, kind] = /^(\w+):/.exec(String(exampleOf(schemas[name]))) ?? [];
    return kind === undefined ? [] : [[name, kind]];
  });
  const { path: special, ...others } = places[id] ?? {};
  return { path: { ...Object.fromEntries(inPath), ...special }, ...others };
}

/** Places in queries and bodies, and in paths that need an object in a state of its own. */
const places: Readonly<Record<string, Places>> = {
  updateConfig: { body: { "branding.logoDocument": "PlatformDocument" } },
  createBeneficialOwner: { body: { customerId: "Customer" } },
  listBeneficialOwners: { query: { customerId: "Customer" } },
  createVerification: { body: { customerId: "Customer" } },
  listVerifications: { query: { customerId: "Customer" } },
  listDocuments: { query: { documentHolder: "Customer" } },
  listCustomerInternalAccounts: { query: { customerId: "Customer" } },
  createInternalAccount: { body: { customerId: "Customer" } },
  createCustomerExternalAccount: { body: { customerId: "Customer" } },
  listCustomerExternalAccounts: { query: { customerId: "Customer" } },
  getPlatformExternalAccount: { path: { externalAccountId: "PlatformExternalAccount" } },
  deletePlatformExternalAccount: { path: { externalAccountId: "PlatformExternalAccount" } },
  createTransfer: {
    body: { "source.accountId": "InternalAccount", "destination.accountId": "InternalAccount" },
  },
  listHolds: { query: { internalAccountId: "InternalAccount" } },
  captureHold: { body: { "destination.accountId": "InternalAccount" } },
  createPaymentBatch: {
    body: {
      "items.0.source.accountId": "InternalAccount",
      "items.0.destination.accountId": "ExternalAccount",
    },
  },
  getPaymentBatch: { path: { batchId: "PaymentBatch" } },
  getPaymentBatchItemsFile: { path: { batchId: "PaymentBatch" } },
  listPaymentBatchItems: { path: { batchId: "PaymentBatch" } },
  cancelPaymentBatch: { path: { batchId: "PaymentBatch" } },
  transferOut: {
    body: { "source.accountId": "InternalAccount", "destination.accountId": "ExternalAccount" },
  },
  createPaymentSchedule: {
    body: {
      "template.source.accountId": "InternalAccount",
      "template.destination.accountId": "ExternalAccount",
    },
  },
  updatePaymentSchedule: {
    body: {
      "template.source.accountId": "InternalAccount",
      "template.destination.accountId": "ExternalAccount",
    },
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
  sendSandboxFunds: { body: { quoteId: "FundableQuote" } },
  listTransactions: {
    query: {
      customerId: "Customer",
      accountIdentifier: "InternalAccount",
      senderAccountIdentifier: "InternalAccount",
      receiverAccountIdentifier: "ExternalAccount",
      groupId: "TransferGroup",
      connectionId: "RailConnection",
    },
  },
  getUmaPayment: { path: { transactionId: "InvoicedTransaction" } },
  getUmaTravelRule: { path: { transactionId: "InvoicedTransaction" } },
  approveTransaction: { path: { transactionId: "AskedTransaction" } },
  rejectTransaction: { path: { transactionId: "AskedTransaction" } },
  refundTransaction: { path: { transactionId: "ReceivedTransaction" } },
  lookupUmaReceiver: { query: { customerId: "Customer" } },
  lookupExternalAccountReceiver: {
    query: { customerId: "Customer" },
  },
  receiveUmaPayment: { body: { customerId: "Customer" } },
  payUmaInvoice: { path: { transactionId: "SandboxInvoicedTransaction" } },
  listAgents: { query: { customerId: "Customer" } },
  listAgentApprovals: { query: { agentId: "Agent", customerId: "Customer" } },
  createAgent: { body: { customerId: "Customer" } },
  getAgentDeviceCodeStatus: { path: { code: "DeviceCode" } },
  agentListTransactions: {
    query: {
      accountIdentifier: "InternalAccount",
      senderAccountIdentifier: "InternalAccount",
      receiverAccountIdentifier: "ExternalAccount",
      groupId: "TransferGroup",
    },
  },
  agentCreateQuote: {
    body: {
      "source.accountId": "InternalAccount",
      "source.customerId": "Customer",
      "destination.accountId": "ExternalAccount",
    },
  },
  agentTransferOut: {
    body: { "source.accountId": "InternalAccount", "destination.accountId": "ExternalAccount" },
  },
  agentTransferIn: {
    body: { "source.accountId": "ExternalAccount", "destination.accountId": "InternalAccount" },
  },
  agentCreateExternalAccount: { body: { customerId: "Customer" } },
  listEvents: { query: { resourceId: "Transaction" } },
  listLedgerAccounts: {
    query: {
      internalAccountId: "InternalAccount",
      customerId: "Customer",
      connectionId: "RailConnection",
    },
  },
  listPostings: { query: { accountId: "LedgerAccount", transactionId: "Transaction" } },
  resendEvent: { body: { endpointId: "WebhookEndpoint" } },
  resendEvents: { body: { endpointId: "WebhookEndpoint", "filter.resourceId": "Transaction" } },
  listWebhookDeliveries: {
    query: { endpointId: "WebhookEndpoint", eventId: "Webhook", resourceId: "Transaction" },
  },
  createStatement: { body: { accountId: "InternalAccount" } },
  listStatements: { query: { accountId: "InternalAccount" } },
  createExport: { body: exportFilters },
  listRequestLogs: {
    query: { tokenId: "Token", agentId: "Agent", resourceId: "Transaction" },
  },
  streamRequestLogs: { query: { tokenId: "Token", agentId: "Agent", resourceId: "Transaction" } },
  listAuditEntries: { query: { actorId: "Token", targetId: "Token" } },
  ...railPlaces,
  ...approvalPlaces,
  createCredential: { body: { accountId: "Wallet" } },
  listCredentials: { query: { accountId: "Wallet" } },
  listSessions: { query: { accountId: "Wallet" } },
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
